// interlock lifecycle: starts, shows and moves a workflow without editing its state by hand.
// Invariant: a move that is not allowed changes nothing and exits 1; what only a person decides is asked at the
// terminal, never answered by an option.
import { projectOf } from "../../engine/project-reader.js";
import {
  acceptStateFile,
  advanceWorkflow,
  approveEscalation,
  type CommandDone,
  type CommandInput,
  type CommandRefused,
  cancelWorkflow,
  checkArticles,
  isCommandRefused,
  redoPhase,
} from "../../packs/lifecycle/commands/workflow-commands.js";
import { escalationIn } from "../../packs/lifecycle/model/needs.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { layDown } from "../lib/lifecycle/lay-down.js";
import {
  listWorkflows,
  printFaults,
  reportChange,
  showFaults,
  showNext,
  showStatus,
} from "../lib/lifecycle/lifecycle-reports.js";
import { changeWorkflow, inputHere, type LifecycleRun, UnusableProject } from "../lib/lifecycle/lifecycle-run.js";
import { notEnforced, printHints } from "../lib/lifecycle/setup-hints.js";
import { cancelHere, provideManifest, startHere } from "../lib/lifecycle/start-cancel.js";

export const usage = `Usage: interlock lifecycle <command> [--project <id>] [--json]

  init [--dry-run]                              lay down agents, skills, guides and the constitution; nothing that is
                                                there is overwritten
  start <workflow> [<the work>] [--branch]      begin a workflow; --branch makes and enters a branch named by the work
        [--name <name>] [--atdd]                --atdd: acceptance tests first, no test skipped at the gates
  status                                        where the workflow stands
  next                                          what the current phase still needs, and the next step
  advance                                       pass the gate of the current phase
  validate                                      check the state file and the configuration
  validate --articles I,IV [--violation <text>] record a constitutional check of the current phase
  redo [--to <phase>] --reason <text>           do a phase over; what it proved has to be proved again
  cancel --reason <text> [--remove]             end the workflow; --remove also removes what start made for it
  approve --reason <text>                       a person lets an escalated phase go on
  accept --reason <text>                        a person takes the state file as it is
  list                                          the workflows there are

After an escalation redo, cancel and validate --articles are a person's, at a terminal of their own.

Example: interlock lifecycle start feature --branch "add a login page"
`;

const spec = {
  branch: "flag",
  atdd: "flag",
  remove: "flag",
  "dry-run": "flag",
  name: "text",
  to: "text",
  reason: "text",
  articles: "text",
  violation: "text",
  project: "text",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;
type Values = { [K in keyof typeof spec]?: (typeof spec)[K] extends "flag" ? boolean : string };
type Run = LifecycleRun & { values: Values };
type Make = (input: CommandInput) => CommandDone | CommandRefused;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [command, ...rest] = words;
  if (command === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (!commands.includes(command)) throw unknownWord("unknown command", command, commands, usage);
  if (command !== "start") atMost(rest, 0, usage);
  const opened = await openHere(values);
  const run: Run = { opened, project: projectOf(opened.repository), values, cwd: values.cwd ?? process.cwd() };
  try {
    return await carryOut(run, command, rest);
  } catch (error) {
    if (!(error instanceof UnusableProject)) throw error;
    const fault: CommandRefused = { why: error.message, next: error.next };
    if (command !== "validate" && command !== "status") return reportChange(run, command, fault);
    if (values.json) printJson({ ok: false, faults: [fault] });
    else printFaults([fault]);
    return 1;
  }
}

const commands = [
  "init",
  "start",
  "status",
  "next",
  "list",
  "advance",
  "validate",
  "redo",
  "cancel",
  "approve",
  "accept",
];

function carryOut(run: Run, command: string, rest: readonly string[]): number | Promise<number> {
  const { values } = run;
  const { articles, violation } = values;
  switch (command) {
    case "init":
      return layDown(run, values["dry-run"] === true);
    case "start":
      return startHere(run, { ...values, type: rest[0], work: rest.slice(1).join(" ") });
    case "status":
      return showStatus(run);
    case "next":
      return showNext(run);
    case "list":
      return listWorkflows(run);
    case "advance":
      return move(run, "advance", advanceWorkflow);
    case "validate":
      return articles === undefined && violation === undefined
        ? showFaults(run)
        : afterEscalation(run, "validate", (m) => checkArticles(m, articlesIn(articles), violation));
    case "redo":
      return afterEscalation(
        run,
        "redo",
        reasoned(values, (m, reason) => redoPhase(m, reason, values.to)),
      );
    case "cancel":
      return afterEscalation(run, "cancel", reasoned(values, cancelWorkflow));
    case "approve":
      return personal(run, "approve", reasoned(values, approveEscalation));
    default:
      return personal(run, "accept", reasoned(values, acceptStateFile));
  }
}

const articlesIn = (text = ""): string[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((a) => a.toUpperCase());

function reasonIn({ reason }: Values): string {
  if (!reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  return reason.trim().slice(0, 500);
}

/** A missing reason is told before anything is locked. */
function reasoned(values: Values, make: (input: CommandInput, reason: string) => CommandDone | CommandRefused): Make {
  const reason = reasonIn(values);
  return (input) => make(input, reason);
}

function move(run: Run, name: string, make: Make, person = false): number {
  const result = changeWorkflow(run, name, make, person);
  if (!isCommandRefused(result) && result.observed.workflow) provideManifest(run);
  // What no hook sees is never counted, so the step that is named would be named again.
  const off = isCommandRefused(result) ? notEnforced(run) : undefined;
  const code = reportChange(run, name, result, off ? { hints: [off] } : {});
  if (off && !run.values.json) printHints([off]);
  return code;
}

const carry = (run: Run, name: string, make: Make, person: boolean): number | Promise<number> =>
  name === "cancel" ? cancelHere(run, make, { person, remove: run.values.remove }) : move(run, name, make, person);

/** Agents may do these, but not lift their own escalation with them. A person gets a fresh start by `redo`. */
async function afterEscalation(run: Run, name: string, make: Make): Promise<number> {
  const { whoAsks } = await import("../../person/terminal.js");
  const person = whoAsks("terminal").person;
  const held = escalationIn(inputHere(run).observed);
  if (!held || !person) return carry(run, name, make, person);
  const { confirm } = await import("../lib/confirm.js");
  return (await confirm(`${held}. ${name} anyway?`)) ? carry(run, name, make, true) : 1;
}

/** What only a person decides. */
async function personal(run: Run, name: string, make: Make): Promise<number> {
  const reason = reasonIn(run.values);
  const { confirm, person } = await import("../lib/confirm.js");
  if (person(run.values.json) === undefined) return 1;
  const yes = await confirm(`${name}: ${reason}. Are you the user, and is this your decision?`);
  return yes ? move(run, name, make, true) : 1;
}
