// A command whose word is not static.
// Invariant: it is always `unknown`; what it can be is followed besides, never instead.
import { claimedNames } from "../tools/index.js";
import { abbreviate } from "./analysis.js";
import { baseName } from "./paths.js";
import type { CallSite, Output, RunContext } from "./run-context.js";
import type { Arg } from "./tool.js";
import type { Analyzer } from "./walk.js";

/** A command word that is not static: unknown, and every claimed tool a glob in it can name is followed too. */
export function runDynamic(
  analyzer: Analyzer,
  command: Arg,
  args: readonly Arg[],
  context: RunContext,
  site: CallSite,
): Output {
  analyzer.step(context, site.source, "unknown", `the command word ${command.source} is not static`);
  analyzer.effect(context, {
    kind: "unknown",
    reason: `the command word ${abbreviate(command.source)} is not static`,
    word: abbreviate(site.source),
  });
  if (command.value === undefined && args.some((arg) => deletesTrees.test(arg.value ?? "")))
    followAsDelete(analyzer, command, args, context, site);
  const placed =
    command.value?.includes("/") &&
    !/^\/(usr\/|usr\/local\/|opt\/homebrew\/)?[^/]*bin[^/]*\/|[?*[][^/]*\//.test(command.value);
  if (command.value !== undefined && command.value.length < 64 && !placed) {
    const pattern = baseName(command.value);
    const matcher = globMatcher(pattern);
    if (matcher && analyzer.spend(context, 40)) return { from: [] };
    const names = matcher ? claimedNames().filter((name) => matcher.test(name)) : [];
    if (names.length > 0 && names.length <= 40)
      for (const name of names)
        analyzer.invoke(
          [{ source: command.source, value: name, prefix: name }, ...args],
          { ...context, conditional: true },
          {
            ...site,
            own: false,
            external: true,
          },
        );
  }
  return { from: [] };
}

export const deletesTrees = /^-[a-zA-Z]*(r[a-zA-Z]*f|f[a-zA-Z]*r|R[a-zA-Z]*f|fR)[a-zA-Z]*$/;

/** Hardly anything but a delete is called with -rf: what it names is judged as such too. */
export function followAsDelete(
  analyzer: Analyzer,
  command: Arg,
  args: readonly Arg[],
  context: RunContext,
  site: CallSite,
): void {
  analyzer.invoke(
    [{ source: command.source, value: "rm", prefix: "rm" }, ...args],
    { ...context, conditional: true },
    { ...site, own: false, external: true },
  );
}

function globMatcher(pattern: string): RegExp | undefined {
  if ((pattern.match(/[*]/g)?.length ?? 0) > 2 || !/\w/.test(pattern)) return undefined;
  try {
    return new RegExp(
      `^${pattern
        .replace(/[.+^${}()|\\]/g, "\\$&")
        .replace(/\?/g, ".")
        .replace(/\*/g, ".*")
        .replace(/\[!/g, "[^")}$`,
    );
  } catch {
    // An odd bracket expression: it names no tool we could follow; the command stays unknown.
    return undefined;
  }
}
