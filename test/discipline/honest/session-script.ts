// Honest sessions as text: the files of a project, then what a person and an agent do in it, one step after another.
// Invariant: what the notation does not know is an error, so that no step is skipped silently.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/model/json.js";

/*
The first line is the title. `-- path --` begins a file; `-- setup --` shell commands that prepare the repository;
`-- session --` the steps. A step begins in the first column:

  > prompt                        what the person types
  < message                       the agent's last message of a turn
  $ command                       a shell command; really run, unless its output is given with `|`
  & command                       the same in the background; output with `|` is what TaskOutput shows later
  read path | grep pattern | glob pattern | search query | fetch url
  edit path                       followed by lines with `- ` (old text) and `+ ` (new text)
  write path
  plan                            ExitPlanMode, approved
  call Tool {"json": "input"}     any other tool
  agent Type: task                a sub-agent begins; `end` is its report
  start source                    the session starts again: `compact`, `resume`
  # comment

Two spaces continue a step's text (a prompt, a command, the content of a file; `.` alone is an empty line). `| ` is
output, `! 1` an exit code, `= ask gate` says that the user is asked here, and rightly. `{root}` is the project's
folder.
*/
export interface ScriptStep {
  line: number;
  verb: string;
  text: string;
  old: string[];
  next: string[];
  /** What the tool shows; undefined: a shell command is really run. */
  output?: string;
  exit: number;
  expected?: string;
}

export interface SessionScript {
  name: string;
  title: string;
  files: Record<string, string>;
  setup: string;
  steps: ScriptStep[];
}

const folder = join(process.cwd(), "test/discipline/honest/sessions");
const signs: Record<string, string> = { ">": "prompt", "<": "end-of-turn", $: "bash", "&": "background" };
const verbs = /^(read|grep|glob|search|fetch|edit|write|plan|call|agent|end|start)(?: |$)/;

export const honestSessions = (): SessionScript[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".session"))
    .sort()
    .map((name) => parseSession(name.replace(/\.session$/, ""), readFileSync(join(folder, name), "utf8")));

export function parseSession(name: string, text: string): SessionScript {
  const lines = text.split("\n");
  const out: SessionScript = { name, title: lines[0]!.trim(), files: {}, setup: "", steps: [] };
  let part = "";
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue;
    const head = part === "session" ? null : /^-- (.+) --$/.exec(line);
    if (head) part = head[1]!;
    else if (part === "session") addLine(out.steps, line, i + 1, name);
    else if (part === "setup") out.setup += `${line}\n`;
    else if (part) out.files[part] = `${out.files[part] ?? ""}${line}\n`;
  }
  return { ...out, files: Object.fromEntries(Object.entries(out.files).map(([p, t]) => [p, `${t.trimEnd()}\n`])) };
}

function addLine(steps: ScriptStep[], line: string, number: number, name: string): void {
  const last = steps.at(-1);
  const sign = line[0] ?? "";
  const rest = line === "  ." ? "" : line.slice(2);
  if (line.trim() === "" || sign === "#") return;
  if (signs[sign] && line[1] === " ") return begin(steps, number, signs[sign], rest);
  const verb = verbs.exec(line)?.[1];
  if (verb) return begin(steps, number, verb, line.slice(verb.length + 1));
  if (!last) throw new Error(`${name}:${number}: no step before "${line}"`);
  if (line.startsWith("  ")) last.text += (last.text && !startsBody(last) ? "\n" : bodyGap(last)) + rest;
  else if (sign === "|") last.output = last.output === undefined ? rest : `${last.output}\n${rest}`;
  else if (sign === "-") last.old.push(rest);
  else if (sign === "+") last.next.push(rest);
  else if (sign === "!") last.exit = Number(rest);
  else if (sign === "=") last.expected = rest;
  else throw new Error(`${name}:${number}: unknown step "${line}"`);
}

const startsBody = ({ verb, text }: ScriptStep): boolean => verb === "write" && !text.includes("\n");
const bodyGap = ({ text }: ScriptStep): string => (text ? "\n" : "");

function begin(steps: ScriptStep[], line: number, verb: string, text: string): void {
  steps.push({ line, verb, text, old: [], next: [], exit: 0 });
}

/** The input of `call Tool {...}`. */
export function calledTool(text: string): { tool: string; input: JsonObject } {
  const [, tool, json] = /^(\S+)\s*([^]*)$/.exec(text)!;
  return { tool: tool!, input: (json ? JSON.parse(json) : {}) as JsonObject };
}
