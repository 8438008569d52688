// interlock init: shows the exact change of the settings file, keeps what others wrote, backs up, writes, validates, and proves by probes that it works.
import { cpSync, existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { gradeOf } from "../../health/grade.js";
import { type Probe, probe } from "../../health/probes.js";
import { adoptedHooks, takeOver } from "../../hook/adopted-hooks.js";
import { version } from "../../hook/folders.js";
import type { Opened } from "../../hook/open-project.js";
import { type ForeignHook, toAdopted } from "../../hosts/claude-code/adopt/adopt.js";
import { clientVersion } from "../../hosts/claude-code/install/client.js";
import { applyInstall, type InstallRequest, type Plan, planInstall } from "../../hosts/claude-code/install/install.js";
import {
  atLeast,
  failClosedSince,
  isOurs,
  type Way,
  wayOfHandler,
} from "../../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../../hosts/claude-code/protocol/events.js";
import { describe, hookEntries, readSettings } from "../../hosts/claude-code/settings/settings.js";
import { readText } from "../../hosts/claude-code/settings/settings-files.js";
import { askGit } from "../../project/git.js";
import { folderFault } from "../../server/home-preflight.js";
import { options, UsageError } from "../lib/args.js";
import { confirm } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, green, red, yellow } from "../lib/paint.js";

export const usage = `Usage: interlock init [--scope project|local|user] [--dry-run] [--yes] [--adopt] [--door http|shim|command] [--json]

  --scope    project: .claude/settings.json here (default); local: .claude/settings.local.json, which git should not
             track; user: your own settings, for all projects
  --dry-run  show the change and write nothing
  --yes      do not ask
  --adopt    run the hooks that are there already under Interlock, in their order (they come back with uninstall)
  --door     how events come to Interlock: http, to the resident server (Claude Code 2.1.295 and newer); shim, a small sh program that asks the
             server or decides itself; command, a Node process per event, which asks the server where one runs. Without it: what is registered already, else the best that works
`;

export const timeoutSeconds = 30;

export async function run(args: string[]): Promise<number> {
  const { values } = options(
    args,
    {
      scope: "text",
      "dry-run": "flag",
      yes: "flag",
      adopt: "flag",
      door: "text",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
  );
  return install(values, (text) => (values.json ? console.error(text) : console.log(text)));
}

export interface InstallOptions {
  scope?: string;
  "dry-run"?: boolean;
  yes?: boolean;
  adopt?: boolean;
  door?: string;
  json?: boolean;
  cwd?: string;
  home?: string;
}

export async function install(values: InstallOptions, say: (text: string) => void): Promise<number> {
  const scope = values.scope ?? "project";
  if (scope !== "project" && scope !== "user" && scope !== "local")
    throw new UsageError(`--scope is project, local or user, not "${scope}"\n${usage}`);
  const { door } = values;
  if (door !== undefined && door !== "http" && door !== "shim" && door !== "command")
    throw new UsageError(`--door is http, shim or command, not "${door}"\n${usage}`);
  const opened = await openHere(values);
  const fault = values["dry-run"] ? undefined : folderFault(opened.home);
  if (fault) {
    if (values.json) printJson({ applied: false, blocked: fault.why, fix: fault.fix });
    console.error(`${red(`interlock: ${fault.why}`)}\n  fix: ${fault.fix}`);
    return 1;
  }
  const client = await clientVersion();
  const request: InstallRequest = {
    scope: scope as "project" | "local" | "user",
    projectRoot: opened.repository.root,
    userHome: opened.userHome,
    configDir: opened.places.configDir,
    command: { node: process.execPath, script: scriptToRegister(opened.home, !values["dry-run"]) },
    home: opened.home,
    events: registeredEvents,
    timeoutSeconds,
    clientVersion: client,
  };
  let plan = planInstall(request);
  const adoptable = plan.foreignHooks.filter((h) => h.stays === undefined);
  const adopt =
    adoptable.length > 0 &&
    (values.adopt || (await offerAdoption(adoptable, Boolean(values.yes || values["dry-run"] || values.json))));
  if (!plan.blocked) {
    const { choose } = await import("../../server/choose-door.js");
    const choice = await choose({
      way: door ?? registeredWay(plan.file),
      home: opened.home,
      ...request.command,
      clientVersion: client,
      adopts: adopt || adoptedHooks(opened).length > 0,
      dry: Boolean(values["dry-run"]),
    });
    say(dim(`Events come in by ${choice.way}: ${choice.why}.`));
    plan = planInstall({ ...request, served: choice.served, ...(adopt ? { adopt: adoptable } : {}) });
  }

  if (plan.blocked) {
    if (values.json) printJson({ applied: false, file: plan.file, blocked: plan.blocked });
    console.error(red(`interlock: ${plan.blocked}`));
    return 1;
  }
  if (plan.nothingToDo) say(green(`Nothing to do: Interlock is installed in ${plan.file}.`));
  else {
    say(bold(`The change to ${plan.file}:`));
    say(plan.diff.trimEnd());
  }
  for (const p of plan.problems) say(red(`  ${describe(p)}`));
  if (scope === "project" && wouldBeCommitted(plan.file, opened.repository))
    say(
      yellow(
        "  git would commit this file, and the entries are for this machine (paths, port, token): keep it out of commits, or use --scope local or user.",
      ),
    );
  if (values["dry-run"]) {
    if (values.json) printJson({ applied: false, dryRun: true, ...summary(plan) });
    else say(dim("Nothing was written (--dry-run)."));
    return plan.problems.some((p) => p.effect === "file") ? 1 : 0;
  }
  if (!plan.nothingToDo && !(await confirm("Write this?", values.yes))) {
    console.error("Nothing was written.");
    if (values.json) printJson({ applied: false, why: "nobody agreed; --yes does", ...summary(plan) });
    return 1;
  }
  const { backup, problems } = applyInstall(plan, opened.home);
  if (adopt) takeOver(opened, scope, toAdopted(adoptable));
  if (!plan.nothingToDo) record(opened, plan);
  const { post } = await import("../../server/client.js");
  const probes = await probe({ file: plan.file, root: opened.repository.root, env: process.env, post });
  const grade = gradeOf(await openHere(values), process.env);
  const broken = problems.some((p) => p.effect === "file");
  const failed = broken || probes.some((p) => !p.ok);
  if (values.json) {
    printJson({
      applied: !plan.nothingToDo,
      ...summary(plan),
      backup: backup ?? null,
      problems,
      probes,
      grade,
      client: client ?? null,
    });
    return failed ? 1 : 0;
  }
  if (backup) say(dim(`Your file as it was: ${backup}`));
  showProbes(probes, say);
  if (broken)
    say(
      red(
        "Claude Code drops this whole file silently because of the entries above; repair them, then run: interlock doctor",
      ),
    );
  say(`Grade: ${bold(grade.name)}. ${advice(client)}`);
  return failed ? 1 : 0;
}

/** How a file that has entries of ours lets the calls come in. */
export function registeredWay(file: string): Way | undefined {
  const settings = readSettings(readText(file));
  const entry = settings.ok
    ? hookEntries(settings.json).find((e) => e.event === "PreToolUse" && isOurs(e.handler))
    : undefined;
  return entry && wayOfHandler(entry.handler);
}

const summary = (plan: Plan) => ({
  file: plan.file,
  scope: plan.scope,
  nothingToDo: plan.nothingToDo,
  diff: plan.diff,
  foreignHooks: plan.foreignHooks.map(({ event, matcher, handler, stays }) => ({
    event,
    matcher,
    command: handler["command"],
    stays,
  })),
  adopted: plan.adopted,
});

function record(opened: Opened, plan: Plan): void {
  opened.store.transact(() => ({
    type: "install",
    body: { file: plan.file, scope: plan.scope, version, adopted: plan.adopted.length },
    durable: true,
  }));
}

export function showProbes(probes: readonly Probe[], say: (text: string) => void): void {
  for (const p of probes) {
    const mark = p.ok ? green("ok ") : red("BAD");
    say(`  ${mark} ${p.event}: ${p.name} must be ${p.expected}${p.ok ? dim(` (${p.ms} ms)`) : red(`: ${p.detail}`)}`);
  }
}

function advice(client: string | undefined): string {
  if (!client)
    return yellow(
      "Claude Code was not found on PATH, so its version could not be checked; from 2.1.295 on it fails closed.",
    );
  if (atLeast(client, failClosedSince))
    return `Claude Code ${client} also refuses when Interlock itself fails. Next: start your agent; interlock status shows what happens.`;
  return yellow(
    `Claude Code ${client} lets calls through when a hook fails; from ${failClosedSince} on it refuses. Until you update, this installation is advisory in that case.`,
  );
}

/** Whether a teammate would get this file by pulling. */
/** Tracked, or not ignored: the next `git add -A` takes it along. */
const wouldBeCommitted = (file: string, { kind, root }: Opened["repository"]): boolean =>
  kind === "git" &&
  (askGit(root, ["ls-files", "--error-unmatch", "--", file]) !== undefined ||
    // check-ignore refuses to run with literal pathspecs.
    askGit(root, ["check-ignore", "-q", "--", file], { env: { GIT_LITERAL_PATHSPECS: "0" } }) === undefined);

async function offerAdoption(hooks: readonly ForeignHook[], silent: boolean): Promise<boolean> {
  console.error(
    `There are ${hooks.length} hook(s) of others in this file. Interlock can run them itself, in this order, so that they no longer race each other:`,
  );
  for (const h of hooks)
    console.error(`  ${h.event}${h.matcher ? ` (${h.matcher})` : ""}: ${String(h.handler["command"])}`);
  if (silent) {
    console.error("They stay as they are; run `interlock init --adopt` to take them over.");
    return false;
  }
  return confirm("Run them under Interlock?");
}

/** A program in npx's cache may be gone tomorrow; then a copy in Interlock's own folder is registered instead. */
function scriptToRegister(home: string, write: boolean): string {
  const script = realpathSync(process.argv[1]!);
  if (!/[\\/]_npx[\\/]/.test(script)) return script;
  const copy = join(home, "versions", version, "dist");
  if (write && !existsSync(join(copy, "interlock.cjs"))) cpSync(dirname(script), copy, { recursive: true });
  return join(copy, "interlock.cjs");
}
