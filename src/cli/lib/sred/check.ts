// interlock sred check: the second line behind the gate, as commit-msg hook and in CI.
// Invariant: judges by the same rules as the gate, on the message without comments and what follows the scissors.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { inert } from "../../../model/text.js";
import { cleanMessage } from "../../../sred/clean-message.js";
import { readSredMessage } from "../../../sred/message.js";
import { messageFindings } from "../../../sred/message-findings.js";
import { trailersOf } from "../../../sred/trailers.js";
import { atMost, parseOptions, UsageError } from "../args.js";
import { printJson } from "../current-project.js";
import { green, red } from "../paint.js";
import { withProgress } from "../progress.js";
import { say, sayError } from "../wrap.js";

export const usage = `Usage: interlock sred check <message-file> [--json]
       interlock sred check --range <from>..<to> [--json]

Checks that a commit message has a valid SRED-Type and SRED-Claim, is routine work, or says SRED-Claim: none.
Comment lines and everything below the scissors line are left out, as git does.

  --range <from>..<to>   check every commit of the range but merges, for CI
  --json                 one object on stdout
  --cwd <folder>         the repository, instead of the current folder

Exit code 0: all fine, 1: findings, 2: usage.
`;

const spec = { range: "text", json: "flag", cwd: "text", home: "text" } as const;

interface Checked {
  commit?: string;
  subject: string;
  findings: string[];
  /** Trailers outside the last paragraph: Interlock reads them, `git log` does not. */
  outsideBlock?: true;
}

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  atMost(words, 1, usage);
  const cwd = values.cwd ?? process.cwd();
  if ((values.range === undefined) === (words[0] === undefined))
    throw new UsageError(`give a message file or --range\n${usage}`);
  const { range } = values;
  const checked =
    range === undefined
      ? [inFile(cwd, words[0]!)]
      : await withProgress("checking the commits", () => inRange(cwd, range));
  const wrong = checked.filter((c) => c.findings.length);
  const outside = checked.filter((c) => c.outsideBlock).length;
  if (outside && !values.json)
    sayError(`${outside} with SR&ED trailers outside the last paragraph, where git log does not find them`);
  if (values.json) printJson({ valid: wrong.length === 0, checked: checked.length, commits: checked });
  else if (wrong.length) tell(wrong, words[0]);
  else if (values.range !== undefined)
    say(`${green("fine")}: ${checked.length} commit${checked.length === 1 ? "" : "s"} checked`);
  return wrong.length ? 1 : 0;
}

function inFile(cwd: string, file: string): Checked {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
  return checkedMessage(cleanMessage(text, commentChar(cwd)));
}

function inRange(cwd: string, range: string): Checked[] {
  if (range.startsWith("-")) throw new UsageError(`"${range}" is no range of commits`);
  let log: string;
  try {
    const options = ["log", "--no-merges", "--no-show-signature", "--format=%H%x00%B%x00", range, "--"];
    log = execFileSync("git", ["-C", cwd, ...options], { encoding: "utf8", maxBuffer: 1 << 30, stdio: "pipe" });
  } catch (error) {
    throw new UsageError(`git can't read ${range}: ${String((error as { stderr?: string }).stderr ?? error).trim()}`);
  }
  const fields = log.split("\0");
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, i) => ({
    commit: fields[i * 2]!.trim(),
    ...checkedMessage(fields[i * 2 + 1]!),
  }));
}

function checkedMessage(text: string): Checked {
  const message = readSredMessage(text);
  const outside = trailersOf(text).some(({ key, inBlock }) => !inBlock && /^sred-(?:type|claim)$/.test(key));
  // Git itself refuses an empty message.
  const findings = text.trim() === "" ? [] : messageFindings(message);
  return { subject: message.subject, findings, ...(outside && { outsideBlock: true as const }) };
}

function commentChar(cwd: string): string {
  try {
    const asked = ["-C", cwd, "config", "--get", "core.commentChar"];
    return execFileSync("git", asked, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() || "#";
  } catch {
    return "#"; // not set
  }
}

function tell(wrong: readonly Checked[], file: string | undefined): void {
  for (const { commit, subject, findings } of wrong) {
    say(`${red("[SRED-GUARD]")} ${commit ? `${commit.slice(0, 12)} ` : ""}${inert(subject, 100)}`);
    for (const finding of findings) say(`  ${inert(finding, 300)}`);
  }
  say(
    [
      "The last paragraph of the message needs:",
      "  SRED-Type: experimental-development | applied-research | basic-research | support-work",
      "  SRED-Claim: <SR&ED project identifier, PROJECT[-VARIANT]>   (interlock sred suggest names one)",
      "Routine maintenance does NOT qualify: a commit that is not SR&ED says SRED-Claim: none.",
      ...(file === undefined ? [] : [`The message is kept: git commit -e -F ${file}`]),
    ].join("\n"),
  );
}
