// Checkpoint trailers of the range: well formed, in agreement with each other, and with the record where it is here.
// Invariant: one number with two hashes is an error where both trailers name their record, and a warning in trailers of
// older releases, which do not: there two clones of one user look alike. A contradiction with the record is an error.
import { askGit } from "../project/run-git.js";
import { trailersOf } from "../sred/trailers.js";
import { type Anchor, checkpointTrailer, parseAnchor } from "../store/verify/checkpoints.js";
import { verify } from "../store/verify/verify.js";
import { type CheckResult, type CiFinding, type CiInput, plural, shortHash } from "./ci-report.js";

interface Vouching extends Anchor {
  commit: string;
  authored: number;
  committed: number;
}

/** The newest commits with a checkpoint, wherever they are. */
const most = 20_000;

export function checkCheckpoints(input: CiInput): CheckResult {
  const findings: CiFinding[] = [];
  const inRange = new Set(input.commits.map(({ hash }) => hash));
  let carrying = 0;
  for (const { hash, message } of input.commits) {
    const values = trailersOf(message).filter(({ key }) => key === checkpointTrailer.toLowerCase());
    if (values.length) carrying++;
    for (const { value } of values)
      if (!parseAnchor(value, hash))
        findings.push({
          rule: "checkpoints/malformed",
          level: "error",
          message: `the trailer ${checkpointTrailer} has no valid value: ${value.slice(0, 80)}`,
          next: 'commit with: git commit --trailer "$(interlock checkpoint)"',
          commit: hash,
        });
  }
  const all = vouchingCommits(input);
  findings.push(...contradictions(all, inRange));
  if (!all.length && !carrying)
    return { used: false, checked: false, summary: "no commit carries a checkpoint (see: interlock help checkpoint)" };
  const found = againstRecord(input, all, findings);
  return {
    checked: carrying > 0 || found.compared,
    summary: `${carrying} of ${plural(input.commits.length, "commit")} carry a checkpoint${found.said}`,
    notCheckable: found.notCheckable,
    findings,
  };
}

/** Every checkpoint that the end of the range reaches. */
function vouchingCommits({ root, range }: CiInput): Vouching[] {
  const format = `--format=%H %at %ct %(trailers:key=${checkpointTrailer},valueonly,separator=%x20)`;
  const args = ["log", `-n${most}`, `--grep=${checkpointTrailer}`, "--no-show-signature", format, range.to, "--"];
  const log = askGit(root, args, { ms: 120_000 })?.toString("utf8") ?? "";
  return log.split("\n").flatMap((line) => {
    const [commit = "", authored, committed, ...values] = line.split(" ");
    const times = { authored: Number(authored), committed: Number(committed) };
    return values.flatMap((value) => {
      const anchor = parseAnchor(value, `commit ${shortHash(commit)}`);
      return anchor ? [{ ...anchor, commit, ...times }] : [];
    });
  });
}

/** Two clones of one user keep two records. */
const recordOf = ({ key, record = "" }: Vouching): string => `${key}:${record}`;

/** One record only grows: a number has one hash, and what is authored later names a later one. */
function contradictions(all: readonly Vouching[], inRange: ReadonlySet<string>): CiFinding[] {
  const findings: CiFinding[] = [];
  const tell = (rule: "contradiction" | "went-back", at: Vouching, other: Vouching, what: string) =>
    findings.push({
      rule: `checkpoints/${rule}`,
      level: rule === "contradiction" && at.record ? "error" : "warning",
      message: `${what} (${other.where})`,
      next: "on the machine that made the commits: interlock verify",
      commit: at.commit,
    });
  const byRecord = new Map<string, Vouching>();
  for (const one of [...all].reverse()) {
    const name = `${recordOf(one)}:${one.seq}`;
    const known = byRecord.get(name);
    if (!known) byRecord.set(name, one);
    else if (known.hash !== one.hash && inRange.has(one.commit))
      tell("contradiction", one, known, `record ${one.seq} has another hash than an earlier commit vouches for`);
  }
  const highest = new Map<string, Vouching>();
  const settled = [...all].sort((a, b) => a.committed - b.committed);
  let next = 0;
  for (const one of [...all].sort((a, b) => a.authored - b.authored)) {
    for (; next < settled.length && settled[next]!.committed < one.authored; next++) {
      const before = settled[next]!;
      if (before.seq > (highest.get(recordOf(before))?.seq ?? -1)) highest.set(recordOf(before), before);
    }
    const before = highest.get(recordOf(one));
    if (before && before.seq > one.seq && inRange.has(one.commit))
      tell("went-back", one, before, `it names record ${one.seq} after an earlier commit named record ${before.seq}`);
  }
  return findings;
}

function againstRecord(
  { home, id, hasRecord }: CiInput,
  anchors: readonly Vouching[],
  findings: CiFinding[],
): { compared: boolean; said: string; notCheckable: string[] } {
  if (!hasRecord)
    return { compared: false, said: "", notCheckable: ["agreement with the record: this machine has no record of it"] };
  const report = verify({ home, id }, { anchors });
  if (!report.anchoring.anchors)
    return { compared: false, said: "", notCheckable: ["agreement with the record: it was made on another machine"] };
  if (report.verdict === "tampered")
    findings.push({
      rule: "checkpoints/record",
      level: "error",
      message: report.damage[0] ? `record ${report.damage[0].seq}: ${report.damage[0].what}` : "the record is damaged",
      next: "interlock verify",
    });
  const { last } = report.anchoring;
  return { compared: true, said: last ? `; the record agrees up to ${last.seq}` : "", notCheckable: [] };
}
