// The second verifier on a store that is being written, and segments under another number: both verifiers agree.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { openStore } from "../../src/store/index.js";
import { verify } from "../../src/store/verify/verify.js";
import { temporary } from "../../src/testing/temporary.js";

const { verifyLedger } = (await import(pathToFileURL(join(process.cwd(), "scripts/verify-ledger.mjs")).href)) as {
  verifyLedger(home: string, id: string): { verdict: string; problems: { what: string }[]; last: number };
};

test("the second verifier agrees while others write", async () => {
  const place = { home: join(temporary("living"), "home"), id: "p1" };
  openStore(place).append(() => ({ type: "event", body: { first: true } }));
  const store = JSON.stringify(new URL("../../src/store/index.js", import.meta.url).href);
  const program = `import { openStore } from ${store};
    const store = openStore(${JSON.stringify(place)});
    const patch = (n) => ({ slice: { n, text: "x".repeat(n % 900) } });
    for (let n = 0; ; n++) store.append(() => ({ type: "event", body: { n }, patch: patch(n) }));`;
  const writers = [1, 2].map(() =>
    spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" }),
  );
  try {
    const seen = new Set<number>();
    for (let round = 0; round < 60 || seen.size < 5; round++) {
      const { verdict, problems, last } = verifyLedger(place.home, place.id);
      assert.deepEqual([verdict, problems], ["intact", []], `round ${round}`);
      seen.add(last);
    }
  } finally {
    for (const writer of writers) writer.kill("SIGTERM");
    await Promise.all(writers.map((writer) => writer.exitCode ?? writer.signalCode ?? once(writer, "exit")));
  }
});

test("a renamed segment is found by both verifiers, and named", () => {
  const place = { home: join(temporary("renamed"), "home"), id: "p1" };
  const store = openStore(place, { segment: { bytes: 4 << 20, records: 4 } });
  for (let n = 0; n < 16; n++) store.append(() => ({ type: "event", body: { n } }));
  const file = (n: number) => join(place.home, "projects/p1/ledger", `${String(n).padStart(8, "0")}.jsonl`);
  const both = () => [verify(place).verdict, verifyLedger(place.home, place.id).verdict];
  assert.deepEqual(both(), ["intact", "intact"]);
  for (const [from, to] of [
    [1, 0],
    [4, 7],
    [3, 90],
  ] as const) {
    renameSync(file(from), file(to));
    assert.deepEqual(both(), ["tampered", "tampered"], `${from} to ${to}`);
    if (to !== 90) {
      assert.match(
        JSON.stringify(verify(place).findings),
        new RegExp(`${String(to).padStart(8, "0")}\\.jsonl stands where`),
      );
      assert.match(JSON.stringify(verifyLedger(place.home, place.id).problems), /stands where number/);
    }
    renameSync(file(to), file(from));
    assert.deepEqual(both(), ["intact", "intact"]);
  }
});
