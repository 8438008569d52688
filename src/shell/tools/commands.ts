// Tools with sub-commands (kubectl, vault, gh): a table of word paths and what each does.
// Invariant: the first matching row decides; a path no row names is a plain use of the tool, quiet unless `otherwise` says more.

import type { Hazard } from "../../model/effect.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { type Parsed, parse, type Style, syntax } from "../spec/options.js";
import { handedOn } from "../spec/readings.js";
import { asksHelp, asksHelpFirst } from "./table.js";

export { commandLine } from "../spec/interpret.js";

export interface Verb {
  /** "secrets disable", "kv delete|destroy", "* delete": words of the sub-command, alternatives with "|", "*" for any. */
  path: string;
  /** "class:level", the id is derived from tool and path unless given. */
  hazard?: `${Hazard["class"]}:${1 | 2 | 3}`;
  id?: string;
  /** Only when one of these options is given. */
  needs?: readonly string[];
  /** Not when one of these options is given (dry runs). */
  unless?: readonly string[];
  /** What it does beyond the hazard. `rest` are the operands behind the path. */
  does?(use: Use, emit: Emit): void;
}

export interface Use {
  call: Invocation;
  given: Parsed;
  /** Operands behind the path. */
  rest: Arg[];
  /** All words behind the path as written, for sub-commands that hand them on. */
  readonly raw: Arg[];
}

export interface Cli {
  names: string;
  /** Options that take an argument, in the notation of `syntax`. */
  takes?: string;
  style?: Style;
  verbs: readonly Verb[];
  /** What any use of it means before its rows: "network" for clients of a service. */
  reaches?: "network";
  otherwise?(use: Use, emit: Emit): void;
}

export function cli(description: Cli): ToolFamily {
  const grammar = syntax(description.takes ?? "", description.style);
  const rows = description.verbs.map((verb) => ({
    verb,
    steps: verb.path
      .split(" ")
      .filter(Boolean)
      .map((step) => step.split("|")),
  }));
  return {
    names: description.names.split(" "),
    lower(call, emit) {
      const given = parse(call.args, grammar);
      const words = given.operands.map((arg) => arg.value);
      const hands = /^(run|exec|ssh|debug|shell|console|ps:exec|runner|tool)$/.test(words[0] ?? "");
      if (hands ? asksHelpFirst(call) : asksHelp(call)) return;
      if (words[0] === "help" || words[0] === "version" || words.length + given.options.length === 0) return;
      if (description.reaches)
        emit.effect({ kind: "network", program: call.name, reason: `${call.name} talks to its service` });
      for (const { verb, steps } of rows) {
        if (
          !steps.every(
            (step, index) => words[index] !== undefined && (step.includes("*") || step.includes(words[index]!)),
          )
        )
          continue;
        if (verb.needs && !given.has(...verb.needs)) continue;
        if (verb.unless && given.has(...verb.unless)) continue;
        return act(
          verb,
          {
            call,
            given,
            rest: given.operands.slice(steps.length),
            get raw() {
              const words = behind(call, given.operands[steps.length - 1]);
              handedOn(words);
              return words;
            },
          },
          words.slice(0, steps.length),
          emit,
        );
      }
      if (given.operands.some((arg, index) => arg.value === undefined && index < 2))
        emit.unknown(`the sub-command of ${call.name} is not static`);
      description.otherwise?.({ call, given, rest: given.operands, raw: call.args }, emit);
    },
  };
}

const behind = (call: Invocation, last: Arg | undefined): Arg[] =>
  last ? call.args.slice(call.args.indexOf(last) + 1) : call.args;

function act(verb: Verb, use: Use, words: (string | undefined)[], emit: Emit): void {
  if (verb.hazard) {
    const [cls, level] = verb.hazard.split(":") as [Hazard["class"], string];
    const id = verb.id ?? [use.call.name, ...words].join("-").replace(/[^\w.-]+/g, "-");
    emit.hazard({ class: cls, level: Number(level) as 1 | 2 | 3, id }, `${use.call.name} ${words.join(" ")}`);
  }
  verb.does?.(use, emit);
}

/** Rows that say: these paths are dangerous in the same way. */
export const all = (hazard: NonNullable<Verb["hazard"]>, paths: readonly string[], extra: Partial<Verb> = {}): Verb[] =>
  paths.map((path) => ({ path, hazard, ...extra }));
