// interlock statusline: one line for Claude Code, and its registration. The line itself is made by statusline-main.ts.
import { copyProgram, programToRegister } from "../../health/own-program.js";
import { interlockHome } from "../../hook/folders.js";
import {
  applyStatusLine,
  applyStatusLineRemoval,
  planStatusLine,
  planStatusLineRemoval,
  type StatusLinePlan,
} from "../../hosts/claude-code/install/statusline-registration.js";
import { singleQuote } from "../../model/shell-quote.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { confirm } from "../lib/confirm.js";
import { openHere } from "../lib/current-project.js";
import { dim, red } from "../lib/paint.js";
import { scopeNamed } from "../lib/scope-option.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock statusline                      print the line; the client's JSON on stdin
       interlock statusline --install [--scope local|user] [--dry-run] [--yes]
       interlock statusline --uninstall [--scope local|user] [--dry-run] [--yes]

The line shows the grade, research and plan, the breaker, the intent or phase, refused calls of the session, and how
old the newest checkpoint in a commit is. Your own status line keeps running; ours stands beside or below it.

  --install     add it to the settings file; default scope: local (.claude/settings.local.json)
  --uninstall   take it out; a file nobody else changed is restored byte for byte
`;

const spec = {
  install: "flag",
  uninstall: "flag",
  scope: "text",
  "dry-run": "flag",
  yes: "flag",
  cwd: "text",
  home: "text",
} as const;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, spec, usage);
  if (values.install && values.uninstall) throw new UsageError(`--install or --uninstall?\n${usage}`);
  if (!values.install && !values.uninstall) {
    const { shownLine } = await import("../statusline-main.js");
    say(await shownLine(undefined, interlockHome(process.env, values.home)));
    return 0;
  }
  const scope = scopeNamed(values.scope, usage) ?? "local";
  if (values.install && scope === "project")
    throw new UsageError("the line names this machine's paths, which a team can't share: --scope local or user");
  const { repository, userHome, places: own, home } = await openHere(values);
  const places = { projectRoot: repository.root, userHome, configDir: own.configDir };
  const plan = values.install
    ? planStatusLine(statusLineProgram(home), scope, places)
    : planStatusLineRemoval(scope, places, home);
  if (!plan || plan.nothingToDo) {
    say(`Nothing to do: the status line is ${values.install ? "there already" : "not there"}.`);
    return 0;
  }
  if (plan.blocked) {
    sayError(red(`interlock: ${plan.blocked}`));
    return 1;
  }
  console.log(plan.diff.trimEnd());
  say(dim(statusLineStep(plan)));
  if (values["dry-run"] || !(await confirm(values.install ? "Add it?" : "Take it out?", values.yes))) return 0;
  const { copy } = programToRegister(home);
  if (values.install && copy) copyProgram(copy);
  if (values.install) applyStatusLine(plan, home);
  else applyStatusLineRemoval(plan, home);
  return 0;
}

/** How the client starts the line; `{chain}` stands for the name of the settings file. */
export const statusLineProgram = (home: string): string => {
  const [node, script, folder] = [process.execPath, programToRegister(home).script, home].map(singleQuote);
  return `${node} ${script} statusline --chain {chain} --home ${folder}`;
};

export const statusLineStep = ({ chained }: StatusLinePlan): string =>
  chained
    ? "your own status line keeps running; ours stands beside or below it"
    : "you have no status line of your own";
