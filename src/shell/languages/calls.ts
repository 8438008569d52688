// Finds the calls of a tokenised program, names them canonically and lets a language's vocabulary say what each does.
// Invariant: harmless means every call, import and mention was known harmless;
// the first thing not known ends in `unknown`.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Language } from "../analyze/tool.js";
import { isSecretVariable } from "../hazards/credentials.js";

import { Names } from "./bindings.js";
import { emptiesStore, touchesStore } from "./datastores.js";
import { expressionEnd, inside, opening, splitCommas, subscripts } from "./expressions.js";
import { type Token, tokenise } from "./tokens.js";
import { type Bindings, type Call, type Meaning, ownValue, type ProgramScope, type Vocabulary } from "./vocabulary.js";

/** Calls with effects that are followed; a program that makes more of them is unknown. */
const most = 1000;

const printers = /^(print|puts|p|pp|echo|log|info|warn|error|debug|say|pprint|var_dump|print_r)$/;

export function analyseWith(vocabulary: Vocabulary, text: string, emit: Emit): void {
  const raw = tokenise(text, vocabulary.dialect);
  if (!raw) return emit.unknown(`${vocabulary.language} program could not be read`);
  new Analysis(vocabulary, raw, emit, opensOnlyMemory(text)).run();
}

/** Every database the text opens is one in memory. */
function opensOnlyMemory(text: string): boolean {
  const opened = text.match(
    /\b(?:connect|create_engine|createPool|createConnection|Database|DatabaseSync|Client)\s*\([^)\n]*/g,
  );
  return opened?.every((call) => /:memory:/.test(call)) === true;
}

/** The text has a function, class or method of this name, not just another name for something else. */
const defines = (text: string, name: string): boolean =>
  new RegExp(
    `\\b(?:function\\*?|def|class)\\s+(?:self\\.)?${name}\\b|\\b${name}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\(|\\w+\\s*=>)`,
  ).test(text);

/** Packages whose purpose is to write files, to load code by name or to start programs. */
const fileModules = new RegExp(
  "^(?:fs-extra|graceful-fs|mz|memfs|fs-jetpack|shelljs|execa|zx|cross-spawn|rimraf|del|cpy|cp-file|move-file" +
    "|make-dir|mkdirp|write|writ|replace|tempy|jsonfile|atomically|steno|lowdb|jscodeshift|recast|ts-morph|magicast" +
    "|sh|plumbum|invoke|fabric|pexpect|aiofiles|fileinput|redbaron|rope|bowler|libcst|codemod|patch|send2trash" +
    "|distutils|setuptools|pip|ctypes|cffi|pty|runpy|importlib)(?![a-z])",
);
const changingCall = new RegExp(
  "[ ._](?:write|save|append|output|copy|move|rename|replace|remove|unlink|delete|rm|mv|cp|sed|patch|ensure|empty" +
    "|mkdir|touch|truncate|dump|export|generate|install|migrate|exec|spawn|system|popen|shell|sudo)(?![a-z])",
);

class Analysis implements ProgramScope {
  readonly language: Language;
  private readonly tokens: Token[];
  private readonly bindings: Bindings = { aliases: new Map(), unknownModules: [] };
  private readonly names: Names;
  private readonly doubts: string[] = [];
  private readonly loaded = new Map<string, readonly string[]>();
  private seen = 0;

  constructor(
    private readonly vocabulary: Vocabulary,
    raw: Token[],
    readonly emit: Emit,
    readonly scratchStore: boolean,
  ) {
    this.language = vocabulary.id;
    this.tokens = vocabulary.imports?.(subscripts(raw), this.bindings) ?? subscripts(raw);
    this.names = new Names(vocabulary, this.tokens, this.bindings);
  }

  run(): void {
    const { tokens, vocabulary } = this;
    for (const module of new Set(this.bindings.unknownModules))
      if (!this.follows(module)) this.doubts.push(`loads ${module}`);
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
      if (this.seen > most) {
        this.emit.tooMuch(`the ${vocabulary.language} program makes more calls than are followed`);
        break;
      }
    }
    if (!this.doubts.length) return;
    const loads = this.onlyLoads() ? { loads: true } : {};
    this.emit.unknown(`${vocabulary.language} program ${this.doubts.slice(0, 3).join(", ")}`, loads);
  }

  /** Named modules, none of them made to change files or start programs, and calls whose names say no such thing. */
  private onlyLoads(): boolean {
    const { unknownModules } = this.bindings;
    return (
      (this.language === "python" || this.language === "node") &&
      unknownModules.length > 0 &&
      unknownModules.every((module) => /^[@.\w/-]+$/.test(module) && !fileModules.test(module)) &&
      this.doubts.every(
        (doubt) => doubt.startsWith("loads ") || (/^calls (?!a computed )/.test(doubt) && !changingCall.test(doubt)),
      )
    );
  }

  /** A module that is a file of the project is read as a part of the program. */
  private follows(module: string): boolean {
    const files = this.vocabulary.moduleFiles?.(module, this.bindings.members?.get(module) ?? []) ?? [];
    const texts = files.flatMap((candidates) => this.emit.module?.(candidates, this.language) ?? []);
    if (texts.length) this.loaded.set(module, texts);
    return texts.length > 0;
  }

  /** A function that a module of the project defines: what it does was read there. */
  private isLoaded(name: string): boolean {
    for (const [module, texts] of this.loaded) {
      if (name === module)
        return texts.some((text) => /\bexport default\b|\bexports\s*=\s*(?:async\b|function|\()/.test(text));
      if (!name.startsWith(`${module}.`)) continue;
      const called = name.slice(name.lastIndexOf(".") + 1);
      if (/^\w+$/.test(called) && texts.some((text) => defines(text, called))) return true;
    }
    return false;
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
    const start = opening(tokens, open - 1);
    if (start < 0) return true;
    const inPlace = tokens.slice(start, open).some((token) => /^(function|lambda|fn|=>)$/.test(token.text));
    return (
      !inPlace &&
      !/^(if|while|for|switch|catch|foreach|elif|elseif|with|return|function)$/.test(tokens[start - 1]?.text ?? "")
    );
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
    const name = this.names.canonical(parts, afterDot);
    const open = tokens[end + 1];
    const called = open?.kind === "op" && (open.text === "(" || (open.text === "?." && tokens[end + 2]?.text === "("));
    const meaning = ownValue(vocabulary.meanings, name);
    this.environment(name, start, end);
    if ((called || vocabulary.bareCalls) && (afterDot || parts.length > 1) && touchesStore(parts.at(-1)!)) {
      const first = end + (open?.text === "(" ? 1 : 2);
      const receiver = parts.length > 1 ? tokens.slice(start, end - 1) : this.receiver(start, end, ".x", afterDot);
      emptiesStore(parts.at(-1)!, this.call(name, receiver, called ? inside(tokens, first) : this.line(end + 1)), this);
    }
    if (!afterDot && !called && parts.length === 1 && this.names.isNamespace(name) && this.handedOn(start, end))
      this.doubts.push(`hands on ${name}`);
    if (vocabulary.tags?.has(name) && open?.kind === "string" && open.text.startsWith("`"))
      return this.emit.shell({ source: open.text, value: open.value, prefix: open.prefix ?? "" }, `${name} runs it`);
    if (called) {
      const first = end + (open.text === "(" ? 1 : 2);
      return this.judge(name, meaning, parts, afterDot, () =>
        this.call(name, this.receiver(start, end, name, afterDot), inside(tokens, first)),
      );
    }
    if (vocabulary.bareCalls && this.startsOperand(end + 1) && !this.names.isVariable(parts[0]!))
      return this.judge(name, meaning, parts, afterDot, () =>
        this.call(name, this.receiver(start, end, name, afterDot), this.line(end + 1)),
      );
    const key =
      before?.text === "{" &&
      open?.text === "}" &&
      (tokens[start - 2]?.kind === "name" || tokens[start - 2]?.text === "->");
    if (vocabulary.bareCalls && key && this.names.isSigil(tokens[start - 2]!.text)) return;
    if (this.names.aliased.has(start)) return;
    if (meaning && !vocabulary.bareCalls && !name.startsWith(".") && open?.text !== "=" && open?.text !== ":")
      this.doubts.push(`hands on ${name}`);
    else if (vocabulary.bareCalls && !afterDot) {
      if (meaning) return meaning(this.call(name, [], []), this);
      if (parts.length > 1 && !this.isHarmless(name, parts)) this.doubts.push(`calls ${parts.join(".")}`);
      else if (
        parts.length === 1 &&
        !this.names.isVariable(parts[0]!) &&
        !this.isHarmless(name, parts) &&
        open?.text !== "=" &&
        open?.text !== ":" &&
        open?.text !== "=>"
      )
        this.doubts.push(`calls ${parts[0]}`);
    } else if (vocabulary.bareCalls && afterDot) {
      if (meaning) return meaning(this.call(name, this.receiver(start, end, name, true), []), this);
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
      const shown = this.isPrinted(start, end);
      if (isSecretVariable(variable))
        this.emit.hazard(hazard(shown ? "secret-variable" : "env-secret"), `${shown ? "prints" : "reads"} ${variable}`);
      return;
    }
    if (base === "os.getenv" || this.startsWithIt(start)) return;
    if (this.loadsSecrets() && this.isPrinted(start, end))
      return this.emit.hazard(hazard("secret-variable"), "prints the environment after a file of secrets was loaded");
    if (
      /^(get|fetch|key\?|has_key\?|include\?|setdefault|update|pop|delete)$/.test(property) ||
      tokens[end + 1]?.text === "[" ||
      (spread && !property)
    )
      return;
    this.emit.hazard(hazard("env-dump"), "uses the whole environment");
  }

  /** `env: process.env`, `env: {...process.env}`, `env=os.environ`: a program is started with it. */
  private startsWithIt(start: number): boolean {
    const { tokens } = this;
    let at = start - 1;
    if (/^(\.\.\.|\*\*)$/.test(tokens[at]?.text ?? ""))
      at = opening(
        tokens,
        expressionEnd(tokens, start, () => false),
      );
    if (tokens[at]?.text === "{" && at > 0) at--;
    return /^[:=]$/.test(tokens[at]?.text ?? "") && /^env(ironment)?$/i.test(tokens[at - 1]?.text ?? "");
  }

  /** A file of secrets was put into the environment before. */
  private loadsSecrets(): boolean {
    return (
      this.bindings.unknownModules.some((module) => /^dotenv\b/.test(module)) ||
      this.tokens.some(({ text, value }) => /^(dotenv|load_dotenv)$/.test(text) || /^dotenv\b/.test(value ?? ""))
    );
  }

  /** The value itself is an argument of a call that prints. */
  private isPrinted(start: number, end: number): boolean {
    const { tokens } = this;
    const open = tokens[end + 1];
    const last = /^[[(]$/.test(open?.text ?? "") ? end + 2 + inside(tokens, end + 1).length : end;
    if (!/^[),+;}]?$/.test(tokens[last + 1]?.text.trim() ?? "") || !/^[(,+]$|^\w+$/.test(tokens[start - 1]?.text ?? ""))
      return false;
    let depth = 0;
    for (let at = start - 1; at >= Math.max(0, start - 40); at--) {
      const { text, kind } = tokens[at]!;
      if (kind === "newline" || text === ";") return false;
      if (kind === "op" && /^[)\]}]$/.test(text)) depth++;
      if (kind === "op" && /^[([{]$/.test(text) && depth-- === 0)
        return text === "(" && printers.test(tokens[at - 1]?.text ?? "");
      if (kind === "name" && depth === 0 && this.vocabulary.bareCalls && printers.test(text)) return true;
    }
    return false;
  }

  /** Not `a = module` (an alias), not a keyword argument or a definition of that name. */
  private handedOn(start: number, end: number): boolean {
    const before = this.tokens[start - 1]?.text ?? "";
    const after = this.tokens[end + 1]?.text ?? "";
    if (this.names.aliased.has(start)) return false;
    return (
      !/^(=|:|\+=)$/.test(after) &&
      !/^(class|def|function|module|import|from|as|rescue|const|let|var|use|end)$/.test(before) &&
      !this.names.isLocal(this.tokens[start]!.text)
    );
  }

  /** The call is put together only where something wants to see it. */
  private judge(
    name: string,
    meaning: Meaning | undefined,
    parts: string[],
    afterDot: boolean,
    call: () => Call,
  ): void {
    if (meaning) {
      this.seen++;
      return meaning(call(), this);
    }
    if (this.isHarmless(name, parts) || this.isLoaded(name)) return;
    if (!afterDot && parts.length === 1 && this.names.isDefined(parts[0]!)) return;
    if (name.startsWith(".") && this.names.isDefined(parts.at(-1)!)) return;
    this.doubts.push(`calls ${name.replace(/^\./, "a method ")}`);
  }

  private isHarmless(name: string, parts: readonly string[]): boolean {
    const { harmless } = this.vocabulary;
    if (harmless.has(name)) return true;
    const at = name.lastIndexOf(".");
    if (at > 0 && (harmless.has(`${name.slice(0, at)}.*`) || harmless.has(`${name.split(".")[0]}.*`))) return true;
    return name.startsWith(".") && harmless.has(`.${parts.at(-1)}`);
  }

  private receiver(start: number, end: number, name: string, afterDot: boolean): Token[] {
    const { tokens } = this;
    if (!name.startsWith(".")) return [];
    if (!afterDot) return tokens.slice(start, end - 1);
    let from = start - 1;
    const closes = (at: number) => tokens[at]?.kind === "op" && /^[)\]]$/.test(tokens[at]!.text);
    if (!closes(from - 1)) return tokens.slice(Math.max(from - 1, 0), start - 1);
    // Back over brackets and names: a.b(c).d(e) is one receiver.
    while (closes(from - 1)) {
      const partner = opening(tokens, from - 1);
      if (partner < 0) break;
      from = partner;
      while (from > 0 && this.isNamePart(tokens[from - 1]!)) from--;
    }
    return tokens.slice(Math.max(from, 0), start - 1);
  }

  private isNamePart(token: Token): boolean {
    return this.vocabulary.dots.has(token.text) || (token.kind === "name" && !this.vocabulary.keywords.has(token.text));
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
    const modifier = /^(if|unless|or|and|do|foreach|for|while|until|then|end)$/;
    const end = expressionEnd(
      this.tokens,
      from,
      (token) =>
        token.kind === "newline" ||
        (token.kind === "name" && modifier.test(token.text)) ||
        (token.kind === "op" && /^(;|\|\||&&)$/.test(token.text)),
    );
    return this.tokens.slice(from, end);
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

  constant(tokens: readonly Token[] | undefined): string | undefined {
    return this.names.constant(tokens);
  }

  word(tokens: readonly Token[] | undefined): Arg {
    return this.atHome(this.names.word(tokens));
  }

  choices(tokens: readonly Token[] | undefined): Arg[] {
    const only = tokens?.filter((token) => token.kind !== "newline");
    const listed = only?.length === 1 ? this.names.choices.get(only[0]!.text) : undefined;
    const words = listed && this.list(listed)?.slice(0, 64);
    return words?.length ? words : [this.word(tokens)];
  }

  /** Analysers write the home directory as "~". */
  private atHome(word: Arg): Arg {
    const { home } = this.emit;
    const expanded = (text: string) => (/^~(\/|$)/.test(text) && home !== undefined ? home + text.slice(1) : text);
    return {
      ...word,
      value: word.value === undefined ? undefined : expanded(word.value),
      prefix: expanded(word.prefix),
    };
  }

  list(tokens: readonly Token[] | undefined): Arg[] | undefined {
    return this.names.list(tokens)?.map((word) => this.atHome(word));
  }
}
