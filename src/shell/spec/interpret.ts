// Turns tools written in the notation of docs/teach-a-command.md into tool families: the only interpreter of it.
// Invariant: the first rule that fits decides; what no rule names is what `otherwise` says; a rule that might fit but
// hangs on a word nobody can know makes the call unknown, never quiet.

import { type Hazard, hazard, hazardCatalogue } from "../../model/hazards.js";
import { shellQuote } from "../../model/shell-quote.js";
import type { Arg, Emit, Invocation, PathExtra, ToolFamily } from "../analyze/tool.js";
import { asksHelp, asksHelpFirst } from "./asks-help.js";
import { blocksOf, readTool } from "./format.js";
import { landing, transferOf } from "./landing.js";
import { atHome, cut, isStream, literal, type Parsed, parse } from "./options.js";
import { handedOn } from "./readings.js";
import type { Action, Condition, HazardRef, Mark, Role, Rule, Target, ToolSpec, WordTest } from "./tool-spec.js";

/** One use of a tool, for code that a description names. */
export interface Use {
  call: Invocation;
  given: Parsed;
  /** The sub-command: words that the rule's steps fitted. */
  path: readonly string[];
  /** Operands behind the sub-command. */
  rest: Arg[];
  /** All words behind the sub-command as written, for tools that hand them to another program. */
  readonly raw: Arg[];
  /** The argument, for code that is an option's role. */
  value?: Arg;
}

/** What is a program of its own: called by a rule's `do NAME`, or as an option's role `=NAME`. */
export type Code = Readonly<Record<string, (use: Use, emit: Emit) => void>>;

export interface SpecFamily extends ToolFamily {
  file: string;
  /** Read at the first use. */
  spec(): ToolSpec;
}

/** The tools of one file: `file` is its name, for error messages. */
export function tools(file: string, text: string, code: Code = {}): SpecFamily[] {
  const known = new Set(Object.keys(code));
  return blocksOf(file, text).map((block) => {
    let ready: ToolSpec | undefined;
    const spec = () => (ready ??= readTool(file, block, known));
    return { file, names: block.names, spec, lower: (call, emit) => lower(spec(), code, call, emit) };
  });
}

/** Sub-commands that hand their words to another program, which may want `--help` for itself. */
const handsOn = /^(run|exec|ssh|debug|shell|console|ps:exec|runner|tool)$/;

function lower(spec: ToolSpec, code: Code, call: Invocation, emit: Emit): void {
  if (spec.inert) return;
  const given = parse(call.args, spec.syntax);
  const first = given.operands[0]?.value;
  if (spec.helpFirst || handsOn.test(first ?? "") ? asksHelpFirst(call) : asksHelp(call, spec.syntax.style.oneDash))
    return;
  if (spec.subCommands && first !== undefined && spec.asks.includes(first)) return;
  if (spec.subCommands && call.args.length === 0 && !spec.namesNone) return;
  const simulated = isGiven(spec, given, spec.dry);
  const at = (steps: number): Use => ({
    call,
    given,
    path: given.operands.slice(0, steps).map((arg) => arg.value ?? "?"),
    rest: given.operands.slice(steps),
    get raw() {
      const words = steps ? call.args.slice(call.args.indexOf(given.operands[steps - 1]!) + 1) : call.args;
      handedOn(words);
      return words;
    },
  });
  for (const action of spec.always) act(action, at(0), code, emit);
  for (const { name, value } of given.options) {
    const role = value && spec.roles.get(name);
    if (role) applyRole(role, name, value, at(0), code, emit, simulated);
  }
  if (simulated) return;
  for (const rule of spec.also) {
    const fit = fits(rule, spec, call, given);
    if (fit.sure !== undefined) for (const action of rule.then) act(action, at(fit.sure), code, emit);
  }
  let doubtful = false;
  for (const rule of spec.rules) {
    const fit = fits(rule, spec, call, given);
    if (fit.sure !== undefined) return take(rule.then, at(fit.sure), doubtful, code, emit);
    doubtful ||= fit.maybe && !isQuiet(rule.then);
  }
  take(spec.otherwise, at(0), doubtful, code, emit);
}

const isQuiet = (actions: readonly Action[]) => actions.every((action) => action.do === "quiet");

function take(actions: readonly Action[], use: Use, doubtful: boolean, code: Code, emit: Emit): void {
  for (const action of actions) act(action, use, code, emit);
  const grave = actions.some((action) => action.do === "unknown" || ("hazard" in action && action.hazard));
  if (doubtful && !grave)
    emit.unknown(`a word that says what ${use.call.name} does is not static`, { program: use.call.name });
}

/** How many operands the sub-command takes when the rule fits; whether it might fit but for words not known. */
function fits(rule: Rule, spec: ToolSpec, call: Invocation, given: Parsed): { sure?: number; maybe: boolean } {
  let maybe = false;
  for (const way of rule.when) {
    let steps = 0;
    let worst: "yes" | "maybe" | "no" = "yes";
    for (const condition of way) {
      if (condition.kind === "step") steps++;
      const holds = test(condition, steps, spec, call, given);
      if (holds === "no") worst = "no";
      else if (holds === "maybe" && worst === "yes") worst = "maybe";
    }
    if (worst === "yes") return { sure: steps, maybe };
    maybe ||= worst === "maybe";
  }
  return { maybe };
}

type Answer = "yes" | "maybe" | "no";
const answer = (yes: boolean): Answer => (yes ? "yes" : "no");
const opposite = { yes: "no", maybe: "maybe", no: "yes" } as const;

function test(condition: Condition, steps: number, spec: ToolSpec, call: Invocation, given: Parsed): Answer {
  switch (condition.kind) {
    case "step": {
      const word = given.operands[steps - 1];
      if (!word) return "no";
      return condition.word.source === "*" ? "yes" : matches(condition.word, word);
    }
    case "option": {
      const { value } = condition;
      const found = value
        ? any(given.values(...condition.names).map((one) => matches(value, one)))
        : answer(isGiven(spec, given, condition.names, condition.pattern));
      return condition.not ? opposite[found] : found;
    }
    case "operand": {
      const found = any(given.operands.slice(steps).map((word) => matches(condition.word, word)));
      return condition.not ? opposite[found] : found;
    }
    case "unresolved":
      return answer(
        (given.unsure || given.operands.slice(steps).some((word) => word.value === undefined)) !== condition.not,
      );
    case "program":
      return answer(condition.word(call.name) !== condition.not);
    case "input":
      return answer((call.stdin.kind !== "inherit") !== condition.not);
    case "count": {
      const left = given.operands.length - steps;
      return answer(left >= condition.least && left <= condition.most);
    }
  }
}

const any = (answers: readonly Answer[]): Answer =>
  answers.includes("yes") ? "yes" : answers.includes("maybe") ? "maybe" : "no";

const matches = (pattern: (word: string) => boolean, word: Arg): Answer =>
  word.value === undefined ? "maybe" : answer(pattern(word.value));

/** An option given, unless it is one that needs no argument and is switched off (`--dry-run=none`). */
const isGiven = ({ syntax }: ToolSpec, given: Parsed, names: readonly string[], pattern?: WordTest): boolean =>
  given.options.some(
    ({ name, value }) =>
      (names.includes(name) || pattern?.(name)) &&
      (syntax.specs.get(name)?.takes === "required" || !/^(none|false|no|off|0)$/i.test(value?.value ?? "")),
  );

function targets(target: Target, use: Use): Arg[] {
  const { call, given, rest } = use;
  switch (target.kind) {
    case "operands":
      return rest.slice(target.from, target.to);
    case "last":
      return rest.slice(-1);
    case "others":
      return rest.slice(0, -1);
    case "sources":
      return transferOf(given, rest).sources;
    case "landing":
      return landing(transferOf(given, rest));
    case "words":
      return use.raw;
    case "option":
      return given.values(...target.names);
    case "path":
      return [target.path.startsWith("~/") ? atHome(call, target.path.slice(2)) : literal(target.path)];
    case "stdin":
      return call.stdin.kind === "text" ? [literal(call.stdin.text)] : [];
  }
}

const isAddress = (word: Arg): boolean => /^https?:\/\//.test(word.value ?? "");

/** A directory is meant throughout, a file is itself. */
const looksLikeFile = (path: Arg): boolean => /[^/.]\.\w+$/.test(path.value ?? "") && !path.glob;

function extra({ extent, how }: Mark, path: Arg): PathExtra {
  const whole = extent === "all" || (extent === "tree?" && !looksLikeFile(path));
  return {
    ...((whole || extent === "tree") && { recursive: true }),
    ...(whole && { glob: true }),
    ...(how !== undefined && { how }),
  };
}

function hazardOf({ id, name }: HazardRef, { call, given, path }: Use): Hazard {
  const full = name && fillName(name, call.name, path, (at) => given.operands[at]?.value ?? "unknown");
  return hazard(id, full?.replace(/[^\w.-]+/g, "-"));
}

/** A hazard's name with the words of a call in place of {name}, {path} and {1}. */
export function fillName(
  name: string,
  called: string,
  path: readonly string[],
  operand: (index: number) => string,
): string {
  const program = called.replace(/\.(sh|exe)$/, "");
  return name
    .replaceAll("{name}", program)
    .replaceAll("{path}", [program, ...path].join("-"))
    .replace(/\{(\d)\}/g, (_, at) => operand(Number(at) - 1));
}

function act(action: Action, use: Use, code: Code, emit: Emit): void {
  const { call } = use;
  const said = [call.name, ...use.path].join(" ");
  const { reason } = action as { reason?: string };
  switch (action.do) {
    case "quiet":
      return;
    case "hazard":
      return emit.hazard(
        hazardOf(action.hazard, use),
        reason
          ? `${call.name} ${reason}`
          : use.path.length
            ? said
            : `${call.name} ${hazardCatalogue[action.hazard.id].title}`,
      );
    case "read":
    case "write":
    case "delete": {
      const found = targets(action.target, use);
      const paths = found.length || !action.otherwise ? found : targets(action.otherwise, use);
      for (const path of paths)
        if (!isStream(path) && !(action.do === "read" && isAddress(path)))
          emit[action.do](path, reason ? `${call.name} ${reason}` : `${said} ${path.source}`, {
            ...extra(action.mark, path),
            ...(action.hazard && { hazard: hazardOf(action.hazard, use) }),
          });
      return;
    }
    case "network": {
      const [host] = action.target ? targets(action.target, use) : [];
      return emit.effect({
        kind: "network",
        program: call.name,
        ...(host?.value !== undefined && { host: host.value }),
        ...(action.upload && { upload: true }),
        reason: `${call.name} ${reason ?? "talks to its service"}`,
      });
    }
    case "exec":
      return emit.effect({
        kind: "exec",
        program: call.name,
        argv: call.args.map((arg) => arg.value),
        reason: `${call.name} ${reason ?? "runs a program"}`,
      });
    case "privilege": {
      const user = action.target && targets(action.target, use).at(-1)?.value;
      return emit.effect({
        kind: "privilege",
        program: call.name,
        reason: `${call.name} runs a command as ${user ?? "root"}`,
      });
    }
    case "run":
      return runs(action, use, emit);
    case "shell":
      for (const text of targets(action.target, use)) emit.shell(text, `${call.name} ${reason ?? "runs it"}`);
      return;
    case "script":
      for (const file of targets(action.target, use)) emit.script(file, `${call.name} ${reason ?? "runs it"}`, "other");
      return;
    case "remote": {
      const words = targets(action.target, use);
      const host = action.host && targets(action.host, use)[0]?.value;
      return emit.remote(
        words.length ? commandLine(words) : undefined,
        host,
        `${call.name} ${reason ?? "runs it there"}`,
      );
    }
    case "unknown":
      return emit.unknown(reason ?? notInTable(use), { program: call.name });
    case "code":
      return code[action.name]!(use, emit);
  }
}

function notInTable({ call, given }: Use): string {
  const [first] = given.operands;
  return first ? `no table knows what ${call.name} ${first.source} does` : `no table knows this use of ${call.name}`;
}

function runs(action: Action & { do: "run" }, use: Use, emit: Emit): void {
  const env: Record<string, Arg> = {};
  let words = targets(action.target, use);
  while (action.assigns && words[0] && assignment(words[0], env)) words = words.slice(1);
  if (words[0]?.value === "--") words = words.slice(1);
  if (words[0]?.value === undefined && use.given.unsure) emit.unknown(`${use.call.name}: its options are not static`);
  if (words.length === 0) return;
  const cwd = action.cwd && targets(action.cwd, use).at(-1);
  emit.run(words, action.reason ?? `run by ${use.call.name}`, {
    ...(action.assigns && { env }),
    ...(cwd && { cwd }),
  });
}

/** NAME=value in front of a command. */
export function assignment(word: Arg, env: Record<string, Arg>): boolean {
  const text = word.value ?? word.prefix;
  const equals = text.indexOf("=");
  if (equals <= 0 || !/^[A-Za-z_]\w*$/.test(text.slice(0, equals))) return false;
  env[text.slice(0, equals)] = cut(word, equals + 1);
  return true;
}

function applyRole(role: Role, name: string, value: Arg, use: Use, code: Code, emit: Emit, simulated: boolean): void {
  const reason = `${use.call.name} option ${name}`;
  if (role.kind === "code") return code[role.name]!(Object.assign(Object.create(use), { value }), emit);
  if (role.kind === "shell") return emit.shell(value, reason);
  if (isStream(value)) return;
  if (role.kind === "program") return emit.run([value], reason);
  if (role.kind === "script") return emit.script(value, reason, "other");
  if (role.kind === "read" ? isAddress(value) : simulated) return;
  emit[role.kind](value, reason, extra(role.mark, value));
}

const quoted = ({ value, prefix }: Arg): string =>
  value === undefined ? `${prefix === "" ? "" : shellQuote(prefix)}"$__unresolved"` : shellQuote(value);

/** Words as one command line; one that is not static stands in it as a variable nobody set. */
export function commandLine(words: readonly Arg[]): Arg | undefined {
  if (words.length === 0) return undefined;
  const source = words.map((word) => word.source).join(" ");
  if (words[0]!.value === undefined) return { source, prefix: "" };
  // A single word is shell text, several are words of a command.
  const value = words.length === 1 ? words[0]!.value : words.map(quoted).join(" ");
  return { source, value, prefix: value };
}
