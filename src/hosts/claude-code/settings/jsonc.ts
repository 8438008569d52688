// A settings file as text and tree at once, so that one entry can be put in or taken out and every other byte stays.
// Invariant: comments, trailing commas, indentation, line ends and a byte order mark survive each edit; the tree's offsets are into the text given.
import type { Json, JsonObject } from "../../../model/json.js";

export interface Scalar {
  kind: "scalar";
  start: number;
  end: number;
  value: string | number | boolean | null;
}
export interface Container {
  kind: "object" | "array";
  start: number;
  /** Just past the closing bracket. */
  end: number;
  items: Item[];
}
export type Node = Scalar | Container;
export interface Item {
  /** Where the key (in an object) or the value (in an array) begins. */
  start: number;
  key?: string;
  value: Node;
  /** Offset of the comma that follows, if one does. */
  comma?: number;
}

/** Something strict JSON does not have; Claude Code 2.1.325 ignores a file that has it. */
interface Leniency {
  what: "comment" | "trailing comma";
  line: number;
}
export interface Document {
  text: string;
  root: Node;
  /** The first thing in it that is not strict JSON. */
  leniency?: Leniency;
}

export class JsoncError extends Error {}

const maxDepth = 200;

export function parseJsonc(text: string): Document {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let lenient: { what: Leniency["what"]; at: number } | undefined;
  const root = value(0);
  skip();
  if (at < text.length) fail("there is text after the end of the value");
  return lenient ? { text, root, leniency: { what: lenient.what, line: lineOf(text, lenient.at) } } : { text, root };

  function value(depth: number): Node {
    skip();
    if (depth > maxDepth) fail(`it nests deeper than ${maxDepth}`);
    const open = text[at];
    if (open === "{" || open === "[") return container(open === "{" ? "object" : "array", depth);
    return scalar();
  }

  function container(kind: "object" | "array", depth: number): Container {
    const close = kind === "object" ? "}" : "]";
    const node: Container = { kind, start: at++, end: 0, items: [] };
    for (;;) {
      skip();
      if (text[at] === close) break;
      const last = node.items.at(-1);
      if (last && last.comma === undefined) fail(`expected a comma or ${close}`);
      node.items.push(item(kind, depth));
    }
    const trailing = node.items.at(-1)?.comma;
    if (trailing !== undefined) lenient ??= { what: "trailing comma", at: trailing };
    node.end = ++at;
    return node;
  }

  function item(kind: "object" | "array", depth: number): Item {
    const start = at;
    let key: string | undefined;
    if (kind === "object") {
      const name = scalar();
      if (typeof name.value !== "string") fail("expected a key in double quotes");
      key = name.value as string;
      skip();
      if (text[at] !== ":") fail("expected a colon");
      at++;
    }
    const node = value(depth + 1);
    const found: Item = key === undefined ? { start, value: node } : { start, key, value: node };
    skip();
    if (text[at] === ",") found.comma = at++;
    return found;
  }

  function scalar(): Scalar {
    const start = at;
    const end =
      text[at] === '"' ? stringEnd(text, at) : at + (/^[\w+\-.]*/.exec(text.slice(at, at + 64))?.[0].length ?? 0);
    try {
      const parsed = JSON.parse(text.slice(start, end)) as Scalar["value"];
      at = end;
      return { kind: "scalar", start, end, value: parsed };
    } catch {
      // not a JSON value: said with its place instead of the parser's words
      return fail("expected a value");
    }
  }

  function skip(): void {
    for (;;) {
      while (isSpace(text.charCodeAt(at))) at++;
      const end = commentEnd(text, at);
      if (end === undefined) return;
      lenient ??= { what: "comment", at };
      if (end < 0) fail("a comment is not closed");
      at = end;
    }
  }

  function fail(why: string): never {
    throw new JsoncError(`line ${lineOf(text, at)}: ${why}`);
  }
}

export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/).length;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i + 1;
  }
  return text.length;
}

/** Where the comment that begins at `at` ends; undefined when none begins, negative when it is not closed. */
function commentEnd(text: string, at: number): number | undefined {
  if (text[at] !== "/") return undefined;
  if (text[at + 1] === "/") {
    const lineEnd = /[\r\n]/g;
    lineEnd.lastIndex = at;
    return lineEnd.exec(text)?.index ?? text.length;
  }
  if (text[at + 1] !== "*") return undefined;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? -1 : end + 2;
}

/** The value as JavaScript sees it: of equal keys the last counts. */
export function toJson(node: Node): Json {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map((item) => toJson(item.value));
  const object: JsonObject = {};
  for (const { key, value } of node.items)
    Object.defineProperty(object, key!, { value: toJson(value), enumerable: true, configurable: true, writable: true });
  return object;
}

/** The member that counts for a key, and whether the key is there more than once. */
export function member(node: Node | undefined, key: string): { item?: Item; twice: boolean } {
  const found = node?.kind === "object" ? node.items.filter((item) => item.key === key) : [];
  const item = found.at(-1);
  return item ? { item, twice: found.length > 1 } : { twice: false };
}

/** Appends an item to a container and returns the new text. `key` for objects. */
export function append(document: Document, node: Container, value: Json, key?: string): string {
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
export function remove(document: Document, node: Container, index: number): string {
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
export function replace(document: Document, node: Node, value: Json): string {
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
    if (next === undefined || next < 0) return end;
    at = end = next;
  }
}
