// Run by full.test.ts where writing ends early (`full-disk <home> <filler>`): fills the disk, appends until refused,
// makes room, goes on. Prints one JSON object with what happened.
import { rmSync, writeFileSync } from "node:fs";
import { openStore, StoreFull, verify } from "../../src/store/index.js";

const [home, filler] = process.argv.slice(2) as [string, string];
const place = { home, id: "p1" };
const commit = () =>
  openStore(place).append(({ state }) => ({
    type: "event",
    body: { pad: "f".repeat(3_000) },
    patch: { total: ((state["total"] as number | undefined) ?? 0) + 1 },
  }))!;

let acknowledged = 0;
let degraded = false;
let refusal: unknown;
try {
  for (; acknowledged < 10_000; acknowledged++) {
    const { condition } = commit().snapshot;
    degraded ||= condition.degraded;
    if (acknowledged === 1 && filler) writeFileSync(filler, Buffer.alloc(90_000));
  }
} catch (error) {
  refusal = error;
}
const full = openStore(place).read();
const kept = [...openStore(place).records()].filter((one) => one.type === "event").length;
const whileFull = verify(place).verdict;
if (filler) {
  rmSync(filler);
  commit();
}
console.log(
  JSON.stringify({
    acknowledged,
    kept,
    total: full.state["total"],
    typed: refusal instanceof StoreFull,
    tampered: full.condition.tampered,
    degraded,
    whileFull,
    later: openStore(place).read().condition.ok,
    verdict: verify(place).verdict,
  }),
);
