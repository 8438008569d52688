// Turns a path word into path effects, in every directory the shell may be in.
// Invariant: a word that can't be resolved still yields an effect, without a path; streams yield none.
import type { PathEffect } from "../../model/effect.js";
import { isStreamPath, resolvePath } from "./paths.js";
import type { RunContext } from "./run-context.js";
import type { Arg, PathExtra } from "./tool.js";
import type { Analyzer } from "./walk.js";

function throughLink(analyzer: Analyzer, path: string): string | undefined {
  for (const [link, target] of analyzer.links) if (path.startsWith(`${link}/`)) return target + path.slice(link.length);
  return undefined;
}

export function pathEffects(
  analyzer: Analyzer,
  context: RunContext,
  kind: PathEffect["kind"],
  target: Arg,
  reason: string,
  extra: PathExtra = {},
): void {
  if (target.process) return;
  const { cwd, otherDirectories } = context.scope;
  const effect: PathEffect = { kind, reason, ...extra };
  if (target.source !== "") effect.word = target.source;
  if (target.glob) effect.glob = true;
  if (target.value === undefined) {
    const slash = target.prefix.lastIndexOf("/");
    if (slash >= 0) effect.within = resolvePath(cwd, target.prefix.slice(0, slash + 1));
    analyzer.effect(context, effect);
    return;
  }
  const path = resolvePath(cwd, target.value);
  if (path !== undefined && isStreamPath(path)) return;
  analyzer.effect(context, { ...effect, path });
  const behind = path === undefined ? undefined : throughLink(analyzer, path);
  if (behind !== undefined)
    analyzer.effect(context, { ...effect, path: behind, reason: `${reason}, through a link made here` });
  if (target.value.startsWith("/")) return;
  for (const other of otherDirectories)
    analyzer.effect(context, { ...effect, path: resolvePath(other, target.value), conditional: true });
}
