// Which program does a phase: Claude Code, another agent's command, or the script of a kit that lies under kits/.
// Invariant: what was asked for by option comes first, then the settings, then a kit's own script, then Claude Code.
import { existsSync, readdirSync } from "node:fs";
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

/** A kit's own script under kits/, relative to the project. */
export function kitScript(project: string, kit: KitName): string | undefined {
  const folder = join(project, "kits");
  if (!existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).sort())
    if (folderNames[kit].test(name))
      for (const script of scripts[kit]) {
        const found = [script, `scripts/${script}`].find((path) => existsSync(join(folder, name, path)));
        if (found) return `kits/${name}/${found}`;
      }
  return undefined;
}

export function kitRuntime(
  project: string,
  kit: KitName,
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): KitRuntime {
  const script = kitScript(project, kit);
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
