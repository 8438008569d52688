// The report states nothing that no commit states: random commits, each built of words that occur nowhere else.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { GitCommit } from "../read-commits.js";
import { buildReport } from "./build-report.js";
import { csvIndex } from "./csv-index.js";
import { htmlReport } from "./html-report.js";
import { markdownReport } from "./markdown-report.js";
import { claimPeriod } from "./period.js";
import type { SredReport } from "./report-schema.js";

const flat = (text: string): string => text.replace(/\s+/g, " ").trim();
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Words no template has, with and without figures, negations and outcomes. */
const marker = fc.integer({ min: 0, max: 9_999_999 }).map((n) => `zq${n.toString(36)}xv`);
const figure = fc.integer({ min: 100_000_000, max: 999_999_999 }).map((n) => `${n} %`);
const phrase = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: marker },
      { weight: 2, arbitrary: figure },
      fc.constantFrom("not", "no", "FAILED", "SUCCESS", "PARTIAL", "did not achieve", "faster by"),
    ),
    { minLength: 1, maxLength: 7 },
  )
  .map((words) => words.join(" "));

const part = (label: string) =>
  fc.option(
    phrase.map((text) => `${label}: ${text}\n`),
    { nil: "" },
  );
const body = fc
  .tuple(part("HYPOTHESIS"), part("EXPERIMENT"), part("RESULT"), part("ANALYSIS"), part("ADVANCEMENT"), phrase)
  .map(([h, e, r, n, a, prose]) => `${h}${e}${r}${n}${a}\n${prose}\n`);
const message = fc
  .tuple(phrase, fc.array(body, { minLength: 1, maxLength: 3 }), fc.constantFrom("ALPHA", "BETA", "BETA-V2"))
  .map(
    ([subject, bodies, id]) =>
      `feat: ${subject}\n\n${bodies.join("\n")}\nSRED-Type: basic-research\nSRED-Claim: ${id}\n`,
  );

const commit = fc.tuple(message, fc.integer({ min: 0, max: 364 * 86_400 }), fc.integer({ min: 0, max: 1 })).map(
  ([text, after, by]): GitCommit => ({
    hash: createHash("sha1").update(`${text}${after}`).digest("hex"),
    parents: [],
    author: { name: ["Ada", "Bo"][by]!, email: "x@example.org" },
    committer: { name: "Bo", email: "x@example.org" },
    authored: { seconds: 1_767_225_600 + after, offset: "+0000" },
    committed: { seconds: 1_767_225_600 + after, offset: "+0000" },
    message: text,
    messageHash: sha256(text),
    files: [{ path: `src/${by}.ts`, added: 1, removed: 0 }],
  }),
);

const reportOf = (commits: GitCommit[]): SredReport =>
  buildReport({
    history: { commits, refs: "HEAD", shallow: false },
    files: (found) => [...found],
    period: claimPeriod({ from: "2026-01-01", to: "2026-12-31", zone: "UTC" }),
    tests: new Map(),
    ledger: { verdict: "none", records: 0 },
    repository: "repository",
    now: 1_800_000_000_000,
    tool: "interlock test",
  });

const quoted = ["hypothesis", "experiment", "result", "analysis", "advancement"] as const;
const unique = /zq[0-9a-z]+xv|\b\d{9}\b/g;

function check(commits: GitCommit[]): void {
  const report = reportOf(commits);
  const said = new Map(commits.map((c) => [c.hash, flat(c.message)]));
  const says = (hash: string, text: string) => assert.ok(said.get(hash)?.includes(flat(text)), `${hash}: ${text}`);
  for (const p of report.projects) {
    for (const e of p.experiments) {
      for (const label of quoted) if (e[label] !== undefined) says(e.commit, e[label]);
      if (e.saidBy === "result") assert.match(e.result!, new RegExp(`^\\W*${e.outcome.slice(0, 4)}`, "i"));
      if (e.saidBy === "message") assert.match(said.get(e.commit)!, /FAILED|did not achieve/);
      if (!e.saidBy) assert.equal(e.outcome, "not stated");
    }
    for (const line of p.lines) for (const q of line.quotations) for (const hash of q.commits) says(hash, q.text);
  }
  for (const e of report.evidence) says(e.hash, e.subject);
  // Outside quotations and subjects no word and no figure of any commit appears, so nothing was mixed or summed.
  const bare = JSON.parse(JSON.stringify(report)) as SredReport;
  for (const e of bare.evidence) e.subject = "";
  for (const p of bare.projects) {
    for (const e of p.experiments) for (const label of quoted) delete e[label];
    for (const line of p.lines) line.quotations = [];
  }
  const digests = /"[0-9a-f]{40,64}"/g;
  assert.deepEqual(JSON.stringify(bare).replace(digests, "").match(unique) ?? [], []);
  // What people read holds no such word that the data do not hold.
  const words = new Set(commits.flatMap((c) => c.message.match(unique) ?? []));
  for (const text of [htmlReport(report), markdownReport(report), csvIndex(report)])
    for (const word of text.replace(/\b[0-9a-f]{10,64}\b/g, "").match(unique) ?? []) assert.ok(words.has(word), word);
}

test("every sentence and every outcome is found in the commit it cites", () => {
  fc.assert(fc.property(fc.uniqueArray(commit, { minLength: 1, maxLength: 6, selector: (c) => c.hash }), check), {
    numRuns: process.env["INTERLOCK_NIGHTLY"] ? 5000 : 100,
  });
});

test("the check itself fails on an invented sentence", () => {
  const text = "feat: zq1xv\n\nHYPOTHESIS: zq2xv\nRESULT: FAILED, zq3xv\n\nSRED-Claim: ALPHA\n";
  const [one] = fc.sample(commit, { numRuns: 1, seed: 1 });
  const real: GitCommit = { ...one!, message: text, messageHash: sha256(text) };
  check([real]);
  assert.throws(() =>
    check([
      {
        ...real,
        get message() {
          return turns++ ? "feat: other words" : text;
        },
      } as GitCommit,
    ]),
  );
});
let turns = 0;
