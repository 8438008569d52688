// Registers Interlock in a Claude Code settings file, and removes it again.
// Invariant: a plan changes nothing; applying it writes exactly the planned text over the text it was planned from.
import { rmdirSync, rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../model/json.js";
import { sha256 } from "../../../model/sha256.js";
import { type Exclusion, exclude, undoExclusion } from "../../../project/git-exclude.js";
import { type ForeignHook, foreignHooks } from "../adopt/adopt.js";
import { unifiedDiff } from "../settings/diff.js";
import { addGroup, EditError, removeHandlers, setHandlers } from "../settings/edit-settings.js";
import { textBefore } from "../settings/planned-change.js";
import {
  describeProblem,
  type HookEntry,
  hookEntries,
  readSettings,
  type SettingsProblem,
} from "../settings/settings.js";
import {
  readTextFile,
  replaceText,
  type SettingsPlaces,
  type SettingsScope,
  settingsFile,
} from "../settings/settings-files.js";
import { type Install, keepCopy, readManifest, writeInstall } from "./install-manifest.js";
import { isOurs, ourHandler, type Registration, tokenHeader } from "./own-entries.js";

export interface InstallRequest extends SettingsPlaces, Registration {
  scope: SettingsScope;
  events: readonly string[];
  /** Entries to take over: they leave the file and come back with uninstall. */
  adopt?: readonly ForeignHook[];
  exclude?: Exclusion | undefined;
}

export interface SettingsPlan {
  scope: SettingsScope;
  file: string;
  before: string | undefined;
  after: string;
  diff: string;
  nothingToDo: boolean;
  /** Why it cannot be done, in a sentence with the remedy; then `after` is `before`. */
  blocked?: string;
  foreignHooks: ForeignHook[];
  /** What Claude Code will make of the file afterwards; one with effect "file" means that no hook in it runs. */
  problems: SettingsProblem[];
  handlers: Record<string, JsonObject>;
  made: string[];
  adopted: { event: string; group: JsonObject }[];
  /** A line for `.git/info/exclude`, where the file is for this machine only and git would commit it. */
  exclude?: Exclusion;
}

const ours = (entry: HookEntry): boolean => isOurs(entry.handler);

export function planInstall(request: InstallRequest): SettingsPlan {
  const file = settingsFile(request.scope, request);
  const before = readTextFile(file);
  const settings = readSettings(before);
  const handlers = Object.fromEntries(request.events.map((event) => [event, ourHandler(event, request)]));
  const stay = {
    scope: request.scope,
    file,
    before,
    after: before ?? "",
    diff: "",
    nothingToDo: false,
    handlers,
    ...(request.exclude && { exclude: request.exclude }),
  };
  const none = { foreignHooks: [], made: [], adopted: [] };
  if (!settings.ok) {
    const blocked = `${file}: ${settings.problems.map(describeProblem).join("; ")}. Repair it and run this again`;
    return { ...stay, ...none, problems: settings.problems, blocked };
  }
  const foreign = foreignHooks(settings.json, { file, scope: request.scope });
  try {
    const adopted = (request.adopt ?? []).filter((hook) => hook.file === file);
    const blank = !before?.replace(/^\ufeff/, "").trim();
    const start = blank ? `${before?.startsWith("\ufeff") ? "\ufeff" : ""}{}\n` : before!;
    const cleared = removeHandlers(start, (entry) => adopted.some((hook) => sameEntry(hook, entry)), []).text;
    const { text, made } = setHandlers(cleared, handlers, ours);
    const after = readSettings(text);
    return {
      ...stay,
      after: text,
      diff: unifiedDiff(before ?? "", text, file),
      nothingToDo: text === before,
      foreignHooks: foreign,
      problems: after.problems,
      made: before === undefined ? ["file", ...made] : made,
      adopted: adopted.map(({ event, matcher, handler }) => ({ event, group: groupOf(matcher, handler) })),
    };
  } catch (fault) {
    if (!(fault instanceof EditError)) throw fault;
    return {
      ...stay,
      ...none,
      foreignHooks: foreign,
      problems: settings.problems,
      blocked: `${file}: ${fault.message}`,
    };
  }
}

const sameEntry = (hook: ForeignHook, entry: HookEntry): boolean =>
  hook.event === entry.event && hook.matcher === entry.matcher && isDeepStrictEqual(hook.handler, entry.handler);

const groupOf = (matcher: string | undefined, handler: JsonObject): JsonObject =>
  matcher === undefined ? { hooks: [handler] } : { matcher, hooks: [handler] };

export class InstallError extends Error {}

/** Copy, manifest, then the file; what was written is read back and validated. Returns the path of the copy. */
export function applyInstall(
  plan: SettingsPlan,
  home: string,
  now = new Date(),
): { backup?: string; problems: SettingsProblem[] } {
  if (plan.blocked) throw new InstallError(plan.blocked);
  unchanged(plan.file, plan.before);
  const earlier = readManifest(home).installs[plan.file];
  const excluded = plan.exclude ?? earlier?.excluded;
  if (plan.nothingToDo) {
    if (!earlier || plan.exclude) noteInstall(plan, home, earlier, now);
    if (plan.exclude) exclude(plan.exclude);
    return { problems: plan.problems };
  }
  const chained = earlier !== undefined && plan.before !== undefined && earlier.after === sha256(plan.before);
  const install: Install = {
    scope: plan.scope,
    at: now.toISOString(),
    after: sha256(plan.after),
    handlers: plan.handlers,
    made: [...new Set([...(earlier?.made ?? []), ...plan.made])],
    adopted: [...(earlier?.adopted ?? []), ...plan.adopted],
    ...(earlier?.madeFolder === undefined ? {} : { madeFolder: earlier.madeFolder }),
    ...(excluded && { excluded }),
  };
  if (chained) Object.assign(install, { before: earlier.before, backup: earlier.backup });
  else if (!earlier || (!earlier.adopted.length && !mentionsUs(plan.before))) {
    install.before = plan.before === undefined ? null : sha256(plan.before);
    if (plan.before !== undefined) install.backup = keepCopy(home, plan.file, plan.before, now);
  }
  writeInstall(home, plan.file, install);
  if (plan.exclude) exclude(plan.exclude);
  // The file contains the server's token.
  const folder = replaceText(plan.file, plan.after, plan.after.includes(tokenHeader) ? 0o600 : undefined);
  if (folder !== undefined) writeInstall(home, plan.file, { ...install, madeFolder: folder });
  const written = readTextFile(plan.file);
  if (written !== plan.after) throw new InstallError(`${plan.file} was changed by someone else while it was written`);
  return {
    ...(install.backup === undefined ? {} : { backup: install.backup }),
    problems: readSettings(written).problems,
  };
}

/** The entries came with the repository: they are protected from now on, and uninstalling removes only them. */
function noteInstall(plan: SettingsPlan, home: string, earlier: Install | undefined, now: Date): void {
  const { scope, file, handlers } = plan;
  const fresh = { scope, at: now.toISOString(), after: sha256(plan.after), handlers, made: [], adopted: [] };
  writeInstall(home, file, { ...(earlier ?? fresh), ...(plan.exclude && { excluded: plan.exclude }) });
}

const mentionsUs = (text: string | undefined): boolean => {
  const settings = readSettings(text);
  return settings.ok && hookEntries(settings.json).some(ours);
};

export interface Removal {
  file: string;
  before: string;
  /** Undefined: the file is removed, because we created it and nothing else is in it. */
  after: string | undefined;
  diff: string;
  /** `restore`: byte for byte what was there. `remove`: only our entries; someone else changed the file since. */
  way: "restore" | "remove";
  blocked?: string;
  madeFolder?: string;
  excluded?: Exclusion;
}

/** One removal per settings file of this place that has entries of ours; installs in other projects stay. */
export function planUninstall(
  home: string,
  places: SettingsPlaces,
  scopes: readonly SettingsScope[] = ["user", "project", "local"],
): Removal[] {
  const { installs } = readManifest(home);
  const files = scopes.map((scope) => settingsFile(scope, places));
  return [...new Set(files)].flatMap((file) => {
    const before = readTextFile(file);
    return before === undefined ? [] : (removal(file, before, installs[file]) ?? []);
  });
}

function removal(file: string, before: string, install: Install | undefined): Removal | undefined {
  const plan = (way: Removal["way"], after: string | undefined): Removal => ({
    file,
    before,
    after,
    diff: unifiedDiff(before, after ?? "", file),
    way,
    ...(install?.madeFolder === undefined ? {} : { madeFolder: install.madeFolder }),
    ...(install?.excluded && { excluded: install.excluded }),
  });
  const restored = textBefore(before, install);
  if (restored) return plan("restore", restored.text);
  const settings = readSettings(before);
  const blocked = (why: string): Removal => ({ ...plan("remove", before), blocked: `${file}: ${why}` });
  if (!settings.ok) return install ? blocked(`${settings.problems[0]!.why}; remove the entries by hand`) : undefined;
  try {
    let { text } = removeHandlers(before, ours, install?.made);
    for (const { event, group } of install?.adopted ?? []) text = addGroup(text, event, group, []);
    if (text === before) return undefined;
    const empty = readSettings(text);
    const nothingLeft = empty.ok && Object.keys(empty.json).length === 0 && !empty.document.leniency;
    return plan("remove", nothingLeft && install?.made.includes("file") ? undefined : text);
  } catch (fault) {
    if (!(fault instanceof EditError)) throw fault;
    return blocked(fault.message);
  }
}

export function applyUninstall(removals: readonly Removal[], home: string): void {
  for (const { file, before, after, blocked, madeFolder, excluded } of removals) {
    if (blocked) throw new InstallError(blocked);
    unchanged(file, before);
    if (after === undefined) {
      rmSync(file);
      if (madeFolder !== undefined) removeIfEmpty(madeFolder);
    } else if (after !== before) replaceText(file, after);
    if (excluded) undoExclusion(excluded);
    writeInstall(home, file, undefined);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // someone else has put something there: it stays
  }
}

function unchanged(file: string, before: string | undefined): void {
  if (readTextFile(file) !== before)
    throw new InstallError(`${file} was changed since the plan was made; run this again`);
}
