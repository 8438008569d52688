// Walks the syntax tree in execution order and hands every simple command to `run.ts`.
// Invariant: every command in the tree is visited at least once, whatever conditions stand before it.

import type {
  ArithmeticExpression,
  CompoundList,
  For,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
  SyntaxNode,
  TestExpression,
  While,
  Word,
} from "unbash";
import type { Effect } from "../../model/effect.js";
import { hazard } from "../../model/hazards.js";
import { eachReading } from "../spec/readings.js";
import { parseShell } from "../syntax/parse.js";
import { redirect } from "../syntax/redirect.js";
import {
  arithmetic,
  type Expansion,
  expandOne,
  expandWords,
  fixedPart,
  type Substitution,
  warnSubscript,
} from "../syntax/words.js";
import type { Analysis, ShellContext, Step } from "./analysis.js";
import { startsWithoutEnd } from "./endless-loops.js";
import { baseName } from "./paths.js";
import { Printed } from "./printed-output.js";
import { type Scope, unresolved } from "./scope.js";
import { runCommand } from "./simple-command.js";
import type { Arg, Invocation } from "./tool.js";
import { seenFrom, type View } from "./views.js";

/** What a command prints, when static, and the programs the text comes from. */
export interface Output {
  text?: string;
  from: string[];
  /** What the lines can be when they are paths. */
  paths?: readonly Arg[];
}

/** The surroundings a node runs in. */
export interface Frame {
  scope: Scope;
  source: string;
  depth: number;
  conditional: boolean;
  stdin: Invocation["stdin"];
  pipesTo?: string;
  /** Functions being called, to stop at recursion. */
  calls: readonly string[];
  /** Runs beside others: in the background or as a stage of a pipeline. */
  parallel: boolean;
  /** Started by a program that does not show it (awk's system(), xargs), so that the start itself is worth an effect. */
  hidden: boolean;
  /** The command was named in a setting or variable of another program. */
  setting?: boolean;
  loops: number;
  /** What is printed reaches the agent: no redirection, pipe or substitution takes it away. */
  visible: boolean;
  /** A stage of a pipeline whose last stage is visible. */
  ends?: boolean;
  /** The commands run on another machine: no local file is touched. */
  remote?: string;
  /** That machine is a container made for this one command, without anything of ours in it. */
  contained?: boolean;
  /** Directories of this machine that have other names for the command, the innermost set last. */
  views?: readonly (readonly View[])[];
}

const silent: Output = { text: "", from: [] };
const most = { steps: 40_000, depth: 12, trace: 2_000, effects: 20_000, unrolled: 4_000, readings: 400 };
/** What makes two effects the same for those who judge them. */
const keyOf = ({ reason, argv, ...rest }: Effect): string => JSON.stringify(rest);

export class Lowering {
  readonly analysis: Analysis = { parsed: true, effects: [], commands: [], trace: [] };
  /** Files this text itself writes before it runs them. */
  readonly written = new Map<string, Output>();
  /** Left by one call of a tool for later ones. */
  readonly notes = new Map<string, string>();
  /** Symbolic links this text makes: link to target. */
  readonly links = new Map<string, string>();
  readonly substitution: (frame: Frame) => Substitution;
  /** Something could not be followed, so that from there on any name may mean something else. */
  #unsure = false;
  #steps = 0;
  #unrolled = 0;
  #readings = 0;

  constructor(readonly context: ShellContext) {
    const { home, env } = context;
    this.substitution = (frame) => ({
      home,
      env,
      run: (script, source, kind) => {
        const inner: Frame = {
          ...frame,
          scope: frame.scope.fork(),
          source,
          pipesTo: undefined,
          visible: false,
          parallel: kind !== "command",
        };
        if (kind === "output") inner.stdin = { kind: "pipe" };
        return this.script(script, inner);
      },
      unknown: (reason) => this.unknown(frame, reason),
    });
  }

  expansion(frame: Frame): Expansion {
    return { scope: frame.scope, source: frame.source, substitution: this.substitution(frame) };
  }

  /** Shell text that will be executed. */
  text(source: string, frame: Frame): Output {
    if (frame.depth > most.depth) return this.unknown(frame, "commands inside commands, nested too deeply");
    const parsed = parseShell(source);
    if (parsed.failure === undefined) return this.script(parsed.script, { ...frame, source });
    this.analysis.parsed = false;
    this.unknown(frame, `not understood: ${parsed.failure}`, source);
    if (parsed.partial) this.script(parsed.partial, { ...frame, source, conditional: true });
    return { from: [] };
  }

  script(script: ParsedScript, frame: Frame): Output {
    const source = script.source ?? frame.source;
    return this.statements(script.commands, source === frame.source ? frame : { ...frame, source });
  }

  statements(statements: readonly Statement[], frame: Frame): Output {
    const output = new Printed();
    for (const statement of statements) {
      if (statement.background)
        output.add(this.node(statement.command, { ...frame, scope: frame.scope.fork(), parallel: true }));
      else output.add(this.node(statement.command, frame));
      // What follows an exit in the same list is never reached.
      if (!statement.background && this.#leaves(statement.command, frame)) break;
    }
    return output.result();
  }

  list(list: CompoundList, frame: Frame): Output {
    return this.statements(list.commands, frame);
  }

  node(node: SyntaxNode, frame: Frame): Output {
    switch (node.type) {
      case "Command":
        if (this.#exhausted(frame)) return { from: [] };
        return runCommand(this, node, frame);
      case "Pipeline":
        return this.#pipeline(node, frame);
      case "AndOr":
        return this.#chain(node.commands, node.operators, frame);
      case "Redirected":
        return this.redirected(node.redirects, frame, (inner) => this.node(node.command, inner));
      case "Subshell":
        return this.list(node.body, { ...frame, scope: frame.scope.fork() });
      case "BraceGroup":
        return this.list(node.body, frame);
      case "CompoundList":
        return this.list(node, frame);
      case "If":
        return this.#branches([node, ...node.elif], node.else, frame);
      case "While":
        this.#endless(node, frame);
        if (this.#condition(node.clause, frame) === (node.kind === "until")) return silent;
        if (this.#readsLines(node, frame)) return this.#lines(node, frame);
        return this.#loop(frame, (inner) => {
          this.list(node.clause, inner);
          return this.list(node.body, inner);
        });
      case "For":
        return this.#for(node, frame);
      case "ArithmeticFor":
        this.#endless(node, frame);
        for (const part of [node.initialize, node.test, node.update]) this.#arithmetic(part, frame);
        return this.#loop(frame, (inner) => this.list(node.body, inner));
      case "Select":
        expandWords(node.wordlist ?? [], this.expansion(frame));
        frame.scope.assign(node.name.value, unresolved);
        return this.#loop(frame, (inner) => this.list(node.body, inner));
      case "Case":
        return this.#case(node.word, node.items, frame);
      case "Function":
        return this.#define(node, frame);
      case "Coproc":
        return this.node(node.body, { ...frame, scope: frame.scope.fork(), stdin: { kind: "pipe" }, parallel: true });
      case "TestCommand":
        this.#test(node.expression, frame);
        return silent;
      case "ArithmeticCommand":
        this.#arithmetic(node.expression, frame);
        return silent;
      default:
        return this.unknown(frame, `syntax that is not modelled: ${node.type}`);
    }
  }

  /** Applies redirections around something that runs with them. */
  redirected(redirects: readonly Redirection[], frame: Frame, run: (inner: Frame) => Output): Output {
    if (redirects.length === 0) return run(frame);
    const plan = redirect(this, redirects, frame);
    const output = run({
      ...frame,
      ...(plan.stdin && { stdin: plan.stdin }),
      ...(plan.stdout && { pipesTo: undefined, visible: false }),
    });
    if (!plan.stdout) return output;
    for (const path of plan.stdout.files) this.remember(path, output, plan.stdout.append);
    return silent;
  }

  /** What a file holds after this text wrote it. */
  remember(path: string, output: Output, append = false): void {
    const before = append ? (this.written.get(path) ?? { from: [] }) : silent;
    const text = before.text === undefined || output.text === undefined ? undefined : before.text + output.text;
    this.written.set(path, { text, from: [...before.from, ...output.from].slice(-16) });
  }

  effect(frame: Frame, effect: Effect): void {
    const { effects } = this.analysis;
    if (effects.length >= most.effects) {
      if (effects.length === most.effects)
        effects.push({ kind: "unknown", reason: `more than ${most.effects} effects` });
      return;
    }
    if (effect.kind === "unknown") this.#unsure = true;
    if (frame.conditional) effect.conditional = true;
    const kept = seenFrom(effect, frame);
    if (kept) effects.push(kept);
  }

  /** A tool call under every reading of its unlisted options: what a further reading has, the first had not, is added. */
  readings(frame: Frame, call: Invocation, lower: (call: Invocation) => void): void {
    const { effects, commands, trace } = this.analysis;
    const from = effects.length;
    const complete = eachReading(call, lower, (judge) => {
      const before = [effects.length, commands.length, trace.length] as const;
      const had = new Set(effects.slice(from).map(keyOf));
      if (++this.#readings > most.readings) return false;
      judge();
      const fresh = effects.slice(before[0]).filter((effect) => !had.has(keyOf(effect)));
      effects.length = before[0];
      effects.push(...fresh);
      if (fresh.length === 0) {
        commands.length = before[1];
        trace.length = before[2];
      }
      return true;
    });
    if (!complete) this.unknown(frame, `${call.name}: too many options no table lists`);
  }

  unknown(frame: Frame, reason: string, word?: string): Output {
    this.effect(frame, { kind: "unknown", reason, ...(word !== undefined && { word: cut(word) }) });
    return { from: [] };
  }

  step(frame: Frame, text: string, became: string, why: string): void {
    if (this.analysis.trace.length >= most.trace) return;
    const step: Step = { depth: frame.depth, text: cut(text), became, why };
    this.analysis.trace.push(step);
  }

  #exhausted(frame: Frame): boolean {
    this.#steps++;
    if (this.#steps === most.steps) this.unknown(frame, `more than ${most.steps} commands to follow`);
    return this.#steps >= most.steps;
  }

  #pipeline(node: Pipeline, frame: Frame): Output {
    if (node.commands.length === 1) return this.node(node.commands[0]!, frame);
    let { stdin } = frame;
    let output: Output = silent;
    const sources: string[] = [];
    node.commands.forEach((stage, index) => {
      const following = node.commands[index + 1];
      output = this.node(stage, {
        ...frame,
        scope: frame.scope.fork(),
        stdin,
        pipesTo: following ? nameOf(following) : frame.pipesTo,
        visible: following ? false : frame.visible,
        ...(following && { ends: frame.visible }),
        parallel: true,
      });
      for (const from of output.from) if (!sources.includes(from) && sources.length < 16) sources.push(from);
      stdin =
        output.text === undefined
          ? { kind: "pipe", from: nameOf(stage), sources: [...sources], ...(output.paths && { paths: output.paths }) }
          : { kind: "text", text: output.text, sources: [...sources] };
    });
    return { text: output.text, from: sources, ...(output.paths && { paths: output.paths }) };
  }

  #chain(commands: readonly SyntaxNode[], operators: readonly string[], frame: Frame): Output {
    const first = this.node(commands[0]!, frame);
    const from = [...first.from];
    let { text } = first;
    let branch = frame.scope.fork();
    let outcome = this.#constant(commands[0]!, frame);
    commands.slice(1).forEach((command, index) => {
      if (outcome !== undefined && outcome === (operators[index] === "||")) return;
      outcome = outcome === undefined ? undefined : this.#constant(command, frame);
      if (operators[index] === "||") {
        frame.scope.merge([branch], false);
        branch = frame.scope.fork();
      }
      const next = this.node(command, { ...frame, scope: branch, conditional: true });
      from.push(...next.from);
      if (next.text === "") return;
      // `a || b` prints what a prints when a prints anything; whether `a && b` reaches b is only known of a few.
      if (operators[index] === "||") text = text === "" ? undefined : text;
      else
        text =
          text !== undefined && succeeds(commands[index]!) && next.text !== undefined ? text + next.text : undefined;
    });
    frame.scope.merge([branch], false);
    return { text, from: from.slice(0, 16) };
  }

  /** `true`, `:` and `false` mean what they say, as long as nothing that was not seen can have changed them. */
  #constant(node: SyntaxNode, frame: Frame): boolean | undefined {
    const word =
      node.type === "Command" && node.suffix.length + node.prefix.length === 0 ? node.name?.value : undefined;
    if (word !== "true" && word !== ":" && word !== "false") return undefined;
    if (frame.scope.function(word) || frame.scope.alias(word) !== undefined) return undefined;
    if (this.#unsure) return undefined;
    return word !== "false";
  }

  #condition(clause: CompoundList, frame: Frame): boolean | undefined {
    const [statement, ...more] = clause.commands;
    return statement && more.length === 0 && !statement.background
      ? this.#constant(statement.command, frame)
      : undefined;
  }

  #leaves(node: SyntaxNode, frame: Frame): boolean {
    if (node.type !== "Command" || node.name?.value !== "exit" || node.redirects.length + node.prefix.length > 0)
      return false;
    if (frame.scope.function("exit") || frame.scope.alias("exit") !== undefined) return false;
    // With two words or an odd one it complains and goes on.
    const plain = node.suffix.every((item) => item.type === "Word" && /^\d{1,3}$/.test(item.text));
    return plain && node.suffix.length <= 1 && !this.#unsure;
  }

  #branches(
    arms: readonly { clause: CompoundList; then: CompoundList }[],
    last: CompoundList | undefined,
    frame: Frame,
  ): Output {
    const output = new Printed();
    const forks: Scope[] = [];
    arms.forEach(({ clause, then }, index) => {
      const inner = index === 0 ? frame : { ...frame, conditional: true };
      output.add(this.list(clause, inner));
      if (this.#condition(clause, frame) === false) return;
      const scope = frame.scope.fork();
      output.add(this.list(then, { ...frame, scope, conditional: true }));
      forks.push(scope);
    });
    if (last) {
      const scope = frame.scope.fork();
      output.add(this.list(last, { ...frame, scope, conditional: true }));
      forks.push(scope);
    }
    frame.scope.merge(forks, last !== undefined);
    return output.uncertain();
  }

  /** A body that runs any number of times: what it changes is unresolved in the next round. */
  #loop(frame: Frame, body: (inner: Frame) => Output): Output {
    const round = () => {
      const scope = frame.scope.fork();
      const output = body({ ...frame, scope, conditional: true, loops: frame.loops + 1 });
      const changed = scope.changed();
      frame.scope.merge([scope], false);
      return { output, changed };
    };
    const first = round();
    if (first.changed && frame.loops < 3) round();
    return { from: first.output.from };
  }

  /** `while read x; do ...; done <<< text`: the text is known, so each of its lines is. */
  #readsLines({ kind, clause }: While, frame: Frame): boolean {
    const [statement, ...more] = clause.commands;
    const command = statement?.command;
    if (kind !== "while" || more.length || command?.type !== "Command" || command.name?.value !== "read") return false;
    if (frame.stdin.kind !== "text" || frame.stdin.text.length > 65_536) return false;
    if (!command.suffix.every((word) => word.type === "Word" && /^(-r|[A-Za-z_]\w*)$/.test(word.text))) return false;
    const count = frame.stdin.text.split("\n").length;
    return count <= 64 && (this.#unrolled += count) <= most.unrolled && frame.loops < 4;
  }

  #lines(node: While, frame: Frame): Output {
    const output = new Printed();
    const { text, sources } = frame.stdin as Extract<Frame["stdin"], { kind: "text" }>;
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.list(node.clause, { ...frame, stdin: { kind: "text", text: line, sources }, loops: 0 });
      output.add(
        this.list(node.body, { ...frame, stdin: { kind: "pipe", sources }, loops: frame.loops + 1, conditional: true }),
      );
    }
    return output.uncertain();
  }

  #endless(node: Parameters<typeof startsWithoutEnd>[0], frame: Frame): void {
    if (!startsWithoutEnd(node)) return;
    this.effect(frame, {
      kind: "exec",
      reason: "an endless loop starts a process in every round",
      hazard: hazard("fork-bomb"),
    });
  }

  #for(node: For, frame: Frame): Output {
    const words = node.wordlist ? expandWords(node.wordlist, this.expansion(frame)) : frame.scope.positional;
    const name = node.name.value;
    const fits = words && words.length <= 64 && (this.#unrolled += words.length) <= most.unrolled && frame.loops < 4;
    if (!fits || words.some((word) => word.value === undefined || word.glob)) {
      const output = new Printed();
      const values = fits ? words : [{ source: `$${name}`, prefix: "" }];
      for (const word of values) {
        frame.scope.assign(
          name,
          word.glob && word.value !== undefined ? { prefix: fixedPart(word.value), pattern: word.value } : word,
        );
        output.add(this.#loop(frame, (inner) => this.list(node.body, inner)));
      }
      return output.uncertain();
    }
    const output = new Printed();
    for (const word of words) {
      frame.scope.assign(name, { value: word.value, prefix: word.prefix });
      output.add(this.list(node.body, { ...frame, loops: frame.loops + 1 }));
    }
    return output.result();
  }

  #case(subject: Word, items: readonly { pattern: readonly Word[]; body: CompoundList }[], frame: Frame): Output {
    const at = this.expansion(frame);
    expandOne(subject, at);
    const output = new Printed();
    const forks = items.map((item) => {
      for (const pattern of item.pattern) expandOne(pattern, at);
      const scope = frame.scope.fork();
      output.add(this.list(item.body, { ...frame, scope, conditional: true }));
      return scope;
    });
    if (forks.length) frame.scope.merge(forks, false);
    return output.uncertain();
  }

  #define(node: FunctionNode, frame: Frame): Output {
    frame.scope.define(node.name.value, { body: node.body, source: frame.source });
    this.step(frame, `${node.name.value}()`, "function definition", "its body is followed where it is called");
    return silent;
  }

  #test(expression: TestExpression, frame: Frame): void {
    const at = this.expansion(frame);
    switch (expression.type) {
      case "TestUnary": {
        const operand = expandOne(expression.operand, at);
        if (expression.operator === "-v") warnSubscript(operand, at);
        return;
      }
      case "TestBinary": {
        const sides = [expandOne(expression.left, at), expandOne(expression.right, at)];
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator)) for (const side of sides) warnSubscript(side, at);
        return;
      }
      case "TestLogical":
        for (const operand of expression.operands) this.#test(operand, frame);
        return;
      case "TestNot":
        return this.#test(expression.operand, frame);
      case "TestGroup":
        return this.#test(expression.expression, frame);
    }
  }

  #arithmetic(expression: ArithmeticExpression | undefined, frame: Frame): void {
    if (expression) arithmetic(expression, this.expansion(frame));
  }
}

/** Commands that can't fail. */
const succeeds = (node: SyntaxNode): boolean =>
  node.type === "Command" &&
  (node.name === undefined || /^(true|:|echo|printf|export|set|declare)$/.test(node.name.value));

function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === "Command") return node.name && baseName(node.name.value);
  return node.type === "Redirected" ? nameOf(node.command) : undefined;
}

export const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
