// Adds, removes or replaces one entry in the text of a settings file.
// Invariant: every other byte stays: comments, trailing commas, indentation, line ends and a byte order mark.
import type { Json } from "../../../model/json.js";
import type { Container, Document, Node } from "./jsonc.js";

/** Appends an item to a container and returns the new text. `key` for objects. */
export function appendItem(document: Document, node: Container, value: Json, key?: string): string {
  const { text } = document;
  const style = styleOf(text);
  const last = node.items.at(-1);
  const label = key === undefined ? "" : `${JSON.stringify(key)}:`;
  const open = text.slice(node.start, last ? last.start : node.end);
  const inline = style.compact || (last !== undefined && !/[\r\n]/.test(open));
  if (inline) {
    const gap = style.compact ? "" : " ";
    const body = label + (label ? gap : "") + JSON.stringify(value);
    if (!last) return splice(text, [[node.start + 1, node.start + 1, body]]);
    if (last.comma !== undefined) return splice(text, [[last.comma + 1, last.comma + 1, `${gap}${body},`]]);
    return splice(text, [[last.value.end, last.value.end, `,${gap}${body}`]]);
  }
  const indent = last ? indentAt(text, last.start) : indentAt(text, node.start) + style.unit;
  const rendered = JSON.stringify(value, null, style.unit).replace(/\n/g, style.eol + indent);
  const body = style.eol + indent + label + (label ? " " : "") + rendered;
  if (!last) {
    const empty = !text.slice(node.start + 1, node.end - 1).trim();
    if (!empty) return splice(text, [[node.start + 1, node.start + 1, body]]);
    return splice(text, [[node.start + 1, node.end - 1, body + style.eol + indentAt(text, node.start)]]);
  }
  if (last.comma !== undefined) {
    const place = afterComments(text, last.comma + 1);
    return splice(text, [[place, place, `${body},`]]);
  }
  const place = afterComments(text, last.value.end);
  return splice(text, [
    [last.value.end, last.value.end, ","],
    [place, place, body],
  ]);
}

/** Takes an item out, with the comma that belongs to it, and returns the new text. Comments stay. */
export function removeItem(document: Document, node: Container, index: number): string {
  const { text } = document;
  const item = node.items[index]!;
  const before = node.items[index - 1];
  const isLast = index === node.items.length - 1;
  let start = item.start;
  while (isSpace(text.charCodeAt(start - 1))) start--;
  const end = item.comma === undefined ? item.value.end : item.comma + 1;
  if (node.items.length === 1 && !(text.slice(node.start + 1, start) + text.slice(end, node.end - 1)).trim())
    return splice(text, [[node.start + 1, node.end - 1, ""]]);
  // A line comment before the item must keep its line end when something follows on the item's line.
  const rest = /^[^\r\n]*/.exec(text.slice(end))![0].trim();
  if (rest && /\/\/[^\r\n]*$/.test(text.slice(0, start))) start = item.start;
  const cuts: Cut[] = [[start, end, ""]];
  if (isLast && before && item.comma === undefined) cuts.unshift([before.comma!, before.comma! + 1, ""]);
  return splice(text, cuts);
}

/** Puts another value in place of a node. */
export function replaceValue(document: Document, node: Node, value: Json): string {
  const { text } = document;
  const style = styleOf(text);
  const wasInline = !/[\r\n]/.test(text.slice(node.start, node.end));
  const body = wasInline
    ? JSON.stringify(value)
    : JSON.stringify(value, null, style.unit).replace(/\n/g, style.eol + indentAt(text, node.start));
  return splice(text, [[node.start, node.end, body]]);
}

type Cut = [start: number, end: number, text: string];

function splice(text: string, cuts: Cut[]): string {
  let out = "";
  let at = 0;
  for (const [start, end, insert] of cuts) {
    out += text.slice(at, start) + insert;
    at = end;
  }
  return out + text.slice(at);
}

interface Style {
  eol: string;
  unit: string;
  compact: boolean;
}
function styleOf(text: string): Style {
  const eol = /\r\n|\n|\r/.exec(text.trimEnd())?.[0];
  const unit = /(?:^|[\r\n])([ \t]+)["{}[\]]/.exec(text)?.[1];
  return { eol: eol ?? "\n", unit: unit ?? "  ", compact: eol === undefined && text.trim().length > 2 };
}

/** The white space that begins the line an offset is on. */
function indentAt(text: string, offset: number): string {
  const line = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^\ufeff?([ \t]*)/.exec(text.slice(line))![1]!;
}

/** Past the comments that follow on the same line. */
function afterComments(text: string, offset: number): number {
  let end = offset;
  for (let at = offset; ; ) {
    while (text[at] === " " || text[at] === "\t") at++;
    const next = commentEnd(text, at);
    if (next === undefined) return end;
    at = end = next;
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** Where the comment that begins at `at` ends; undefined when none begins. Comments in a parsed text are closed. */
function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith("/*", at)) return text.indexOf("*/", at + 2) + 2;
  if (!text.startsWith("//", at)) return undefined;
  const lineEnd = /[\r\n]/g;
  lineEnd.lastIndex = at;
  return lineEnd.exec(text)?.index ?? text.length;
}
