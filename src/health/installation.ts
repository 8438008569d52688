// Installing Interlock on Claude Code as a plan and its execution: used by `init` and by doctor's repair of entries.
// Invariant: planning starts, writes and copies nothing; applying does what the plan says and nothing else.
import { relative } from "node:path";
import { adoptedHooks, takeOver } from "../hook/adopted-hooks.js";
import { version } from "../hook/folders.js";
import type { Opened } from "../hook/open-project.js";
import { type ForeignHook, foreignHooks, toAdopted } from "../hosts/claude-code/adopt/adopt.js";
import { isReplacedHook } from "../hosts/claude-code/adopt/framework-hooks.js";
import { applyInstall, planInstall, type SettingsPlan } from "../hosts/claude-code/install/install.js";
import { clientVersion } from "../hosts/claude-code/install/installed-client.js";
import {
  type HookType,
  hookTimeoutSeconds,
  hookTypeOf,
  isOurs,
  tokenHeader,
} from "../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { hookEntries, readSettings, type SettingsProblem } from "../hosts/claude-code/settings/settings.js";
import { readTextFile, type SettingsScope, settingsFile } from "../hosts/claude-code/settings/settings-files.js";
import { isTracked, planExclusion } from "../project/git-exclude.js";
import { prepareFolder } from "../server/home-preflight.js";
import {
  applyServing,
  chooseHookType,
  describeServing,
  type HookTypeChoice,
  planServing,
  type ServingPlan,
} from "../server/hook-type.js";
import type { NotUp } from "../server/start-stop.js";
import {
  copyProgram,
  type LaunchedProgram,
  launcherInPlace,
  launcherPath,
  programToRegister,
  writeLauncher,
} from "./own-program.js";

export interface InstallationRequest {
  scope: SettingsScope;
  /** Undefined: what is registered already, else the safest that works here. */
  hookType?: HookType | undefined;
  /** Take over the hooks of others that are in the file. */
  adopt?: boolean | undefined;
}

export interface InstallationPlan {
  scope: SettingsScope;
  settings: SettingsPlan;
  choice: HookTypeChoice;
  client: string | undefined;
  /** Undefined for a process per event. */
  serving?: ServingPlan;
  /** The folder the program is copied from and to. */
  copy?: { from: string; to: string };
  /** Undefined where it is in place already, or there is no `sh`. */
  launcher?: LaunchedProgram;
  /** The settings file is for this machine only, and git has it already. */
  tracked: boolean;
  adopt: ForeignHook[];
  /** The lifecycle framework's own hooks, taken out because the lifecycle pack makes their checks. */
  replace: ForeignHook[];
  /** Hooks of others that could be adopted and were not asked for. */
  adoptable: ForeignHook[];
}

export async function planInstallation(opened: Opened, request: InstallationRequest): Promise<InstallationPlan> {
  const places = { projectRoot: opened.repository.root, userHome: opened.userHome, configDir: opened.places.configDir };
  const file = settingsFile(request.scope, places);
  const found = foreignIn(file, request.scope);
  const isReplaced = (hook: ForeignHook) => isReplacedHook(hook.handler["command"]);
  const adopt = request.adopt ? found.filter((hook) => !isReplaced(hook)) : [];
  const replace = request.adopt ? found.filter(isReplaced) : [];
  const client = await clientVersion();
  const team = request.scope === "project";
  const choice = team
    ? teamHookType(request.hookType)
    : chooseHookType({
        wanted: request.hookType ?? registeredHookType(file),
        clientVersion: client,
        adopts: adopt.length > 0 || adoptedHooks(opened).length > 0,
      });
  const { script, copy } = programToRegister(opened.home);
  const command = { node: process.execPath, script };
  const launcher = { home: opened.home, ...command };
  const path = relative(opened.repository.root, file);
  const local = request.scope === "local";
  const serving = choice.type === "command" ? undefined : await planServing(opened.home, choice.type, command);
  const settings = planInstall({
    ...places,
    scope: request.scope,
    command,
    home: opened.home,
    events: registeredEvents,
    timeoutSeconds: hookTimeoutSeconds,
    clientVersion: client,
    served: serving?.served,
    team,
    adopt: [...adopt, ...replace],
    exclude: local ? planExclusion(opened.repository, path) : undefined,
  });
  return {
    scope: request.scope,
    settings,
    choice,
    client,
    ...(serving && { serving }),
    ...(copy && { copy }),
    ...(process.platform !== "win32" && !launcherInPlace(launcher) && { launcher }),
    tracked: local && isTracked(opened.repository.root, path),
    adopt,
    replace,
    adoptable: request.adopt ? [] : found,
  };
}

/** An entry that can be committed names neither a port nor a token: each machine answers it by its own shim. */
function teamHookType(wanted: HookType | undefined): HookTypeChoice {
  const best = process.platform === "win32" ? "command" : "shim";
  return { type: wanted ?? best, why: "the entry can be committed: it finds Interlock on each machine" };
}

/** What applying the plan does, as short sentences in order; empty where everything is in place. */
export function installationSteps(plan: InstallationPlan): string[] {
  const { copy, serving, launcher, settings, adopt, replace } = plan;
  return [
    ...(copy ? [`copy the program to ${copy.to}`] : []),
    ...(serving ? describeServing(serving) : []),
    ...(launcher ? [`write ${launcherPath(launcher.home)}`] : []),
    ...(settings.exclude ? [`keep ${settings.file} out of git by ${settings.exclude.file}`] : []),
    ...(settings.nothingToDo ? [] : [`${settings.before === undefined ? "create" : "change"} ${settings.file}`]),
    ...(adopt.length ? [`run ${adopt.length} existing hook(s) under Interlock`] : []),
    ...(replace.length ? [`take the place of ${replace.length} hook(s) of the lifecycle framework`] : []),
  ];
}

/** The change of the settings file, without the server's token. */
export const shownDifference = ({ settings }: InstallationPlan): string =>
  settings.diff.replaceAll(new RegExp(`("${tokenHeader}"\\s*:\\s*")[^"]*`, "g"), "$1(secret)");

export interface AppliedInstallation {
  /** The copy of the settings file as it was. */
  backup?: string;
  problems: SettingsProblem[];
}

/** The server comes first: entries that name a server nobody started would refuse every call. */
export async function applyInstallation(opened: Opened, plan: InstallationPlan): Promise<AppliedInstallation | NotUp> {
  const { settings, copy, serving, launcher } = plan;
  const fault = prepareFolder(opened.home);
  if (fault) return fault;
  if (copy) copyProgram(copy);
  const notUp = serving && (await applyServing(opened.home, serving));
  if (notUp)
    return { why: `${notUp.why}; ${settings.file} was not changed`, fix: `${notUp.fix}, or: ${withoutServer(plan)}` };
  if (launcher) writeLauncher(launcher);
  const applied = applyInstall(settings, opened.home);
  if (plan.adopt.length) takeOver(opened, plan.scope, toAdopted(plan.adopt));
  if (!settings.nothingToDo) recordInstallation(opened, settings);
  return applied;
}

const withoutServer = ({ scope }: InstallationPlan): string => `interlock init --scope ${scope} --door command`;

function recordInstallation({ store }: Opened, { file, scope, adopted }: SettingsPlan): void {
  const body = { file, scope, version, adopted: adopted.length };
  store.append(() => ({ type: "install", body, durable: true }));
}

/** The hook type of the entries that are in a settings file. */
export function registeredHookType(file: string): HookType | undefined {
  const settings = readSettings(readTextFile(file));
  const entry = settings.ok
    ? hookEntries(settings.json).find((each) => each.event === "PreToolUse" && isOurs(each.handler))
    : undefined;
  return entry && hookTypeOf(entry.handler);
}

function foreignIn(file: string, scope: SettingsScope): ForeignHook[] {
  const settings = readSettings(readTextFile(file));
  return settings.ok ? foreignHooks(settings.json, { file, scope }).filter((hook) => hook.stays === undefined) : [];
}
