// Each kind of gap in a real history that has it, and not in one that lacks it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeCommits, type PlannedCommit } from "../../testing/evidence-history.js";
import { temporary } from "../../testing/temporary.js";
import { readCommits, withFiles } from "../read-commits.js";
import { buildReport } from "./build-report.js";
import { lookAlikes } from "./gaps.js";
import { claimPeriod } from "./period.js";
import type { gapKinds } from "./report-schema.js";

type Kind = (typeof gapKinds)[number];

const at = (day: string, time = "12:00:00"): number => Date.parse(`${day}T${time}Z`) / 1000;
const hera = "HYPOTHESIS: it holds\nEXPERIMENT: ran it\nRESULT: FAILED, it does not\nADVANCEMENT: now known\n\n";
const tags = (id = "ALPHA", type = "experimental-development") => `SRED-Type: ${type}\nSRED-Claim: ${id}\n`;
const good = (day: string, more: Partial<PlannedCommit> = {}): PlannedCommit => ({
  message: `feat(x): on ${day}\n\n${hera}${tags()}`,
  at: at(day),
  ...more,
});

function reportOf(commits: PlannedCommit[], options: { fiscalYearEnd?: string; only?: string[] } = {}) {
  const root = join(temporary("gaps"), "repository");
  makeCommits(root, commits);
  return buildReport({
    history: readCommits(root),
    files: (found) => withFiles(root, found),
    period: claimPeriod({ from: "2026-01-01", to: "2026-03-31", zone: "UTC", fiscalYearEnd: options.fiscalYearEnd }),
    only: options.only,
    tests: new Map(),
    ledger: { verdict: "none", records: 0 },
    repository: "repository",
    now: at("2026-04-01") * 1000,
    tool: "interlock test",
  });
}

const kindsOf = (commits: PlannedCommit[], options = {}): Kind[] => {
  const report = reportOf(commits, options);
  return [...report.gaps, ...report.projects.flatMap((p) => p.gaps)].map((g) => g.kind);
};

const quiet: Kind[] = ["no-test-evidence"];

test("a project with everything has only the gap of test runs", () => {
  assert.deepEqual(kindsOf([good("2026-01-10"), good("2026-01-12")]), quiet);
});

const rows: [kind: Kind, commits: PlannedCommit[], options?: { fiscalYearEnd?: string }][] = [
  ["no-hypothesis", [{ message: `feat: x\n\nRESULT: SUCCESS, yes\n\n${tags()}`, at: at("2026-01-10") }]],
  ["no-result", [{ message: `feat: x\n\nHYPOTHESIS: it holds\n\n${tags()}`, at: at("2026-01-10") }]],
  ["only-support-work", [good("2026-01-10", { message: `test: x\n\n${hera}${tags("ALPHA", "support-work")}` })]],
  ["no-type", [good("2026-01-10", { message: `feat: x\n\n${hera}SRED-Claim: ALPHA\n` })]],
  ["unknown-type", [good("2026-01-10", { message: `feat: x\n\n${hera}${tags("ALPHA", "technical-innovation")}` })]],
  ["malformed-identifier", [good("2026-01-10", { message: `feat: x\n\n${hera}${tags("alpha_1")}` })]],
  ["silence", [good("2026-01-10"), good("2026-02-20")]],
  ["outside-fiscal-year", [good("2026-01-10"), good("2025-12-31")]],
  ["outside-fiscal-year", [good("2026-01-10"), good("2026-02-01")], { fiscalYearEnd: "01-31" }],
  ["back-dated", [good("2026-01-10", { committed: at("2026-01-18") })]],
  ["back-dated", [good("2026-01-10", { committed: at("2026-01-10", "10:00:00") })]],
  ["bulk-dated", [1, 2, 3, 4, 5].map((n) => good(`2026-01-0${n}`, { committed: at("2026-01-07", `10:00:0${n}`) }))],
  [
    "untagged-same-files",
    [
      good("2026-01-10", { files: { "a.ts": "1" } }),
      { message: "feat(x): forgot the trailer", at: at("2026-01-11"), files: { "a.ts": "2" } },
    ],
  ],
  ["business-language", [good("2026-01-10", { message: `feat: for the product launch\n\n${hera}${tags()}` })]],
  [
    "business-language",
    [good("2026-01-10", { message: `feat: x\n\n${hera.replace("now known", "more revenue")}${tags()}` })],
  ],
  [
    "over-limit",
    [good("2026-01-10", { message: `feat: x\n\nHYPOTHESIS: ${"word ".repeat(351)}\nRESULT: FAILED\n\n${tags()}` })],
  ],
  [
    "contradictory-result",
    [good("2026-01-10", { message: `feat: x\n\n${hera.replace("RESULT:", "RESULT: SUCCESS,")}${tags()}` })],
  ],
  [
    "look-alike-identifier",
    [good("2026-01-10"), good("2026-01-11", { message: `feat: x\n\n${hera}${tags("ALHPA")}` })],
  ],
];
for (const [kind, commits, options] of rows)
  test(`${kind}: ${commits.length} commit(s)`, () => {
    const found = reportOf(commits, options);
    const gaps = [...found.gaps, ...found.projects.flatMap((p) => p.gaps)];
    const gap = gaps.find((g) => g.kind === kind);
    assert.ok(gap, `found only ${gaps.map((g) => g.kind).join(", ")}`);
    assert.ok(gap.what.endsWith(".") && gap.next.length > 10);
    const expected = new Set<Kind>([kind, "no-test-evidence", ...(kind === "look-alike-identifier" ? quiet : [])]);
    assert.deepEqual(
      gaps.filter((g) => !expected.has(g.kind)).map((g) => g.kind),
      [],
      "no other gap",
    );
  });

test("near misses raise nothing", () => {
  const passing: PlannedCommit[][] = [
    [good("2026-01-10"), good("2026-02-09")],
    [good("2026-01-10", { committed: at("2026-01-17") })],
    [1, 2, 3, 4].map((n) => good(`2026-01-0${n}`, { committed: at("2026-01-07", `10:00:0${n}`) })),
    [1, 2, 3, 4, 5].map((n) => good("2026-01-07", { at: at("2026-01-07", `10:00:0${n}`) })),
    [
      good("2026-01-10", { files: { "a.ts": "1" } }),
      { message: "chore: routine", at: at("2026-01-11"), files: { "a.ts": "2" } },
      { message: "feat: other file", at: at("2026-01-11"), files: { "b.ts": "2" } },
      { message: "feat: not ours\n\nSRED-Claim: none\n", at: at("2026-01-11"), files: { "a.ts": "3" } },
    ],
    [good("2026-01-10", { message: `feat: launch the worker process sooner\n\n${hera}${tags()}` })],
  ];
  for (const commits of passing) assert.deepEqual(kindsOf(commits), quiet);
});

test("look-alikes: slips yes, numbered variants and short names no", () => {
  const yes: [string, string][] = [
    ["TIDE-FORECAST", "TIDE-FORCAST"],
    ["TIDE-FORECAST", "TIDEFORECAST"],
    ["ALPHA", "alpha"],
    ["ALPHA", "ALPAH"],
  ];
  const no: [string, string][] = [
    ["ALPHA-V1", "ALPHA-V2"],
    ["ALPHA", "ALPHA-EDGE"],
    ["CAT", "CAR"],
    ["CODEC", "INDEXER"],
    ["STAGE-A1", "STAGE-A12"],
  ];
  for (const pair of yes) assert.deepEqual(lookAlikes(pair), [pair]);
  for (const pair of no) assert.deepEqual(lookAlikes(pair), [], pair.join(" "));
});

test("a shallow clone and a damaged record are gaps of the whole report", () => {
  const root = join(temporary("gaps"), "repository");
  makeCommits(root, [good("2026-01-10")]);
  const report = buildReport({
    history: { ...readCommits(root), shallow: true },
    files: (found) => withFiles(root, found),
    period: claimPeriod({ from: "2026-01-01", to: "2026-03-31", zone: "UTC" }),
    tests: new Map(),
    ledger: { verdict: "tampered", records: 3 },
    repository: "repository",
    now: 0,
    tool: "interlock test",
  });
  assert.deepEqual(
    report.gaps.map((g) => g.kind),
    ["shallow-history", "record-damaged"],
  );
});
