// Named scripts of a project file (package.json, composer.json): looked up and followed as shell text.
// Invariant: a script that is found is analysed; one that is not is exec, and unknown too unless its name is a
// convention.
import { shellQuote } from "../../model/shell-quote.js";

import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { executes } from "./programs.js";

/** Names every project gives to the same harmless things. */
const conventional = new RegExp(
  `^(${[
    "test|tests|t|build|start|lint|dev|serve|format|fmt|typecheck|type-check|check|checks|coverage|cover|ci|watch|docs",
    "doc|storybook|preview|e2e|unit|integration|bench|compile|bundle|all|help|run|install|prepare",
    "validate|verify|clean|tsc|types",
  ].join("|")})([:.-][\\w:.-]+)?$`,
);

export const isConventional = (name: string | undefined): boolean => name !== undefined && conventional.test(name);

/** How often one script is followed in one analysis: what it does is the same each time. */
const mostTimes = 4;

export function runScript(
  name: Arg,
  args: readonly Arg[],
  directory: Arg | undefined,
  call: Invocation,
  emit: Emit,
  { file = "package.json", scripts: given }: { file?: string; scripts?: Readonly<Record<string, string>> } = {},
): void {
  const path = literal(directory?.value ? `${directory.value}/${file}` : file);
  const scripts = given ?? scriptsOf(emit.projectFile(path));
  const found = name.value !== undefined ? scripts?.[name.value] : undefined;
  if (found === undefined) {
    executes(call, emit, `${call.name} runs the script ${name.source}`);
    if (!isConventional(name.value)) emit.unknown(`the script ${name.source} of ${file} is not known`);
    return;
  }
  // `build` that calls `build` of its packages, and they that of the root: once is enough.
  const key = `script ${emit.resolve(path) ?? path.value} ${name.value}`;
  const times = Number(call.notes?.get(key) ?? 0);
  if (call.notes?.get(`${key} runs`) || times >= mostTimes)
    return executes(call, emit, `${call.name} runs the script ${name.source} once more`);
  call.notes?.set(key, String(times + 1));
  call.notes?.set(`${key} runs`, "yes");
  const extra = args.map((arg) => (arg.value === undefined ? '"$__unresolved"' : shellQuote(arg.value))).join(" ");
  for (const [part, more] of [
    [scripts?.[`pre${name.value}`], ""],
    [found, extra],
    [scripts?.[`post${name.value}`], ""],
  ] as const)
    if (part)
      emit.shell(literal(more ? `${part} ${more}` : part), `script ${name.value} of ${file}`, {
        ofProject: true,
        ...(directory && { cwd: directory }),
      });
  call.notes?.delete(`${key} runs`);
}

export function scriptsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    const out: Record<string, string> = Object.create(null);
    for (const [name, value] of Object.entries(scripts ?? {})) {
      if (typeof value === "string") out[name] = value;
      // composer.json allows a list of commands.
      else if (Array.isArray(value))
        out[name] = value
          .filter((part) => typeof part === "string" && !part.startsWith("@") && !part.includes("::"))
          .join("\n");
    }
    return out;
  } catch {
    // Not JSON: there are no scripts to find in it.
    return undefined;
  }
}
