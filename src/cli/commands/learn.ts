// interlock learn: proposes rules for programs the record met and nothing knows; a person accepts them.
// Invariant: without --run-help nothing is executed; without --accept nothing is written. Both need a person at a
// terminal, and a rule goes into the user's own file, never the project's.
import { readFileSync } from "node:fs";
import type { Opened } from "../../hook/open-project.js";
import { type TaughtEffect, taughtEffects } from "../../model/taught.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { changeConfig } from "../lib/change-config.js";
import { confirm, notDone, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { planConfigEdit } from "../lib/edit-config.js";
import { canBeTaught, isUnknownProgram, type MetProgram, metPrograms } from "../lib/learn/met-programs.js";
import { evidenceFor, helpEvidence, type ProgramEvidence } from "../lib/learn/program-evidence.js";
import { type Proposal, propose, ruleText } from "../lib/learn/propose-rule.js";
import { helpOf, programFile } from "../lib/learn/run-help.js";
import { bold, dim, shown } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError, wrapLine } from "../lib/wrap.js";

export const usage = `Usage: interlock learn [<program>] [--from-help <file>] [--run-help] [--json]
       interlock learn --accept <program> [--as read|write|network] [--from-help <file>] [--yes]

  Lists programs your agent called that Interlock does not know, what they seem to do, and the rule that would say so.
  Evidence: package scripts, the package that brought it, completion files of bash, zsh and fish. Nothing is run.

  --from-help  a file with the program's help text, which you saved
  --run-help   run <program> --help once, after you said yes at the terminal
  --accept     write the rule into your own interlock.yaml; only a person at a terminal may
  --as         what the program does: read; write (in the project); network. Each includes the ones before it
  --yes        agree to --accept without being asked
`;

interface Learned extends MetProgram, Proposal {
  evidence: string[];
  rule: string | null;
}

/** So many of the newest records are looked at. */
const mostRecords = 20_000;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    {
      accept: "text",
      as: "text",
      "from-help": "text",
      "run-help": "flag",
      yes: "flag",
      json: "flag",
      cwd: "text",
      home: "text",
    },
    usage,
    "words",
  );
  atMost(words, 1, usage);
  const name = values.accept ?? words[0];
  if (values.accept !== undefined && words[0] !== undefined && words[0] !== values.accept)
    throw new UsageError(`--accept takes one program, not ${words[0]} besides\n${usage}`);
  if (name !== undefined && !canBeTaught(name))
    throw new UsageError(
      `"${shown(name, 60)}" is no program's name: letters, digits and . _ + -, without a folder\n${usage}`,
    );
  if (name === undefined && (values["from-help"] !== undefined || values["run-help"]))
    throw new UsageError(`whose help? Name the program: interlock learn <program> ...\n${usage}`);
  if (values.as !== undefined && values.accept === undefined)
    throw new UsageError(`--as belongs to --accept\n${usage}`);
  if (values.as !== undefined && !isTaught(values.as))
    throw unknownWord(`--as takes ${taughtEffects.join(", ")}, not`, values.as, taughtEffects, usage);
  const saved = values["from-help"] === undefined ? [] : [savedHelp(values["from-help"])];
  const opened = await openHere(values);
  if (name !== undefined && !(await isUnknown(opened, name))) return known(name, opened, values.json);
  if (values["run-help"]) {
    const text = await askedHelp(name!, values.json);
    if (text === undefined) return 1;
    saved.push(helpEvidence(`${name} --help`, text));
  }
  const { seq } = opened.store.read();
  const met = await withProgress("reading the record", () =>
    metPrograms(opened.store.records({ from: Math.max(1, seq - mostRecords) })),
  );
  if (values.accept !== undefined)
    return accept(
      opened,
      learnt(opened, metAs(met, values.accept), saved),
      values.as as TaughtEffect | undefined,
      values,
    );
  const wanted = name === undefined ? met : [metAs(met, name)];
  const programs: Learned[] = [];
  for (const program of wanted)
    if (await isUnknown(opened, program.name)) programs.push(learnt(opened, program, saved));
  if (values.json) printJson({ programs });
  else show(programs);
  return 0;
}

const isTaught = (word: string): word is TaughtEffect => (taughtEffects as readonly string[]).includes(word);

const metAs = (met: readonly MetProgram[], name: string): MetProgram =>
  met.find((program) => program.name === name) ?? { name, calls: 0, example: "", watched: 0, changed: 0 };

const isUnknown = (opened: Opened, name: string): Promise<boolean> =>
  isUnknownProgram(name, opened.settings.config.shell, opened.repository.root);

function known(name: string, opened: Opened, json: boolean | undefined): number {
  const taught = opened.settings.config.shell.programs?.[name];
  const why = taught ? `you taught it as "${taught}"` : "a table has it (docs/tools)";
  if (json) printJson({ programs: [], known: { name, why } });
  else say(`${name} is known already: ${why}. See: interlock explain --command '${name} ...'`);
  return 0;
}

function learnt(opened: Opened, program: MetProgram, saved: readonly ProgramEvidence[]): Learned {
  const places = { root: opened.repository.root, userHome: opened.userHome, env: process.env };
  const evidence = [...saved, ...evidenceFor(program.name, places)];
  const proposal = propose(program, evidence);
  return {
    ...program,
    ...proposal,
    evidence: evidence.map(({ source }) => source),
    rule: proposal.effect ? ruleText(program.name, proposal.effect) : null,
  };
}

function show(programs: readonly Learned[]): void {
  if (!programs.length) return say("Nothing to learn: the record has no program that is not known.");
  for (const { name, calls, example, watched, changed, seems, evidence, rule } of programs) {
    say(`${bold(name)}  met in ${calls} ${calls === 1 ? "call" : "calls"}`);
    if (example) say(dim(`  last: ${shown(example, 100)}`));
    if (watched) say(dim(`  files changed after ${changed} of ${watched} watched calls`));
    say(`  ${shown(seems, 240)}`, 4);
    for (const source of evidence) say(dim(`  evidence: ${shown(source, 160)}`));
    if (rule) say(rule.trimEnd().replace(/^/gm, "    "));
    say(dim(`  interlock learn --accept ${name}${rule ? "" : " --as read|write|network"}`), 4);
  }
}

async function accept(
  opened: Opened,
  program: Learned,
  said: TaughtEffect | undefined,
  values: { json?: boolean; yes?: boolean },
): Promise<number> {
  const { name, calls, seems } = program;
  const effect = said ?? program.effect;
  const missing =
    !calls && !said
      ? `the record never met ${name}; to teach it all the same, say what it does`
      : `${name}: ${seems}; say what it does`;
  if (effect === undefined || (!calls && !said)) {
    if (values.json) printJson({ applied: false, why: missing });
    sayError(wrapLine(`interlock: ${shown(missing, 300)}: --as read, --as write or --as network`, 2));
    return 1;
  }
  if (person(values.json) === undefined) return 1;
  sayError(`${ruleText(name, effect).trimEnd()}\n${name}: ${shown(seems, 240)}`);
  if (!(await confirm(`Write this into ${opened.userFile}?`, values.yes))) return notDone(values.json);
  const edit = await planConfigEdit(opened, [{ key: ["shell", "programs", name], value: effect }], "user");
  return changeConfig(edit, values, `${name} is known as "${effect}", in all your projects.`);
}

function savedHelp(file: string): ProgramEvidence {
  try {
    return helpEvidence(file, readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(
      `${file} can't be read (${(error as NodeJS.ErrnoException).code}): name a file with the help text`,
    );
  }
}

/** The help text, after a person at the terminal agreed to run the program. `--yes` does not count here. */
async function askedHelp(name: string, json: boolean | undefined): Promise<string | undefined> {
  if (person(json) === undefined) return undefined;
  const file = programFile(name);
  if (file === undefined) {
    sayError(`interlock: there is no ${name} on PATH; save its help text and use --from-help <file>`);
    return undefined;
  }
  if (!(await confirm(`Run ${shown(file, 200)} --help now, in an empty folder?`))) {
    notDone(json);
    return undefined;
  }
  const text = helpOf(file);
  if (text === undefined) sayError(`interlock: ${name} --help printed nothing; use --from-help <file>`);
  return text;
}
