import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { readSredMessage } from "./message.js";
import { trailersOf } from "./trailers.js";

test("trailers are read as git reads them, and SR&ED lines of the body as well", () => {
  const block = "SRED-Type: basic-research\nSRED-Claim: ALPHA";
  const rows: [message: string, claims: string[]][] = [
    [`feat: x\n\n${block}\n`, ["ALPHA"]],
    ["feat: x\n\nsred-claim : BETA", ["BETA"]],
    ["feat: x\n\nSRED-Claim: BETA-\n  TWO", ["BETA- TWO"]],
    [`feat: x\n\n${block}\n\nCo-Authored-By: A <a@b.c>`, ["ALPHA"]],
    [`feat: x\n\nbody\n${block}`, ["ALPHA"]],
    [`feat: x\n\n* one\n\n${block}\n\n* two\n\nSRED-Claim: BETA\n`, ["ALPHA", "BETA"]],
    [`feat: x\n\nnote\n${block}\nSigned-off-by: A <a@b.c>`, ["ALPHA"]],
    ["SRED-Claim: TITLE", ["TITLE"]],
    ["feat: x\r\n\r\nSRED-Claim: GAMMA\r\n", ["GAMMA"]],
    ["feat: x\n\nThe line  SRED-Claim: QUOTED is prose", []],
    ["", []],
  ];
  for (const [message, claims] of rows) {
    assert.deepEqual(readSredMessage(message).claims, claims, message);
    const git = execFileSync("git", ["interpret-trailers", "--parse", "--no-divider"], {
      input: message.replaceAll("\r\n", "\n"),
      encoding: "utf8",
    });
    const ours = trailersOf(message).filter((t) => t.inBlock);
    assert.deepEqual(
      ours.map((t) => `${t.key}: ${t.value}`),
      git.split("\n").flatMap((line) => {
        const at = line.indexOf(":");
        return at < 0 ? [] : [`${line.slice(0, at).toLowerCase()}: ${line.slice(at + 1).trim()}`];
      }),
      message,
    );
  }
});

test("types and claims are checked; none is an answer", () => {
  const rows: [trailers: string, problem: RegExp | undefined][] = [
    ["SRED-Type: experimental-development\nSRED-Claim: ALPHA-BETA2", undefined],
    ["SRED-Type: support-work", undefined],
    ["SRED-Claim: none", undefined],
    ["SRED-Type: systematic-investigation", /removed: it is a method of SR&ED, not a type/],
    ["SRED-Type: technical-innovation", /removed: it is not a term of the Canada Revenue Agency/],
    ["SRED-Type: experimental-developments", /is not a type of SR&ED work/],
    ["SRED-Type:", /SRED-Type has no value/],
    ["SRED-Claim:", /SRED-Claim has no value/],
    ["SRED-Claim: alpha", /PROJECT\[-VARIANT\]/],
    ["SRED-Claim: ALPHA-2026", /PROJECT\[-VARIANT\]/],
    ["SRED-Claim: ALPHA_B", /PROJECT\[-VARIANT\]/],
    ["SRED-Claim: ALPHA\nSRED-Claim: none", /a project and none/],
  ];
  for (const [trailers, problem] of rows) {
    const { problems } = readSredMessage(`feat: x\n\n${trailers}\n`);
    if (problem) assert.match(problems.join("\n"), problem, trailers);
    else assert.deepEqual(problems, [], trailers);
  }
  assert.equal(readSredMessage("feat: x\n\nSRED-Claim: none").notSred, true);
  assert.equal(readSredMessage("feat: x").notSred, false);
});

test("routine work is told by how the message begins", () => {
  const routine = [
    "chore: bump",
    "chore(deps)!: bump",
    "docs: typo",
    "style(ui): x",
    "ci: x",
    "build: x",
    "fix typo in the README",
    "typo",
    "Merge branch 'a' into b",
    "Merge pull request #3 from x/y",
    'Revert "feat: x"',
    "revert: feat: x",
    "fixup! feat: x",
    "squash! feat: x",
    "amend! feat: x",
  ];
  const work = [
    "feat: x",
    "fix(parser): y",
    "Merge sort beats the heap here",
    "feat(search): typo-tolerant lookup",
    "docsgen: x",
    "perf: merge two passes",
    "explore the build: cache",
  ];
  for (const m of routine) assert.equal(readSredMessage(m).routine, true, m);
  for (const m of work) assert.equal(readSredMessage(m).routine, false, m);
});

test("H-E-R-A values run until the next label or trailer", () => {
  const read = readSredMessage(`perf(cache): tiered eviction (EI-1204)

Hypothesis: two tiers halve
  the misses

even under load
EXPERIMENT: replayed trace #77
**Result:** FAILED, misses rose by 4 %
Analysis: UTF-8 keys collide
ADVANCEMENT: eviction must see key classes
SRED-Type: experimental-development
SRED-Claim: CACHE
`);
  assert.equal(read.hypothesis, "two tiers halve\nthe misses\n\neven under load");
  assert.equal(read.experiment, "replayed trace #77");
  assert.equal(read.result, "FAILED, misses rose by 4 %");
  assert.equal(read.analysis, "UTF-8 keys collide");
  assert.equal(read.advancement, "eviction must see key classes");
  assert.deepEqual([read.scope, read.prefix, read.claim], ["cache", "perf", "CACHE"]);
  assert.deepEqual(read.issueKeys, ["EI-1204", "#77"]);
  assert.equal(read.failed, true);
});

test("a failed experiment is told from the word in passing", () => {
  const rows: [text: string, failed: boolean][] = [
    ["feat: x\n\nRESULT: FAILED at 10 GB", true],
    ["feat: x\n\nRESULT: SUCCESS after one FAILED attempt", false],
    ["feat: x\n\nThe prototype FAILED under load", true],
    ["feat: x\n\nIt did not achieve 10 ms", true],
    ["feat: x\n\nContrary to the hypothesis, it grew", true],
    ["feat: x\n\nno tests FAILED", false],
    ["feat: x\n\nthe build failed once", false],
  ];
  for (const [text, failed] of rows) assert.equal(readSredMessage(text).failed, failed, text);
});
