// PowerShell text to commands: statements, pipelines, words, blocks; as much grammar as that takes.
// Invariant: one pass over the text; a word with a part that is not static has no value, its static beginning is kept.

export interface Word {
  source: string;
  value?: string;
  prefix: string;
  quoted?: boolean;
  /** The variable the word begins with, when it is nothing but one (with or without a property behind it). */
  variable?: string;
  /** The commands of a `{ block }` or `( expression )`. */
  inner?: Statement[];
}

export interface Command {
  words: Word[];
  /** Files that `>` and `>>` write. */
  writes: Word[];
  /** `&` stands in front: the first word is run, whatever it is. */
  called?: boolean;
}

/** The stages of one pipeline. */
export type Statement = Command[];

export type Variables = (name: string) => string | undefined;

const deepest = 60;

export function statementsOf(text: string, variables: Variables): Statement[] {
  return new Reader(text, variables).statements(0);
}

class Reader {
  #at = 0;

  constructor(
    readonly text: string,
    readonly variables: Variables,
  ) {}

  /** Reads up to the end of the text or the bracket that closes this level. */
  statements(depth: number): Statement[] {
    const found: Statement[] = [];
    let statement: Statement = [];
    let command: Command = { words: [], writes: [] };
    const endCommand = () => {
      if (command.words.length || command.writes.length) statement.push(command);
      command = { words: [], writes: [] };
    };
    const endStatement = () => {
      endCommand();
      if (statement.length) found.push(statement);
      statement = [];
    };
    const { text } = this;
    while (this.#at < text.length) {
      const char = text[this.#at]!;
      if (char === ")" || char === "}") {
        if (depth > 0) break;
        this.#at++;
      } else if (char === "\n" || char === ";") {
        this.#at++;
        endStatement();
      } else if (/[\s,]/.test(char)) this.#at++;
      else if (char === "`" && /\r?\n/.test(text.slice(this.#at + 1, this.#at + 3))) this.#at += 2;
      else if (char === "#") this.#skipTo("\n");
      else if (text.startsWith("<#", this.#at)) this.#skipTo("#>", 2);
      else if (char === "|" || char === "&") {
        const double = text[this.#at + 1] === char;
        this.#at += double ? 2 : 1;
        // A single & in front of a command calls it.
        if (double) endStatement();
        else if (char === "|") endCommand();
        else if (command.words.length) endStatement();
        else command.called = true;
      } else if (char === ">" || /^[\d*]>/.test(text.slice(this.#at, this.#at + 2))) {
        this.#at = text.indexOf(">", this.#at) + (text[text.indexOf(">", this.#at) + 1] === ">" ? 2 : 1);
        while (text[this.#at] === " ") this.#at++;
        if (text[this.#at] === "&") this.#at += 2;
        else command.writes.push(this.#word(depth));
      } else command.words.push(this.#word(depth));
    }
    endStatement();
    return found;
  }

  #skipTo(end: string, length = 0): void {
    const at = this.text.indexOf(end, this.#at);
    this.#at = at < 0 ? this.text.length : at + length;
  }

  #word(depth: number): Word {
    const start = this.#at;
    const { text } = this;
    let value = "";
    let prefix: string | undefined;
    let quoted = false;
    let inner: Statement[] | undefined;
    const add = (part: string | undefined) => {
      if (part === undefined) prefix ??= value;
      else value += part;
    };
    const nest = (length: number) => {
      this.#at += length;
      inner ??= [];
      if (depth < deepest) for (const statement of this.statements(depth + 1)) inner.push(statement);
      this.#at++;
      add(undefined);
    };
    while (this.#at < text.length && !/[\s,;|&<>)}#]/.test(text[this.#at]!)) {
      const char = text[this.#at]!;
      const opening = /^(?:[$@]?\(|@?\{)/.exec(text.slice(this.#at, this.#at + 2))?.[0];
      if (opening) {
        nest(opening.length);
        if (opening === "{") break;
      } else if (char === "'") {
        quoted = true;
        add(this.#single());
      } else if (char === '"') {
        quoted = true;
        this.#double(add, nest);
      } else if (char === "$") add(this.#variable());
      else if (char === "`") {
        add(text[this.#at + 1] ?? "");
        this.#at += 2;
      } else {
        add(char);
        this.#at++;
      }
    }
    // A bracket that closes nothing: never stand still.
    if (this.#at === start) this.#at++;
    const source = text.slice(start, this.#at);
    const variable = /^\$\{?([\w:]+)\}?(?:\.\w+)*$/.exec(source)?.[1]?.toLowerCase();
    return {
      source,
      prefix: prefix ?? value,
      ...(prefix === undefined && { value }),
      ...(quoted && { quoted }),
      ...(variable && { variable }),
      ...(inner && { inner }),
    };
  }

  #single(): string {
    let value = "";
    for (;;) {
      const end = this.text.indexOf("'", this.#at + 1);
      value += this.text.slice(this.#at + 1, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.text.length : end + 1;
      if (end < 0 || this.text[this.#at] !== "'") return value;
      value += "'";
    }
  }

  #double(add: (part: string | undefined) => void, nest: (length: number) => void): void {
    const { text } = this;
    this.#at++;
    while (this.#at < text.length && text[this.#at] !== '"') {
      const char = text[this.#at]!;
      if (char === "`") {
        const escaped = text[this.#at + 1] ?? "";
        add({ n: "\n", t: "\t", r: "\r", 0: "\0" }[escaped] ?? escaped);
        this.#at += 2;
      } else if (text.startsWith("$(", this.#at)) nest(2);
      else if (char === "$" && /[\w{:]/.test(text[this.#at + 1] ?? "")) add(this.#variable());
      else {
        add(char);
        this.#at++;
      }
    }
    this.#at++;
  }

  #variable(): string | undefined {
    const { text } = this;
    const found = /^\$(?:\{([^}]*)\}|((?:env:|global:|script:)?\w+))?/i.exec(text.slice(this.#at, this.#at + 200))!;
    this.#at += found[0].length;
    const name = found[1] ?? found[2];
    return name === undefined ? "$" : this.variables(name.toLowerCase());
  }
}
