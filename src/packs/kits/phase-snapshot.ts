// What a phase finds when it starts, and what is wrong with the project when it ends.
// Invariant: everything a phase may not write is either in the snapshot or counted as truncated; findings come from
// content, never from times.
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../model/sha256.js";
import { readBoundedText } from "../../project/bounded-read.js";
import { matchCompiled } from "../../project/globs.js";
import { replaceFile } from "../../project/replace-file.js";
import { type AllowedChange, isAllowed } from "./allowed-changes.js";
import type { KitOptions } from "./kit-options.js";
import { changedFiles, type LockedFile, lockFile, type PhaseSnapshot, snapshotOf, walkFiles } from "./locked-files.js";
import { type LeanFacts, leanFacts, restated } from "./math/lean-source.js";
import type { ActivePhase, PhaseRecord } from "./phase-memory.js";
import { rulesOf } from "./phase-rules.js";
import { documentFindings, metricsFor } from "./research/research.js";
import { specFindings } from "./research/research-documents.js";
import { runnerSettings, settingsFiles } from "./tdd/tdd.js";
import { addTestFacts, type TestFacts, testFacts, weakerTests } from "./tdd/test-strength.js";
import { isMadeBelow, mayWrite } from "./write-rules.js";

export interface PhaseFinding {
  /** The rule, for events: "locked-file". */
  rule: string;
  what: string;
  next: string;
}

const textLimit = 4 << 20;

function textOf(root: string, below: string): string {
  try {
    return readBoundedText(join(root, below), textLimit);
  } catch {
    return ""; // gone or too large to be source
  }
}

const phaseOf = (record: PhaseRecord): ActivePhase => {
  const rules = rulesOf(record.kit, record.phase);
  if (!rules) throw new Error(`${record.kit} has no phase ${record.phase}`);
  const { kit, phase, results } = record;
  return { kit, phase, rules, record, ...(results && { results }) };
};

/** Writes the snapshot into `folder` and returns what the record names. */
export function takePhaseSnapshot(
  root: string,
  record: PhaseRecord,
  options: KitOptions,
  folder: string,
): NonNullable<PhaseRecord["snapshot"]> {
  const phase = phaseOf(record);
  const { files, truncated } = walkFiles(root, options.outputs);
  const locked: Record<string, LockedFile> = {};
  for (const below of files) {
    const lock = mayWrite(below, phase, options) ? undefined : lockFile(root, below);
    if (lock) locked[below] = lock;
  }
  const content = phase.rules.content ?? [];
  const snapshot: PhaseSnapshot = {
    files: locked,
    ...(truncated && { truncated }),
    ...(record.kit === "math" && { lean: leanIn(root, files, options) }),
    ...(content.includes("tests-kept") && { tests: testsIn(root, files, options) }),
    ...(content.includes("test-scripts-kept") && { scripts: runnerSettingsIn(root) }),
  };
  const text = JSON.stringify(snapshot);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${record.run}-${record.kit}-${record.phase}.json`);
  replaceFile(file, text);
  chmodSync(file, 0o600);
  return { file, sha256: sha256(text) };
}

function leanIn(root: string, files: readonly string[], options: KitOptions): Record<string, LeanFacts> {
  const own = files.filter(
    (f) => matchCompiled(options.places.lean, f) && !matchCompiled(options.places.leanScratch, f),
  );
  return Object.fromEntries(own.map((below) => [below, leanFacts(textOf(root, below))]));
}

function testsIn(root: string, files: readonly string[], options: KitOptions): Record<string, TestFacts> {
  const tests = files.filter((below) => matchCompiled(options.places.tests, below));
  return Object.fromEntries(tests.map((below) => [below, testFacts(textOf(root, below))]));
}

const runnerSettingsIn = (root: string): Record<string, string> =>
  Object.fromEntries(settingsFiles.map((name) => [name, runnerSettings(name, textOf(root, name))]));

const total = (all: Readonly<Record<string, TestFacts>>): TestFacts =>
  Object.values(all).reduce(addTestFacts, { tests: 0, assertions: 0, strict: 0, skipped: 0 });

/** How many test files there are. */
export const testFileCount = (root: string, options: KitOptions): number =>
  walkFiles(root, options.outputs).files.filter((below) => matchCompiled(options.places.tests, below)).length;

/** What a person let through in this phase. */
export interface LetThrough {
  /** Locked files as the allowed calls left them. */
  changes: Readonly<Record<string, AllowedChange>>;
  /** Files whose content rules were lifted, below the project. */
  files: ReadonlySet<string>;
}

const nothing: LetThrough = { changes: {}, files: new Set() };

/** Everything the phase leaves behind that its rules do not allow and no person let through. */
export function phaseFindings(
  root: string,
  record: PhaseRecord,
  options: KitOptions,
  letThrough: LetThrough = nothing,
): PhaseFinding[] {
  const snapshot = snapshotOf(record.snapshot!);
  const phase = phaseOf(record);
  const { files } = walkFiles(root, options.outputs);
  const undo = "put the file back as it was, then run the phase again";
  const excused = (below: string) =>
    isMadeBelow(root, below, phase, options) || isAllowed(root, below, letThrough.changes);
  const judged = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).filter(([below]) => !letThrough.files.has(below)));
  const out: PhaseFinding[] = changedFiles(root, snapshot.files)
    .filter((below) => !excused(below))
    .map((below) => ({ rule: "locked-file", what: `${below} was changed or removed`, next: undo }));
  for (const below of files)
    if (!Object.hasOwn(snapshot.files, below) && !mayWrite(below, phase, options) && !excused(below))
      out.push({ rule: "locked-place", what: `${below} was created`, next: "remove it, then run the phase again" });
  const content = phase.rules.content ?? [];
  if (snapshot.tests) {
    const weaker = weakerTests(total(judged(snapshot.tests)), total(judged(testsIn(root, files, options))));
    if (weaker) out.push({ rule: "tests-kept", what: `the tests are weaker: ${weaker}`, next: undo });
  }
  const settings = snapshot.scripts && runnerSettingsIn(root);
  for (const name of settingsFiles)
    if (settings && !letThrough.files.has(name) && settings[name] !== snapshot.scripts![name])
      out.push({ rule: "test-scripts-kept", what: `the test settings in ${name} were changed`, next: undo });
  if (snapshot.lean) out.push(...leanFindings(judged(snapshot.lean), judged(leanIn(root, files, options)), content));
  if (content.includes("research-documents")) out.push(...researchFindings(root, record, files, options));
  return out;
}

function leanFindings(
  before: Record<string, LeanFacts>,
  after: Record<string, LeanFacts>,
  content: readonly string[],
): PhaseFinding[] {
  const sum = (all: Record<string, LeanFacts>, field: "sorries" | "axioms") =>
    Object.values(all).reduce((total, facts) => total + facts[field], 0);
  const list = (all: Record<string, LeanFacts>, field: "statements" | "proofs") =>
    Object.values(all).flatMap((facts) => facts[field]);
  const out: PhaseFinding[] = [];
  const next = "undo it, then run the phase again";
  if (sum(after, "axioms") > sum(before, "axioms"))
    out.push({ rule: "no-new-axioms", what: "an axiom, unsafe, native_decide or admit was added", next });
  if (content.includes("same-declarations")) {
    const changed = restated(list(before, "statements"), list(after, "statements"));
    if (changed) out.push({ rule: "same-declarations", what: changed, next });
    const more = sum(after, "sorries") - sum(before, "sorries");
    if (more > 0) out.push({ rule: "sorry-count", what: `${more} more sorry than before`, next });
  }
  if (content.includes("same-proofs")) {
    const changed = restated(list(before, "proofs"), list(after, "proofs"));
    if (changed) out.push({ rule: "same-proofs", what: changed, next });
  }
  return out;
}

/** The documents a research phase must leave in their form. */
function researchFindings(
  root: string,
  record: PhaseRecord,
  files: readonly string[],
  options: KitOptions,
): PhaseFinding[] {
  const out: PhaseFinding[] = [];
  const add = (below: string, problems: readonly string[]) =>
    out.push(...problems.map((p) => ({ rule: "research-documents", what: `${below}: ${p}`, next: "complete it" })));
  const { phase, subject, results } = record;
  if (phase === "frame" && subject) add(subject, specFindings(textOf(root, subject)));
  const mine = files.filter((below) => results !== undefined && below.startsWith(`${results}/`));
  if (phase === "run" && results) {
    const metrics = mine.filter((below) => below.endsWith("/metrics.json"));
    if (!metrics.length) add(`${results}/metrics.json`, ["it is missing"]);
    for (const below of metrics) add(below, documentFindings(below, textOf(root, below), options));
  }
  if (phase === "read" && results) {
    const analysis = mine.filter((below) => matchCompiled(options.places.analysis, below));
    const found = analysis.length ? analysis : files.filter((below) => below === "analysis.md");
    if (!found.length) add(`${results}/analysis.md`, ["it is missing"]);
    for (const below of found)
      add(below, documentFindings(below, textOf(root, below), options, metricsFor(root, below, results)));
  }
  if (files.includes("HANDOFF.md"))
    add("HANDOFF.md", documentFindings("HANDOFF.md", textOf(root, "HANDOFF.md"), options));
  return out;
}
