// Compares two texts of other languages token by token. Invariant: knows comments, strings and blanks only, so any
// other difference is one of meaning; a text it can't cut with certainty is compared line by line.
import { directiveComment } from "./directive-comments.js";
import { type TokenRules, tokenRulesFor } from "./token-rules.js";

/** Larger texts would make too many tokens. */
const longestCut = 4 << 20;

export function compareTokens(extension: string, before: string, after: string): "none" | "comments" | "meaning" {
  const isLarge = Math.max(before.length, after.length) > longestCut;
  const rules = isLarge ? undefined : tokenRulesFor(extension, [before, after]);
  const [a, b] = [before, after].map((text) => (rules ? cut(text, rules) : lines(text))) as [Cut?, Cut?];
  if (!a || !b) return "meaning";
  if (a.tokens.length !== b.tokens.length || a.tokens.some((token, i) => token !== b.tokens[i])) return "meaning";
  return a.comments.join("\n") === b.comments.join("\n") ? "none" : "comments";
}

interface Cut {
  tokens: string[];
  comments: string[];
}

/** Line ends and blanks at the end of lines count nowhere; inside a string that spans lines they could. */
function lines(text: string): Cut {
  const tokens = text.split(/\r?\n/).map((line) => line.replace(/[ \t]+$/, ""));
  while (tokens.at(-1) === "") tokens.pop();
  return { tokens, comments: [] };
}

const word = /[\p{L}\p{N}_$]+(?:\.[\p{N}][\p{L}\p{N}_]*)?/uy;
const operator = /[^\p{L}\p{N}_$\s"'`()[\]{};,]+|[^\s]/uy;

/** Undefined: a comment or string without an end. */
function cut(text: string, rules: TokenRules): Cut | undefined {
  const tokens: string[] = [];
  const comments: string[] = [];
  let at = 0;
  let lineStart = true;
  while (at < text.length) {
    const blanks = /[^\S\n]*/y;
    blanks.lastIndex = at;
    const run = blanks.exec(text)![0];
    if (run && !lineStart && rules.layout === "blanks") tokens.push(" ");
    if (lineStart && rules.layout === "indented" && /\S/.test(text[at + run.length] ?? ""))
      tokens.push(`indent ${run}`);
    at += run.length;
    if (text[at] === "\n") {
      if (rules.layout !== "free" && tokens.at(-1) === " ") tokens.pop();
      if (rules.layout !== "free" && tokens.length && tokens.at(-1) !== "\n") tokens.push("\n");
      at++;
      lineStart = true;
      continue;
    }
    if (at >= text.length) break;
    const end = commentEnd(text, at, rules);
    if (end === -1) return undefined;
    if (end) {
      const comment = text.slice(at, end).trim();
      if (directiveComment(comment)) tokens.push(comment);
      else comments.push(comment.replace(/\s+/g, " "));
      if (rules.layout === "indented" && lineStart) tokens.pop();
      at = end;
      continue;
    }
    if (rules.preprocessor && lineStart && text[at] === "#") {
      const line = /(?:\\\r?\n|[^\n])*/y;
      line.lastIndex = at;
      const written = line.exec(text)![0];
      tokens.push(written.trimEnd());
      at += written.length;
      continue;
    }
    lineStart = false;
    const next = stringEnd(text, at, rules) ?? plainEnd(text, at, rules);
    if (next === -1) return undefined;
    tokens.push(text.slice(at, next));
    at = next;
  }
  while (tokens.at(-1) === "\n" || tokens.at(-1) === " ") tokens.pop();
  return { tokens, comments };
}

/** 0: no comment here; -1: it has no end. */
function commentEnd(text: string, at: number, { line, block, nested }: TokenRules): number {
  if (line.some((mark) => text.startsWith(mark, at) && isCommentMark(text, at, mark))) {
    const end = text.indexOf("\n", at);
    return end < 0 ? text.length : end;
  }
  const kind = block.find(([open]) => text.startsWith(open, at));
  if (!kind) return 0;
  const [open, close] = kind;
  let depth = 1;
  let i = at + open.length;
  while (i < text.length) {
    if (text.startsWith(close, i)) {
      i += close.length;
      if (--depth === 0) return i;
    } else if (nested && text.startsWith(open, i)) {
      depth++;
      i += open.length;
    } else i++;
  }
  return -1;
}

/** `a#b` and `$#` are no comments; neither is `#{`. */
const isCommentMark = (text: string, at: number, mark: string): boolean =>
  mark !== "#" || ((at === 0 || /\s/.test(text[at - 1]!)) && text[at + 1] !== "{");

/** Undefined: no string here; -1: it has no end. */
function stringEnd(text: string, at: number, rules: TokenRules): number | undefined {
  const raw = rules.raw.find(([open]) => text.startsWith(open, at));
  if (raw) {
    const end = text.indexOf(raw[1], at + raw[0].length);
    return end < 0 ? -1 : end + raw[1].length;
  }
  const quote = text[at]!;
  if (!rules.quotes.includes(quote)) return undefined;
  if (quote === "'" && rules.charQuote) {
    const character = /'(?:\\(?:u\{[^}']*\}|x..|u....|U........|[0-7]{1,3}|.)|[^'\\\n])'/uy;
    character.lastIndex = at;
    return character.test(text) ? character.lastIndex : at + 1;
  }
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === quote) return i + 1;
    else if (text[i] === "\n" && rules.stringsEndAtLine) return -1;
  }
  return -1;
}

/** A word, or a run of operator characters up to where a comment begins. */
function plainEnd(text: string, at: number, rules: TokenRules): number {
  word.lastIndex = at;
  if (word.test(text)) return word.lastIndex;
  operator.lastIndex = at;
  operator.test(text);
  const end = operator.lastIndex;
  for (let i = at + 1; i < end; i++) if (commentEnd(text, i, rules) !== 0) return i;
  return Math.max(end, at + 1);
}
