// What a sequence of commands prints, put together from what each prints.
// Invariant: text that is not wholly known is not known at all; where it comes from is kept.

import type { Arg } from "./tool.js";
import type { Output } from "./walk.js";

export class Printed {
  #text: string | undefined = "";
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
    for (const from of output.from) if (this.#from.length < 16 && !this.#from.includes(from)) this.#from.push(from);
  }

  result(): Output {
    return { text: this.#text, from: this.#from, ...(this.#paths && { paths: this.#paths }) };
  }

  uncertain(): Output {
    return { text: this.#text === "" ? "" : undefined, from: this.#from };
  }
}
