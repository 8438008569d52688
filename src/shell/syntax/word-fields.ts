// The fields that one word becomes: text is added piece by piece and split at separators.
// Invariant: from the first piece that is not static on, only the text before it is kept, as `prefix`.
import type { Text } from "../analyze/scope.js";
import type { Arg } from "../analyze/tool.js";

/** Collects the fields of one word. */
export class WordFields {
  readonly #done: Arg[] = [];
  readonly #source: string;
  #text = "";
  #prefix: string | undefined;
  #present = false;
  #glob = false;
  #process: Arg["process"];
  #variables: string[] | undefined;
  #from: string[] | undefined;
  #unset = false;

  constructor(source: string) {
    this.#source = source;
  }

  empty(): boolean {
    return !this.#present && this.#text === "";
  }

  add(text: string, glob = false): this {
    this.#text += text;
    if (text !== "") this.#present = true;
    if (glob) this.#glob = true;
    return this;
  }

  quoted(): this {
    this.#present = true;
    return this;
  }

  unquote(): void {
    if (this.#text === "" && this.#prefix === undefined) this.#present = false;
  }

  unknown(): void {
    this.#prefix ??= this.#text;
    this.#present = true;
  }

  /** A variable nobody assigned stands here. */
  maybeEmpty(): void {
    this.#unset = true;
  }

  mention(name: string): void {
    (this.#variables ??= []).push(name);
  }

  origin(from: readonly string[]): void {
    if (from.length) (this.#from ??= []).push(...from);
  }

  process(process: Arg["process"]): void {
    this.#process = process;
  }

  text(text: Text, quoted: boolean, separators: string): void {
    if (text.from) this.origin(text.from);
    if (text.value === undefined && text.pattern !== undefined) {
      this.add(text.pattern, true);
      return;
    }
    if (text.value === undefined) {
      if (this.#prefix === undefined) this.#prefix = this.#text + text.prefix;
      this.#present = true;
      return;
    }
    if (quoted) {
      this.add(text.value);
      return;
    }
    let start = 0;
    const { value } = text;
    for (let at = 0; at <= value.length; at++) {
      if (at < value.length && !separators.includes(value[at]!)) continue;
      const piece = value.slice(start, at);
      this.add(piece, /[*?[]/.test(piece));
      if (at < value.length) this.next();
      start = at + 1;
    }
  }

  next(): void {
    if (this.#present) this.#done.push(this.#field());
    this.#text = "";
    this.#prefix = undefined;
    this.#present = false;
    this.#glob = false;
    this.#process = undefined;
  }

  finish(): Arg[] {
    this.next();
    return this.#done;
  }

  /** One word that is not split: a glob in it can only be what a variable stands for. */
  single(): Arg {
    const { value, glob, ...field } = this.#field();
    if (!glob || value === undefined) return value === undefined ? field : { ...field, value };
    return { ...field, prefix: fixedPart(value), pattern: value };
  }

  #field(): Arg {
    const arg: Arg = { source: this.#source, prefix: this.#prefix ?? this.#text };
    if (this.#prefix === undefined) arg.value = this.#text;
    if (this.#glob) arg.glob = true;
    if (this.#process) arg.process = this.#process;
    if (this.#variables) arg.variables = this.#variables;
    if (this.#from) arg.from = this.#from;
    const alone = this.#unset ? /^("?)\$(?:\w+|\{\w+\})\1$/.exec(this.#source) : null;
    if (alone) arg.maybeEmpty = alone[1] ? "stays" : "vanishes";
    return arg;
  }
}

/** What a pattern's matches begin with; a name in this directory begins with `./`. */
export function fixedPart(pattern: string): string {
  const fixed = pattern.slice(0, pattern.search(/[*?[]/));
  return fixed.includes("/") ? fixed : `./${fixed}`;
}
