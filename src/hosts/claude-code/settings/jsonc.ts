// Reads a settings file into a tree with offsets. Comments and trailing commas are accepted and reported.
// Invariant: every offset is into the text given, byte order mark included.
import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
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
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const builder = new TreeBuilder(text, mark);
  visit(text.slice(mark), builder.visitor, { allowTrailingComma: true });
  return builder.document();
}

/** Builds our tree from the parser's events, because its own tree does not say where the commas are. */
class TreeBuilder {
  #root: Node | undefined;
  #open: Container[] = [];
  /** A key that waits for its value. */
  #key: { name: string; start: number } | undefined;
  #leniency: { what: Leniency["what"]; at: number } | undefined;

  constructor(
    readonly text: string,
    /** Length of the byte order mark, which the parser does not see. */
    readonly mark: number,
  ) {}

  readonly visitor: JSONVisitor = {
    onObjectBegin: (offset) => this.#begin("object", offset),
    onArrayBegin: (offset) => this.#begin("array", offset),
    onObjectEnd: (offset, length) => this.#end(offset + length),
    onArrayEnd: (offset, length) => this.#end(offset + length),
    onObjectProperty: (name, offset) => {
      this.#key = { name, start: offset + this.mark };
    },
    onLiteralValue: (value: Scalar["value"], offset, length) => {
      const start = offset + this.mark;
      this.#add({ kind: "scalar", start, end: start + length, value });
    },
    onSeparator: (character, offset) => {
      const last = this.#open.at(-1)?.items.at(-1);
      if (character === "," && last) last.comma = offset + this.mark;
    },
    onComment: (offset) => {
      this.#leniency ??= { what: "comment", at: offset + this.mark };
    },
    onError: (code, offset) => this.#fail(reasonFor(code), offset),
  };

  document(): Document {
    const { text } = this;
    if (!this.#root) this.#fail("value expected", text.length - this.mark);
    const { what, at } = this.#leniency ?? {};
    const root = this.#root!;
    return what ? { text, root, leniency: { what, line: lineOf(text, at!) } } : { text, root };
  }

  #begin(kind: "object" | "array", offset: number): void {
    if (this.#open.length >= maxDepth) this.#fail(`it nests deeper than ${maxDepth}`, offset);
    const node: Container = { kind, start: offset + this.mark, end: 0, items: [] };
    this.#add(node);
    this.#open.push(node);
  }

  #end(offset: number): void {
    const node = this.#open.pop()!;
    node.end = offset + this.mark;
    const trailing = node.items.at(-1)?.comma;
    if (trailing !== undefined) this.#leniency ??= { what: "trailing comma", at: trailing };
  }

  #add(value: Node): void {
    const parent = this.#open.at(-1);
    if (!parent) this.#root = value;
    else if (this.#key) parent.items.push({ start: this.#key.start, key: this.#key.name, value });
    else parent.items.push({ start: value.start, value });
    this.#key = undefined;
  }

  #fail(why: string, offset: number): never {
    throw new JsoncError(`line ${lineOf(this.text, offset + this.mark)}: ${why}`);
  }
}

/** "ValueExpected" as "value expected". */
const reasonFor = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\r|\n/).length;

/** The JSON value; of equal keys the last counts. */
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
