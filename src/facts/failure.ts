// A failure as a signature that is the same for the same mistake.
// Invariant: derived from outcomes (failed calls, exit codes, test results),
// never from the output of a successful call; what differs from run to run is removed.

import type { Event } from "../model/event.js";
import { wasStopped } from "./interrupted.js";
import { alternatives } from "./lazy-pattern.js";
import type { TestRun } from "./test-run.js";

export interface Failure {
  /** Normalised; equal for the same failure of the same kind of call. */
  signature: string;
  /** The first line that tells what failed, cut. */
  shown: string;
  tool: string;
  /** An edit whose text is not in the file, or there more than once: nothing was changed or proved. */
  missed?: boolean;
}

export function failureOf(event: Event, run: TestRun | undefined): Failure | undefined {
  const { tool, outcome, kind } = event;
  if (!tool || !outcome || (kind !== "tool.failed" && kind !== "tool.after")) return undefined;
  if (outcome.interrupted || refused.test(outcome.text.slice(0, 400))) return undefined;
  if (wasStopped(outcome) && run?.ok !== false) return undefined;
  const failed = kind === "tool.failed" || !outcome.ok || (outcome.exitCode ?? 0) !== 0 || run?.ok === false;
  if (!failed || expected(event, run)) return undefined;
  const { shown, details } = tellingLines(outcome.text);
  const missed = tool.kind === "edit" && missedText.test(outcome.text.slice(0, 200));
  // Which text was missed tells one such edit from the next.
  const lines = missed ? [outcome.text.slice(0, 2000)] : [shown, ...details];
  return {
    signature: `${subjectOf(event, run)}: ${lines.map(normalise).join(" | ")}`.slice(0, 300),
    shown: shown.slice(0, 160),
    tool: tool.name,
    ...(missed && { missed }),
  };
}

const missedText =
  /String to replace not found in file|^\W*(?:tool_use_error\W*)?Found \d+ matches of the string to replace/;

/** The user or a hook declined the call: nothing was tried. */
const refused = alternatives([
  "^(?:Error:? )?(?:The user doesn't want to|User rejected" +
    String.raw`|Permission to use \S+ has been denied|\[Request interrupted|Operation stopped by hook` +
    String.raw`|\w+(?::\w+)? hook (?:blocking error|stopped)|BLOCKED \S+ \[v-)`,
  String.raw`\btool use was rejected\b`,
  String.raw`^Claude requested permissions to |\bwas blocked\. For security, Claude Code\b`,
  // Another call of the same message failed, or the client did not take the input: nothing was tried.
  "Sibling tool call errored|InputValidationError|File has not been read yet" +
    "|File has been modified since read|File has been unexpectedly modified",
]);

/** Programs whose exit code 1 is an answer: nothing found, files differ. */
const answering = /^(?:grep|egrep|fgrep|rg|ag|ack|diff|cmp|test|which|type|pgrep|comm|\[)$/;

function expected({ tool, outcome }: Event, run: TestRun | undefined): boolean {
  if (tool!.kind !== "shell" || run) return false;
  if (outcome!.exitCode !== 1) return false;
  const program =
    /^\s*(?:\w+=\S*\s+)*(?:cd\s+\S+\s*&&\s*)?(?:git\s+(?=diff|grep))?(\S+)/.exec(tool!.command ?? "")?.[1] ?? "";
  return answering.test(program.replace(/^.*\//, ""));
}

function subjectOf({ tool }: Event, run: TestRun | undefined): string {
  if (run) return run.runner;
  if (tool!.kind !== "shell") return tool!.mcp ? `${tool!.mcp.server}/${tool!.mcp.tool}` : tool!.kind;
  return (
    /^\s*(?:\w+=\S*\s+)*(?:cd\s+\S+\s*&&\s*)?(\S+)/.exec(tool!.command ?? "")?.[1]?.replace(/^.*\//, "") ?? "shell"
  );
}

/** Lines that name a failure, and lines that may. */
const naming = alternatives([
  String.raw`^\s*(?:not ok\b|✖|✗|×|FAIL(?:ED)?\b|--- FAIL)`,
  String.raw`\b[A-Za-z]*(?:Error|Exception)\b(?::|\s*$)`,
  String.raw`\berror(?:\[|:| TS)`,
  String.raw`\bfatal:`,
  "panicked",
  String.raw`\*\*\*`,
]);
const telling = alternatives(
  [
    "error",
    "fail",
    "exception",
    "not found",
    "no such",
    "denied",
    "cannot",
    "can't",
    "unable",
    "unexpected",
    "undefined",
    "panic",
    "assert",
    "fatal",
    "missing",
    "invalid",
    "refused",
    "timed? ?out",
  ],
  "i",
);
const wrapping = new RegExp(
  String.raw`^\s*(?:(?:#|ℹ)?\s*(?:tests?|pass|fail|suites|\d+ (?:passing|failing))\b` +
    "|(?:Error: )?exit code|(?:failureType|duration_ms|location|code|type|name|operator|stack" +
    String.raw`|expected|actual)\s*:|error: (?:\|-?|>-?)$)`,
  "i",
);

/** Actual and expected values: the same test failing differently is another failure. */
const detail = /!==|\b(?:expected|received|actual|got)\b|\b[A-Za-z]*(?:Error|Exception)\b:|^\s*[+-]\s+\S/i;

function tellingLines(text: string): { shown: string; details: string[] } {
  const all = text
    .slice(0, 200_000)
    .split("\n")
    .filter((l) => l.trim() && l.length < 2000);
  const lines = all.filter((l) => !wrapping.test(l));
  const shown = lines.find((l) => naming.test(l)) ?? lines.find((l) => telling.test(l)) ?? lines[0] ?? "";
  return { shown: shown.trim(), details: all.filter((l) => l !== shown && detail.test(l)).slice(0, 3) };
}

/**
 * Small numbers stay: 3 of 5 and 4 of 5 differ. Order matters: times before line:column, ids before numbers, paths
 * before words.
 */
export function normalise(line: string): string {
  return line
    .slice(0, 2000)
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, "")
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?\b/g, "<time>")
    .replace(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, "<time>")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>")
    .replace(/\b0x[0-9a-f]+\b/gi, "<address>")
    .replace(/(?:file:\/\/)?(?:[A-Za-z]:)?(?:[\w.@~+-]*[/\\])+([\w.@+-]+)/g, "<path>")
    .replace(
      /\b[\w-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|json|ya?ml|toml)\b/g,
      "<path>",
    )
    .replace(/(<path>)?[:(]\d+(?:[:,]\d+)?\)?/g, (_, p) => `${p ?? ""}<at>`)
    .replace(/\b(?:line|column|col|row|offset|position)\s+\d+/gi, "<at>")
    .replace(/\b(pid|process|port|thread|worker|attempt|retry|request|job)(\s*[:=#]?\s*)\d+/gi, "$1$2<id>")
    .replace(/\b[0-9a-f]{7,64}\b/gi, (w) => (/\d/.test(w) ? "<id>" : w))
    .replace(/\b\d+(?:\.\d+)?\s*(?:ms|s|sec|seconds|minutes|m|kb|mb|bytes)\b/gi, "<amount>")
    .replace(/\b\d{5,}\b/g, "<id>")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
