// What the names of a program stand for: constants, aliases of modules, functions it defines itself, parameters.
// Invariant: a name with two values has none; an expression is constant only when every part of it is.
import type { Arg } from "../analyze/tool.js";
import {
  expressionEnd,
  origins,
  splitCommas,
  splitOn,
  trim,
  withoutDecoding,
  withoutParentheses,
} from "./expressions.js";
import { Listings } from "./listings.js";
import type { Token } from "./tokens.js";
import { type Bindings, namespaces, ownValue, type Vocabulary } from "./vocabulary.js";

export class Names {
  private readonly constants = new Map<string, Token[] | null>();
  private readonly defined = new Set<string>();
  private readonly listings: Listings;
  /** Where a namespace is only given another name. */
  readonly aliased = new Set<number>();

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly tokens: readonly Token[],
    private readonly bindings: Bindings,
  ) {
    this.collect();
    this.listings = new Listings(
      tokens,
      (part) => this.constant(part),
      (name) => this.constants.get(name) ?? undefined,
    );
  }

  isDefined(name: string): boolean {
    return this.defined.has(name);
  }

  /** A local name that hides whatever else it could mean. */
  isLocal(name: string): boolean {
    return this.constants.has(name) && !this.bindings.aliases.has(name);
  }

  isVariable(name: string): boolean {
    const first = name[0] ?? "";
    return (this.vocabulary.sigils?.includes(first) ?? false) || this.constants.has(name) || this.defined.has(name);
  }

  /** A module or class whose functions have effects. */
  isNamespace(name: string): boolean {
    return namespaces(this.vocabulary).has(name);
  }

  canonical(parts: readonly string[], afterDot: boolean): string {
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

  isSigil(name: string): boolean {
    return this.vocabulary.sigils?.includes(name[0] ?? " ") ?? false;
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

  /** Lists of which a loop takes each in turn. */
  readonly choices = new Map<string, Token[]>();

  /**
   * `for d in ["/a", "/b"]`, `for (const d of [...])`, `[...].forEach(d =>`, `[...].each { |d|`:
   * one list for a name, and no other value.
   */
  private collectChoices(): void {
    const { tokens } = this;
    const taken = new Set<string>();
    const choose = (name: string, list: Token[]) => {
      if (taken.has(name)) this.choices.delete(name);
      else this.choices.set(name, list);
      taken.add(name);
    };
    for (let index = 1; index < tokens.length; index++) {
      const { kind, text } = tokens[index]!;
      const before = tokens[index - 1]!;
      if (kind === "op" && /^[-+*/%|&:]?=$/.test(text) && before.kind === "name") {
        taken.add(before.text);
        this.choices.delete(before.text);
      }
      if (kind !== "name") continue;
      if ((text === "in" || text === "of") && before.kind === "name" && /^[[(]$/.test(tokens[index + 1]?.text ?? "")) {
        const end = expressionEnd(tokens, index + 2, (part) => part.text === "]" || part.text === ")");
        const after = tokens[end + 1];
        if (!after || after.kind === "newline" || /^[:)\]{;]$/.test(after.text) || after.kind === "name")
          choose(before.text, tokens.slice(index + 1, end + 1));
        else taken.add(before.text);
      } else if (/^(forEach|each|map)$/.test(text) && before.text === "." && tokens[index - 2]?.text === "]") {
        const start = tokens.slice(0, index - 2).findLastIndex((part) => part.text === "[");
        const indexed = tokens[start - 1]?.kind === "name" || /^[)\]]$/.test(tokens[start - 1]?.text ?? "");
        const name = tokens.slice(index + 1, index + 5).find((part) => part.kind === "name");
        if (start >= 0 && name && !indexed) choose(name.text, tokens.slice(start, index - 1));
        else if (name) taken.add(name.text);
      } else if (/^(in|of)$/.test(text) && before.kind === "name") {
        taken.add(before.text);
        this.choices.delete(before.text);
      }
    }
  }

  /** Names assigned once to a constant, and functions the program defines itself. */
  private collect(): void {
    this.collectChoices();
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
        if (this.constants.has(token.text)) {
          this.constants.set(token.text, null);
          continue;
        }
        const end = expressionEnd(
          tokens,
          index + 2,
          (part) => part.kind === "newline" || part.text === ";" || part.text === ",",
        );
        const value = tokens.slice(index + 2, end);
        const alias = this.aliasOf(value);
        if (alias !== undefined) {
          this.bindings.aliases.set(token.text, alias);
          this.aliased.add(index + 2);
          continue;
        }
        this.constants.set(token.text, value);
        if (value.some((part) => part.text === "=>" || part.text === "function" || part.text === "lambda"))
          this.defined.add(token.text);
      }
      // `d += x`: what it holds then is not what it began with.
      if (next?.kind === "op" && /^(?:[-+*/%.|&^]|\*\*|\|\||&&|\?\?|<<|>>|\/\/)=$|^\.=$/.test(next.text))
        this.constants.set(token.text, null);
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

  constant(tokens: readonly Token[] | undefined, depth = 0): string | undefined {
    if (!tokens || depth > 8) return undefined;
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
    return (
      this.named(parts) ??
      this.formatted(parts, depth) ??
      this.extended(parts, depth) ??
      this.joined(parts, depth) ??
      this.folded(withoutDecoding(parts), depth)
    );
  }

  /** `"%s/%s" % (a, b)` and `"{}/{}".format(a, b)` */
  private formatted(parts: readonly Token[], depth: number): string | undefined {
    const [first, operator, method] = parts;
    if (first?.kind !== "string" || first.value === undefined) return undefined;
    const percent = operator?.text === "%";
    if (!percent && !(operator?.text === "." && method?.text === "format" && parts.at(-1)?.text === ")"))
      return undefined;
    const given = percent ? (withoutParentheses(parts.slice(2)) ?? parts.slice(2)) : parts.slice(4, -1);
    const values = splitCommas(given).map((part) => this.constant(part, depth + 1));
    if (values.includes(undefined)) return undefined;
    let next = 0;
    const text = first.value.replace(percent ? /%[sd]/g : /\{(\d*)\}/g, (_, index?: string) =>
      String(values[typeof index === "string" && index !== "" ? Number(index) : next++] ?? ""),
    );
    return next > values.length ? undefined : text;
  }

  private named(parts: readonly Token[]): string | undefined {
    const name = parts.map((token) => token.text).join("");
    return ownValue(this.vocabulary.texts ?? {}, name);
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

  /** `["a", "b"].join(" ")` and `" ".join(["a", "b"])` */
  private joined(parts: readonly Token[], depth: number): string | undefined {
    const at = parts.findLastIndex(
      (token, index) => token.text === "join" && parts[index - 1]?.text === "." && parts[index + 1]?.text === "(",
    );
    if (at < 2 || parts.at(-1)?.text !== ")") return undefined;
    const [before, given] = [parts.slice(0, at - 1), parts.slice(at + 2, -1)];
    const listFirst = this.list(before);
    const words = (listFirst ?? this.list(given))?.map((word) => word.value);
    const separator =
      this.constant(listFirst ? given : before, depth + 1) ?? (listFirst && !given.length ? "," : undefined);
    return !words || separator === undefined || words.includes(undefined) ? undefined : words.join(separator);
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
    const fold = ownValue(this.vocabulary.folds ?? {}, this.canonical(names, false));
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
    if (value !== undefined) return { source: value, value, prefix: value };
    const pattern = this.listings.pattern(tokens);
    if (pattern !== undefined) return { source, value: pattern, prefix: pattern, glob: true };
    // Only what is joined to it keeps a text as its beginning: "%s/x" % d does not.
    const first =
      /^(\+|\.\.|\/)?$/.test(tokens?.[1]?.text ?? "") || !this.vocabulary.dots.has(".") ? tokens?.[0] : undefined;
    const { text, listed } = this.listings.leading(tokens);
    return {
      source,
      prefix: text || (first?.kind === "string" ? (first.value ?? first.prefix ?? "") : ""),
      ...(listed && { glob: true }),
      from: origins(tokens ?? []),
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
