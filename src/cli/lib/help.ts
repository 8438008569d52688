// Help, version, and how errors are reported.

import { version } from "../../hook/folders.js";
import { nearest } from "../../model/nearest.js";
import { UsageError } from "./args.js";
import { bold } from "./paint.js";
import { say, sayError, sayUsageError, wrapLine, wrapUsage } from "./wrap.js";

type Table = Record<string, { summary: string; plumbing?: true; load(): Promise<{ usage?: string }> }>;

const exits = "Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 internal error, 4 tampering, 5 degraded.";

export async function help(commands: Table, groups: Record<string, readonly string[]>, name?: string): Promise<number> {
  const one = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (one) {
    const { usage } = await one.load();
    console.log(wrapUsage(`interlock ${name}: ${one.summary}\n\n${usage ?? ""}\n${exits}`));
    return 0;
  }
  if (name !== undefined) return unknown(commands, name);
  const width = Math.max(...Object.values(groups).flatMap((names) => names.map((n) => n.length)));
  console.log(`interlock ${version}: makes a coding agent's process enforceable`);
  for (const [title, names] of Object.entries(groups)) {
    console.log(`\n${bold(title)}`);
    for (const n of names) say(`  ${n.padEnd(width)}  ${commands[n]!.summary}`, width + 4);
  }
  const more = "interlock help <command> says more; most commands take --json.";
  console.log(`\n${wrapLine(more)}\n${wrapLine(exits)}`);
  return 0;
}

export function showVersion(): number {
  console.log(version);
  return 0;
}

export function unknown(commands: Table, name: string): number {
  const near = nearest(name, Object.keys(commands));
  sayError(`interlock: unknown command "${name}"${near ? `; did you mean "${near}"?` : "."} Run: interlock help`);
  return 2;
}

export function report(error: unknown): number {
  if (error instanceof UsageError) {
    sayUsageError(`interlock: ${error.message}`);
    return 2;
  }
  const known = error as { message?: string; remedy?: string };
  sayError(`interlock: ${known?.message ?? String(error)}${known?.remedy ? `\n  ${known.remedy}` : ""}`);
  if (process.env["INTERLOCK_DEBUG"]) console.error(error);
  return 3;
}
