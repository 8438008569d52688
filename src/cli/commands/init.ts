// interlock init: plans the installation, shows it, asks once, then does it and proves by probes that it works.
// Invariant: nothing is started, written or copied before the user has agreed.

import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { type Grade, gradeOf } from "../../health/grade.js";
import {
  applyInstallation,
  type InstallationPlan,
  type InstallationRequest,
  installationSteps,
  planInstallation,
  shownDifference,
} from "../../health/installation.js";
import { type Probe, probe } from "../../health/probes.js";
import type { Opened } from "../../hook/open-project.js";
import type { ForeignHook } from "../../hosts/claude-code/adopt/adopt.js";
import { isReplacedHook } from "../../hosts/claude-code/adopt/framework-hooks.js";
import { applyMcp, planMcp } from "../../hosts/claude-code/install/mcp-registration.js";
import { atLeast, failClosedSince, type HookType } from "../../hosts/claude-code/install/own-entries.js";
import {
  applyStatusLine,
  planStatusLine,
  type StatusLinePlan,
} from "../../hosts/claude-code/install/statusline-registration.js";
import { lineCounts } from "../../hosts/claude-code/settings/diff.js";
import type { PlannedChange } from "../../hosts/claude-code/settings/planned-change.js";
import { inspectScopes } from "../../hosts/claude-code/settings/scopes.js";
import { describeProblem } from "../../hosts/claude-code/settings/settings.js";
import type { SettingsScope } from "../../hosts/claude-code/settings/settings-files.js";
import { orchestrationFolder } from "../../model/orchestration.js";
import { registry } from "../../packs/registry.js";
import { gitAddCommand } from "../../project/git-exclude.js";
import { folderFault } from "../../server/home-preflight.js";
import { installTraceHooks, missingTraceHooks } from "../../trace/git-hooks.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm } from "../lib/confirm.js";
import { openHere, packageDir, printJson } from "../lib/current-project.js";
import { applyConfigEdit } from "../lib/edit-config.js";
import { applyLayOut, type LayOutStep, planLayOut } from "../lib/kit/lay-out.js";
import { ownName } from "../lib/own-name.js";
import { bold, dim, green, red, yellow } from "../lib/paint.js";
import { presetEdit } from "../lib/preset-edit.js";
import { withProgress } from "../lib/progress.js";
import { scopeNamed } from "../lib/scope-option.js";
import { sayError, say as sayText } from "../lib/wrap.js";
import { statusLineProgram, statusLineStep } from "./statusline.js";

export const usage = `Usage: interlock init [--scope local|project|user] [--preset standard|strict|paranoid]
                      [--dry-run] [--full] [--yes] [--adopt] [--door http|shim|command] [--kits]
                      [--mcp | --no-mcp] [--statusline] [--json]

  --scope    local: .claude/settings.local.json, for this machine, kept out of git; project: .claude/settings.json
             with entries a team can commit; user: your own settings, for all projects.
             Default: where Interlock is registered already, else local
  --preset   how strict the guard is; writes it into this project's interlock.yaml, with comments, if there is none yet
  --dry-run  show the plan and change nothing
  --full     show the whole change of the settings file
  --yes      do not ask
  --adopt    run the hooks that are in the file under Interlock, in their order, and take the place of the iSDLC
             framework's own; uninstall puts them back
  --door     the hook type. http: the client calls the resident server (Claude Code 2.1.295 and newer);
             shim: a small sh script asks the server, or decides without it; command: a Node process per event.
             Default: what is registered already, else the safest type that works here. Entries of the scope project
             name no address: http is not for them
  --kits     also lay out what kits need: runs/, interop/, tools/ and lines for .gitignore; no file is overwritten
  --mcp      register the MCP server in .mcp.json, as \`npx agent-interlock mcp\`; done without being asked where the
             project has an .orchestration folder, unless --no-mcp is given. Such a project also gets git hooks that
             trace commits (docs/traces.md), unless the team keeps its hooks in the tree
  --statusline  also show Interlock in Claude Code's status line, beside your own (interlock help statusline)
`;

interface Wanted {
  scope: SettingsScope;
  hookType: HookType | undefined;
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    {
      scope: "text",
      preset: "text",
      "dry-run": "flag",
      full: "flag",
      yes: "flag",
      adopt: "flag",
      door: "text",
      kits: "flag",
      mcp: "flag",
      "no-mcp": "flag",
      statusline: "flag",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
  );
  const say = (text: string) => (values.json ? sayError(text, 10) : sayText(text, 10));
  const opened = await openHere(values);
  const { scope, hookType } = wantedBy(values, opened);
  const preset = values.preset === undefined ? undefined : await presetEdit(opened, values.preset, usage);
  const fault = folderFault(opened.home);
  if (fault) return failed(fault, values.json);
  const request = { scope, hookType, adopt: values.adopt };
  const anyScope = values.scope === undefined && values.door !== "http";
  const plan = await planned(opened, request, { ask: !values.yes && !values["dry-run"], anyScope });
  const { file, blocked } = plan.settings;
  if (blocked || preset?.problems.length) {
    const why = blocked ?? preset!.problems[0]!;
    if (values.json) printJson({ applied: false, file, blocked: why });
    sayError(red(`interlock: ${why}`));
    return 1;
  }
  const { root } = opened.repository;
  const layOut = values.kits ? planLayOut(root, packageDir()) : [];
  const mcp = wantsMcp(root, values) ? planMcp(root) : undefined;
  if (mcp?.blocked) return failed({ why: mcp.blocked, fix: "or leave it out: interlock init --no-mcp" }, values.json);
  const line = values.statusline ? lineHere(opened, scope) : undefined;
  if (line?.blocked) return failed({ why: line.blocked, fix: "or leave --statusline out" }, values.json);
  const tracing = usesIntents(root) ? missingTraceHooks(root) : [];
  const presetStep =
    preset && preset.after !== preset.before ? [`set the preset ${values.preset} in interlock.yaml`] : [];
  const steps = [
    ...installationSteps(plan),
    ...presetStep,
    ...layOut.map(layOutLine),
    ...mcpSteps(mcp),
    ...hookSteps(tracing),
    ...(line && !line.nothingToDo ? [`add the status line to ${line.file}: ${statusLineStep(line)}`] : []),
  ];
  showFound(plan, opened, values.preset, say);
  const shortened = steps.map((step) => homely(step.replaceAll(`${root}/`, ""), opened));
  showSteps(plan, shortened, Boolean(values.full), say);
  if (mcp?.diff && values.full) say(mcp.diff.trimEnd());
  if (values["dry-run"]) {
    if (values.json) printJson({ applied: false, dryRun: true, ...summary(plan, steps) });
    else say(dim(`Nothing was written (--dry-run). To install: ${ownName()} init`));
    return plan.settings.problems.some((p) => p.effect === "file") ? 1 : 0;
  }
  if (steps.length && !(await confirm("Do this?", values.yes))) {
    sayError("Nothing was written.");
    if (values.json) printJson({ applied: false, why: "not confirmed; --yes agrees", ...summary(plan, steps) });
    return 1;
  }
  applyLayOut(root, packageDir(), layOut);
  const applied = await withProgress("installing", () => applyInstallation(opened, plan));
  if ("why" in applied) return failed(applied, values.json);
  if (mcp) applyMcp(mcp, opened.home);
  // Planned again: the installation has changed the same file.
  if (line && !line.nothingToDo) applyStatusLine(lineHere(opened, scope), opened.home);
  if (tracing.length) installTraceHooks(root, process.argv[1]);
  if (preset && presetStep.length) applyConfigEdit(preset);
  const probes = await withProgress("proving that refusals hold", () => probe({ file, root, env: process.env }));
  const grade = gradeOf(await openHere(values), process.env);
  const ignored = applied.problems.some((p) => p.effect === "file");
  if (values.json) {
    const { backup = null, problems } = applied;
    const result = { backup, problems, probes, grade, client: plan.client ?? null };
    printJson({ applied: steps.length > 0, ...summary(plan, steps), ...result });
  } else {
    if (applied.backup) say(dim(`Your file as it was: ${homely(applied.backup, opened)}`));
    showResult(plan, probes, grade, ignored, say);
    if (!ignored && probes.every((p) => p.ok)) showNext(opened, plan, say);
  }
  return ignored || probes.some((p) => !p.ok) ? 1 : 0;
}

/** Where the framework's own hooks are installed, it is offered at a terminal to take their place. */
async function planned(
  opened: Opened,
  request: InstallationRequest,
  { ask, anyScope }: { ask: boolean; anyScope: boolean },
): Promise<InstallationPlan> {
  const plan = await withProgress("asking Claude Code for its version", () => planInstallation(opened, request));
  const scope = anyScope ? (scopeToAdopt(opened, isFrameworks) ?? request.scope) : request.scope;
  const { scopes } = inspectScopes(placesOf(opened), process.env);
  const foreign = scopes.find((each) => each.scope === scope)?.foreign ?? [];
  const own = foreign.filter((hook) => hook.stays === undefined && isFrameworks(hook));
  if (request.adopt || !own.length) return plan;
  sayError(
    yellow(
      `${own.length} hook(s) of the iSDLC framework are installed here; the lifecycle pack makes the same checks. ` +
        "Until it takes their place (--adopt), both judge and the framework keeps the state file.",
    ),
  );
  if (!ask || !process.stdin.isTTY || !(await confirm("Take their place?"))) return plan;
  return planInstallation(opened, { ...request, scope, adopt: true });
}

/** Entries for a team name no path of this machine, so the line goes into this machine's own file then. */
const lineHere = (opened: Opened, scope: SettingsScope): StatusLinePlan =>
  planStatusLine(statusLineProgram(opened.home), scope === "project" ? "local" : scope, placesOf(opened));

/** Where intents are used, agents need the tool that selects one. */
const wantsMcp = (root: string, wanted: { mcp?: boolean; "no-mcp"?: boolean }): boolean =>
  !wanted["no-mcp"] && (wanted.mcp === true || usesIntents(root));

const usesIntents = (root: string): boolean => existsSync(join(root, orchestrationFolder));

const hookSteps = (hooks: readonly string[]): string[] =>
  hooks.length ? [`install git hooks that trace commits to intents: ${hooks.join(", ")}`] : [];

const mcpSteps = (mcp: PlannedChange | undefined): string[] =>
  mcp && !mcp.nothingToDo ? [`register the MCP server in ${mcp.file}`] : [];

const layOutLine = ({ path, what, lines }: LayOutStep): string =>
  what === "lines" ? `add ${lines!.length} lines to ${path}` : `make ${path}${what === "folder" ? "/" : ""}`;

function wantedBy(values: { scope?: string; door?: string; adopt?: boolean }, opened: Opened): Wanted {
  const { door } = values;
  const found = () => registeredScope(opened) ?? (values.adopt ? scopeToAdopt(opened) : undefined);
  const scope = scopeNamed(values.scope, usage) ?? found() ?? "local";
  if (door !== undefined && door !== "http" && door !== "shim" && door !== "command")
    throw new UsageError(`--door is http, shim or command, not "${door}"\n${usage}`);
  if (scope === "project" && door === "http")
    throw new UsageError(
      "an http entry holds the address and token of this machine's server, which a team must not commit; " +
        `use --scope local or user with --door http\n${usage}`,
    );
  return { scope, hookType: door };
}

/** A second set of entries in another file would judge every call twice. */
function registeredScope(opened: Opened): SettingsScope | undefined {
  const { scopes } = inspectScopes(placesOf(opened), process.env);
  const found = scopes.find(({ scope, ours }) => scope !== "managed" && ours.length > 0)?.scope;
  return found === "managed" ? undefined : found;
}

/** Hooks can be adopted only by entries in their own file. */
function scopeToAdopt(opened: Opened, wanted: (hook: ForeignHook) => boolean = () => true): SettingsScope | undefined {
  const { scopes } = inspectScopes(placesOf(opened), process.env);
  const adoptable = (hook: ForeignHook) => hook.stays === undefined && wanted(hook);
  return (["local", "project"] as const).find((name) =>
    scopes.some(({ scope, foreign }) => scope === name && foreign.some(adoptable)),
  );
}

const isFrameworks = ({ handler }: ForeignHook): boolean => isReplacedHook(handler["command"]);

const placesOf = ({ repository, userHome, places }: Opened) => ({
  projectRoot: repository.root,
  userHome,
  configDir: places.configDir,
});

function failed({ why, fix }: { why: string; fix: string }, json: boolean | undefined): number {
  if (json) printJson({ applied: false, blocked: why, fix });
  sayError(`${red(`interlock: ${why}`)}\n  fix: ${fix}`);
  return 1;
}

const homely = (text: string, { userHome }: Opened): string => text.replaceAll(`${userHome}/`, "~/");

/** What is here, what will be refused, what is only recorded. */
function showFound(
  plan: InstallationPlan,
  opened: Opened,
  preset: string | undefined,
  say: (text: string) => void,
): void {
  const row = (name: string, text: string) => say(`${name.padEnd(9)} ${text}`);
  const { config } = opened.settings;
  row("project", homely(opened.repository.root, opened));
  row("agent", advice(plan.client));
  const foreign = inspectScopes(placesOf(opened), process.env).scopes.flatMap((scope) => scope.foreign);
  const more = [...new Set(foreign.map(({ event }) => event))].join(", ");
  if (foreign.length) row("hooks", `${foreign.length} of others (${more}), which stay as they are`);
  if (plan.adoptable.length)
    row("", "interlock init --adopt runs those of this file under Interlock, in their order, so that they do not race");
  const active = registry.filter((each) => config.packs[each.id]?.enabled && (!each.concerns || each.concerns(opened)));
  const named = (modes: string[]) => active.map((p) => p.id).filter((id) => modes.includes(config.packs[id]!.mode));
  const strictness = preset ?? String(config.packs["guard"]?.options["preset"]);
  const about = (id: string) => active.find((p) => p.id === id)!.about;
  const enforced = named(["enforce"]).filter((id) => id !== "rules" || config.packs["rules"]!.enabled);
  if (!enforced.length) row("enforced", "nothing");
  for (const [i, id] of enforced.entries())
    row(i ? "" : "enforced", `${id === "guard" ? `guard (${strictness})` : id}: ${about(id)}`);
  for (const [i, id] of named(["observe", "warn"]).entries())
    row(i ? "" : "observed", `${id}: ${about(id)}; recorded, never refused`);
}

function showSteps(plan: InstallationPlan, steps: readonly string[], full: boolean, say: (text: string) => void): void {
  const { settings, choice } = plan;
  if (steps.length) {
    say(bold("This will:"));
    for (const step of steps) say(`  ${step}`);
  } else say(green(`Nothing to do: Interlock is installed in ${settings.file}.`));
  const difference = shownDifference(plan);
  if (full) say(dim(`Hook type: ${choice.type} (${choice.why}).`));
  if (difference && full) console.log(difference.trimEnd());
  else if (difference) {
    const { added, removed } = lineCounts(difference);
    const events = Object.keys(settings.handlers).length;
    say(dim(`  ${events} events by ${choice.type}: ${added} lines added, ${removed} removed (--full shows them)`));
  }
  for (const problem of settings.problems) say(red(`  ${describeProblem(problem)}`));
  if (plan.tracked)
    say(yellow(`  git has this file, and the entries are for this machine only: git rm --cached ${settings.file}`));
  if (plan.scope === "project" && plan.adopt.length)
    say(yellow("  Whoever pulls this file without Interlock no longer runs the adopted hooks."));
}

function showResult(
  { client }: InstallationPlan,
  probes: readonly Probe[],
  grade: Grade,
  ignored: boolean,
  say: (text: string) => void,
): void {
  const good = probes.filter((p) => p.ok);
  const refused = good.filter((p) => p.expected === "refused").length;
  if (good.length)
    say(`${green("proved")}    ${refused} forbidden calls were refused, ${good.length - refused} ordinary ones passed`);
  for (const { event, name, expected, detail } of probes.filter((p) => !p.ok))
    say(`  ${red("BAD")} ${event}: ${name} must be ${expected}${red(`: ${detail}`)}`);
  if (ignored)
    say(red("Claude Code silently ignores this file because of the entries above. Repair them: interlock doctor"));
  say(`${"grade".padEnd(9)} ${bold(grade.name)}${client ? "" : yellow(" (the client's version is not known)")}`);
}

/** Three commands, each of which works as written. */
function showNext(opened: Opened, { scope }: InstallationPlan, say: (text: string) => void): void {
  const name = ownName();
  const discipline = opened.settings.config.packs["discipline"];
  const enforced = discipline?.enabled && discipline.mode === "enforce";
  const rows: [string, string][] = [
    ["claude", "start your agent; its calls are judged now"],
    enforced
      ? [`${name} config`, "what is enforced, and where that is set"]
      : [`${name} enable discipline`, "also enforce research, plans and tests"],
    scope === "project"
      ? [gitAddCommand(opened.repository.root, toCommit(opened)), "your team gets the same rules"]
      : [`${name} status`, "what happened, and what to look at first"],
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  say(bold("Next:"));
  for (const [command, why] of rows) say(`  ${command.padEnd(width)}  ${dim(why)}`);
}

/** What a team shares: the entries, and the rules where the project has a file of its own. */
const toCommit = ({ repository: { root }, projectFile }: Opened): string[] => [
  ".claude/settings.json",
  ...(existsSync(projectFile) ? [relative(root, projectFile)] : []),
];

const summary = ({ settings, ...plan }: InstallationPlan, steps: readonly string[]) => ({
  file: settings.file,
  scope: settings.scope,
  nothingToDo: steps.length === 0,
  steps,
  diff: shownDifference({ settings, ...plan }),
  foreignHooks: settings.foreignHooks.map(({ event, matcher, handler, stays }) => ({
    event,
    matcher,
    command: handler["command"],
    stays,
  })),
  adopted: settings.adopted,
});

function advice(client: string | undefined): string {
  if (!client)
    return yellow(`Claude Code was not found on PATH. From ${failClosedSince} on it refuses when a hook fails`);
  if (atLeast(client, failClosedSince)) return `Claude Code ${client}, which also refuses when Interlock fails`;
  return yellow(
    `Claude Code ${client} lets calls through when a hook fails; ${failClosedSince} and newer refuse. ` +
      "Until you update, this installation is advisory in that case",
  );
}
