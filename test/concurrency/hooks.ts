// Real hook processes at once on one project: every judged event is recorded once, whoever comes too late is refused
// with the reason, and the chain holds. Called from burst.test.ts: two bursts at the same time would only measure each
// other.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { test as Test, TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { noticeIn, spoolFolder } from "../../src/hook/spool-protocol.js";
import { turnsFolder } from "../../src/hook/turn.js";
import { limits } from "../../src/model/limits.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { verify } from "../../src/store/verify/verify.js";
import {
  bareProject,
  type CrowdAnswer,
  type CrowdPlace,
  crowdEvent,
  runCrowd,
  runOneHook,
} from "../../src/testing/hook-crowd.js";
import { place as serverPlace, until } from "../server/server.js";

const script = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));

function place(t: TestContext): CrowdPlace {
  const folder = mkdtempSync(join(tmpdir(), "interlock-many-"));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const root = join(folder, "project");
  bareProject(root);
  return { script, root, home: join(folder, "interlock") };
}

/** How many of them are to be found in the record. */
function checkAnswers(answers: CrowdAnswer[], root: string): number {
  let recorded = 0;
  for (const { i, answer, denied, ms } of answers) {
    const { event, refused } = crowdEvent(i, root);
    assert.doesNotThrow(() => JSON.parse(answer), `${i}: ${answer}`);
    assert.doesNotMatch(answer, /could not write its record/, `${i}`);
    // On a machine so busy that a hook does not end in time, its call is refused, and for no other reason.
    const turnedAway = /hooks that came earlier are still at work/.test(answer);
    const late = turnedAway || answer.includes("BLOCKED interlock/timeout");
    if (turnedAway) assert.ok(ms >= limits.turn, `${i} was turned away after ${ms} ms: ${answer}`);
    else if (late) assert.ok(ms >= limits.host - limits.margin, `${i} was refused after ${ms} ms: ${answer}`);
    if (event === "PreToolUse") assert.equal(denied, late || refused, `${i}: ${answer}`);
    if (!turnedAway) recorded++;
  }
  return recorded;
}

/** A PostToolUse whose call never passed is recorded as forged. */
const eventsIn = ({ home, root }: CrowdPlace) =>
  [...openStore({ home, id: identify(root).id }).records()].filter(
    (r) => r.type === "event" || r.type === "forged-event",
  );

async function burst(processes: number, where: CrowdPlace): Promise<void> {
  const recorded = checkAnswers(await runCrowd(processes, where), where.root);
  const events = eventsIn(where);
  assert.equal(events.length, recorded);
  const { home, root } = where;
  assert.equal(verify({ home, id: identify(root).id }).verdict, "intact");
  // Whoever was turned away is named by the next record.
  await runOneHook(5, where);
  const named = () =>
    [...openStore({ home, id: identify(root).id }).records()].flatMap(({ type, body }) =>
      type === "unrecorded" ? (body["events"] as object[]) : [],
    ).length;
  // A server records it after it has answered.
  await until(() => named() >= processes - recorded, 60_000);
  assert.equal(named(), processes - recorded);
  assert.deepEqual(existsSync(turnsFolder(home)) ? readdirSync(turnsFolder(home)) : [], []);
}

/** Nightly more than get their turn in time on a small machine; turned-away.test.ts has that case every time. */
const many = process.env["INTERLOCK_NIGHTLY"] ? 256 : 96;

export function hookBursts(test: typeof Test): void {
  test("64 hook processes at once: no event is lost or recorded twice, the chain is valid", async (t) => {
    const where = place(t);
    await burst(64, where);
    const numbers = [...openStore({ home: where.home, id: identify(where.root).id }).records()].map((r) => r.seq);
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => i + 1),
    );
  });

  test(`${many} hook processes at once without a server: each is recorded, or refused with the reason`, async (t) => {
    await burst(many, place(t));
  });

  test(`${many} hook processes at once beside a server: each is recorded, or refused with the reason`, async (t) => {
    const at = serverPlace(t);
    const server = spawn(process.execPath, [script, "serve", "--home", at.home], { env: at.env, stdio: "ignore" });
    const ended = once(server, "exit");
    at.before(() => server.kill() && ended);
    await until(() => existsSync(noticeIn(spoolFolder(at.home))), 60_000);
    await burst(many, { script, root: at.project, home: at.home });
    assert.equal(server.exitCode, null, "the server outlives the crowd");
  });

  test("64 hook processes at once find a stale lock: no event is lost or recorded twice", async (t) => {
    const where = place(t);
    await runOneHook(0, where);
    const { home, root } = where;
    const folder = join(home, "projects", identify(root).id);
    assert.ok(readdirSync(folder).length > 0);
    writeFileSync(join(folder, "lock"), "not a lock at all");
    const recorded = checkAnswers(await runCrowd(64, where), root);
    const events = eventsIn(where);
    assert.equal(events.length, recorded + 1);
    assert.equal(new Set(events.map((r) => r.seq)).size, recorded + 1);
    assert.notEqual(verify({ home, id: identify(root).id }).verdict, "tampered");
  });
}
