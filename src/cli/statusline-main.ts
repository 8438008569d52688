// The start of dist/statusline.cjs: the client runs it after each message, so it loads only what a line needs.
// Invariant: exit code 0 and at least one line, whatever is on stdin and whatever fails.
import { fstatSync } from "node:fs";
import { readAll, writeWhole } from "../hook/stdio.js";
import { readStatusLines } from "../hosts/claude-code/install/statusline-installs.js";
import { isObject, type Json } from "../model/json.js";
import { lineFacts } from "../statusline/read-status.js";
import { joinedLines, statusLine } from "../statusline/status-line.js";
import { userLine } from "../statusline/user-line.js";

/** The user's own line may take as long as people put up with; the client drops a line that comes too late. */
const usersTime = 2_000;

/** What a terminal has where the client does not say. */
const usualWidth = 120;

/** `chain`: which user's command runs beside ours. */
export function runStatusLine(chain: string | undefined, home: string): void {
  shownLine(chain, home).then(
    (line) => print(line),
    () => print("interlock ?"),
  );
}

export async function shownLine(chain: string | undefined, home: string): Promise<string> {
  const input = inputText();
  const asked = askedIn(input);
  const users = chain === undefined ? undefined : readStatusLines(home)[chain]?.chained;
  const theirs = users === undefined ? "" : userLine(users, input, usersTime, process.env);
  const width = widthIn(process.env["COLUMNS"]);
  const colour = !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
  const own = lineFacts({ ...asked, home, env: process.env }).then(
    (facts) => statusLine(facts, { width, colour }),
    () => "interlock ?",
  );
  return joinedLines(await theirs, await own, width);
}

function inputText(): string {
  try {
    // Not `process.stdin`: Node would load its sockets for it, which costs as much as the rest of the line.
    return fstatSync(0).isCharacterDevice() ? "" : readAll().toString("utf8");
  } catch {
    return "";
  }
}

function askedIn(input: string): { cwd: string; session?: string } {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    value = undefined; // empty, torn, or not from the client
  }
  if (!isObject(value as Json)) return { cwd: process.cwd() };
  const { session_id: session, workspace, cwd } = value as Record<string, unknown>;
  const places = isObject(workspace as Json) ? (workspace as Record<string, unknown>) : {};
  const folder = [places["project_dir"], places["current_dir"], cwd].find((one) => typeof one === "string" && one);
  return {
    cwd: typeof folder === "string" ? folder : process.cwd(),
    ...(typeof session === "string" && { session }),
  };
}

function widthIn(text: string | undefined): number {
  const given = Number(text);
  return Number.isInteger(given) && given > 0 ? given : usualWidth;
}

function print(line: string): void {
  writeWhole(`${line}\n`);
  process.exit(0);
}
