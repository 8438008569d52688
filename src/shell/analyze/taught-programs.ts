// Programs the user taught with one word (`shell.programs`): what a call of such a program does by itself.
// Invariant: the word speaks for the program alone. A call whose words hold another command, that may mean another
// file of that name, or that runs elsewhere, stays unknown.
import type { TaughtEffect } from "../../model/taught.js";
import { familyOf } from "../tools/find-tool.js";
import { baseName } from "./paths.js";
import type { CallSite, RunContext } from "./run-context.js";
import type { Arg, Emit } from "./tool.js";
import { Analyzer } from "./walk.js";

/** More words that name commands than this, and the call stays unknown. */
const mostProbes = 6;

/** What the user said of the program, where it holds for this call. */
export function taughtFor(
  analyzer: Analyzer,
  name: string,
  args: readonly Arg[],
  context: RunContext,
  site: CallSite,
): TaughtEffect | undefined {
  const { programs } = analyzer.options;
  const taught = programs && Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (taught === undefined || context.setting || context.remote !== undefined) return undefined;
  if (isOtherPath(analyzer, context, site)) return undefined;
  for (const path of analyzer.written.keys()) if (baseName(path) === name) return undefined;
  return holdsCommand(analyzer, args, context, site) ? undefined : taught;
}

/** Whether the text changed PATH: the name may then mean another file. */
function isOtherPath({ options }: Analyzer, { scope }: RunContext, { env }: CallSite): boolean {
  if ("PATH" in env && (env["PATH"]?.value === undefined || env["PATH"].value !== options.env?.["PATH"])) return true;
  for (let at: typeof scope | undefined = scope; at; at = at.parent) if (at.variable("PATH")) return true;
  return false;
}

/** Each word includes the ones before it: read, write, network. */
export function emitTaught(taught: TaughtEffect, name: string, args: readonly Arg[], emit: Emit): void {
  const reason = `${name}, which you taught as "${taught}"`;
  const operands = args.flatMap(operandOf);
  for (const operand of operands) emit.read(operand, reason, { recursive: true });
  if (taught === "read") return;
  emit.effect({ kind: "exec", reason, program: name, argv: args.map((arg) => arg.value) });
  for (const operand of operands) if (isPathLike(operand)) emit.write(operand, reason);
  if (taught === "network") emit.effect({ kind: "network", reason, program: name });
}

function operandOf(arg: Arg): Arg[] {
  if (!arg.value?.startsWith("-")) return [arg];
  const at = arg.value.indexOf("=");
  if (at < 0) return [];
  const value = arg.value.slice(at + 1);
  return value ? [{ source: arg.source, value, prefix: value }] : [];
}

const isPathLike = ({ value }: Arg): boolean => value === undefined || /[/.~]/.test(value);

const runners = new Set(["eval", "exec", "source", "command", "builtin"]);
const namesCommand = (word: string): boolean => runners.has(word) || familyOf(baseName(word)) !== undefined;

/** Whether the words, or the text in one of them, would do more than read if the program ran them. */
function holdsCommand(analyzer: Analyzer, args: readonly Arg[], context: RunContext, site: CallSite): boolean {
  let probes = 0;
  for (const [at, arg] of args.entries()) {
    const value = operandOf(arg)[0]?.value;
    if (value === undefined) continue;
    const isText = /[\s;|&`$<>()]/.test(value);
    const named = isText ? value.split(/[^\w./+-]+/).some(namesCommand) : namesCommand(value);
    if (!named) continue;
    if (++probes > mostProbes || analyzer.spend(context, 4)) return true;
    // Without taught programs: one inside another is not followed again, so the work stays bounded.
    const probe = new Analyzer({ ...analyzer.options, programs: undefined }, analyzer.runner);
    const inner: RunContext = { ...context, scope: context.scope.child([]), depth: context.depth + 1 };
    if (isText) probe.text(value, inner);
    else probe.invoke(args.slice(at), inner, { env: site.env, own: false, source: site.source, external: true });
    if (probe.analysis.effects.some((effect) => effect.kind !== "read" || effect.hazard)) return true;
  }
  return false;
}
