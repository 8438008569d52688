// Finds the calls of a tokenised program, names them canonically and lets a language's vocabulary say what each does.
// Invariant: harmless means every call, import and mention was known harmless; the first thing not known ends in `unknown`.
import type { Arg, Emit, Language } from "../tool.js";
import { type Dialect, type Token, tokenise } from "./tokens.js";

export interface Call {
  /** "os.remove"; ".write_text" for a method of an expression. */
  name: string;
  receiver: Token[];
  args: Token[][];
  /** Keyword arguments, and the keys of an object literal given last. */
  keywords: ReadonlyMap<string, Token[]>;
}

export interface Scope {
  emit: Emit;
  /** The language of the program, for text it evaluates. */
  language: Language;
  /** The static text of an expression, if it has one. */
  constant(tokens: readonly Token[] | undefined): string | undefined;
  /** The expression as a word: resolved when constant. */
  word(tokens: readonly Token[] | undefined): Arg;
  /** The static words of a list literal, entries unresolved where they are computed; undefined when it is no list. */
  list(tokens: readonly Token[] | undefined): Arg[] | undefined;
}

export type Meaning = (call: Call, scope: Scope) => void;

export interface Vocabulary {
  /** As people write it. */
  language: string;
  id: Language;
  dialect: Dialect;
  /** Words of the syntax that may stand before "(" or anywhere without being a call. */
  keywords: ReadonlySet<string>;
  /** Separators inside a dotted name. */
  dots: ReadonlySet<string>;
  meanings: Readonly<Record<string, Meaning>>;
  /** Functions, ".methods" and "namespace.*" that change nothing and start nothing. */
  harmless: ReadonlySet<string>;
  /** Modules that may be loaded. */
  modules?: ReadonlySet<string>;
  /** Namespaces that exist without being imported ("fs" in node -e, "File" in Ruby). */
  globals: ReadonlySet<string>;
  /** Rewrites module expressions and records what names stand for. */
  imports?(tokens: Token[], scope: Bindings): Token[];
  /** Calls without parentheses: a known function name followed by an operand. */
  bareCalls?: boolean;
  /** Names with these first characters are variables. */
  sigils?: string;
  /** Functions over constants: path joins and the like. */
  folds?: Readonly<Record<string, (parts: string[]) => string>>;
  /** Dotted names with a known text: process.env.HOME. */
  texts?: Readonly<Record<string, string>>;
  /** Names of the process environment ("os.environ"). */
  environment?: ReadonlySet<string>;
  /** Tags that run the template literal behind them ("$" of Bun and zx). */
  tags?: ReadonlySet<string>;
  /** Parts of a name that reach behind the vocabulary (reflection). */
  forbidden?: RegExp;
}

export interface Bindings {
  aliases: Map<string, string>;
  unknownModules: string[];
}

export function analyseWith(vocabulary: Vocabulary, text: string, emit: Emit): void {
  const raw = tokenise(text, vocabulary.dialect);
  if (!raw) return emit.unknown(`${vocabulary.language} program could not be read`);
  try {
    new Analysis(vocabulary, raw, emit).run();
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error;
    emit.unknown(`${vocabulary.language} program takes too long to follow`);
  }
}

/** The work a program may cost, in tokens looked at; `a=a=a=...` would cost the square of its length. */
class Exhausted extends Error {}

class Analysis implements Scope {
  readonly language: Language;
  private readonly tokens: Token[];
  private readonly bindings: Bindings = { aliases: new Map(), unknownModules: [] };
  private readonly constants = new Map<string, Token[] | null>();
  private readonly defined = new Set<string>();
  private readonly doubts: string[] = [];
  private budget: number;
  /** Where a namespace is only given another name. */
  private readonly aliased = new Set<number>();

  constructor(
    private readonly vocabulary: Vocabulary,
    raw: Token[],
    readonly emit: Emit,
  ) {
    this.language = vocabulary.id;
    this.budget = 50_000 + 40 * raw.length;
    this.tokens = vocabulary.imports?.(subscripts(raw), this.bindings) ?? subscripts(raw);
    this.collect();
  }

  run(): void {
    const { tokens, vocabulary } = this;
    for (const module of this.bindings.unknownModules) this.doubts.push(`loads ${module}`);
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      if (token.kind === "shell")
        this.emit.shell(
          { source: token.text, value: token.value, prefix: token.prefix ?? "" },
          `${vocabulary.language} command quotes`,
        );
      if (token.text === "(" && token.kind === "op" && this.callsComputed(index))
        this.doubts.push("calls a computed function");
      if (token.kind !== "name") continue;
      const start = index;
      while (this.continues(index)) index += 2;
      this.mention(start, index);
    }
    if (this.doubts.length) this.emit.unknown(`${vocabulary.language} program ${this.doubts.slice(0, 3).join(", ")}`);
  }

  /** `f()()`, `x[y](z)`, `$f->(z)`: what is called is a value; a function written in place is read like the rest. */
  private callsComputed(open: number): boolean {
    const { tokens, vocabulary } = this;
    const before = tokens[open - 1];
    if (before?.kind !== "op") return false;
    if (before.text === "->") return true;
    if (vocabulary.bareCalls) return false;
    if (before.text === "]") return tokens[open - 2]?.text !== "[";
    if (before.text !== ")") return false;
    let depth = 0;
    for (let at = open - 1; at >= 0; at--) {
      this.spend(1);
      const { kind, text } = tokens[at]!;
      if (kind === "name" && depth > 0 && /^(function|lambda|fn)$/.test(text)) return false;
      if (kind !== "op") continue;
      if (text === "=>" && depth > 0) return false;
      if (/^[)\]}]$/.test(text)) depth++;
      if (/^[([{]$/.test(text) && --depth === 0)
        return !/^(if|while|for|switch|catch|foreach|elif|elseif|with|return|function)$/.test(
          tokens[at - 1]?.text ?? "",
        );
    }
    return true;
  }

  private spend(tokens: number): void {
    this.budget -= tokens;
    if (this.budget < 0) throw new Exhausted();
  }

  private continues(index: number): boolean {
    return this.vocabulary.dots.has(this.tokens[index + 1]?.text ?? "") && this.tokens[index + 2]?.kind === "name";
  }

  /** A dotted name from `start` to `end`: a call, a reference, or a variable. */
  private mention(start: number, end: number): void {
    const { tokens, vocabulary } = this;
    const before = tokens[start - 1];
    const parts: string[] = [];
    for (let index = start; index <= end; index += 2) parts.push(tokens[index]!.text);
    const reflection = parts.find((part) => vocabulary.forbidden?.test(part));
    if (reflection) this.doubts.push(`uses ${reflection}`);
    const afterDot = before !== undefined && vocabulary.dots.has(before.text);
    if (!afterDot && parts.length === 1 && vocabulary.keywords.has(parts[0]!)) return;
    const name = this.canonical(parts, afterDot);
    const open = tokens[end + 1];
    const called = open?.kind === "op" && (open.text === "(" || (open.text === "?." && tokens[end + 2]?.text === "("));
    const meaning = lookup(vocabulary.meanings, name);
    this.environment(name, start, end);
    if (!afterDot && !called && parts.length === 1 && this.isNamespace(name) && this.handedOn(start, end))
      this.doubts.push(`hands on ${name}`);
    if (vocabulary.tags?.has(name) && open?.kind === "string" && open.text.startsWith("`"))
      return this.emit.shell({ source: open.text, value: open.value, prefix: open.prefix ?? "" }, `${name} runs it`);
    if (called) {
      const receiver = name.startsWith(".") ? this.receiver(start, end, afterDot) : [];
      const call = this.call(name, receiver, this.inside(end + (open.text === "(" ? 1 : 2)));
      return this.judge(call, meaning, parts, afterDot);
    }
    if (vocabulary.bareCalls && this.startsOperand(end + 1) && !this.isVariable(parts[0]!)) {
      const receiver = name.startsWith(".") ? this.receiver(start, end, afterDot) : [];
      return this.judge(this.call(name, receiver, this.line(end + 1)), meaning, parts, afterDot);
    }
    const key =
      before?.text === "{" &&
      open?.text === "}" &&
      (tokens[start - 2]?.kind === "name" || tokens[start - 2]?.text === "->");
    if (vocabulary.bareCalls && key && this.isSigil(tokens[start - 2]!.text)) return;
    if (this.aliased.has(start)) return;
    if (meaning && !vocabulary.bareCalls && !name.startsWith(".") && open?.text !== "=" && open?.text !== ":")
      this.doubts.push(`hands on ${name}`);
    else if (vocabulary.bareCalls && !afterDot) {
      if (meaning) return this.judge(this.call(name, [], []), meaning, parts, afterDot);
      if (parts.length > 1 && !this.isHarmless(name, parts)) this.doubts.push(`calls ${parts.join(".")}`);
      else if (
        parts.length === 1 &&
        !this.isVariable(parts[0]!) &&
        !this.isHarmless(name, parts) &&
        open?.text !== "=" &&
        open?.text !== ":" &&
        open?.text !== "=>"
      )
        this.doubts.push(`calls ${parts[0]}`);
    } else if (vocabulary.bareCalls && afterDot) {
      if (meaning) return this.judge(this.call(name, this.receiver(start, end, true), []), meaning, parts, afterDot);
      if (!this.isHarmless(name, parts)) this.doubts.push(`calls ${parts.join(".")}`);
    }
  }

  /** The whole environment, or a variable whose name says secret, becomes visible to the program. */
  private environment(name: string, start: number, end: number): void {
    const base = [...(this.vocabulary.environment ?? [])].find(
      (known) => name === known || name.startsWith(`${known}.`),
    );
    if (!base) return;
    const { tokens } = this;
    const spread = tokens[start - 1]?.text === "**";
    const property = name.slice(base.length + 1);
    const key = tokens[end + 1]?.text === "[" || tokens[end + 1]?.text === "(" ? tokens[end + 2]?.value : undefined;
    // Elsewhere than in JavaScript a property of the environment is a method of it.
    const isMethod = this.vocabulary.id !== "node" && property !== "";
    const variable = key ?? (property && !isMethod ? property : undefined);
    if (variable !== undefined) {
      if (secretName.test(variable))
        this.emit.hazard({ class: "credential-read", level: 2, id: "env-secret" }, `reads ${variable}`);
      return;
    }
    if (
      /^(get|fetch|key\?|has_key\?|include\?|setdefault|update|pop|delete)$/.test(property) ||
      tokens[end + 1]?.text === "[" ||
      (spread && !property)
    )
      return;
    this.emit.hazard({ class: "credential-read", level: 2, id: "env-dump" }, "uses the whole environment");
  }

  /** A module or class whose functions have effects. */
  private isNamespace(name: string): boolean {
    return namespaces(this.vocabulary).has(name);
  }

  /** Not `a = module` (an alias), not a keyword argument or a definition of that name. */
  private handedOn(start: number, end: number): boolean {
    const before = this.tokens[start - 1]?.text ?? "";
    const after = this.tokens[end + 1]?.text ?? "";
    if (this.aliased.has(start)) return false;
    return (
      !/^(=|:|\+=)$/.test(after) &&
      !/^(class|def|function|module|import|from|as|rescue|const|let|var|use|end)$/.test(before) &&
      !(this.constants.has(this.tokens[start]!.text) && !this.bindings.aliases.has(this.tokens[start]!.text))
    );
  }

  private judge(call: Call, meaning: Meaning | undefined, parts: string[], afterDot: boolean): void {
    if (meaning) return meaning(call, this);
    if (this.isHarmless(call.name, parts)) return;
    if (!afterDot && parts.length === 1 && this.defined.has(parts[0]!)) return;
    if (call.name.startsWith(".") && parts.length > 0 && this.isDefinedMethod(parts.at(-1)!)) return;
    this.doubts.push(`calls ${call.name.replace(/^\./, "a method ")}`);
  }

  private isDefinedMethod(name: string): boolean {
    return this.defined.has(name);
  }

  private isVariable(name: string): boolean {
    const first = name[0] ?? "";
    return (this.vocabulary.sigils?.includes(first) ?? false) || this.constants.has(name) || this.defined.has(name);
  }

  private isHarmless(name: string, parts: readonly string[]): boolean {
    const { harmless } = this.vocabulary;
    if (harmless.has(name)) return true;
    const at = name.lastIndexOf(".");
    if (at > 0 && (harmless.has(`${name.slice(0, at)}.*`) || harmless.has(`${name.split(".")[0]}.*`))) return true;
    return name.startsWith(".") && harmless.has(`.${parts.at(-1)}`);
  }

  private canonical(parts: readonly string[], afterDot: boolean): string {
    const last = `.${parts.at(-1)}`;
    if (afterDot) return last;
    const head = parts[0]!;
    const alias = this.bindings.aliases.get(head);
    if (alias !== undefined) return [alias, ...parts.slice(1)].join(".");
    if (parts.length === 1) return head;
    if (this.constants.has(head) || this.isSigil(head)) return last;
    if (this.vocabulary.globals.has(head)) return parts.join(".");
    return last;
  }

  private isSigil(name: string): boolean {
    return this.vocabulary.sigils?.includes(name[0] ?? " ") ?? false;
  }

  private receiver(start: number, end: number, afterDot: boolean): Token[] {
    const { tokens } = this;
    if (!afterDot) return tokens.slice(start, end - 1);
    let from = start - 1;
    const closes = (at: number) => tokens[at]?.kind === "op" && /^[)\]]$/.test(tokens[at]!.text);
    if (!closes(from - 1)) return tokens.slice(Math.max(from - 1, 0), start - 1);
    // Back over brackets and names: a.b(c).d(e) is one receiver.
    while (closes(from - 1)) {
      let depth = 0;
      for (from--; from >= 0; from--) {
        this.spend(1);
        if (/^[)\]}]$/.test(tokens[from]!.text) && tokens[from]!.kind === "op") depth++;
        if (/^[([{]$/.test(tokens[from]!.text) && tokens[from]!.kind === "op" && --depth === 0) break;
      }
      if (from < 0) break;
      while (
        from > 0 &&
        ((tokens[from - 1]!.kind === "name" && !this.vocabulary.keywords.has(tokens[from - 1]!.text)) ||
          this.vocabulary.dots.has(tokens[from - 1]!.text))
      )
        from--;
    }
    return tokens.slice(Math.max(from, 0), start - 1);
  }

  /** Tokens between the bracket at `open` and its partner. */
  private inside(open: number): Token[] {
    let depth = 0;
    for (let index = open; index < this.tokens.length; index++) {
      this.spend(1);
      const token = this.tokens[index]!;
      if (token.kind !== "op") continue;
      if (/^[([{]$/.test(token.text)) depth++;
      if (/^[)\]}]$/.test(token.text) && --depth === 0) return this.tokens.slice(open + 1, index);
    }
    return this.tokens.slice(open + 1);
  }

  private startsOperand(index: number): boolean {
    const token = this.tokens[index];
    if (!token) return false;
    if (token.kind === "string" || token.kind === "number" || token.kind === "shell") return true;
    if (token.kind === "name") return !this.vocabulary.keywords.has(token.text) || /^(my|our|local)$/.test(token.text);
    return (
      token.kind === "op" && (token.text === "[" || token.text === ":" || token.text === "<" || token.text === "\\")
    );
  }

  /** Tokens up to the end of the statement. */
  private line(from: number): Token[] {
    let depth = 0;
    for (let index = from; index < this.tokens.length; index++) {
      this.spend(1);
      const token = this.tokens[index]!;
      if (token.kind === "newline" && depth === 0) return this.tokens.slice(from, index);
      if (
        token.kind === "name" &&
        depth === 0 &&
        /^(if|unless|or|and|do|foreach|for|while|until|then|end)$/.test(token.text)
      )
        return this.tokens.slice(from, index);
      if (token.kind !== "op") continue;
      if (/^[([{]$/.test(token.text)) depth++;
      if (/^[)\]}]$/.test(token.text) && --depth < 0) return this.tokens.slice(from, index);
      if ((token.text === ";" || token.text === "||" || token.text === "&&") && depth === 0)
        return this.tokens.slice(from, index);
    }
    return this.tokens.slice(from);
  }

  private call(name: string, receiver: Token[], inner: readonly Token[]): Call {
    const keywords = new Map<string, Token[]>();
    const args: Token[][] = [];
    for (const part of splitCommas(inner)) {
      const separator = part[1]?.text;
      if (part[0]?.kind === "name" && (separator === "=" || separator === ":") && part.length > 2)
        keywords.set(part[0].text, part.slice(2));
      else args.push(part);
    }
    const last = args.at(-1);
    if (last?.[0]?.text === "{" || last?.[0]?.text === "[")
      for (const part of splitCommas(last.slice(1, -1)))
        if (part[1]?.text === ":" && part[0]) keywords.set(part[0].value ?? part[0].text, part.slice(2));
    return { name, receiver, args, keywords };
  }

  /** `o = os` and `rm = os.remove` give a known thing another name. */
  private aliasOf(value: readonly Token[]): string | undefined {
    const parts = value.filter((token) => token.kind !== "newline");
    if (
      parts.length === 0 ||
      parts.some((token, at) => (at % 2 === 0 ? token.kind !== "name" : !this.vocabulary.dots.has(token.text)))
    )
      return undefined;
    const names = parts.filter((_, at) => at % 2 === 0).map((token) => token.text);
    const head = names[0]!;
    if (!this.bindings.aliases.has(head) && !this.vocabulary.globals.has(head)) return undefined;
    const name = this.canonical(names, false);
    return this.isNamespace(name) || Object.hasOwn(this.vocabulary.meanings, name) ? name : undefined;
  }

  /** Names assigned once to a constant, and functions the program defines itself. */
  private collect(): void {
    const { tokens } = this;
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      const next = tokens[index + 1];
      if (token.kind !== "name") continue;
      if (/^(def|function|class|sub|fn|module)$/.test(token.text) && next?.kind === "name") this.defined.add(next.text);
      if (
        next?.kind === "op" &&
        (next.text === "=" || next.text === ":=") &&
        !this.vocabulary.dots.has(tokens[index - 1]?.text ?? "")
      ) {
        const end = this.statementEnd(index + 2);
        const value = tokens.slice(index + 2, end);
        const alias = this.aliasOf(value);
        if (alias !== undefined && !this.constants.has(token.text)) {
          this.bindings.aliases.set(token.text, alias);
          this.aliased.add(index + 2);
          continue;
        }
        this.constants.set(token.text, this.constants.has(token.text) ? null : value);
        if (value.some((part) => part.text === "=>" || part.text === "function" || part.text === "lambda"))
          this.defined.add(token.text);
      }
      // Loop variables, parameters and `as` names are known names without a value.
      if (/^(for|as|foreach|in|my|our|local|let|const|var)$/.test(token.text)) {
        for (
          let at = index + 1;
          tokens[at]?.kind === "name" || tokens[at]?.text === "," || tokens[at]?.text === "(";
          at++
        )
          if (
            tokens[at]!.kind === "name" &&
            !this.vocabulary.keywords.has(tokens[at]!.text) &&
            !this.constants.has(tokens[at]!.text) &&
            tokens[at + 1]?.text !== "="
          )
            this.constants.set(tokens[at]!.text, null);
      }
    }
    if (this.vocabulary.bareCalls) this.blockParameters();
    this.parameters();
  }

  /** `|a, b|` of Ruby blocks. */
  private blockParameters(): void {
    const { tokens } = this;
    for (let index = 0; index < tokens.length; index++) {
      if (tokens[index]!.text !== "|" || !/^(\{|do)$/.test(tokens[index - 1]?.text ?? "")) continue;
      for (let at = index + 1; at < tokens.length && tokens[at]!.text !== "|"; at++)
        if (tokens[at]!.kind === "name") this.constants.set(tokens[at]!.text, null);
    }
  }

  /** Parameters of functions defined here: (a, b) => ..., function f(a), def f(a), lambda a:. */
  private parameters(): void {
    const { tokens } = this;
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index]!;
      const names: Token[] = [];
      if (token.text === "=>" && tokens[index - 1]?.kind === "name") names.push(tokens[index - 1]!);
      if (token.text === "=>" && tokens[index - 1]?.text === ")") {
        for (let at = index - 2; at >= 0 && tokens[at]!.text !== "("; at--) names.push(tokens[at]!);
      }
      if (/^(def|function|lambda|sub|fn)$/.test(token.text))
        for (
          let at = index + 1;
          at < tokens.length &&
          at < index + 40 &&
          !/^(:|\{|\))$/.test(tokens[at]!.text) &&
          tokens[at]!.kind !== "newline";
          at++
        )
          names.push(tokens[at]!);
      for (const name of names)
        if (name.kind === "name" && !this.defined.has(name.text) && !this.constants.has(name.text))
          this.constants.set(name.text, null);
    }
  }

  private statementEnd(from: number): number {
    let depth = 0;
    for (let index = from; index < this.tokens.length; index++) {
      this.spend(1);
      const token = this.tokens[index]!;
      if (token.kind === "newline" && depth <= 0) return index;
      if (token.kind !== "op") continue;
      if (/^[([{]$/.test(token.text)) depth++;
      if (/^[)\]}]$/.test(token.text) && --depth < 0) return index;
      if ((token.text === ";" || token.text === ",") && depth <= 0) return index;
    }
    return this.tokens.length;
  }

  constant(tokens: readonly Token[] | undefined, depth = 0): string | undefined {
    if (!tokens || depth > 8) return undefined;
    this.spend(tokens.length);
    const parts = trim(tokens);
    if (parts.length === 0) return undefined;
    const inner = withoutParentheses(parts);
    if (inner) return this.constant(inner, depth + 1);
    const dotted = this.vocabulary.dots.has(".");
    const joined = splitOn(
      parts,
      (token) => token.text === "+" || token.text === ".." || (token.text === "." && !dotted),
    );
    if (joined.length > 1) {
      const values = joined.map((part) => this.constant(part, depth + 1));
      return values.every((value) => value !== undefined) ? values.join("") : undefined;
    }
    const slashed = splitOn(parts, (token) => token.text === "/");
    if (slashed.length > 1) {
      const values = slashed.map((part) => this.constant(part, depth + 1));
      return values.every((value) => value !== undefined) ? values.join("/") : undefined;
    }
    const [only] = parts;
    if (parts.length === 1 && only!.kind === "string") return only!.value;
    if (parts.length === 1 && only!.kind === "name")
      return this.constant(this.constants.get(only!.text) ?? undefined, depth + 1);
    // "x" "y" side by side is one string in Python.
    if (parts.every((token) => token.kind === "string"))
      return parts.some((token) => token.value === undefined) ? undefined : parts.map((token) => token.value).join("");
    return this.named(parts) ?? this.extended(parts, depth) ?? this.folded(withoutDecoding(parts), depth);
  }

  private named(parts: readonly Token[]): string | undefined {
    const name = parts.map((token) => token.text).join("");
    return lookup(this.vocabulary.texts ?? {}, name);
  }

  /** `path.joinpath("x", "y")` */
  private extended(parts: readonly Token[], depth: number): string | undefined {
    const at = parts.findLastIndex(
      (token, index) => token.text === "joinpath" && parts[index - 1]?.text === "." && parts[index + 1]?.text === "(",
    );
    if (at < 0 || parts.at(-1)?.text !== ")") return undefined;
    const base = this.constant(parts.slice(0, at - 1), depth + 1);
    const rest = splitCommas(parts.slice(at + 2, -1)).map((part) => this.constant(part, depth + 1));
    return base === undefined || rest.includes(undefined) ? undefined : [base, ...rest].join("/");
  }

  private folded(parts: readonly Token[], depth: number): string | undefined {
    let end = 0;
    const names: string[] = [];
    while (parts[end]?.kind === "name") {
      names.push(parts[end]!.text);
      if (!this.vocabulary.dots.has(parts[end + 1]?.text ?? "")) break;
      end += 2;
    }
    if (names[0] === "new" || !names.length) return undefined;
    if (parts[end + 1]?.text !== "(" || parts.at(-1)?.text !== ")") return undefined;
    const fold = lookup(this.vocabulary.folds ?? {}, this.canonical(names, false));
    if (!fold) return undefined;
    const values = splitCommas(parts.slice(end + 2, -1)).map((part) => this.constant(part, depth + 1));
    return values.every((value): value is string => value !== undefined) ? fold(values as string[]) : undefined;
  }

  word(tokens: readonly Token[] | undefined): Arg {
    const value = this.constant(tokens);
    const source =
      (tokens ?? [])
        .map((token) => token.text)
        .join("")
        .slice(0, 80) || "?";
    const first = tokens?.[0];
    return {
      source: value ?? source,
      value,
      prefix: value ?? (first?.kind === "string" ? (first.value ?? first.prefix ?? "") : ""),
      ...(value === undefined && { from: origins(tokens ?? []) }),
    };
  }

  list(tokens: readonly Token[] | undefined): Arg[] | undefined {
    let parts = trim(tokens ?? []);
    const [only] = parts;
    if (parts.length === 1 && only?.kind === "name") parts = trim(this.constants.get(only.text) ?? []);
    if (!/^[[(]$/.test(parts[0]?.text ?? "")) return undefined;
    return splitCommas(parts.slice(1, -1)).map((part) => this.word(part));
  }
}

/** Variables whose name says that they hold a credential. */
export const secretName =
  /(^|_)(SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|PRIVATE_?KEY|CREDENTIALS?|ACCESS_KEY(_ID)?|AUTH)(_|$)/i;

/** "(a + b)" as a whole, undefined when the brackets do not belong together. */
function withoutParentheses(parts: readonly Token[]): readonly Token[] | undefined {
  if (parts[0]?.text !== "(" || parts.at(-1)?.text !== ")" || parts.length < 3) return undefined;
  let depth = 0;
  for (const [at, { kind, text }] of parts.entries()) {
    if (kind !== "op") continue;
    if (text === "(") depth++;
    if (text === ")" && --depth === 0 && at < parts.length - 1) return undefined;
  }
  return parts.slice(1, -1);
}

/** `x.decode("utf8")`, `x.toString()`: the text of bytes is their content. */
function withoutDecoding(parts: readonly Token[]): readonly Token[] {
  for (let at = parts.length - 1; at > 1; at--) {
    if (
      parts[at]!.kind !== "name" ||
      !/^(decode|toString|strip|trim)$/.test(parts[at]!.text) ||
      parts[at - 1]!.text !== "."
    )
      continue;
    const rest = parts.slice(at + 1);
    if (rest[0]?.text === "(" && rest.at(-1)?.text === ")" && rest.length <= 3)
      return withoutDecoding(parts.slice(0, at - 1));
    return parts;
  }
  return parts;
}

/** What computed text is made of, in the names the lowering knows origins by. */
function origins(tokens: readonly Token[]): string[] {
  const names = tokens.filter((token) => token.kind === "name").map((token) => token.text);
  const from: string[] = [];
  if (
    names.some((name) =>
      /^(urlopen|urlretrieve|requests|httpx|fetch|axios|http|https|HTTP|URI|curl_exec|LWP|getstore)$/.test(name),
    )
  )
    from.push("curl");
  if (
    names.some((name) =>
      /^(b64decode|b32decode|a85decode|decodebytes|unhexlify|fromhex|decompress|atob|decode64|urlsafe_decode64|base64_decode|gzinflate|str_rot13|decode_base64|unpack|codecs|Buffer|marshal|fromCharCode)$/.test(
        name,
      ),
    )
  )
    from.push("base64");
  return from;
}

const known = new WeakMap<Vocabulary, ReadonlySet<string>>();

function namespaces(vocabulary: Vocabulary): ReadonlySet<string> {
  const seen = known.get(vocabulary);
  if (seen) return seen;
  const found = new Set<string>();
  for (const name of Object.keys(vocabulary.meanings))
    if (name.lastIndexOf(".") > 0) found.add(name.slice(0, name.lastIndexOf(".")));
  known.set(vocabulary, found);
  return found;
}

const lookup = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const trim = (tokens: readonly Token[]): readonly Token[] => tokens.filter((token) => token.kind !== "newline");

export function splitCommas(tokens: readonly Token[]): Token[][] {
  return splitOn(tokens, (token) => token.text === ",").filter((part) => part.length > 0);
}

function splitOn(tokens: readonly Token[], at: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "op" && /^[([{]$/.test(token.text)) depth++;
    if (token.kind === "op" && /^[)\]}]$/.test(token.text)) depth--;
    if (token.kind === "op" && depth === 0 && at(token)) parts.push([]);
    else if (token.kind !== "newline") parts.at(-1)!.push(token);
  }
  return parts;
}

/** `a["b"]` is `a.b`. */
function subscripts(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const [token, key, close] = [tokens[index]!, tokens[index + 1], tokens[index + 2]];
    const afterName = out.at(-1)?.kind === "name" || out.at(-1)?.text === ")";
    if (
      token.text === "[" &&
      token.kind === "op" &&
      afterName &&
      key?.kind === "string" &&
      close?.text === "]" &&
      /^\w+$/.test(key.value ?? "") &&
      tokens[index + 3]?.text === "("
    ) {
      out.push({ kind: "op", text: "." }, { kind: "name", text: key.value! });
      index += 2;
    } else out.push(token);
  }
  return out;
}
