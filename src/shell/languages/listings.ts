// Paths a program lists and walks: glob and directory calls, and the loop variables that stand for one of them.
// Invariant: what it says of an expression covers every path the expression can be; otherwise it says nothing.
import { expressionEnd, inside, opening, splitCommas, splitOn, trim, withoutParentheses } from "./expressions.js";
import type { Token } from "./tokens.js";

type Constant = (tokens: readonly Token[] | undefined) => string | undefined;
type Stored = (name: string) => readonly Token[] | undefined;

export interface Leading {
  text: string;
  /** A part of it is one of many listed names. */
  listed: boolean;
}

export class Listings {
  /** Loop variables, with the expression each walks. */
  private readonly items = new Map<string, readonly Token[]>();

  constructor(
    private readonly tokens: readonly Token[],
    private readonly constant: Constant,
    private readonly stored: Stored,
  ) {
    for (let index = 1; index < tokens.length; index++) {
      const token = tokens[index]!;
      // Ruby: `Dir.glob(x) { |f| ... }`.
      if (token.text === "|" && /^(\{|do)$/.test(tokens[index - 1]!.text) && tokens[index - 2]?.text === ")")
        this.walks(tokens[index + 1]?.text, tokens.slice(this.chainStart(index - 2), index - 1));
      if (token.kind !== "name") continue;
      if (/^(in|of)$/.test(token.text)) this.walks(this.target(index - 1), this.until(index + 1));
      else if (/^(for|foreach)$/.test(token.text)) this.bracketed(index);
      else if (/^(each|forEach|map|each_child)$/.test(token.text) && tokens[index - 1]!.text === ".")
        this.walks(this.parameter(index + 1), tokens.slice(this.chainStart(index - 2), index - 1));
    }
    if (tokens[0]?.kind === "name" && /^(for|foreach)$/.test(tokens[0].text)) this.bracketed(0);
  }

  private walks(name: string | undefined, list: readonly Token[]): void {
    if (name !== undefined && !this.items.has(name)) this.items.set(name, list);
  }

  /** `for a, b in`: the first of several names. */
  private target(at: number): string | undefined {
    let first = at;
    while (first > 0 && this.tokens[first - 1]!.text === "," && this.tokens[first - 2]?.kind === "name") first -= 2;
    return this.tokens[first]?.kind === "name" ? this.tokens[first]!.text : undefined;
  }

  private until(from: number): readonly Token[] {
    const end = expressionEnd(
      this.tokens,
      from,
      (part) => part.kind === "newline" || /^([:;{]|if|do|for)$/.test(part.text),
    );
    return this.tokens.slice(from, end);
  }

  /** PHP's `foreach (list as $x)`, Perl's `for my $x (list)` and `for (list)`. */
  private bracketed(index: number): void {
    const { tokens } = this;
    let at = index + 1;
    if (/^(my|our)$/.test(tokens[at]?.text ?? "")) at++;
    const named = tokens[at]?.kind === "name" ? tokens[at++]!.text : undefined;
    if (tokens[at]?.text !== "(") return;
    const list = inside(tokens, at);
    const as = list.findIndex((part) => part.kind === "name" && part.text === "as");
    if (as >= 0) this.walks(list.at(-1)?.text, list.slice(0, as));
    else if (!list.some((part) => /^(;|in|of)$/.test(part.text))) this.walks(named ?? "$_", list);
  }

  /** `{ |x|`, `do |x|`, `(x =>`, `(function (x)`. */
  private parameter(from: number): string | undefined {
    return this.tokens
      .slice(from, from + 5)
      .find((part) => part.kind === "name" && !/^(do|function|async)$/.test(part.text))?.text;
  }

  private chainStart(at: number): number {
    let start = at;
    for (let steps = 0; steps < 20; steps++) {
      const { text, kind } = this.tokens[start] ?? { text: "", kind: "op" };
      if (/^[)\]]$/.test(text) && kind === "op") {
        start = opening(this.tokens, start);
        if (start <= 0) return Math.max(start, 0);
      }
      const before = this.tokens[start - 1];
      if (before?.text === "." || before?.text === "::") start -= 2;
      else if (before?.kind === "name" && this.tokens[start]!.kind === "op") start -= 1;
      else return start;
    }
    return start;
  }

  /** The pattern all listed paths match. */
  pattern(tokens: readonly Token[] | undefined, depth = 0): string | undefined {
    if (!tokens || depth > 6) return undefined;
    const parts = trim(tokens).filter((token, at) => at > 0 || token.text !== "await");
    const bare = withoutParentheses(parts);
    if (bare) return this.pattern(bare, depth + 1);
    const [first, second] = parts;
    if (!first) return undefined;
    const property = parts.length === 3 && /^(path|name|fullPath)$/.test(parts[2]!.text);
    if (first.kind === "name" && (parts.length === 1 || property)) {
      const walked = this.items.get(first.text);
      return this.pattern(walked ?? this.stored(first.text), depth + 1);
    }
    if (first.text === "glob" && second?.kind === "string") return this.constant([second]);
    if (first.text === "Dir" && second?.text === "[") return this.constant(inside(parts, 1));
    if (parts.at(-1)?.text !== ")") return undefined;
    const open = opening(parts, parts.length - 1);
    const callee = parts[open - 1]?.text ?? "";
    const args = splitCommas(parts.slice(open + 1, -1));
    const receiver = parts[open - 2]?.kind === "op" ? parts.slice(0, open - 2) : [];
    if (/^(sorted|list|reversed|set|tuple)$/.test(callee) && receiver.length === 0)
      return this.pattern(args[0], depth + 1);
    const folder = this.constant(receiver);
    if (/^(glob|iglob|globSync|rglob)$/.test(callee)) {
      const pattern = this.constant(args[0]);
      if (pattern === undefined || folder === undefined) return pattern;
      return `${folder}/${callee === "rglob" ? "**/" : ""}${pattern}`;
    }
    if (!/^(listdir|scandir|readdirSync|readdir|entries|children|iterdir|each_child|walk)$/.test(callee))
      return undefined;
    const place = args.length ? this.constant(args[0]) : (folder ?? ".");
    return place === undefined ? undefined : `${place.replace(/\/+$/, "")}/${callee === "walk" ? "**" : "*"}`;
  }

  /** What an expression surely begins with. */
  leading(tokens: readonly Token[] | undefined, depth = 0): Leading {
    const nothing = { text: "", listed: false };
    if (!tokens || depth > 6) return nothing;
    const parts = trim(tokens);
    const bare = withoutParentheses(parts);
    if (bare) return this.leading(bare, depth + 1);
    const listed = this.pattern(parts, depth);
    if (listed !== undefined) return { text: listed.slice(0, listed.search(/[*?[]|$/)), listed: true };
    const sum = splitOn(parts, (token) => token.text === "+");
    if (sum.length > 1) return this.sequence(sum, "", depth);
    const slashed = splitOn(parts, (token) => token.text === "/");
    if (slashed.length > 1) return this.sequence(slashed, "/", depth);
    const [first] = parts;
    if (parts.length === 1 && first?.kind === "string") return { text: first.prefix ?? "", listed: false };
    if (parts.length === 1 && first?.kind === "name") return this.leading(this.stored(first.text), depth + 1);
    const open = parts.at(-1)?.text === ")" ? opening(parts, parts.length - 1) : -1;
    if (open > 0 && /^(join|Path|resolve|joinpath)$/.test(parts[open - 1]!.text))
      return this.sequence(splitCommas(parts.slice(open + 1, -1)), "/", depth);
    return nothing;
  }

  private sequence(list: readonly (readonly Token[])[], separator: string, depth: number): Leading {
    let text = "";
    for (const part of list) {
      const value = this.constant(part);
      if (value === undefined) {
        const rest = this.leading(part, depth + 1);
        const listed = rest.listed || list.slice(list.indexOf(part)).some((other) => this.pattern(other) !== undefined);
        return { text: text + rest.text, listed };
      }
      text += value + separator;
    }
    return { text, listed: false };
  }
}
