import assert from "node:assert/strict";
import { test } from "node:test";
import { type CycleCommit, cycleSummary, investigationCycles } from "./cycles.js";

const hour = 3_600_000;
const commit = (hash: string, hours: number, claim: string, more: Partial<CycleCommit> = {}): CycleCommit => ({
  hash,
  at: hours * hour,
  claims: [claim],
  issueKeys: [],
  failed: false,
  ...more,
});
const shape = (commits: CycleCommit[]) =>
  investigationCycles(commits).map((c) => `${c.claim} ${c.commits.map((x) => x.hash).join("")} ${c.links.join("+")}`);

test("commits of one project belong together within 72 hours, by issue, or by scope in sequence", () => {
  const rows: [commits: CycleCommit[], cycles: string[]][] = [
    [[commit("a", 0, "A"), commit("b", 72, "A")], ["A ab within 72 hours"]],
    [
      [commit("a", 0, "A"), commit("b", 72.1, "A")],
      ["A a ", "A b "],
    ],
    [
      [commit("a", 0, "A"), commit("b", 10, "B"), commit("c", 20, "A")],
      ["A ac within 72 hours", "B b "],
    ],
    [
      [commit("a", 0, "A", { issueKeys: ["EI-1"] }), commit("b", 900, "A", { issueKeys: ["EI-1"] })],
      ["A ab shared issue"],
    ],
    [[commit("a", 0, "A", { scope: "x" }), commit("b", 200, "A", { scope: "x" })], ["A ab same scope in sequence"]],
    [
      [
        commit("a", 0, "A", { scope: "x" }),
        commit("b", 100, "A", { scope: "y" }),
        commit("c", 200, "A", { scope: "x" }),
      ],
      ["A a ", "A b ", "A c "],
    ],
    [
      [commit("a", 0, "A", { scope: "x" }), commit("b", 800, "A", { scope: "x" })],
      ["A a ", "A b "],
    ],
    // The issue joins two cycles that are far apart, with all that is in them.
    [
      [
        commit("a", 0, "A", { issueKeys: ["#1"] }),
        commit("b", 1, "A"),
        commit("c", 900, "A"),
        commit("d", 901, "A", { issueKeys: ["#1"] }),
      ],
      ["A abcd within 72 hours+shared issue"],
    ],
  ];
  for (const [commits, cycles] of rows) assert.deepEqual(shape(commits), cycles);
});

test("a cycle's sentence counts what its commits say", () => {
  const [cycle] = investigationCycles([
    commit("a", 0, "CACHE", { hypothesis: "h", issueKeys: ["EI-12"] }),
    commit("b", 20, "CACHE", { result: "FAILED", failed: true }),
    commit("c", 26, "CACHE", { result: "SUCCESS", experiment: "e" }),
  ]);
  assert.equal(
    cycleSummary(cycle!),
    "CACHE: 3 commits over 26 hours, 1 hypothesis, 1 experiment, 1 other result, 1 failed experiment, issue EI-12",
  );
});
