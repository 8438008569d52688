// A small tokeniser for scripting languages: names, strings with their static value; comments dropped.
// Invariant: linear in the text; text inside a string is no token of the program, unless the string evaluates it.
import { longestText } from "../longest-text.js";
import { wordSet } from "../word-set.js";

export interface Token {
  kind: "name" | "string" | "number" | "op" | "newline" | "shell";
  text: string;
  /** string, shell: the content, undefined when something in it is computed. */
  value?: string;
  /** string, shell: static text before the first computed part. */
  prefix?: string;
}

export interface Dialect {
  lineComments: readonly string[];
  blockComments?: readonly (readonly [string, string])[];
  /** Quote characters of strings that interpolate and of those that don't. */
  quotes: { plain: string; computed: string };
  /** How code begins inside a computing string: "{" (f-strings), "${", "#{"; `$name` interpolates where sigils does. */
  interpolation?: "${" | "#{" | "{";
  /** A back-quoted text: a string (template literal) or a shell command. */
  backquote?: "string" | "shell";
  triple?: boolean;
  /** Python's f/r/b prefixes decide about interpolation. */
  prefixes?: boolean;
  /** Variables carry `$`, and strings interpolate `$name` and `@name`. */
  sigils?: string;
  /** `$` is a letter of names (JavaScript). */
  dollar?: boolean;
  /** `/x/` after an operator is a regular expression. */
  regex?: boolean;
  /** q(), qq{}, qx//, m//, s///, tr/// of Perl; %w() %q() %x() of Ruby. */
  quoteLike?: "perl" | "ruby";
  /** Lua's [[long strings]]. */
  long?: boolean;
  heredocs?: boolean;
}

const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** Undefined when the text is not well formed for the dialect (an unclosed string or comment). */
export function tokenise(text: string, dialect: Dialect, depth = 0): Token[] | undefined {
  if (depth > deepest) return undefined;
  const reader = new Reader(text, dialect, depth);
  return reader.all() ? reader.tokens : undefined;
}

/** Code inside strings inside code inside strings: no person writes more. */
const deepest = 12;

class Reader {
  readonly tokens: Token[] = [];
  private at = 0;
  private readonly inner: string[] = [];
  private budget = 2 * longestText;
  /** Labels of here-documents that have no end in the rest of the text. */
  private readonly endless = new Set<string>();

  constructor(
    private readonly text: string,
    private readonly dialect: Dialect,
    private readonly depth: number,
  ) {}

  all(): boolean {
    while (this.at < this.text.length) {
      if (this.budget-- < 0 || !this.step()) return false;
    }
    // Code inside strings is read last, as statements of its own: order does not matter to the analysers.
    for (const code of this.inner) {
      const tokens = tokenise(code, this.dialect, this.depth + 1);
      if (!tokens) return false;
      this.tokens.push({ kind: "newline", text: "\n" }, ...tokens);
    }
    return true;
  }

  private step(): boolean {
    const { text, dialect } = this;
    const char = text[this.at]!;
    if (char === "\n") {
      this.push("newline", "\n", 1);
      return true;
    }
    if (char === " " || char === "\t" || char === "\r") {
      this.at++;
      return true;
    }
    if (char === "\\" && text[this.at + 1] === "\n") {
      this.at += 2;
      return true;
    }
    const comment = dialect.lineComments.find((mark) => text.startsWith(mark, this.at));
    if (comment && !(comment === "#" && dialect.sigils && this.previous()?.text === "$")) {
      const long = dialect.long && /^--\[(=*)\[/.exec(text.slice(this.at, this.at + 40));
      if (long) return this.skipTo(`]${long[1]}]`);
      const end = text.indexOf("\n", this.at);
      this.at = end < 0 ? text.length : end;
      return true;
    }
    for (const [open, close] of dialect.blockComments ?? [])
      if (text.startsWith(open, this.at)) return this.skipTo(close, open.length);
    if (dialect.long && /^\[=*\[/.test(text.slice(this.at, this.at + 20))) return this.longString();
    if (dialect.heredocs && text.startsWith("<<", this.at) && this.heredoc()) return true;
    if (char === "`" && dialect.backquote)
      return this.quoted("`", dialect.backquote === "shell" ? "shell" : "string", true);
    if (dialect.quotes.plain.includes(char)) return this.quoted(char, "string", false);
    if (dialect.quotes.computed.includes(char)) return this.quoted(char, "string", true);
    if (dialect.quoteLike === "ruby" && char === "%" && this.startsPercent() && this.rubyPercent()) return true;
    if (
      /[A-Za-z_\x80-\uffff]/.test(char) ||
      (dialect.dollar && char === "$") ||
      (dialect.sigils?.includes(char) && /[A-Za-z_{0-9!]/.test(text[this.at + 1] ?? ""))
    )
      return this.word();
    if (/[0-9]/.test(char)) {
      const number = /^[0-9][\w.]*/.exec(text.slice(this.at, this.at + 64))![0];
      this.push("number", number, number.length);
      return true;
    }
    const symbol =
      dialect.quoteLike === "ruby" && char === ":" && /^:(\w+[?!]?)(?!:)/.exec(text.slice(this.at, this.at + 80));
    if (symbol && text[this.at - 1] !== ":" && !/\w/.test(text[this.at - 1] ?? "")) {
      this.push("string", symbol[0], symbol[0].length, symbol[1]);
      return true;
    }
    if (dialect.regex && char === "/" && this.expectsOperand() && this.regularExpression()) return true;
    const op = /^(\.{2,3}|\?\.|->|=>|::|\*\*|&&|\|\||[=!]==?|[<>]=|=~|!~|\+=|-=|\.=|<<|>>|[\s\S])/.exec(
      text.slice(this.at, this.at + 3),
    )![0];
    this.push("op", op, op.length);
    return true;
  }

  private push(kind: Token["kind"], text: string, length: number, value?: string, prefix?: string): void {
    this.tokens.push({
      kind,
      text,
      ...(kind === "string" || kind === "shell" ? { value, prefix: prefix ?? value ?? "" } : {}),
    });
    this.at += length;
  }

  private previous(): Token | undefined {
    return this.tokens.at(-1);
  }

  /** Where an operand can begin, `/` is a regular expression and `%` a quoted word list. */
  private expectsOperand(): boolean {
    const last = this.previous();
    if (!last || last.kind === "newline") return true;
    if (last.kind === "op") return !/^[)\]}]$/.test(last.text);
    return last.kind === "name" && beforeOperand.has(last.text);
  }

  /** `puts %w(a b)` is a list, `x % y` and `x %y` are not. */
  private startsPercent(): boolean {
    if (this.expectsOperand()) return true;
    return this.text[this.at - 1] === " " && /^%[wWiIqQxr][^\w\s]/.test(this.text.slice(this.at, this.at + 3));
  }

  private skipTo(close: string, from = 0): boolean {
    const end = this.text.indexOf(close, this.at + from);
    if (end < 0) return false;
    this.at = end + close.length;
    return true;
  }

  private longString(): boolean {
    const open = /^\[(=*)\[/.exec(this.text.slice(this.at, this.at + 20))!;
    const close = `]${open[1]}]`;
    const end = this.text.indexOf(close, this.at);
    if (end < 0) return false;
    const value = this.text.slice(this.at + open[0].length, end);
    this.push("string", value, end + close.length - this.at, value);
    return true;
  }

  private word(): boolean {
    const slice = this.text.slice(this.at, this.at + 256);
    const match = (
      this.dialect.dollar
        ? /^[\w$\x80-\uffff]+/
        : /^[$@%&]*(?:\{\^?\w+\}|\^?[A-Za-z_0-9\x80-\uffff!][\w\x80-\uffff]*)[?!]?/
    ).exec(slice);
    if (!match) {
      this.push("op", slice[0]!, 1);
      return true;
    }
    let name = match[0];
    if (!this.dialect.quoteLike || this.dialect.quoteLike === "perl") name = name.replace(/[?!]$/, "");
    else if (/[?!]$/.test(name) && slice[name.length] === "=") name = name.slice(0, -1);
    const next = this.text[this.at + name.length] ?? "";
    if (this.dialect.prefixes && /^[rbfuRBFUtT]{1,2}$/.test(name) && (next === "'" || next === '"')) {
      this.at += name.length;
      return this.quoted(next, "string", /[fFtT]/.test(name), /[rR]/.test(name));
    }
    if (this.dialect.quoteLike === "perl" && /^(q|qq|qw|qx|qr|m|s|tr|y)$/.test(name) && this.perlQuote(name))
      return true;
    this.push("name", name, name.length);
    return true;
  }

  private quoted(quote: string, kind: "string" | "shell", computes: boolean, raw = false): boolean {
    const { text, dialect } = this;
    const triple = dialect.triple && text.startsWith(quote.repeat(3), this.at);
    const close = triple ? quote.repeat(3) : quote;
    const start = this.at + close.length;
    const interpolates = computes && (!dialect.prefixes || computes);
    let value = "";
    let prefix: string | undefined;
    let at = start;
    while (!text.startsWith(close, at)) {
      const char = text[at];
      if (char === undefined || this.budget-- < 0) return false;
      if (char === "\n" && dialect.prefixes && !triple) return false;
      if (char === "\\") {
        const code = raw
          ? undefined
          : /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|([0-7]{3}))/.exec(
              text.slice(at, at + 12),
            );
        const all = interpolates || !!dialect.prefixes || !dialect.sigils;
        if (code && all) value += String.fromCodePoint(Math.min(codePoint(code), 0x10ffff));
        else value += raw ? text.slice(at, at + 2) : unescaped(text[at + 1] ?? "", all);
        at += code && all ? code[0].length : 2;
        continue;
      }
      if (interpolates) {
        const code = this.interpolation(at);
        if (code === "broken") return false;
        if (code) {
          if (home.test(text.slice(at, code.end))) value += "~";
          else prefix ??= value;
          at = code.end;
          continue;
        }
      }
      if (dialect.interpolation === "{" && interpolates && (char === "{" || char === "}")) at++;
      value += char;
      at++;
    }
    const length = at + close.length - this.at;
    this.push(kind, text.slice(this.at, this.at + length), length, prefix === undefined ? value : undefined, prefix);
    return true;
  }

  /** Code or a variable inside a computing string; its source is kept to be read as code. */
  private interpolation(at: number): { end: number } | "broken" | undefined {
    const { text, dialect } = this;
    const open = dialect.interpolation;
    if (open === "{" && text.startsWith("{{", at)) return undefined;
    if (open && text.startsWith(open, at)) {
      let depth = 1;
      let end = at + open.length;
      while (depth > 0) {
        const char = text[end];
        if (char === undefined || this.budget-- < 0) return "broken";
        if (char === "{") depth++;
        if (char === "}") depth--;
        end++;
      }
      const code = text.slice(at + open.length, end - 1);
      this.inner.push(open === "{" ? code.replace(/(![rsa])?(:[^'"()[\]]*)?$/, "").replace(/=$/, "") : code);
      return { end };
    }
    if (!dialect.sigils || open === "#{") return undefined;
    const variable = /^(?:[$@]\{?\w+\}?(?:(?:->)?\[[^\]\n]*\]|(?:->)?\{[^}\n]*\})*|\{\$[^}]*\}|@\{\[)/.exec(
      text.slice(at, at + 200),
    );
    if (!variable) return undefined;
    if (variable[0] === "@{[") {
      const end = text.indexOf("]}", at);
      if (end < 0) return "broken";
      this.inner.push(text.slice(at + 3, end));
      return { end: end + 2 };
    }
    return { end: at + variable[0].length };
  }

  private heredoc(): boolean {
    const mark = /^<<[~-]?\s?(["'`]?)([A-Za-z_]\w*)\1/.exec(this.text.slice(this.at, this.at + 80));
    if (!mark || (mark[0].includes(" ") && !mark[1]) || !this.expectsOperand()) {
      const php = /^<<<\s*(["']?)([A-Za-z_]\w*)\1\n/.exec(this.text.slice(this.at, this.at + 80));
      if (!php) return false;
      return this.body(php[0].length, php[2]!, php[1] !== "'", "string");
    }
    const line = this.text.indexOf("\n", this.at);
    if (line < 0 || this.endless.has(mark[2]!)) return false;
    const end = new RegExp(`^[ \\t]*${mark[2]}[;,)]*$`, "m").exec(this.text.slice(line + 1));
    if (!end) {
      this.endless.add(mark[2]!);
      return false;
    }
    const body = this.text.slice(line + 1, line + 1 + end.index);
    const computed = mark[1] !== "'" && /#\{|[$@]\w/.test(body);
    this.push(mark[1] === "`" ? "shell" : "string", mark[0], 0, computed ? undefined : body, "");
    if (mark[1] !== "'") for (const [, code] of body.matchAll(/#\{([^}]*)\}/g)) this.inner.push(code!);
    // The rest of the line is code; the body is blanked out by splicing it away.
    const rest = this.text.slice(this.at + mark[0].length, line);
    this.inner.push(rest);
    this.at = line + 1 + end.index + end[0].length;
    return true;
  }

  private body(skip: number, label: string, computes: boolean, kind: "string" | "shell"): boolean {
    const start = this.at + skip;
    const end = new RegExp(`^[ \\t]*${label}\\b`, "m").exec(this.text.slice(start));
    if (!end) return false;
    const value = this.text.slice(start, start + end.index);
    const computed = computes && /[$]\w|\{\$/.test(value);
    this.push(kind, value, skip + end.index + end[0].length, computed ? undefined : value, "");
    return true;
  }

  private regularExpression(): boolean {
    const match = /^\/(?![*\s])(?:[^\\/\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(
      this.text.slice(this.at, this.at + 2000),
    );
    if (!match) return false;
    this.push("string", match[0], match[0].length, match[0]);
    return true;
  }

  private rubyPercent(): boolean {
    const match = /^%([wWiIqQxrs]?)([^\w\s])/.exec(this.text.slice(this.at, this.at + 3));
    if (!match) return false;
    const part = this.delimited(this.at + match[0].length - 1);
    if (!part) return false;
    if (/[wi]/i.test(match[1] ?? "") && !part.value.includes("#{")) {
      this.push("op", "[", 0);
      for (const word of part.value.split(/\s+/).filter(Boolean)) {
        this.push("string", word, 0, word);
        this.push("op", ",", 0);
      }
      this.push("op", "]", part.end - this.at);
      return true;
    }
    const computed = !/[wiqs]/.test(match[1] || "Q") && part.value.includes("#{");
    if (computed) for (const [, code] of part.value.matchAll(/#\{([^}]*)\}/g)) this.inner.push(code!);
    this.push(match[1] === "x" ? "shell" : "string", "%", part.end - this.at, computed ? undefined : part.value, "");
    return true;
  }

  private perlQuote(name: string): boolean {
    const after = /^\s*([^\w\s,;=)])/.exec(this.text.slice(this.at + name.length, this.at + name.length + 8));
    if (!after || (after[1] === "=" && this.text[this.at + name.length + after[0].length] === ">")) return false;
    if (name === "y" && !/[/{]/.test(after[1]!)) return false;
    const first = this.delimited(this.at + name.length + after[0].length - 1);
    if (!first) return false;
    let end = first.end;
    if (/^(s|tr|y)$/.test(name)) {
      const open = this.text[this.at + name.length + after[0].length - 1]!;
      let from = end - 1;
      if (closing[open]) from = end + (/^\s*/.exec(this.text.slice(end, end + 40))?.[0].length ?? 0);
      const second = this.delimited(from);
      if (!second) return false;
      end = second.end;
      const flags = /^[a-z]*/.exec(this.text.slice(end, end + 16))![0];
      end += flags.length;
      // s///e evaluates its replacement as code.
      if (name === "s" && flags.includes("e")) this.inner.push(second.value);
    } else if (/^(m|qr)$/.test(name)) end += /^[a-z]*/.exec(this.text.slice(end, end + 16))![0].length;
    const computed = /^(qq|qx)$/.test(name) && /[$@]\w/.test(first.value);
    this.push(name === "qx" ? "shell" : "string", name, end - this.at, computed ? undefined : first.value, "");
    return true;
  }

  private delimited(at: number): { value: string; end: number } | undefined {
    const open = this.text[at]!;
    const close = closing[open] ?? open;
    let depth = 1;
    let index = at + 1;
    for (; index < this.text.length; index++) {
      if (this.budget-- < 0) return undefined;
      const char = this.text[index];
      if (char === "\\") index++;
      else if (char === close && --depth === 0) return { value: this.text.slice(at + 1, index), end: index + 1 };
      else if (char === open && closing[open]) depth++;
    }
    return undefined;
  }
}

/** Names an operand follows, so that a slash or a percent sign after them opens a text. */
const beforeOperand = wordSet(`
  return and or not if unless while until case when typeof in of puts print p split grep push join x void delete
  await yield else do`);

/** The home directory, as code inside a string: analysers write it "~". */
const homeExpressions = [
  /(?:process\.env|os\.environ|ENV)(?:\.HOME|\[['"]HOME['"]\])/,
  /(?:require\(['"](?:node:)?os['"]\)\.|os\.)?homedir\(\)/,
  /Dir\.home|(?:pathlib\.)?Path\.home\(\)/,
  /os\.path\.expanduser\(['"]~['"]\)|os\.getenv\(['"]HOME['"]\)/,
  /\$ENV\{['"]?HOME['"]?\}|\$_SERVER\[['"]?HOME['"]?\]/,
];
const home = new RegExp(`^(?:[$#]?\\{\\s*)?(?:${homeExpressions.map((one) => one.source).join("|")})\\s*\\}?$`);

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\n": "" };

function unescaped(char: string, all: boolean): string {
  if (!all) return char === "'" || char === "\\" ? char : `\\${char}`;
  return escapes[char] ?? char;
}

const codePoint = ([, hex, unicode, braced, octal]: RegExpExecArray): number =>
  octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? unicode ?? braced ?? "0", 16);
