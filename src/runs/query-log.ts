// Questions to a log that do not read it into anyone's context: tail, grep, errors, Lean errors, test summaries.
// Invariant: the answer has at most 32,000 bytes and says when it left something out; only files inside the project
// are opened.
import { relative, resolve, sep } from "node:path";
import { RE2JS } from "re2js";
import { countsIn } from "../facts/test-reporters.js";
import { canonicalPath } from "../project/canonical-path.js";
import { outsideReason } from "./inside.js";
import { readLeanLog } from "./lean-log.js";
import { type LogLine, OpenLog } from "./log-lines.js";

export const logQueries = ["tail", "grep", "errors", "lean-summary", "lean-classify", "tests"] as const;
export type LogQuery = (typeof logQueries)[number];

export interface QueryOptions {
  lines?: number;
  pattern?: string;
  ignoreCase?: boolean;
}

export interface QueryAnswer {
  text: string;
  /** Of the log asked. */
  bytes: number;
  truncated: boolean;
}

export const maxAnswerBytes = 32_000;
const maxLineShown = 400;

export class QueryError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}

export function queryLog(project: string, file: string, query: LogQuery, options: QueryOptions = {}): QueryAnswer {
  const log = openInside(project, file);
  try {
    const answer = new Answer();
    queries[query](log, answer, options);
    return answer.finish(log.bytes);
  } finally {
    log.close();
  }
}

const queries: Record<LogQuery, (log: OpenLog, answer: Answer, options: QueryOptions) => void> = {
  tail(log, answer, { lines = 120 }) {
    const last = log.tail(lines, Math.min(log.bytes, 4 << 20));
    answer.addLast(last);
  },
  grep(log, answer, { pattern = "", ignoreCase }) {
    const found = matcher(pattern, ignoreCase);
    for (const line of log.lines()) if (found(line.text) && !answer.add(`${line.number}: ${line.text}`)) break;
  },
  errors: (log, answer) => errorSummary(log.lines(), answer),
  "lean-summary"(log, answer) {
    const { errors, warnings, sorries } = readLeanLog(log.lines());
    answer.add(`${errors.length} errors, ${warnings} warnings, ${sorries} sorry`);
    for (const e of errors.slice(0, 39)) {
      answer.add(`${e.file}:${e.line}: ${e.summary}${e.goal ? ` | ${e.goal}` : ""}`);
    }
    answer.leftOut(errors.length - 39, "errors");
  },
  "lean-classify"(log, answer) {
    const { errors } = readLeanLog(log.lines());
    for (const e of errors) if (!answer.add(`${e.class}|${e.file}|${e.line}|${e.summary.replaceAll("|", "/")}`)) break;
  },
  tests: (log, answer) => testSummary(log, answer),
};

function openInside(project: string, file: string): OpenLog {
  const wanted = resolve(project, file);
  const real = canonicalPath(project, "/").path;
  // An absolute path may be spelled with the project's real name.
  const path = relative(wanted.startsWith(real + sep) ? real : project, wanted) || ".";
  const reason = file.includes("\0") ? "it holds a control character" : outsideReason(project, path);
  if (reason)
    throw new QueryError(`${file}: ${reason}`, "name a log inside the project, such as runs/<id>/logs/tdd_green.log");
  try {
    return new OpenLog(canonicalPath(path, project).path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EINVAL"
          ? "it is no regular file"
          : `it can't be read (${code})`;
    throw new QueryError(`${file}: ${why}`, "the logs of a run are named in its manifest: interlock run manifest <id>");
  }
}

function matcher(pattern: string, ignoreCase = false): (text: string) => boolean {
  if (!ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern)) return (text) => text.includes(pattern);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new QueryError(
      `"${pattern.slice(0, 80)}" is not a pattern that runs in linear time: ${(error as Error).message.slice(0, 120)}`,
      "use RE2 syntax: no look-around, no back-references",
    );
  }
  return (text) => compiled.test(text);
}

const errorWords = /error|fail|fatal|panic|exception|traceback|assert|denied|blocked|not found|killed|timed? ?out/i;
const notErrors = /\b(?:0|no) (?:errors?|fail(?:ures?|ed|ing)?)\b|errors?[:=] ?0\b|fail(?:ures?|ed)?[:=] ?0\b/i;

/** Each kind of error once, with where it first stands and how often. */
function errorSummary(lines: Iterable<LogLine>, answer: Answer): void {
  const kinds = new Map<string, { first: LogLine; times: number }>();
  let beyond = 0;
  for (const line of lines) {
    const head = line.text.slice(0, 2_000);
    if (!errorWords.test(head) || notErrors.test(head)) continue;
    const key = head
      .replace(/0x[0-9a-f]+|\d+/gi, "0")
      .trim()
      .slice(0, 160);
    const known = kinds.get(key);
    if (known) known.times++;
    else if (kinds.size < 1_000) kinds.set(key, { first: line, times: 1 });
    else beyond++;
  }
  if (!kinds.size) answer.add("no line looks like an error");
  for (const { first, times } of [...kinds.values()].slice(0, 60))
    answer.add(`${first.number}: ${first.text.trim()}${times > 1 ? ` (${times} times)` : ""}`);
  answer.leftOut(Math.max(0, kinds.size - 60) + beyond, "other kinds of error");
}

const failing: readonly RegExp[] = [
  /^\s*not ok \d+ - (.{1,200})/,
  /^\s*(?:✖|✗|×|✕) (.{1,200})/u,
  /^\s*--- FAIL: (\S{1,200})/,
  /^FAILED (\S{1,200})/,
  /^\s*FAIL\s+(\S.{0,200})/,
  /^test (\S{1,200}) \.\.\. FAILED/,
];

/** Counts from the end of the log, failing names from all of it. */
function testSummary(log: OpenLog, answer: Answer): void {
  const counts = countsIn(log.end(1 << 20));
  answer.add(
    counts
      ? `${counts.collected} tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
      : "no test summary at the end of this log",
  );
  const names = new Set<string>();
  for (const { text } of log.lines())
    for (const pattern of failing) {
      const name = pattern.exec(text)?.[1]?.trim();
      if (name && names.size < 10_000) names.add(name);
    }
  for (const name of [...names].slice(0, 25)) answer.add(`failing: ${name}`);
  answer.leftOut(names.size - 25, "failing tests");
}

/** Collects lines within the limit. */
class Answer {
  #lines: string[] = [];
  #bytes = 0;
  #truncated = false;

  /** False when it no longer fits. */
  add(text: string): boolean {
    const line = shortened(text);
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#bytes + bytes > maxAnswerBytes - 200) {
      this.#truncated = true;
      return false;
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    return true;
  }

  /** As many as fit, counted from the last. */
  addLast(texts: readonly string[]): void {
    let from = texts.length;
    for (let bytes = 0; from > 0; from--) {
      bytes += Buffer.byteLength(shortened(texts[from - 1]!)) + 1;
      if (bytes > maxAnswerBytes - 200) break;
    }
    if (from > 0) this.#truncated = true;
    for (const text of texts.slice(from)) this.add(text);
  }

  leftOut(count: number, what: string): void {
    if (count <= 0) return;
    this.#truncated = true;
    this.add(`and ${count} ${what}`);
  }

  finish(bytes: number): QueryAnswer {
    const note = this.#truncated ? ["[answer cut; ask for less, or use grep with a narrower pattern]"] : [];
    return { text: [...this.#lines, ...note].join("\n"), bytes, truncated: this.#truncated };
  }
}

const shortened = (text: string): string => {
  const plain = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ");
  return plain.length > maxLineShown ? `${plain.slice(0, maxLineShown)}… (${plain.length} characters)` : plain;
};
