// What a sequence of commands prints, put together from what each prints.
// Invariant: text that is not wholly known is not known at all; its known pieces and where it comes from are kept.

import type { Output } from "./run-context.js";
import type { Arg } from "./tool.js";

export class Printed {
  #text: string | undefined = "";
  /** The pieces that are known, whether or not all are. */
  #pieces = "";
  #paths: readonly Arg[] | undefined;
  #count = 0;
  readonly #from: string[] = [];

  add(output: Output): void {
    if (output.text === "" && output.from.length === 0) return;
    this.#paths = this.#count++ === 0 ? output.paths : undefined;
    this.#text =
      this.#text === undefined || output.text === undefined || this.#text.length > 65_536
        ? undefined
        : this.#text + output.text;
    const piece = output.text ?? output.pieces ?? "";
    if (this.#pieces.length + piece.length <= 65_536) this.#pieces += piece;
    for (const from of output.from) if (this.#from.length < 16 && !this.#from.includes(from)) this.#from.push(from);
  }

  result(): Output {
    return {
      text: this.#text,
      from: this.#from,
      ...(this.#paths && { paths: this.#paths }),
      ...this.#known(this.#text),
    };
  }

  uncertain(): Output {
    const text = this.#text === "" ? "" : undefined;
    return { text, from: this.#from, ...this.#known(text) };
  }

  #known(text: string | undefined): Pick<Output, "pieces"> {
    return text === undefined && this.#pieces !== "" ? { pieces: this.#pieces } : {};
  }
}
