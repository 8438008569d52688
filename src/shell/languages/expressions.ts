// Expressions as token lists: splitting, brackets, what computed text is made of.
// Invariant: pure and linear; a list longer than `reach` is looked at only so far.
import { wordSet } from "../word-set.js";
import type { Token } from "./tokens.js";

/** How many tokens of an expression are looked at: enough for any real call, little enough for a hostile one. */
const reach = 300;

const opens = (token: Token) => token.kind === "op" && /^[([{]$/.test(token.text);
const closes = (token: Token) => token.kind === "op" && /^[)\]}]$/.test(token.text);

/** Tokens between the bracket at `open` and its partner. */
export function inside(tokens: readonly Token[], open: number): Token[] {
  let depth = 0;
  const end = Math.min(tokens.length, open + reach);
  for (let index = open; index < end; index++) {
    if (opens(tokens[index]!)) depth++;
    if (closes(tokens[index]!) && --depth === 0) return tokens.slice(open + 1, index);
  }
  return tokens.slice(open + 1, end);
}

/** Where the bracket that closes at `close` was opened, -1 when that is out of reach. */
export function opening(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let index = close; index >= Math.max(0, close - reach); index--) {
    if (closes(tokens[index]!)) depth++;
    if (opens(tokens[index]!) && --depth === 0) return index;
  }
  return -1;
}

/** The end of the expression that begins at `from`: where `ends` holds outside brackets, or the bracket around it. */
export function expressionEnd(tokens: readonly Token[], from: number, ends: (token: Token) => boolean): number {
  let depth = 0;
  const last = Math.min(tokens.length, from + reach);
  for (let index = from; index < last; index++) {
    const token = tokens[index]!;
    if (depth === 0 && ends(token)) return index;
    if (opens(token)) depth++;
    if (closes(token) && --depth < 0) return index;
  }
  return last;
}

export const trim = (tokens: readonly Token[]): readonly Token[] => tokens.filter((token) => token.kind !== "newline");

export function splitCommas(tokens: readonly Token[]): Token[][] {
  return splitOn(tokens, (token) => token.text === ",").filter((part) => part.length > 0);
}

export function splitOn(tokens: readonly Token[], at: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (opens(token)) depth++;
    if (closes(token)) depth--;
    if (token.kind === "op" && depth === 0 && at(token)) parts.push([]);
    else if (token.kind !== "newline") parts.at(-1)!.push(token);
  }
  return parts;
}

/** `a["b"]` is `a.b`. */
export function subscripts(tokens: readonly Token[]): Token[] {
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

/** "(a + b)" as a whole, undefined when the brackets do not belong together. */
export function withoutParentheses(parts: readonly Token[]): readonly Token[] | undefined {
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
export function withoutDecoding(parts: readonly Token[]): readonly Token[] {
  for (let at = parts.length - 1; at > 1; at--) {
    if (
      parts[at]!.kind !== "name" ||
      !/^(decode|toString|strip|trim|expanduser|resolve|absolute|as_posix)$/.test(parts[at]!.text) ||
      parts[at - 1]!.text !== "."
    )
      continue;
    const rest = parts.slice(at + 1);
    const most = /^(decode|toString|strip|trim)$/.test(parts[at]!.text) ? 3 : 2;
    if (rest[0]?.text === "(" && rest.at(-1)?.text === ")" && rest.length <= most)
      return withoutDecoding(parts.slice(0, at - 1));
    return parts;
  }
  return parts;
}

/** What computed text is made of, in the names the lowering knows origins by. */
export function origins(tokens: readonly Token[]): string[] {
  const names = tokens.filter((token) => token.kind === "name").map((token) => token.text);
  const from: string[] = [];
  const fetchesAddress =
    names.some((name) => opening_.has(name)) && tokens.some((token) => /^["']https?:/.test(token.text));
  if (fetchesAddress || names.some((name) => fetching.has(name))) from.push("curl");
  if (names.some((name) => decoding.has(name))) from.push("base64");
  return from;
}

/** Calls that bring text from elsewhere where they are given an address. */
const opening_ = wordSet("file_get_contents readfile get open");

/** Calls that bring text from elsewhere, and calls that decode it, in any language. */
const fetching = wordSet("urlopen urlretrieve requests httpx fetch axios http https HTTP URI curl_exec LWP getstore");
const decoding = wordSet(`
  b64decode urlsafe_b64decode standard_b64decode b32decode a85decode decodebytes unhexlify fromhex decompress atob
  decode64 urlsafe_decode64 base64_decode gzinflate str_rot13 decode_base64 unpack codecs Buffer marshal
  fromCharCode`);
