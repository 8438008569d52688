// interlock init: plans the installation, shows it, asks once, then does it and proves by probes that it works.
// Invariant: nothing is started, written or copied before the user has agreed.
import { existsSync } from "node:fs";
import { join } from "node:path";
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
import { isReplacedHook } from "../../hosts/claude-code/adopt/framework-hooks.js";
import { applyMcp, type McpPlan, planMcp } from "../../hosts/claude-code/install/mcp-registration.js";
import { atLeast, failClosedSince, type HookType } from "../../hosts/claude-code/install/own-entries.js";
import { describeProblem } from "../../hosts/claude-code/settings/settings.js";
import type { SettingsScope } from "../../hosts/claude-code/settings/settings-files.js";
import { askGit } from "../../project/run-git.js";
import { folderFault } from "../../server/home-preflight.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm } from "../lib/confirm.js";
import { openHere, packageDir, printJson } from "../lib/current-project.js";
import { applyLayOut, type LayOutStep, planLayOut } from "../lib/kit/lay-out.js";
import { bold, dim, green, red, yellow } from "../lib/paint.js";

export const usage = `Usage: interlock init [--scope project|local|user] [--dry-run] [--yes] [--adopt]
                      [--door http|shim|command] [--kits] [--mcp | --no-mcp] [--json]

  --scope    project: .claude/settings.json (default); local: .claude/settings.local.json, which git should
             ignore; user: your own settings, for all projects
  --dry-run  show the plan and change nothing
  --yes      do not ask
  --adopt    run the hooks that are in the file under Interlock, in their order, and take the place of the iSDLC
             framework's own; uninstall puts them back
  --door     the hook type. http: the client calls the resident server (Claude Code 2.1.295 and newer);
             shim: a small sh script asks the server, or decides without it; command: a Node process per event.
             Default: what is registered already, else the safest type that works here
  --kits     also lay out what kits need: runs/, interop/, tools/ and lines for .gitignore; no file is overwritten
  --mcp      register the MCP server in .mcp.json, as \`npx agent-interlock mcp\`; done without being asked where the
             project has an .orchestration folder, unless --no-mcp is given
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
      "dry-run": "flag",
      yes: "flag",
      adopt: "flag",
      door: "text",
      kits: "flag",
      mcp: "flag",
      "no-mcp": "flag",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
  );
  const { scope, hookType } = wantedBy(values);
  const say = (text: string) => (values.json ? console.error(text) : console.log(text));
  const opened = await openHere(values);
  const fault = folderFault(opened.home);
  if (fault) return failed(fault, values.json);
  const plan = await planned(opened, { scope, hookType, adopt: values.adopt }, !values.yes && !values["dry-run"]);
  const { file, blocked } = plan.settings;
  if (blocked) {
    if (values.json) printJson({ applied: false, file, blocked });
    console.error(red(`interlock: ${blocked}`));
    return 1;
  }
  const { root } = opened.repository;
  const layOut = values.kits ? planLayOut(root, packageDir()) : [];
  const mcp = wantsMcp(root, values) ? planMcp(root) : undefined;
  if (mcp?.blocked) return failed({ why: mcp.blocked, fix: "or leave it out: interlock init --no-mcp" }, values.json);
  const steps = [...installationSteps(plan), ...layOut.map(layOutLine), ...mcpSteps(mcp)];
  showPlan(plan, steps, opened, say);
  if (mcp?.diff) say(mcp.diff.trimEnd());
  if (values["dry-run"]) {
    if (values.json) printJson({ applied: false, dryRun: true, ...summary(plan, steps) });
    else say(dim("Nothing was written (--dry-run)."));
    return plan.settings.problems.some((p) => p.effect === "file") ? 1 : 0;
  }
  if (steps.length && !(await confirm("Do this?", values.yes))) {
    console.error("Nothing was written.");
    if (values.json) printJson({ applied: false, why: "not confirmed; --yes agrees", ...summary(plan, steps) });
    return 1;
  }
  applyLayOut(root, packageDir(), layOut);
  const applied = await applyInstallation(opened, plan);
  if ("why" in applied) return failed(applied, values.json);
  if (mcp) applyMcp(mcp, opened.home);
  const probes = await probe({ file, root, env: process.env });
  const grade = gradeOf(await openHere(values), process.env);
  const ignored = applied.problems.some((p) => p.effect === "file");
  if (values.json) {
    const { backup = null, problems } = applied;
    const result = { backup, problems, probes, grade, client: plan.client ?? null };
    printJson({ applied: steps.length > 0, ...summary(plan, steps), ...result });
  } else {
    if (applied.backup) say(dim(`Your file as it was: ${applied.backup}`));
    showResult(plan, probes, grade, ignored, say);
  }
  return ignored || probes.some((p) => !p.ok) ? 1 : 0;
}

/** Where the framework's own hooks are installed, it is offered at a terminal to take their place. */
async function planned(opened: Opened, request: InstallationRequest, ask: boolean): Promise<InstallationPlan> {
  const plan = await planInstallation(opened, request);
  const own = plan.adoptable.filter((hook) => isReplacedHook(hook.handler["command"]));
  if (!own.length) return plan;
  console.error(
    yellow(
      `${own.length} hook(s) of the iSDLC framework are installed here; the lifecycle pack makes the same checks. ` +
        "Until it takes their place (--adopt), both judge and the framework keeps the state file.",
    ),
  );
  if (!ask || !process.stdin.isTTY || !(await confirm("Take their place?"))) return plan;
  return planInstallation(opened, { ...request, adopt: true });
}

/** Where intents are used, agents need the tool that selects one. */
const wantsMcp = (root: string, wanted: { mcp?: boolean; "no-mcp"?: boolean }): boolean =>
  !wanted["no-mcp"] && (wanted.mcp === true || existsSync(join(root, ".orchestration")));

const mcpSteps = (mcp: McpPlan | undefined): string[] =>
  mcp && !mcp.nothingToDo ? [`register the MCP server in ${mcp.file}`] : [];

const layOutLine = ({ path, what, lines }: LayOutStep): string =>
  what === "lines" ? `add ${lines!.length} lines to ${path}` : `make ${path}${what === "folder" ? "/" : ""}`;

function wantedBy({ scope = "project", door }: { scope?: string; door?: string }): Wanted {
  if (scope !== "project" && scope !== "user" && scope !== "local")
    throw new UsageError(`--scope is project, local or user, not "${scope}"\n${usage}`);
  if (door !== undefined && door !== "http" && door !== "shim" && door !== "command")
    throw new UsageError(`--door is http, shim or command, not "${door}"\n${usage}`);
  return { scope, hookType: door };
}

function failed({ why, fix }: { why: string; fix: string }, json: boolean | undefined): number {
  if (json) printJson({ applied: false, blocked: why, fix });
  console.error(`${red(`interlock: ${why}`)}\n  fix: ${fix}`);
  return 1;
}

function showPlan(plan: InstallationPlan, steps: readonly string[], opened: Opened, say: (text: string) => void): void {
  const { settings, choice, adoptable } = plan;
  say(dim(`Hook type: ${choice.type} (${choice.why}).`));
  if (steps.length) {
    say(bold("This will:"));
    for (const step of steps) say(`  ${step}`);
  } else say(green(`Nothing to do: Interlock is installed in ${settings.file}.`));
  const difference = shownDifference(plan);
  if (difference) say(difference.trimEnd());
  for (const problem of settings.problems) say(red(`  ${describeProblem(problem)}`));
  if (plan.scope === "project" && wouldBeCommitted(settings.file, opened.repository))
    say(
      yellow(
        "  git would commit this file, and the entries are for this machine only (paths, port, token). " +
          "Keep it out of commits, or use --scope local or user.",
      ),
    );
  if (!adoptable.length) return;
  console.error(`The file has ${adoptable.length} hook(s) of others, which stay as they are:`);
  for (const { event, matcher, handler } of adoptable)
    console.error(`  ${event}${matcher ? ` (${matcher})` : ""}: ${String(handler["command"])}`);
  console.error("`interlock init --adopt` runs them under Interlock, in this order, so that they do not race.");
}

function showResult(
  { client }: InstallationPlan,
  probes: readonly Probe[],
  grade: Grade,
  ignored: boolean,
  say: (text: string) => void,
): void {
  for (const { ok, event, name, expected, ms, detail } of probes) {
    const mark = ok ? green("ok ") : red("BAD");
    say(`  ${mark} ${event}: ${name} must be ${expected}${ok ? dim(` (${ms} ms)`) : red(`: ${detail}`)}`);
  }
  if (ignored)
    say(red("Claude Code silently ignores this file because of the entries above. Repair them: interlock doctor"));
  say(`Grade: ${bold(grade.name)}. ${advice(client)}`);
}

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
    return yellow(
      `Claude Code was not found on PATH. From version ${failClosedSince} on it refuses when a hook fails.`,
    );
  if (atLeast(client, failClosedSince))
    return `Claude Code ${client} also refuses when Interlock fails. Next: start your agent, then interlock status`;
  return yellow(
    `Claude Code ${client} lets calls through when a hook fails; ${failClosedSince} and newer refuse. ` +
      "Until you update, this installation is advisory in that case.",
  );
}

/** Tracked, or not ignored: the next `git add -A` takes the file along. */
const wouldBeCommitted = (file: string, { kind, root }: Opened["repository"]): boolean =>
  kind === "git" &&
  (askGit(root, ["ls-files", "--error-unmatch", "--", file]) !== undefined ||
    // check-ignore refuses to run with literal pathspecs.
    askGit(root, ["check-ignore", "-q", "--", file], { env: { GIT_LITERAL_PATHSPECS: "0" } }) === undefined);
