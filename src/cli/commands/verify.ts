// interlock verify answers three questions. Integrity: is every record whole and in its place?
// Completeness: does every call have its record? Anchoring: what outside confirms the record?

import { anchorsIn } from "../../health/commit-anchors.js";
import { coverage, describeCall, inWords } from "../../health/coverage.js";
import type { JsonObject } from "../../model/json.js";
import { counted } from "../../model/text.js";
import { type VerifyReport, verify } from "../../store/verify/verify.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { completeness } from "../lib/completeness.js";
import { openHere, printJson } from "../lib/current-project.js";
import { dim, green, red, shown, yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock verify [--seed <seed printed by interlock seal>] [--all-commits] [--json]

  --seed         also check the signatures of sealed segments
  --all-commits  look for checkpoints in every commit again, not only in those added since the last time
`;

export async function run(args: string[]): Promise<number> {
  const spec = { json: "flag", seed: "text", "all-commits": "flag", cwd: "text", home: "text" } as const;
  const { values } = parseOptions(args, spec, usage);
  if (values.seed !== undefined && !/^\d+-[0-9a-f]{64}$/.test(values.seed))
    throw new UsageError(`that is no seed \`interlock seal\` printed: <number>-<64 hex digits>\n${usage}`);
  const opened = await openHere(values);
  const { store, repository } = opened;
  const { report, complete, covered } = await withProgress("reading the commits", (progress) => {
    const anchors = anchorsIn(repository.root, store.place, values["all-commits"]);
    progress.step("checking the record");
    const moved = ({ bytes, totalBytes }: { bytes: number; totalBytes: number }) => progress.at(bytes, totalBytes);
    const report = verify(store.place, { progress: moved, seed: values.seed, anchors });
    progress.step("counting the calls");
    const complete = completeness(store);
    progress.step("comparing with the agent's transcripts");
    return { report, complete, covered: coverage(opened) };
  });
  const code = report.verdict === "tampered" ? 4 : report.verdict === "findings" || covered.missing.length ? 1 : 0;
  if (values.json) {
    printJson({
      integrity: report as unknown as JsonObject,
      completeness: { ...complete, transcripts: covered } as unknown as JsonObject,
      anchoring: report.anchoring as unknown as JsonObject,
    });
    return code;
  }
  line(`integrity:    ${integrity(report)}`);
  for (const d of report.damage.slice(0, 5)) line(red(`              record ${d.seq}: ${shown(d.what)}`));
  for (const f of report.findings)
    line((f.level === "tampering" ? red : yellow)(`              ${f.what}${f.remedy ? ` ${f.remedy}` : ""}`));
  const untracked = complete.untracked ? `, ${complete.untracked} without a number` : "";
  line(
    `completeness: ${counted(complete.calls, "call")} judged: ${complete.ended} came back, ` +
      `${complete.refused} refused, ${complete.open.length} without an end${untracked}`,
  );
  if (complete.unrecorded)
    line(
      yellow(
        `              ${counted(complete.unrecorded, "event")} answered without being judged or recorded in time`,
      ),
    );
  for (const o of complete.open.slice(0, 3))
    line(dim(`              record ${o.seq}: ${shown(o.tool)} in session ${shown(o.session, 40)}`));
  if (covered.transcripts)
    line(`              ${inWords(covered)}, by ${covered.transcripts} of the agent's own transcripts`);
  for (const call of covered.missing.slice(0, 20))
    line(red(`              no record: ${shown(describeCall(call), 160)}`));
  if (covered.missing.length > 20)
    line(red(`              and ${covered.missing.length - 20} more (--json lists all)`));
  line(`anchoring:    ${vouching(report)}`);
  return code;
}

function vouching({ anchoring: { anchors, last }, head }: VerifyReport): string {
  if (last) {
    const after = (head?.seq ?? last.seq) - last.seq;
    const later = after ? `; ${after} later, covered only by the high-water mark` : "";
    return `${last.where} vouches for everything up to record ${last.seq}${later}`;
  }
  if (anchors) return red(`none of ${counted(anchors, "checkpoint")} in the commits agrees with the record`);
  return "no commit vouches for this record yet, only its high-water mark; see `interlock help checkpoint`";
}

function integrity(report: VerifyReport): string {
  const size = `${counted(report.records, "record")} in ${counted(report.segments, "segment")}`;
  if (report.verdict === "intact") return green(`intact: ${size}, chain and signatures valid`);
  if (report.verdict === "findings") return yellow(`${size}, valid, with remarks`);
  if (!report.damageCount) return red(`TAMPERED: ${size}, each of them valid; what is beside them is not`);
  return red(
    `TAMPERED: ${report.damageCount} damaged, first at record ${report.firstBad?.seq ?? "?"}; ` +
      `${report.good} of ${report.records} records are good`,
  );
}

/** What belongs to one of the three questions stands behind its name. */
const line = (text: string): void => say(text, 14);
