// Walks the syntax tree in execution order and hands every simple command to a runner.
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
import type { ArchiveListing } from "../archives/archive-disk.js";
import { eachReading } from "../spec/readings.js";
import { parseShell } from "../syntax/parse.js";
import { redirect } from "../syntax/redirect.js";
import { fixedPart } from "../syntax/word-fields.js";
import {
  arithmetic,
  type Expansion,
  expandOne,
  expandWords,
  type Substitution,
  warnSubscript,
} from "../syntax/words.js";
import { type Analysis, type AnalysisStep, abbreviate, type ShellContext } from "./analysis.js";
import { startsWithoutEnd } from "./endless-loops.js";
import { maskedStages } from "./hidden-values.js";
import { baseName } from "./paths.js";
import { Printed } from "./printed-output.js";
import type { CallSite, CommandRunner, Output, RunContext } from "./run-context.js";
import { type ShellScope, unresolved } from "./scope.js";
import type { Arg, Invocation } from "./tool.js";
import { seenFrom } from "./views.js";

const silent: Output = { text: "", from: [] };
const most = { depth: 12, trace: 2_000, effects: 20_000, unrolled: 4_000, readings: 400 };
const tooLong = hazard("too-long-to-judge");
/** What makes two effects the same for those who judge them. */
const keyOf = ({ reason, argv, ...rest }: Effect): string => JSON.stringify(rest);

export class Analyzer {
  readonly analysis: Analysis = { parsed: true, effects: [], commands: [], commitCalls: [], trace: [] };
  /** Files this text itself writes before it runs them. */
  readonly written = new Map<string, Output>();
  /** Left by one call of a tool for later ones. */
  readonly notes = new Map<string, string>();
  /** Symbolic links this text makes: link to target. */
  readonly links = new Map<string, string>();
  readonly substitution: (context: RunContext) => Substitution;
  /** Something could not be followed, so that from there on any name may mean something else. */
  #unsure = false;
  #given: string | undefined;
  #unrolled = 0;
  #readings = 0;
  /** Modules of programs that were followed, and how much text they had together. */
  readonly modules = new Set<string>();
  moduleText = 0;
  readonly #listings = new Map<string, ArchiveListing | undefined>();

  constructor(
    readonly options: ShellContext,
    readonly runner: CommandRunner,
  ) {
    const { home, env } = options;
    this.substitution = (context) => ({
      home,
      env,
      run: (script, source, kind) => {
        const inner: RunContext = {
          ...context,
          scope: context.scope.fork(),
          source,
          pipesTo: undefined,
          visible: false,
          parallel: kind !== "command",
        };
        if (kind === "output") inner.stdin = { kind: "pipe" };
        return this.script(script, inner);
      },
      unknown: (reason) => this.unknown(context, reason),
    });
  }

  /** The commands of the text that was given, not of one it runs or substitutes. */
  isTop(context: RunContext): boolean {
    return context.depth === 0 && context.source === this.#given;
  }

  expansion(context: RunContext): Expansion {
    return { scope: context.scope, source: context.source, substitution: this.substitution(context) };
  }

  /** Shell text that will be executed. */
  text(source: string, context: RunContext): Output {
    if (context.depth > most.depth) return this.unknown(context, "commands inside commands, nested too deeply");
    this.#given ??= source;
    if (context.depth > 0 && this.spend(context, 1 + (source.length >> 7))) return { from: [] };
    const parsed = parseShell(source);
    if (parsed.failure === undefined) return this.script(parsed.script, { ...context, source });
    this.analysis.parsed = false;
    this.unknown(context, `not understood: ${parsed.failure}`, source);
    if (parsed.tooLong && this.isTop({ ...context, source })) this.#tooLong(context);
    if (parsed.partial) this.script(parsed.partial, { ...context, source, conditional: true });
    return { from: [] };
  }

  script(script: ParsedScript, context: RunContext): Output {
    const source = script.source ?? context.source;
    return this.statements(script.commands, source === context.source ? context : { ...context, source });
  }

  statements(statements: readonly Statement[], context: RunContext): Output {
    const output = new Printed();
    for (const statement of statements) {
      if (statement.background)
        output.add(this.node(statement.command, { ...context, scope: context.scope.fork(), parallel: true }));
      else output.add(this.node(statement.command, context));
      // What follows an exit in the same list is never reached.
      if (!statement.background && this.#leaves(statement.command, context)) break;
    }
    return output.result();
  }

  list(list: CompoundList, context: RunContext): Output {
    return this.statements(list.commands, context);
  }

  node(node: SyntaxNode, context: RunContext): Output {
    switch (node.type) {
      case "Command":
        if (this.spend(context, 1)) return { from: [] };
        return this.runner.run(this, node, context);
      case "Pipeline":
        return this.#pipeline(node, context);
      case "AndOr":
        return this.#chain(node.commands, node.operators, context);
      case "Redirected":
        return this.redirected(node.redirects, context, (inner) => this.node(node.command, inner));
      case "Subshell":
        return this.list(node.body, { ...context, scope: context.scope.fork() });
      case "BraceGroup":
        return this.list(node.body, context);
      case "CompoundList":
        return this.list(node, context);
      case "If":
        return this.#branches([node, ...node.elif], node.else, context);
      case "While":
        this.#endless(node, context);
        if (this.#condition(node.clause, context) === (node.kind === "until")) return silent;
        if (this.#readsLines(node, context)) return this.#lines(node, context);
        return this.#loop(context, (inner) => {
          this.list(node.clause, inner);
          return this.list(node.body, inner);
        });
      case "For":
        return this.#for(node, context);
      case "ArithmeticFor":
        this.#endless(node, context);
        for (const part of [node.initialize, node.test, node.update]) this.#arithmetic(part, context);
        return this.#loop(context, (inner) => this.list(node.body, inner));
      case "Select":
        expandWords(node.wordlist ?? [], this.expansion(context));
        context.scope.assign(node.name.value, unresolved);
        return this.#loop(context, (inner) => this.list(node.body, inner));
      case "Case":
        return this.#case(node.word, node.items, context);
      case "Function":
        return this.#define(node, context);
      case "Coproc":
        return this.node(node.body, {
          ...context,
          scope: context.scope.fork(),
          stdin: { kind: "pipe" },
          parallel: true,
        });
      case "TestCommand":
        this.#test(node.expression, context);
        return silent;
      case "ArithmeticCommand":
        this.#arithmetic(node.expression, context);
        return silent;
      default:
        return this.unknown(context, `syntax that is not modelled: ${node.type}`);
    }
  }

  /** Applies redirections around something that runs with them. */
  redirected(redirects: readonly Redirection[], context: RunContext, run: (inner: RunContext) => Output): Output {
    if (redirects.length === 0) return run(context);
    const { effects } = this.analysis;
    const before = effects.length;
    const plan = redirect(this, redirects, context);
    const planned = effects.length;
    const output = run({
      ...context,
      ...(plan.stdin && { stdin: plan.stdin }),
      ...(plan.stdout && { pipesTo: undefined, visible: false }),
    });
    if (!plan.stdout) return output;
    // An older version takes the place of the file, and of what was not committed in it.
    const isOlder = /^git (?:show|cat-file)\b/.test(this.#lastCall());
    const restores = isOlder ? plan.stdout.files.filter((file) => this.#names(file)) : [];
    if (isOlder && plan.stdout.changed && !plan.stdout.append)
      this.effect(context, { kind: "exec", reason: "git show over a changed file", hazard: hazard("truncate-work") });
    if ((output.text?.trim() === "" || restores.length) && !plan.stdout.append)
      for (const effect of effects.slice(before, planned))
        if (effect.kind === "write" && effect.by === "redirection") effect.how ??= "truncate";
    for (const path of plan.stdout.files) this.remember(path, output, plan.stdout.append);
    return silent;
  }

  #lastCall(): string {
    const last = this.analysis.commands.at(-1);
    return last ? `${last.program} ${last.argv[0] ?? ""}` : "";
  }

  /** `git show HEAD:src/app.ts` names this file. */
  #names(file: string): boolean {
    const { argv, cwd } = this.analysis.commands.at(-1)!;
    const { root } = this.options;
    return argv.some((word) => {
      const path = /^[^:]*:(.+)$/.exec(word ?? "")?.[1];
      return (
        path !== undefined && (file === `${root ?? cwd}/${path}` || file === `${cwd}/${path.replace(/^\.\//, "")}`)
      );
    });
  }

  /** What a file holds after this text wrote it. */
  remember(path: string, output: Output, append = false): void {
    const before = append ? (this.written.get(path) ?? { from: [] }) : silent;
    const text = before.text === undefined || output.text === undefined ? undefined : before.text + output.text;
    const pieces = text === undefined ? [before, output].map((one) => one.text ?? one.pieces ?? "").join("") : "";
    const from = [...before.from, ...output.from].slice(-16);
    this.written.set(path, { text, from, ...(pieces !== "" && pieces.length <= 65_536 && { pieces }) });
  }

  effect(context: RunContext, effect: Effect): void {
    const { effects } = this.analysis;
    if (effects.length >= most.effects) {
      if (effects.length === most.effects)
        effects.push({ kind: "unknown", reason: `more than ${most.effects} effects`, hazard: tooLong });
      return;
    }
    context.budget.spend(1);
    if (effect.kind === "unknown") this.#unsure = true;
    if (context.conditional) effect.conditional = true;
    const kept = seenFrom(effect, context);
    if (kept) effects.push(kept);
  }

  /** A tool call under every reading of its unlisted options; effects only a further reading has are added. */
  readings(context: RunContext, call: Invocation, lower: (call: Invocation) => void): void {
    const { effects, commands, trace } = this.analysis;
    const from = effects.length;
    const complete = eachReading(call, lower, (judge) => {
      const before = [effects.length, commands.length, trace.length] as const;
      const commits = this.analysis.commitCalls.length;
      const had = new Set(effects.slice(from).map(keyOf));
      if (++this.#readings > most.readings || this.spend(context, 4)) return false;
      judge();
      this.analysis.commitCalls.length = commits;
      const fresh = effects.slice(before[0]).filter((effect) => !had.has(keyOf(effect)));
      effects.length = before[0];
      effects.push(...fresh);
      if (fresh.length === 0) {
        commands.length = before[1];
        trace.length = before[2];
      }
      return true;
    });
    if (!complete) this.unknown(context, `${call.name}: too many options no table lists`);
  }

  unknown(context: RunContext, reason: string, word?: string): Output {
    this.effect(context, { kind: "unknown", reason, ...(word !== undefined && { word: abbreviate(word) }) });
    return { from: [] };
  }

  step(context: RunContext, text: string, became: string, why: string): void {
    if (this.analysis.trace.length >= most.trace) return;
    const step: AnalysisStep = { depth: context.depth, text: abbreviate(text), became, why };
    this.analysis.trace.push(step);
  }

  /** The archive is read the first time it is asked for. */
  listed(key: string, list: () => ArchiveListing | undefined): ArchiveListing | undefined {
    if (!this.#listings.has(key)) this.#listings.set(key, list());
    return this.#listings.get(key);
  }

  /** Follows a command given as expanded words. */
  invoke(words: readonly Arg[], context: RunContext, site: CallSite): Output {
    return this.runner.invoke(this, words, context, site);
  }

  /** Charges for work about to be done; true when the budget is out, so that the work is left undone and unknown. */
  spend({ budget, ...context }: RunContext, units: number): boolean {
    budget.spend(units);
    if (!budget.isOut) return false;
    if (budget.report()) {
      const ofScript = budget.pool === undefined;
      this.unknown(
        { ...context, budget },
        `too much to follow: the rest of the ${ofScript ? "script" : "command"} was not looked at`,
      );
      if (!ofScript) this.#tooLong({ ...context, budget });
    }
    return true;
  }

  /** Danger could hide behind what was looked at. */
  #tooLong(context: RunContext): void {
    const here: RunContext = { ...context, remote: undefined, contained: false };
    this.effect(here, { kind: "unknown", reason: "the command is too long to be judged", hazard: tooLong });
  }

  #pipeline(node: Pipeline, context: RunContext): Output {
    if (node.commands.length === 1) return this.node(node.commands[0]!, context);
    let { stdin } = context;
    let output: Output = silent;
    const { commands } = this.analysis;
    const sources: string[] = [];
    const masked = maskedStages(node.commands.map(plainWords));
    node.commands.forEach((stage, index) => {
      const following = node.commands[index + 1];
      const ran = commands.length;
      output = this.node(stage, {
        ...context,
        scope: context.scope.fork(),
        stdin,
        pipesTo: following ? nameOf(following) : context.pipesTo,
        visible: following ? false : context.visible,
        ...(following && { ends: context.visible }),
        ...(masked[index] && { masked: true }),
        parallel: true,
      });
      for (const from of output.from) if (!sources.includes(from) && sources.length < 16) sources.push(from);
      stdin =
        output.text === undefined
          ? {
              kind: "pipe",
              from: nameOf(stage),
              sources: [...sources],
              ...(output.paths && { paths: output.paths }),
              ...(commands.length === ran + 1 && { command: commands[ran] }),
              ...(output.pieces !== undefined && { pieces: output.pieces }),
            }
          : { kind: "text", text: output.text, sources: [...sources] };
    });
    return { text: output.text, from: sources, ...(output.paths && { paths: output.paths }) };
  }

  #chain(commands: readonly SyntaxNode[], operators: readonly string[], context: RunContext): Output {
    const first = this.node(commands[0]!, context);
    const from = [...first.from];
    let { text } = first;
    const pieces = [first.text ?? first.pieces ?? ""];
    let branch = context.scope.fork();
    let outcome = this.#constant(commands[0]!, context);
    commands.slice(1).forEach((command, index) => {
      if (outcome !== undefined && outcome === (operators[index] === "||")) return;
      outcome = outcome === undefined ? undefined : this.#constant(command, context);
      if (operators[index] === "||") {
        context.scope.merge([branch], false);
        branch = context.scope.fork();
      } else if (changesDirectory(commands[index]!)) branch.succeeded();
      const next = this.node(command, { ...context, scope: branch, conditional: true });
      from.push(...next.from);
      pieces.push(next.text ?? next.pieces ?? "");
      if (next.text === "") return;
      // `a || b` prints what a prints when a prints anything; whether `a && b` reaches b is only known of a few.
      if (operators[index] === "||") text = text === "" ? undefined : text;
      else
        text =
          text !== undefined && succeeds(commands[index]!) && next.text !== undefined ? text + next.text : undefined;
    });
    context.scope.merge([branch], false);
    const known = text === undefined ? pieces.join("") : "";
    return { text, from: from.slice(0, 16), ...(known !== "" && known.length <= 65_536 && { pieces: known }) };
  }

  /** `true`, `:` and `false` mean what they say, as long as nothing that was not seen can have changed them. */
  #constant(node: SyntaxNode, context: RunContext): boolean | undefined {
    const word =
      node.type === "Command" && node.suffix.length + node.prefix.length === 0 ? node.name?.value : undefined;
    if (word !== "true" && word !== ":" && word !== "false") return undefined;
    if (context.scope.function(word) || context.scope.alias(word) !== undefined) return undefined;
    if (this.#unsure) return undefined;
    return word !== "false";
  }

  #condition(clause: CompoundList, context: RunContext): boolean | undefined {
    const [statement, ...more] = clause.commands;
    return statement && more.length === 0 && !statement.background
      ? this.#constant(statement.command, context)
      : undefined;
  }

  #leaves(node: SyntaxNode, context: RunContext): boolean {
    if (node.type !== "Command" || node.name?.value !== "exit" || node.redirects.length + node.prefix.length > 0)
      return false;
    if (context.scope.function("exit") || context.scope.alias("exit") !== undefined) return false;
    // With two words or an odd one it complains and goes on.
    const plain = node.suffix.every((item) => item.type === "Word" && /^\d{1,3}$/.test(item.text));
    return plain && node.suffix.length <= 1 && !this.#unsure;
  }

  #branches(
    arms: readonly { clause: CompoundList; then: CompoundList }[],
    last: CompoundList | undefined,
    context: RunContext,
  ): Output {
    const output = new Printed();
    const forks: ShellScope[] = [];
    arms.forEach(({ clause, then }, index) => {
      const inner = index === 0 ? context : { ...context, conditional: true };
      output.add(this.list(clause, inner));
      if (this.#condition(clause, context) === false) return;
      const scope = context.scope.fork();
      output.add(this.list(then, { ...context, scope, conditional: true }));
      forks.push(scope);
    });
    if (last) {
      const scope = context.scope.fork();
      output.add(this.list(last, { ...context, scope, conditional: true }));
      forks.push(scope);
    }
    context.scope.merge(forks, last !== undefined);
    return output.uncertain();
  }

  /** A body that runs any number of times: what it changes is unresolved in the next round. */
  #loop(context: RunContext, body: (inner: RunContext) => Output): Output {
    const round = () => {
      const scope = context.scope.fork();
      const output = body({ ...context, scope, conditional: true, loops: context.loops + 1 });
      const changed = scope.changed();
      context.scope.merge([scope], false);
      return { output, changed };
    };
    const first = round();
    if (first.changed && context.loops < 3) round();
    return { from: first.output.from };
  }

  /** `while read x; do ...; done <<< text`: the text is known, so each of its lines is. */
  #readsLines({ kind, clause }: While, context: RunContext): boolean {
    const [statement, ...more] = clause.commands;
    const command = statement?.command;
    if (kind !== "while" || more.length || command?.type !== "Command" || command.name?.value !== "read") return false;
    if (context.stdin.kind !== "text" || context.stdin.text.length > 65_536) return false;
    if (!command.suffix.every((word) => word.type === "Word" && /^(-r|[A-Za-z_]\w*)$/.test(word.text))) return false;
    const count = context.stdin.text.split("\n").length;
    return count <= 64 && (this.#unrolled += count) <= most.unrolled && context.loops < 4;
  }

  #lines(node: While, context: RunContext): Output {
    const output = new Printed();
    const { text, sources } = context.stdin as Extract<RunContext["stdin"], { kind: "text" }>;
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.list(node.clause, { ...context, stdin: { kind: "text", text: line, sources }, loops: 0 });
      output.add(
        this.list(node.body, {
          ...context,
          stdin: { kind: "pipe", sources },
          loops: context.loops + 1,
          conditional: true,
        }),
      );
    }
    return output.uncertain();
  }

  #endless(node: Parameters<typeof startsWithoutEnd>[0], context: RunContext): void {
    if (!startsWithoutEnd(node)) return;
    this.effect(context, {
      kind: "exec",
      reason: "an endless loop starts a process in every round",
      hazard: hazard("fork-bomb"),
    });
  }

  #for(node: For, context: RunContext): Output {
    const words = node.wordlist ? expandWords(node.wordlist, this.expansion(context)) : context.scope.positional;
    const name = node.name.value;
    const fits = words && words.length <= 64 && (this.#unrolled += words.length) <= most.unrolled && context.loops < 4;
    if (!fits || words.some((word) => word.value === undefined || word.glob)) {
      const output = new Printed();
      const values = fits ? words : [{ source: `$${name}`, prefix: "" }];
      for (const word of values) {
        context.scope.assign(
          name,
          word.glob && word.value !== undefined ? { prefix: fixedPart(word.value), pattern: word.value } : word,
        );
        output.add(this.#loop(context, (inner) => this.list(node.body, inner)));
      }
      return output.uncertain();
    }
    const output = new Printed();
    for (const word of words) {
      context.scope.assign(name, { value: word.value, prefix: word.prefix });
      output.add(this.list(node.body, { ...context, loops: context.loops + 1 }));
    }
    return output.result();
  }

  #case(
    subject: Word,
    items: readonly { pattern: readonly Word[]; body: CompoundList }[],
    context: RunContext,
  ): Output {
    const at = this.expansion(context);
    expandOne(subject, at);
    const output = new Printed();
    const forks = items.map((item) => {
      for (const pattern of item.pattern) expandOne(pattern, at);
      const scope = context.scope.fork();
      output.add(this.list(item.body, { ...context, scope, conditional: true }));
      return scope;
    });
    if (forks.length) context.scope.merge(forks, false);
    return output.uncertain();
  }

  #define(node: FunctionNode, context: RunContext): Output {
    context.scope.define(node.name.value, { body: node.body, source: context.source });
    this.step(context, `${node.name.value}()`, "function definition", "its body is followed where it is called");
    return silent;
  }

  #test(expression: TestExpression, context: RunContext): void {
    const at = this.expansion(context);
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
        for (const operand of expression.operands) this.#test(operand, context);
        return;
      case "TestNot":
        return this.#test(expression.operand, context);
      case "TestGroup":
        return this.#test(expression.expression, context);
    }
  }

  #arithmetic(expression: ArithmeticExpression | undefined, context: RunContext): void {
    if (expression) arithmetic(expression, this.expansion(context));
  }
}

/** Commands that can't fail. */
const succeeds = (node: SyntaxNode): boolean =>
  node.type === "Command" &&
  (node.name === undefined || /^(true|:|echo|printf|export|set|declare)$/.test(node.name.value));

const changesDirectory = (node: SyntaxNode): boolean =>
  node.type === "Command" && /^(cd|chdir|pushd)$/.test(node.name?.value ?? "");

/** The words of a stage as they are written, for filters that are recognised by them. */
function plainWords(node: SyntaxNode): { name: string; words: (string | undefined)[] } {
  if (node.type !== "Command") return { name: "", words: [] };
  const words = node.suffix.map((item) => {
    const isStatic = item.type === "Word" && (/^'[^']*'$/.test(item.text) || !/[$`*?[]/.test(item.text));
    return isStatic ? item.value : undefined;
  });
  return { name: nameOf(node) ?? "", words };
}

function nameOf(node: SyntaxNode): string | undefined {
  if (node.type === "Command") return node.name && baseName(node.name.value);
  return node.type === "Redirected" ? nameOf(node.command) : undefined;
}
