// interlock verify answers three questions. Integrity: is every record whole and in its place?
// Completeness: does every call have its record? Anchoring: what outside confirms the record?

import { anchorsIn } from "../../health/commit-anchors.js";
import { coverage, describeCall, inWords } from "../../health/coverage.js";
import type { JsonObject } from "../../model/json.js";
import { type VerifyReport, verify } from "../../store/verify/verify.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { completeness } from "../lib/completeness.js";
import { openHere, printJson } from "../lib/current-project.js";
import { dim, green, red, shown, yellow } from "../lib/paint.js";

export const usage = "Usage: interlock verify [--seed <seed printed by interlock seal>] [--json]\n";

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag", seed: "text", cwd: "text", home: "text" }, usage);
  if (values.seed !== undefined && !/^\d+-[0-9a-f]{64}$/.test(values.seed))
    throw new UsageError(`that is no seed \`interlock seal\` printed: <number>-<64 hex digits>\n${usage}`);
  const opened = await openHere(values);
  const { store, repository } = opened;
  const anchors = anchorsIn(repository.root);
  const report = verify(store.place, { progress: progress(), seed: values.seed, anchors });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const complete = completeness(store);
  const covered = coverage(opened);
  const code = report.verdict === "tampered" ? 4 : report.verdict === "findings" || covered.missing.length ? 1 : 0;
  if (values.json) {
    printJson({
      integrity: report as unknown as JsonObject,
      completeness: { ...complete, transcripts: covered } as unknown as JsonObject,
      anchoring: report.anchoring as unknown as JsonObject,
    });
    return code;
  }
  console.log(`integrity:    ${integrity(report)}`);
  for (const d of report.damage.slice(0, 5)) console.log(red(`              record ${d.seq}: ${shown(d.what)}`));
  for (const f of report.findings)
    console.log((f.level === "tampering" ? red : yellow)(`              ${f.what}${f.remedy ? ` ${f.remedy}` : ""}`));
  console.log(
    `completeness: ${complete.calls} calls judged, ${complete.ended} came back, ${complete.refused} refused, ` +
      `${complete.open.length} without an end`,
  );
  for (const o of complete.open.slice(0, 3))
    console.log(dim(`              record ${o.seq}: ${shown(o.tool)} in session ${shown(o.session, 40)}`));
  if (covered.transcripts)
    console.log(`              ${inWords(covered)}, by ${covered.transcripts} of the agent's own transcripts`);
  for (const call of covered.missing.slice(0, 20))
    console.log(red(`              no record: ${shown(describeCall(call), 160)}`));
  if (covered.missing.length > 20)
    console.log(red(`              and ${covered.missing.length - 20} more (--json lists all)`));
  console.log(`anchoring:    ${vouching(report)}`);
  return code;
}

function vouching({ anchoring: { anchors, last }, head }: VerifyReport): string {
  if (last) {
    const after = (head?.seq ?? last.seq) - last.seq;
    const later = after ? `; ${after} later, covered only by the high-water mark` : "";
    return `${last.where} vouches for everything up to record ${last.seq}${later}`;
  }
  if (anchors) return red(`none of ${anchors} checkpoints in the commits agrees with the record`);
  return "no commit vouches for this record yet, only its high-water mark; see `interlock help checkpoint`";
}

function integrity(report: VerifyReport): string {
  const size = `${report.records} records in ${report.segments} segment${report.segments === 1 ? "" : "s"}`;
  if (report.verdict === "intact") return green(`intact: ${size}, chain and signatures valid`);
  if (report.verdict === "findings") return yellow(`${size}, valid, with remarks`);
  return red(
    `TAMPERED: ${report.damageCount} damaged, first at record ${report.firstBad?.seq ?? "?"}; ` +
      `${report.good} of ${report.records} records are good`,
  );
}

/** A line on stderr for long ledgers, only for people. */
function progress() {
  if (!process.stderr.isTTY) return undefined;
  return ({ records, bytes, totalBytes }: { records: number; bytes: number; totalBytes: number }) => {
    const share = totalBytes ? Math.round((100 * bytes) / totalBytes) : 100;
    process.stderr.write(`\r${"#".repeat(share / 4).padEnd(25, ".")} ${share} % ${records} records`);
  };
}
