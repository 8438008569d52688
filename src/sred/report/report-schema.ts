// The SR&ED report as data. Invariant: every format is made from this and from nothing else, and
// schema/sred-report.schema.json is generated from it; `schema` is raised when a reader could misread the new form.
import * as v from "valibot";

export const reportSchemaVersion = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/, "a day as 2026-03-31"));
const hash = v.pipe(v.string(), v.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "the full hash of a commit"));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "64 lower-case hex digits"));
const moment = v.pipe(v.string(), v.regex(/^-?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, "UTC, as 2026-02-13T09:15:00Z"));
const label = v.picklist(["hypothesis", "experiment", "result", "analysis", "advancement"]);
const hashes = v.array(hash);
const span = v.strictObject({ from: day, to: day });

export const outcomeNames = ["SUCCESS", "FAILED", "PARTIAL", "not stated"] as const;
const outcome = v.picklist(outcomeNames);

export const gapKinds = [
  "no-hypothesis",
  "no-result",
  "only-support-work",
  "silence",
  "outside-fiscal-year",
  "back-dated",
  "bulk-dated",
  "look-alike-identifier",
  "untagged-same-files",
  "business-language",
  "over-limit",
  "no-type",
  "malformed-identifier",
  "unknown-type",
  "contradictory-result",
  "no-test-evidence",
  "shallow-history",
  "record-damaged",
] as const;

const testRun = v.strictObject({
  /** Number and hash of the record in Interlock's ledger. */
  record: count,
  recordHash: v.string(),
  time: v.string(),
  runner: v.string(),
  command: v.string(),
  verdict: v.picklist(["passed", "failed", "proves nothing"]),
  /** Why it proves nothing. */
  why: v.optional(v.string()),
  /** The commit it was recorded with, where a rewrite gave that patch another hash. */
  via: v.optional(hash),
});

const gap = v.strictObject({
  kind: v.picklist(gapKinds),
  what: v.string(),
  next: v.string(),
  commits: hashes,
});

const quotation = v.strictObject({ label, text: v.string(), commits: v.pipe(hashes, v.minLength(1)) });

const experiment = v.strictObject({
  commit: hash,
  day,
  hypothesis: v.optional(v.string()),
  experiment: v.optional(v.string()),
  result: v.optional(v.string()),
  analysis: v.optional(v.string()),
  advancement: v.optional(v.string()),
  outcome,
  /** Where the outcome is said: at the beginning of RESULT, or in other words of the message. */
  saidBy: v.optional(v.picklist(["result", "message"])),
  tests: v.array(testRun),
});

const project = v.strictObject({
  id: v.string(),
  types: v.array(v.strictObject({ type: v.string(), commits: count })),
  /** First and last evidence within the period. */
  first: day,
  last: day,
  /** First and last evidence in the whole history that was read. */
  history: v.strictObject({ first: day, last: day, commits: count }),
  quarters: v.array(v.strictObject({ year: count, quarter: count, commits: count })),
  contributors: v.array(v.strictObject({ name: v.string(), email: v.string(), commits: count, first: day, last: day })),
  commits: hashes,
  files: count,
  experiments: v.array(experiment),
  outcomes: v.record(v.string(), count),
  cycles: v.array(
    v.strictObject({
      number: count,
      from: day,
      to: day,
      links: v.array(v.string()),
      issues: v.array(v.string()),
      commits: hashes,
      experiments: count,
      failed: count,
    }),
  ),
  lines: v.array(
    v.strictObject({
      line: v.string(),
      title: v.string(),
      draft: v.literal(true),
      words: count,
      limit: count,
      aim: count,
      over: v.boolean(),
      prompts: v.array(v.string()),
      quotations: v.array(quotation),
    }),
  ),
  boxes: v.array(
    v.strictObject({
      line: v.string(),
      title: v.string(),
      supported: v.boolean(),
      commits: hashes,
      testRuns: count,
      note: v.string(),
    }),
  ),
  gaps: v.array(gap),
});

const evidence = v.strictObject({
  hash,
  /** Of the bytes that `git log --encoding=UTF-8 --format=%B` prints. */
  messageSha256: sha256,
  subject: v.string(),
  day,
  time: v.string(),
  authored: moment,
  committed: moment,
  author: v.strictObject({ name: v.string(), email: v.string() }),
  projects: v.array(v.string()),
  types: v.array(v.string()),
  files: count,
  added: count,
  removed: count,
  merge: v.optional(v.literal(true)),
  /** Other commits with the same author, author date and message, such as cherry-picks. */
  copies: v.optional(hashes),
  guessedEncoding: v.optional(v.literal(true)),
  tests: v.array(testRun),
});

export const reportSchema = v.strictObject({
  schema: v.literal(reportSchemaVersion),
  kind: v.literal("interlock-sred-report"),
  draft: v.string(),
  period: v.strictObject({
    from: day,
    to: day,
    zone: v.string(),
    fiscalYearEnd: v.optional(v.string()),
    fiscalYear: span,
  }),
  /** When only some projects were asked for. */
  only: v.optional(v.array(v.string())),
  totals: v.strictObject({
    commits: count,
    tagged: count,
    notSred: count,
    routine: count,
    untagged: count,
    projects: count,
    experiments: count,
    outcomes: v.record(v.string(), count),
    cycles: count,
    contributors: count,
    testRuns: count,
    gaps: count,
  }),
  days: v.array(v.strictObject({ day, commits: count })),
  projects: v.array(project),
  gaps: v.array(gap),
  evidence: v.array(evidence),
  lineTable: v.strictObject({ form: v.string(), sources: v.array(v.string()), checked: day, caution: v.string() }),
  integrity: v.strictObject({
    repository: v.string(),
    head: v.optional(hash),
    branch: v.optional(v.string()),
    refs: v.picklist(["HEAD", "all"]),
    shallow: v.boolean(),
    commitsRead: count,
    /** SHA-256 over the lines "<commit> <message hash>" of all evidence, sorted. */
    evidenceSha256: sha256,
    ledger: v.strictObject({
      verdict: v.picklist(["intact", "findings", "tampered", "none"]),
      records: count,
      head: v.optional(v.strictObject({ seq: count, hash: v.string() })),
    }),
    made: moment,
    tool: v.string(),
    timeZoneData: v.string(),
  }),
});

export type SredReport = v.InferOutput<typeof reportSchema>;
export type ReportProject = SredReport["projects"][number];
export type ReportGap = SredReport["gaps"][number];
export type ReportExperiment = ReportProject["experiments"][number];
export type ReportEvidence = SredReport["evidence"][number];
export type ReportTestRun = ReportExperiment["tests"][number];
export type ReportLine = ReportProject["lines"][number];
export type StatedOutcome = (typeof outcomeNames)[number];
