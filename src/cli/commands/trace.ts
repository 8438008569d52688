// interlock trace: who wrote which line and why; keeps attribution through commits and rewrites.
import { parseOptions, UsageError, unknownWord } from "../lib/args.js";

export const usage = `Usage: interlock trace <command> [options]

  blame <file>[:<line>]     who wrote each line: agent, model, session, intent, run, record
  stats [<path>...]         lines by agent and others, per intent, model and folder
  verify                    records and notes: valid, in agreement with the commits they name
  export [--out <file>]     all records as strict Agent Trace 0.1.0, one JSON object a line
  reconcile [<range>]       finds the agent's lines in commits made elsewhere (squash merges, rebases on a server)
  install-hooks             git hooks that keep attribution through commit, amend, rebase; other hooks stay
  uninstall-hooks           removes them; the other hooks are as before, byte for byte

Options: --json, --cwd <folder>

Notes are kept in refs/notes/interlock. Share them:
  git push <remote> refs/notes/interlock
  git fetch <remote> refs/notes/interlock:refs/notes/interlock

Examples:
  interlock trace blame src/auth.ts:42
  interlock trace reconcile origin/main~20..origin/main
`;

const spec = { json: "flag", cwd: "text", home: "text", out: "text" } as const;

const commands = [
  "blame",
  "stats",
  "verify",
  "export",
  "reconcile",
  "install-hooks",
  "uninstall-hooks",
  "hook",
] as const;

export async function run(args: string[]): Promise<number> {
  // Git's own arguments follow, and a hook must never fail.
  if (args[0] === "hook") return (await import("../lib/trace/trace-hook.js")).traceHook(args.slice(1));
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [command, ...rest] = words;
  if (command === undefined) throw new UsageError(`say what to do\n${usage}`);
  switch (command) {
    case "blame":
      return (await import("../lib/trace/show-blame.js")).showBlame(values, rest, usage);
    case "stats":
      return (await import("../lib/trace/show-stats.js")).showStats(values, rest);
    case "verify":
      return (await import("../lib/trace/show-verify.js")).showVerify(values, rest, usage);
    case "export":
      return (await import("../lib/trace/export-trace.js")).exportTrace(values, rest, usage);
    case "reconcile":
      return (await import("../lib/trace/show-reconcile.js")).showReconcile(values, rest, usage);
    case "install-hooks":
    case "uninstall-hooks":
      return (await import("../lib/trace/trace-hook.js")).changeHooks(values, command, rest, usage);
    default:
      throw unknownWord("unknown command", command, commands, usage);
  }
}
