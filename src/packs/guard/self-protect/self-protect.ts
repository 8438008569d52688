// Protects what governs the agent: its settings and hooks, Interlock's own files, and files that start programs.
// Invariant: judges canonical paths, existing or not, before every other gate; no project configuration loosens it.
import { isAbsolute, relative } from "node:path";
import { readsByName } from "../../../facts/effects.js";
import type { Facts } from "../../../facts/index.js";
import { untrackedIn } from "../../../facts/untracked-files.js";
import type { Effect } from "../../../model/effect.js";
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { type Deny, deny } from "../../../model/verdict.js";
import type { Operation, ProtectedEntry } from "../../../project/protected/protected.js";

export const selfProtect = gate({
  id: "guard/self-protect",
  title: "The agent does not change what governs it",
  about:
    "Refuses writing, replacing, deleting or linking agent settings in every scope, Interlock's own files, other " +
    "agents' hook configurations, `.git/hooks`, `.mcp.json` and shell start-up files, by any tool and any spelling " +
    "of the path. Interlock's record and key can't be read either, also not with a folder they lie in (`tar ~`).",
  remedy: "Ask the user to make the change.",
  on: before(),
  onError: "deny",
  protecting: true,
  hindsight: true,
  judge({ facts, event }) {
    for (const target of facts.targets) {
      const verb = event.tool!.name;
      if (target.rejected) return say(verb, target.given, target.rejected, false);
      if (target.opaque && target.op === "write")
        return say(verb, target.given, "which file that is depends on the process that opens it", true);
      // Grep shows what files hold, hidden ones too; Glob only lists names.
      const whole = verb === "Grep" && target.directory;
      const found = facts.protected.as(target, target.op) ?? (whole ? facts.protected.readWhole(target) : undefined);
      if (found) return refuse(verb, target.given, found);
    }
    if (facts.targets.length) return;
    const named = protectedArgument(facts);
    if (named) return named;
    let incidental: Deny | undefined;
    for (const effect of facts.effects) {
      const found = protectedBy(facts, effect);
      if (found && takesEverything(facts, effect)) {
        incidental ??= { ...refuse(verbOf(effect), effect.word ?? effect.path ?? "", found), incidental: true };
        continue;
      }
      if (found) return refuse(verbOf(effect), effect.word ?? effect.path ?? "", found);
      const taken = takenAlong(facts, effect);
      if (taken) return refuse(taken.verb, taken.path, taken.found);
    }
    return incidental;
  },
});

/** Paths in the arguments of a tool we can't see into; a tool that only reads may name everything but our record. */
function protectedArgument(facts: Facts) {
  const operation: Operation = onlyReads(facts) ? "read" : "write";
  for (const argument of facts.arguments) {
    const found = facts.protected.as(argument, operation);
    if (found) return refuse(facts.event.tool!.name, argument.given, found);
  }
  return undefined;
}

const reading =
  /^\s*(?:Get-Content|gc|cat|type|Select-String|sls|Test-Path|Get-Item|gi|Get-ChildItem|gci|ls|dir)\b[^|;>&\n]*$/i;

function onlyReads({ effects, event }: Facts): boolean {
  const { mcp, input } = event.tool!;
  if (mcp) return effects[0]?.kind === "read" || (effects[0]?.kind === "unknown" && readsByName(mcp.tool));
  return typeof input["command"] === "string" && reading.test(input["command"]);
}

const because = (found: ProtectedEntry) =>
  found.by === "covers" ? `${found.place} lies in it: ${found.why}` : `${found.place} is protected: ${found.why}`;

/** The place an effect touches; a name not known before the command runs counts as any name in its folder. */
function protectedBy(facts: Facts, effect: Effect): ProtectedEntry | undefined {
  const operation = operationOf(effect);
  if (!operation) return undefined;
  // Git may change its own settings; those that run programs carry a hazard of their own.
  if (effect.how === "git-config") return undefined;
  // A new folder changes nothing yet; what is put into it is judged.
  if (effect.by === "mkdir" && /\/[\w-]+$/.test(effect.path ?? "")) return undefined;
  const at = (path: string) => facts.canonical(path);
  // A changed mode or owner reaches all that lies in a folder, as deleting it does.
  const reach: Operation = effect.how === "mode" && effect.recursive ? "delete" : "replace";
  const folder = (path: string) => {
    const found = facts.protected.as(at(path), reach);
    return found?.by === "covers" && isWorkplace(at(path).path, facts) ? undefined : found;
  };
  if (effect.path === undefined)
    return effect.within === undefined || operation === "read" ? undefined : folder(effect.within);
  if (operation === "replace" && !/[*?[]/.test(effect.path)) return folder(effect.path);
  const whole = effect.recursive === true && !skipsHidden(facts, effect);
  const found = effect.glob
    ? facts.protected.asGlob(effect.path, operation === "replace" ? reach : operation, whole)
    : (facts.protected.as(at(effect.path), operation) ??
      (operation === "read" && whole ? facts.protected.readWhole(at(effect.path)) : undefined));
  if (found?.kind === "agent-hooks" && makesExecutable(facts, effect)) return undefined;
  return found?.kind === "git" && effect.how === "git" ? undefined : found;
}

/** `chmod +x` of one named hook: its content stays, and nothing is switched off. */
const makesExecutable = ({ shell }: Facts, { how, by, glob, recursive }: Effect): boolean =>
  how === "mode" &&
  by === "chmod" &&
  !glob &&
  !recursive &&
  shell?.commands.every(({ program, argv }) => program !== by || /^[uga]{0,3}\+r?x$/.test(argv[0] ?? "")) === true;

/** What `git stash -u` and `git clean` take away without naming it, and what `git add -A` puts into a commit. */
function takenAlong(facts: Facts, effect: Effect): { verb: string; path: string; found: ProtectedEntry } | undefined {
  const taken = effect.kind === "delete" && effect.how === "git";
  const staged = effect.kind === "read" && effect.how === "stage";
  if (!taken && !staged) return undefined;
  for (const path of untrackedIn(facts, effect)) {
    const found = facts.protected.as(facts.canonical(path), taken ? "delete" : "write");
    // Settings for everybody belong into the repository, those of one machine don't.
    if (found && (taken || found.kind === "interlock" || path.endsWith(".local.json")))
      return { verb: taken ? "delete" : "commit", path: relative(facts.world.project.root, path), found };
  }
  return undefined;
}

/** `rg` and `ag` leave out hidden folders, such as the one our home lies in, unless told. */
const skipsHidden = ({ shell }: Facts, { by }: Effect): boolean =>
  (by === "rg" || by === "ag") &&
  !shell?.commands.some(
    ({ program, argv }) =>
      program === by && argv.some((word) => word === undefined || /^--hidden$|^-(?!-)[\w.]*[.u]|^--unrestr/.test(word)),
  );

/**
 * The project and its ordinary folders: formatters, archives and generators write into them all the time, and what
 * they really changed is checked afterwards. A folder with a leading dot (.git, .claude) is not one of them.
 */
function isWorkplace(path: string, { world }: Facts): boolean {
  const below = relative(world.project.root, path);
  return !below.startsWith("..") && !isAbsolute(below) && !below.split("/").some((name) => name.startsWith("."));
}

function operationOf(effect: Effect): Operation | undefined {
  if (effect.kind === "delete") return "delete";
  if (effect.kind === "write") return effect.recursive ? "replace" : "write";
  if (effect.kind !== "read") return undefined;
  return effect.how === "link" ? "write" : "read";
}

const verbOf = (effect: Effect) => (effect.how === "link" ? "link to" : effect.how === "move" ? "move" : effect.kind);

const refuse = (verb: string, path: string, found: ProtectedEntry) =>
  say(verb, path, because(found), found.kind !== "interlock");

/** The whole project or home, or what they lie in: a protected file among the rest is not the best reason to refuse. */
function takesEverything(facts: Facts, { kind, path, within }: Effect): boolean {
  if (kind !== "delete") return false;
  const { project, userHome } = facts.world;
  const folder = facts.canonical((path ?? within ?? "").replace(/\/[.*]+$/, "") || "/").path;
  const around = folder === "/" ? "/" : `${folder}/`;
  return [project.root, userHome].some((place) => `${place}/`.startsWith(around));
}

const say = (verb: string, path: string, why: string, overridable: boolean) =>
  deny({
    what: `${verb} ${inert(path, 110)}`,
    why,
    next: "leave it as it is and go on; if the change is needed, ask the user to make it",
    overridable,
  });
