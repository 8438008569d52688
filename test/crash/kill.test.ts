// Writers killed at random moments: what was acknowledged is there, the record goes on without a wait and verifies.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore, verify } from "../../src/store/index.js";

const child = fileURLToPath(new URL("./child.js", import.meta.url));
const kills = process.env["INTERLOCK_NIGHTLY"] ? 1_000 : 100;
const perHome = 25;
/** What this process keeps for its own next turn, see src/store/spare.ts. */
const ownSpare = `lock.${process.pid}.0.tmp`;

/**
 * Starts an appending process, kills it a random moment after its first acknowledgement, returns its acknowledgements.
 */
function killed(home: string, name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const writer = spawn(process.execPath, [child, home, "p1", "loop", name], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    writer.stdout.once("data", () => setTimeout(() => writer.kill("SIGKILL"), Math.random() * 30));
    writer.stdout.on("data", (data) => (out += data));
    writer.stderr.on("data", (data) => (err += data));
    writer.on("close", (_, signal) =>
      signal === "SIGKILL"
        ? resolve(out.split("\n").slice(0, -1))
        : reject(new Error(`writer ended by itself: ${err}`)),
    );
  });
}

interface Times {
  /** Milliseconds of an append after a writer was killed, and of the next one. */
  recovered: number[];
  ordinary: number[];
}

async function lane(rounds: number): Promise<Times> {
  const times: Times = { recovered: [], ordinary: [] };
  for (let done = 0; done < rounds; done += perHome) {
    const home = mkdtempSync(join(tmpdir(), "interlock-kill-"));
    const place = { home, id: "p1" };
    const acknowledged = new Set<string>();
    for (let n = 0; n < Math.min(perHome, rounds - done); n++) {
      for (const id of await killed(home, `k${n}`)) acknowledged.add(id);
      for (const kind of ["recovered", "ordinary"] as const) {
        const start = performance.now();
        const { condition } = openStore(place).read();
        openStore(place).append(() => ({ type: "event", body: { after: n } }));
        times[kind].push(performance.now() - start);
        assert.equal(condition.tampered, false, condition.findings.map((one) => one.what).join(" "));
      }
      const report = verify(place);
      assert.equal(report.verdict, "intact", report.findings.map((one) => one.what).join(" "));
    }
    // Temporary files of dead processes are swept every so many records.
    for (let n = 0; n < 64; n++) openStore(place).append(() => ({ type: "event", body: {} }));
    const there = new Set([...openStore(place).records()].flatMap((one) => one.ids ?? []));
    assert.deepEqual(
      [...acknowledged].filter((id) => !there.has(id)),
      [],
      "acknowledged but not there",
    );
    assert.deepEqual(
      readdirSync(join(home, "projects/p1")).filter((one) => /lock|tmp|unclean/.test(one) && one !== ownSpare),
      [],
    );
    rmSync(home, { recursive: true });
  }
  return times;
}

test(`${kills} writers are killed at random moments: nothing acknowledged is lost`, async (t) => {
  const lanes = await Promise.all([lane(kills / 2), lane(kills / 2)]);
  const [recovered, ordinary] = (["recovered", "ordinary"] as const).map((kind) =>
    median(lanes.flatMap((l) => l[kind])),
  );
  t.diagnostic(`median recovery: ${recovered!.toFixed(1)} ms, an ordinary append: ${ordinary!.toFixed(1)} ms`);
  // Nobody waits for a dead writer's lock: a wait is at least a hundred appends long.
  assert.ok(recovered! < ordinary! * 20, `${recovered} ms after a kill, ${ordinary} ms without`);
});

test("five concurrent writers are killed and replaced in turn: nothing acknowledged is lost", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "interlock-killed-"));
  const place = { home, id: "p1" };
  const acknowledged: string[] = [];
  const rounds = kills / 25;
  await Promise.all(
    Array.from({ length: 5 }, async (_, writer) => {
      for (let n = 0; n < rounds; n++) acknowledged.push(...(await killed(home, `w${writer}-${n}`)));
    }),
  );
  const records = [...openStore(place).records()];
  const there = records.flatMap((one) => one.ids ?? []);
  t.diagnostic(`${rounds * 5} kills, ${acknowledged.length} acknowledged, ${records.length} records`);
  assert.equal(new Set(there).size, there.length, "a commit came twice");
  const found = new Set(there);
  assert.deepEqual(
    acknowledged.filter((id) => !found.has(id)),
    [],
    "acknowledged but not there",
  );
  const { condition, state } = openStore(place).read();
  assert.equal(condition.tampered, false, condition.findings.map((one) => one.what).join(" "));
  assert.equal(state["total"], there.length, "an update was lost");
  const report = verify(place);
  assert.equal(report.verdict, "intact", report.findings.map((one) => one.what).join(" "));
  rmSync(home, { recursive: true });
});

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
