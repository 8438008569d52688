// Whether an intent may change a target: control files, .intentignore, scope, files that other intents own.
// Invariant: a folder or pattern is allowed only if every file it covers is; the first rule broken is the answer.
import { type Intent, type IntentSet, lineOf } from "../../../intents/intent.js";
import { type IgnoreRules, inScope, isIgnoredPath } from "../../../intents/scope-patterns.js";
import { compileGlob, matchCompiled } from "../../../project/globs.js";
import { listFiles } from "../../../project/list-files.js";
import type { MutationTarget } from "../call-targets.js";

export interface Refused {
  code: "INTENTIGNORE_PATH_BLOCKED" | "SCOPE_VIOLATION";
  /** The file, below the root. */
  file: string;
  why: string;
  /** A wider scope would help. */
  expandable?: true;
}

export interface TargetWorld {
  root: string;
  intent: Intent;
  /** The intent and its parents: a file has to be in the scope of each. */
  line: readonly Intent[];
  /** Other intents in progress that own files. */
  contenders: readonly Intent[];
  ignore: IgnoreRules;
  outputs: readonly string[];
}

export function refusedTarget(target: MutationTarget, world: TargetWorld): Refused | undefined {
  const { below, scratch, broad } = target;
  if (scratch) return undefined;
  if (below === undefined)
    return { code: "SCOPE_VIOLATION", file: target.shown, why: "it lies outside the repository" };
  if (!broad) return refusedFile(below, target, world);
  const covers = coverTest(below, broad);
  const { files, truncated } = listFiles(world.root, broad === "folder" ? below : ".");
  for (const file of files) {
    const refused = covers(file) ? refusedFile(file, target, world) : undefined;
    if (refused) return refused;
  }
  if (truncated)
    return { code: "SCOPE_VIOLATION", file: below, why: "it holds more files than can be looked at; name them" };
  // New files may come anywhere in the folder.
  if (broad === "folder" && target.op === "write")
    return refusedFile(below === "." ? "new-file" : `${below}/new-file`, target, world, below);
  return undefined;
}

function refusedFile(below: string, target: MutationTarget, world: TargetWorld, shown = below): Refused | undefined {
  const { intent, line, contenders, ignore, outputs } = world;
  if (target.byCommand && matchCompiled(outputs, below)) return undefined;
  if (isIgnoredPath(ignore, below))
    return { code: "INTENTIGNORE_PATH_BLOCKED", file: shown, why: ".intentignore excludes it for everybody" };
  for (const one of line)
    if (!inScope(one, below))
      return { code: "SCOPE_VIOLATION", file: shown, why: outside(one, intent), expandable: true };
  const other = contenders.find((one) => inScope(one, below));
  if (other)
    return {
      code: "SCOPE_VIOLATION",
      file: shown,
      why: `it is contended: ${other.id}, which is IN_PROGRESS, owns it too`,
    };
  return undefined;
}

function outside(one: Intent, intent: Intent): string {
  const whose = one === intent ? intent.id : `${one.id}, the parent of ${intent.id}`;
  return one.scope.length
    ? `it is not in the scope of ${whose} (${one.scope.slice(0, 4).join(", ")}${one.scope.length > 4 ? ", ..." : ""})`
    : `the scope of ${whose} is empty, which allows nothing`;
}

/** Other intents in progress that own files. Parents and children share theirs; `scope: any` owns none. */
export const contendersOf = (set: IntentSet, intent: Intent): Intent[] =>
  set.intents.filter(
    (other) =>
      other !== intent &&
      other.status === "IN_PROGRESS" &&
      !other.shared &&
      !other.anyScope &&
      !lineOf(set, intent).includes(other) &&
      !lineOf(set, other).includes(intent),
  );

function coverTest(below: string, broad: "folder" | "glob"): (file: string) => boolean {
  if (broad === "glob") {
    const glob = [compileGlob(below)];
    return (file) => matchCompiled(glob, file);
  }
  return below === "." ? () => true : (file) => file === below || file.startsWith(`${below}/`);
}
