// The processes this one descends from, and which of them is a coding agent.
// Invariant: reads only what the system shows (`/proc`, else `ps`); if it shows nothing, the answer is undefined.
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { childProcess } from "../project/node-builtins.js";

export interface Process {
  pid: number;
  /** The program file, or what the process calls itself. */
  program: string;
  argv: string[];
}

const MAX_DEPTH = 64;

/** From this process upwards, itself first. */
export function ancestry(pid: number = process.pid): Process[] | undefined {
  if (process.platform === "win32") return undefined;
  const table = process.platform === "linux" ? undefined : processTable();
  const look = table ? (id: number) => table.get(id) : inProc;
  const own = pid === process.pid;
  const chain: Process[] = own
    ? [{ pid, program: process.execPath, argv: [process.argv0, ...process.argv.slice(1)] }]
    : [];
  for (let at = own ? process.ppid : pid; at > 0 && chain.length < MAX_DEPTH; ) {
    const seen = look(at);
    if (!seen) break;
    chain.push({ pid: at, program: seen.program, argv: seen.argv });
    at = seen.parent;
  }
  return chain.length > 1 ? chain : undefined;
}

interface Seen {
  parent: number;
  program: string;
  argv: string[];
}

function inProc(pid: number): Seen | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    return { parent, program: programOf(pid) ?? argv[0] ?? "", argv };
  } catch {
    return undefined; // ended meanwhile, or /proc is closed: the chain stops here
  }
}

/** What agents set in the shells they start; an editor that starts an agent for a person sets none of these. */
const inAgentShell = /(?:^|\0)(?:CLAUDECODE|CODEX_SANDBOX|GEMINI_CLI|OPENCODE|CURSOR_AGENT)=[^\0]/;

/** Whether a process inherited the marks of an agent's shell, also when it has left the agent's tree (tmux, nohup). */
export function startedInsideAgent(pid: number): boolean {
  try {
    return inAgentShell.test(readFileSync(`/proc/${pid}/environ`, "latin1"));
  } catch {
    return false; // no /proc, or another user's process
  }
}

function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined; // another user's process: its command line has to do
  }
}

function processTable(): Map<number, Seen> {
  const table = new Map<number, Seen>();
  try {
    const asked = ["-A", "-o", "pid=,ppid=,args="];
    const text = childProcess().execFileSync("ps", asked, { encoding: "utf8", timeout: 2_000 });
    for (const [, pid, parent, args] of text.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)) {
      const argv = args!.split(" ");
      table.set(Number(pid), { parent: Number(parent), program: argv[0]!, argv });
    }
  } catch {
    // no ps, or it was too slow: nothing can be seen
  }
  return table;
}

// Sets and plain string searches: compiling a pattern would cost a hook more than using it.
const agentPrograms = new Set(
  "claude codex gemini copilot cursor-agent opencode aider goose crush qwen droid auggie kiro-cli amp".split(" "),
);
/** Parts of the path of an agent's program, with "/" between folders. */
const agentPackages = [
  "/@anthropic-ai/claude-code",
  "/@anthropic-ai/claude-agent-sdk",
  "/@openai/codex",
  "/@google/gemini-cli",
  "/@github/copilot",
  "/opencode-ai/",
  "/@sourcegraph/amp",
  "/@qwen-code/",
];
function isAgentFile(path: string): boolean {
  const plainPath = path.replaceAll("\\", "/");
  return agentPackages.some((part) => plainPath.includes(part)) || /\/claude\/versions\/[^/]+$/.test(plainPath);
}
const runtimes = new Set(["node", "nodejs", "bun", "deno"]);
const isRuntime = (name: string): boolean =>
  runtimes.has(name) || (name.startsWith("python") && /^python[\d.]*$/.test(name));

const plain = (name: string): string => (name.endsWith(".exe") ? name.slice(0, -4) : name);
const deleted = " (deleted)";
const nameOf = (path: string): string => basename(path.endsWith(deleted) ? path.slice(0, -deleted.length) : path);

/** The name of the agent this process is; undefined if it is none. */
export function agentIn({ program, argv }: Process): string | undefined {
  const names = [nameOf(program), nameOf(argv[0] ?? "")];
  const named = names.find((name) => agentPrograms.has(plain(name)));
  if (named) return named;
  // Only the script of a runtime counts, not any word that happens to name an agent.
  const script = isRuntime(plain(names[0]!)) ? argv.slice(1).find((word) => !word.startsWith("-")) : undefined;
  const file = [program, script ?? ""].find(isAgentFile);
  return file ?? (script && agentPrograms.has(plain(basename(script))) ? basename(script) : undefined);
}
