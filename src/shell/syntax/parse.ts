// The one adapter on the parser `unbash`, with a guard against what the parser gets wrong or does slowly.
// Invariant: text becomes a tree only when every character of it is accounted for; otherwise the failure has a reason.

import { forEachChild, type ParsedScript, parse, type SyntaxNode, type Word } from "unbash";
import { longestText } from "../longest-text.js";

/** `partial`: what the parser made of text with a syntax error; bash runs the lines before the error. */
export type ParsedShell =
  | { script: ParsedScript; source: string; failure?: undefined }
  | { failure: string; partial?: ParsedScript; tooLong?: boolean };

/** Linux refuses a single argument above 128 KB, so no host can run a longer `bash -c` text anyway. */
const longest = longestText;
/** The parser's own limit is 256; beyond about a thousand open braces it turns quadratic. */
const deepest = 200;

export function parseShell(source: string): ParsedShell {
  if (source.length > longest) return { failure: `longer than ${longest} characters`, tooLong: true };
  const refused = prescan(source);
  if (refused) return { failure: refused };
  try {
    const script = parse(source);
    const doubt = inspect(script, source);
    return doubt ? { failure: doubt, partial: script } : { script, source };
  } catch (error) {
    // The parser recurses without a limit on some inputs (`f() f() f() ...`); its stack overflow means: not understood.
    return { failure: `the parser gave up: ${error instanceof Error ? error.message : "unknown fault"}` };
  }
}

/** A single word, for text produced by brace expansion. */
export function parseWord(text: string): Word | undefined {
  const parsed = parseShell(`: ${text}`);
  if (parsed.failure !== undefined) return undefined;
  const command = parsed.script.commands[0]?.command;
  if (command?.type !== "Command" || parsed.script.commands.length !== 1) return undefined;
  const [word, ...more] = command.suffix;
  return more.length === 0 && word?.type === "Word" ? word : undefined;
}

function prescan(source: string): string | undefined {
  let round = 0;
  let curly = 0;
  let square = 0;
  for (let at = 0; at < source.length; at++) {
    switch (source.charCodeAt(at)) {
      case 0x28:
        if (++round > deepest) return `nested deeper than ${deepest}`;
        break;
      case 0x29:
        if (round > 0) round--;
        break;
      case 0x7b:
        if (++curly > deepest) return `nested deeper than ${deepest}`;
        break;
      case 0x7d:
        if (curly > 0) curly--;
        break;
      case 0x5b:
        if (++square > deepest * 4) return `more than ${deepest * 4} open brackets`;
        break;
      case 0x5d:
        if (square > 0) square--;
        break;
      case 0x00:
      case 0x0b:
      case 0x0c:
        return "control character that shells and parsers read differently";
      case 0x0d:
        if (source.charCodeAt(at + 1) !== 0x0a) return "lone carriage return";
        break;
      case 0x24:
        if (source.charCodeAt(at + 1) === 0x5c && source.charCodeAt(at + 2) === 0x0a)
          return "line continuation after $";
        break;
    }
  }
  return undefined;
}

const covering = new Set([
  "Word",
  "Assignment",
  "Redirect",
  "HereString",
  "HereDoc",
  "HereDocBody",
  "TestCommand",
  "ArithmeticCommand",
  "ArithmeticFor",
]);

/** Visits every node, nested scripts included, and says what makes the tree doubtful. */
function inspect(root: ParsedScript, source: string): string | undefined {
  const scripts: { script: ParsedScript; source: string }[] = [{ script: root, source }];
  for (let next = scripts.pop(); next; next = scripts.pop()) {
    const text = next.script.source ?? next.source;
    const covered: number[] = [];
    const pending: { node: SyntaxNode; quoted: boolean }[] = [{ node: next.script, quoted: false }];
    for (let item = pending.pop(); item; item = pending.pop()) {
      const { node, quoted } = item;
      if (node.type === "Script") {
        if (node.errors?.length) return `syntax error: ${node.errors[0]!.message}`;
        if (node !== next.script && node.source !== undefined) {
          scripts.push({ script: node, source: node.source });
          continue;
        }
      }
      const doubt = doubtful(node, quoted);
      if (doubt) return doubt;
      if (covering.has(node.type)) covered.push(node.pos, node.end);
      if (node.type === "HereDoc") {
        covered.push(node.body.pos, node.body.end);
        if (node.closing) covered.push(node.closing.pos, node.closing.end);
      }
      const inside =
        quoted || node.type === "DoubleQuoted" || node.type === "LocaleString" || node.type === "HereDocBody";
      const enters = node.type === "CommandExpansion" || node.type === "ProcessSubstitution" ? false : inside;
      forEachChild(node, (child) => {
        pending.push({ node: child, quoted: enters });
      });
    }
    const doubt = uncovered(text, covered, next.script);
    if (doubt) return doubt;
  }
  return undefined;
}

function doubtful(node: SyntaxNode, quoted: boolean): string | undefined {
  switch (node.type) {
    case "Redirect":
      if ((node.operator === ">&" || node.operator === "<&") && /^\d*-./.test(node.target?.text ?? ""))
        return "descriptor closed in front of a word";
      return undefined;
    case "Literal":
      return hidesSubstitution(node.text, quoted) ? "substitution inside literal text" : undefined;
    case "Word":
      return !node.parts && hidesSubstitution(node.text, false) ? "substitution inside a plain word" : undefined;
    case "Glob":
      return node.kind === "bracket" && /\s/.test(node.text) && /[$`]/.test(node.text)
        ? "substitution inside a bracket with a blank"
        : undefined;
    case "AnsiCQuoted":
      return node.text.includes("\\x{") ? "ambiguous escape \\x{" : undefined;
    case "ParameterExpansion":
      return node.operation?.type === "Unknown" ? `unknown expansion ${node.text}` : undefined;
    case "CommandExpansion":
    case "ProcessSubstitution":
      return node.script ? undefined : "substitution that was not parsed";
    case "ArithmeticExpansion":
      return !node.expression && /[$`]/.test(node.text.slice(1)) ? "arithmetic that was not parsed" : undefined;
    case "ArithmeticCommand":
      return !node.expression && /[$`]/.test(node.body) ? "arithmetic that was not parsed" : undefined;
    default:
      return undefined;
  }
}

function hidesSubstitution(text: string, quoted: boolean): boolean {
  if (!/[`(]/.test(text)) return false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "`") return true;
    else if (text[at + 1] === "(" && (char === "$" || (!quoted && (char === "<" || char === ">")))) return true;
  }
  return false;
}

const reserved = "if|then|elif|else|fi|for|select|in|while|until|do|done|case|esac|function|time|-p|--|coproc";
const structure = new RegExp(`^(?:[\\s;&|(){}!]|\\\\\\n|\\b(?:${reserved})\\b|-p\\b|--)*$`);

/** Everything no node covers must be an operator, a reserved word or a comment that starts where bash sees one. */
function uncovered(text: string, covered: number[], script: ParsedScript): string | undefined {
  const spans: [number, number][] = [];
  for (let at = 0; at < covered.length; at += 2) spans.push([covered[at]!, covered[at + 1]!]);
  spans.sort((left, right) => left[0] - right[0] || right[1] - left[1]);
  const start = script.source === undefined ? script.pos : 0;
  let position = start;
  if (text.startsWith("#!") && start === 0) {
    const end = text.indexOf("\n");
    position = end < 0 ? text.length : end;
  }
  let hash = -1;
  const stop = script.source === undefined && script.end > start ? script.end : text.length;
  for (const [from, to] of [...spans, [stop, stop] as [number, number]]) {
    if (to <= position) continue;
    while (position < from) {
      // Looked for once per #, not once per gap: a text without any would be searched again and again.
      if (hash < position) hash = nextHash(text, position);
      const gapEnd = Math.min(hash, from);
      if (!structure.test(text.slice(position, gapEnd))) return "text the parser did not account for";
      position = gapEnd;
      if (gapEnd === from) break;
      if (hash > 0 && !/[\s;&|(]/.test(text[hash - 1]!)) return "a # that shells and parsers read differently";
      const line = text.indexOf("\n", hash);
      position = line < 0 ? from : line;
    }
    position = Math.max(position, to);
  }
  return undefined;
}

function nextHash(text: string, from: number): number {
  const found = text.indexOf("#", from);
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}
