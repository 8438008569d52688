// Doctor's areas "hooks" and "settings": Interlock is registered for every event, and nothing switches hooks off.
import { keepCopy, readManifest } from "../hosts/claude-code/install/install-manifest.js";
import type { HookType } from "../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { removePath, strictText } from "../hosts/claude-code/settings/edit-settings.js";
import type { Inspection, ScopeReport, Withheld } from "../hosts/claude-code/settings/scopes.js";
import { describeProblem, type SettingsProblem } from "../hosts/claude-code/settings/settings.js";
import { readTextFile, replaceText, type SettingsScope } from "../hosts/claude-code/settings/settings-files.js";
import { othersCanRead } from "../server/home-preflight.js";
import type { CheckContext, RepairContext } from "./context.js";
import type { HealthFinding, Repair } from "./finding.js";
import { privacy } from "./folder.js";

export function checkRegistration(context: CheckContext): HealthFinding[] {
  const { scopes, withheld } = context.found;
  const findings = [
    ...scopes.flatMap((scope) => scope.problems.map((problem) => settingsFinding(scope, problem, context))),
    ...switchedOff(context),
    ...withheld.map((each) => withheldFinding(each, context)),
  ];
  // A file that cannot be read may well contain our entries; it is reported above.
  const installedIn = Object.keys(readManifest(context.home).installs);
  if (scopes.some((s) => installedIn.includes(s.file) && s.problems.some(isUnreadable))) return findings;
  return [...findings, ...readableSecrets(scopes), coverageOfEvents(context)];
}

const isUnreadable = ({ path, effect, lenient }: SettingsProblem): boolean =>
  path === "" && effect === "file" && !lenient;

/** Our own entries are written again; comments and trailing commas go; everything else is for whoever wrote it. */
function settingsFinding(report: ScopeReport, problem: SettingsProblem, context: RepairContext): HealthFinding {
  const { file, scope, oursAt } = report;
  const finding: HealthFinding = { area: "settings", ok: false, what: `${file}: ${describeProblem(problem)}` };
  if (problem.effect !== "file") finding.mild = true;
  const fixed = { ...finding, fix: "interlock doctor --fix" };
  const mine = oursAt.some((path) => problem.path === path || problem.path.startsWith(`${path}.`));
  if (mine && scope !== "managed") return { ...fixed, repair: register(context, scope) };
  if (problem.lenient && scope !== "managed") return { ...fixed, repair: removeComments(context, file) };
  const where = problem.path ? `${problem.path} in ${file}` : file;
  return { ...finding, fix: `correct ${where}, then run: interlock doctor` };
}

const removeComments = (context: RepairContext, file: string): Repair => ({
  stage: "settings",
  id: `strict ${file}`,
  will: `remove comments and trailing commas from ${file}`,
  apply: async () => rewrite(context.home, file, strictText),
});

/** What switches hooks off, in settings files and in the environment. */
function switchedOff(context: CheckContext): HealthFinding[] {
  const { scopes, off } = context.found;
  const findings: HealthFinding[] = [];
  const reported = new Set(scopes.flatMap((s) => s.problems.map((p) => `${s.file}: ${describeProblem(p)}`)));
  // Weak entries are reported by the comparison with what `init` would write, which has their repair.
  const weak = scopes.map((s) => `${s.file}: PreToolUse `);
  for (const why of off.filter((each) => !reported.has(each) && !weak.some((start) => each.startsWith(start)))) {
    const file = scopes.find((s) => s.scope !== "managed" && why.startsWith(`${s.file} sets `))?.file;
    findings.push({
      area: "hooks",
      ok: false,
      what: why,
      ...(file ? enabling(context, file) : { fix: "remove it there" }),
    });
  }
  for (const { file, scope, simple } of scopes)
    if (simple && (scope === "project" || scope === "local")) {
      const what = `${file} sets CLAUDE_CODE_SIMPLE, which could drop all hooks`;
      findings.push({ area: "hooks", ok: false, mild: true, what, ...enabling(context, file) });
    }
  return findings;
}

const enabling = (context: RepairContext, file: string) => ({
  fix: "interlock doctor --fix takes it out of that file",
  repair: enableHooks(context, file),
});

const enableHooks = (context: RepairContext, file: string): Repair => ({
  stage: "settings",
  id: `enable ${file}`,
  will: `remove what switches hooks off from ${file}`,
  apply: async () =>
    rewrite(context.home, file, (text) => removePath(removePath(text, "disableAllHooks"), "env", "CLAUDE_CODE_SIMPLE")),
});

function rewrite(home: string, file: string, change: (text: string) => string): string {
  const before = readTextFile(file) ?? "{}";
  const copy = keepCopy(home, file, before, new Date());
  replaceText(file, change(before));
  return `the file as it was: ${copy}`;
}

function withheldFinding({ file, scope, url, variables }: Withheld, context: RepairContext): HealthFinding {
  const what = url
    ? "allowedHttpHookUrls leaves out the server's address: Claude Code sends nothing there"
    : `httpHookAllowedEnvVars leaves out what gates ask for: ${variables.join(", ")}`;
  const finding = { area: "hooks", ok: false, what: `${file}: ${what}` };
  if (scope === "managed") return { ...finding, fix: "add it there" };
  return { ...finding, fix: `interlock init --scope ${scope} --door shim`, repair: register(context, scope, "shim") };
}

const readableSecrets = (scopes: readonly ScopeReport[]): HealthFinding[] =>
  scopes
    .filter(({ ours, http, file }) => ours.length > 0 && http && othersCanRead(file))
    .map(({ file }) => {
      const what = `${file} can be read by other users, and the secret of the server's address is in it`;
      return { area: "settings", ok: false, mild: true, what, ...privacy(file) };
    });

function coverageOfEvents(context: CheckContext): HealthFinding {
  const { scopes } = context.found;
  const ours = scopes.filter((s) => s.ours.length > 0);
  if (!ours.length) {
    const what = "Interlock is not registered in any settings file";
    return { area: "hooks", ok: false, what, fix: "interlock init", repair: register(context, "local") };
  }
  const events = new Set(ours.flatMap((s) => s.ours));
  const missing = registeredEvents.filter((event) => !events.has(event));
  if (missing.length) {
    const what = `not registered for ${missing.join(", ")}`;
    return { area: "hooks", ok: false, what, fix: "interlock doctor --fix", repair: registerAgain(context, scopes) };
  }
  const files = ours.map((s) => s.file).join(", ");
  return { area: "hooks", ok: true, what: `registered for ${registeredEvents.length} events in ${files}` };
}

/** Where entries of ours are already: another scope would only add a second set. */
export function registerAgain(context: RepairContext, scopes: Inspection["scopes"]): Repair {
  const scope = scopes.find((s) => s.ours.length > 0 && s.scope !== "managed")?.scope as SettingsScope | undefined;
  return register(context, scope ?? "local");
}

/** What `interlock init --yes` does. */
export const register = (context: RepairContext, scope: SettingsScope, hookType?: HookType): Repair => ({
  stage: "registration",
  id: `register ${scope}`,
  specific: hookType !== undefined,
  will: `write Interlock's entries again: interlock init --scope ${scope}${hookType ? ` --door ${hookType}` : ""}`,
  async apply() {
    const { applyInstallation, planInstallation } = await import("./installation.js");
    const opened = await context.reopen();
    const plan = await planInstallation(opened, { scope, hookType });
    if (plan.settings.blocked) throw new Error(plan.settings.blocked);
    const applied = await applyInstallation(opened, plan);
    if ("why" in applied) throw new Error(`${applied.why} (fix: ${applied.fix})`);
    return applied.backup && `the file as it was: ${applied.backup}`;
  },
});
