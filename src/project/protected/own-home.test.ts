// Patterns against Interlock's own home: which reach into it, which take a folder it lies in, which miss it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reachOf } from "./own-home.js";

const home = ["home", "u", ".local", "state", "interlock"];
const rows: [pattern: string, reach: ReturnType<typeof reachOf>][] = [
  ["/home/u/.local/state/i*/k*", "inside"],
  ["/home/u/.local/*/interlock/projects/*/ledger/*", "inside"],
  ["/home/u/.l*/state/interlock", "inside"],
  ["/home/u/.local/state/interloc[k]", "inside"],
  ["/home/u/.local/state/*", "inside"],
  ["/home/u/.lo*", "above"],
  ["/home/*", "above"],
  ["/home/u/**/*.jsonl", "inside"],
  ["/home/**/key", "inside"],
  ["/**/*", "inside"],
  ["/home/u/**/state", "above"],
  ["/home/u/**/interlock", "inside"],
  ["/home/u/**/*.ts", undefined],
  ["/home/u/*", undefined],
  ["/home/u/code/**/*.json", undefined],
  ["/home/u/.local/share/*", undefined],
  ["/home/v/.local/state/i*/k*", undefined],
  ["/home/u/.config/*/key", undefined],
];
for (const [pattern, reach] of rows) test(`${pattern}: ${reach}`, () => assert.equal(reachOf(pattern, home), reach));
