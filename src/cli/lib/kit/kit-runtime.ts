// Which program does a phase: Claude Code, another agent's command, or the script of a kit that lies under kits/.
// Invariant: what was asked for by option comes first, then the settings, then a kit's own script, then Claude Code.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KitName } from "../../../runs/actions.js";

export interface KitRuntime {
  kind: "claude" | "command" | "script";
  /** As it is recorded. */
  name: string;
  /** The command for one phase. */
  command(phase: string, args: readonly string[]): string[];
}

const scripts: Readonly<Record<KitName, readonly string[]>> = {
  tdd: ["tdd.sh"],
  research: ["experiment.sh", "research.sh"],
  math: ["math.sh", "mathematics.sh"],
};
const folderNames: Readonly<Record<KitName, RegExp>> = { tdd: /tdd/i, research: /research/i, math: /math/i };
const tools = "Read,Write,Edit,MultiEdit,NotebookEdit,Glob,Grep,Bash,TodoWrite,WebSearch,WebFetch";

/** A script of another name is known by the verbs it tells apart. */
const verbs: Readonly<Record<KitName, readonly string[]>> = {
  tdd: ["red", "green", "refactor"],
  research: ["frame", "run", "read"],
  math: ["formalize", "prove", "audit"],
};

/** The kit's own script, relative to the project: the configured one, else what lies under kits/. */
export function kitScript(project: string, kit: KitName, configured?: string): string | undefined {
  if (configured) return existsSync(join(project, configured)) ? configured : undefined;
  const folder = join(project, "kits");
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).sort()) {
    if (!folderNames[kit].test(name)) continue;
    const all = ["", "scripts/", "bin/"].flatMap((below) =>
      shellScripts(join(folder, name, below)).map((s) => below + s),
    );
    const found =
      scripts[kit].flatMap((known) => all.find((path) => path.replace(/^.*\//, "") === known) ?? [])[0] ??
      all.find((path) => tellsApart(join(folder, name, path), verbs[kit]));
    if (found) return `kits/${name}/${found}`;
  }
  return undefined;
}

const shellScripts = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".sh"))
        .map((entry) => entry.name)
        .sort()
    : [];

/** Whether a script has a case for each verb. */
function tellsApart(path: string, all: readonly string[]): boolean {
  const text = readFileSync(path, "utf8");
  return all.every((verb) => new RegExp(`(?:^|[|(\\s"'])${verb}["']?\\s*(?:\\||\\))`, "m").test(text));
}

export function kitRuntime(
  project: string,
  kit: KitName,
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  configured?: string,
): KitRuntime {
  const script = kitScript(project, kit, configured);
  const named = asked || (script ? undefined : "claude");
  if (named === undefined || (named === "script" && script))
    return {
      kind: "script",
      name: script!.slice(0, 60),
      command: (phase, args) => [`./${script!}`, phase, ...args],
    };
  if (named !== "claude") return { kind: "command", name: named.slice(0, 60), command: () => ["sh", "-c", named] };
  const binary = env["INTERLOCK_KIT_CLAUDE"] || "claude";
  const more = (env["INTERLOCK_KIT_AGENT_ARGS"] ?? "").split(/\s+/).filter(Boolean);
  return {
    kind: "claude",
    name: "claude",
    command: () => [binary, "-p", "--output-format", "stream-json", "--verbose", "--allowedTools", tools, ...more],
  };
}
