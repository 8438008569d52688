// What the shell remembers while it runs: variables, functions, aliases, directory, positional parameters.
// Invariant: a fork never changes its parent; after a branch that may not have run, what differs is unresolved.
import type { CompoundCommand, CompoundList, Redirected } from "unbash";
import type { Arg } from "./tool.js";

/** Text as far as it is known. */
export interface Text {
  value?: string;
  prefix: string;
  /** Programs whose output it carries. */
  from?: string[];
  /** Not known, but one of the paths this pattern names. */
  pattern?: string;
}

export interface Variable {
  text: Text;
  items?: Text[];
  exported?: boolean;
  /** An integer variable: assignments to it are arithmetic and can run substitutions. */
  integer?: boolean;
  /** Removed by `unset`: expands to nothing, and defaults apply. */
  unset?: boolean;
}

export interface FunctionBody {
  body: CompoundCommand | Redirected | CompoundList;
  source: string;
  /** Defined where it was not certain that the definition ran. */
  maybe?: boolean;
}

/** What a file descriptor opened by `exec` stands for: text to read, or a file that is written. */
export interface Descriptor {
  input?: { text?: string; from: string[]; path?: string };
  file?: string;
}

export const unresolved: Text = Object.freeze({ prefix: "" });
export const known = (value: string): Text => ({ value, prefix: value });

export class ShellScope {
  readonly #variables = new Map<string, Variable | undefined>();
  readonly #functions = new Map<string, FunctionBody | undefined>();
  readonly #aliases = new Map<string, string | undefined>();
  readonly parent?: ShellScope;
  /** A process boundary lies between this scope and its parent. */
  #process = false;
  cwd?: string;
  previous?: string;
  /** Directories the shell is in instead when a `cd` did not run or failed. */
  otherDirectories: readonly string[] = [];
  /** Those of them that count only when the last `cd` failed. */
  #whenFailed: readonly string[] = [];
  positional?: readonly Arg[];
  directories: (string | undefined)[] = [];
  #descriptors: ReadonlyMap<string, Descriptor> = new Map();

  /** Exported variables; each fork's object inherits from its parent's. */
  readonly env: Record<string, Arg | undefined>;

  constructor(parent?: ShellScope, env?: Record<string, Arg | undefined>) {
    this.env = Object.create(parent?.env ?? env ?? null);
    if (!parent) return;
    this.parent = parent;
    this.cwd = parent.cwd;
    this.previous = parent.previous;
    this.otherDirectories = parent.otherDirectories;
    this.#whenFailed = parent.#whenFailed;
    this.positional = parent.positional;
    this.directories = parent.directories;
    this.#descriptors = parent.#descriptors;
  }

  descriptor(name: string): Descriptor | undefined {
    return this.#descriptors.get(name);
  }

  openDescriptor(name: string, descriptor: Descriptor): void {
    if (this.#descriptors.size < 64) this.#descriptors = new Map(this.#descriptors).set(name, descriptor);
  }

  fork(): ShellScope {
    return new ShellScope(this);
  }

  /** A child process sees exported variables only; functions are kept because they can be exported. */
  child(positional: readonly Arg[] = []): ShellScope {
    const scope = new ShellScope(this);
    scope.#process = true;
    scope.positional = positional;
    return scope;
  }

  /** `undefined`: nothing is known of this name; a variable whose text is "" was unset or emptied. */
  variable(name: string): Variable | undefined {
    let exportedOnly = false;
    for (let scope: ShellScope | undefined = this; scope; scope = scope.parent) {
      if (scope.#variables.has(name)) {
        const found = scope.#variables.get(name);
        return exportedOnly && !found?.exported ? undefined : found;
      }
      exportedOnly ||= scope.#process;
    }
    return undefined;
  }

  set(name: string, variable: Variable | undefined): void {
    this.#variables.set(name, variable);
    if (variable?.exported) this.env[name] = { source: `$${name}`, ...variable.text };
    else if (name in this.env) this.env[name] = undefined;
  }

  assign(name: string, text: Text): void {
    const old = this.variable(name);
    this.set(name, { text, exported: old?.exported, integer: old?.integer });
  }

  function(name: string): FunctionBody | undefined {
    for (let scope: ShellScope | undefined = this; scope; scope = scope.parent)
      if (scope.#functions.has(name)) return scope.#functions.get(name);
    return undefined;
  }

  define(name: string, body: FunctionBody | undefined): void {
    this.#functions.set(name, body);
  }

  alias(name: string): string | undefined {
    for (let scope: ShellScope | undefined = this; scope; scope = scope.parent)
      if (scope.#aliases.has(name)) return scope.#aliases.get(name);
    return undefined;
  }

  setAlias(name: string, text: string | undefined): void {
    this.#aliases.set(name, text);
  }

  /** Takes over what branches changed. `exhaustive`: exactly one of them surely ran. */
  merge(branches: readonly ShellScope[], exhaustive: boolean): void {
    const names = new Set(branches.flatMap((branch) => [...branch.#variables.keys()]));
    for (const name of names) {
      const before = this.variable(name);
      const outcomes = branches.map((branch) => branch.variable(name));
      if (!exhaustive && before !== undefined) outcomes.push(before);
      const [first, ...rest] = outcomes;
      if (rest.every((other) => same(first, other))) this.set(name, first);
      else this.set(name, { ...(before ?? first), text: unresolved, items: undefined });
    }
    for (const branch of branches) {
      for (const [name, body] of branch.#functions)
        this.define(name, body && !exhaustive && !this.function(name) ? { ...body, maybe: true } : body);
      for (const [name, text] of branch.#aliases) this.setAlias(name, text);
      if (branch.positional !== this.positional) this.positional = exhaustive ? branch.positional : undefined;
      this.directories = branch.directories;
    }
    const directories = new Set(branches.flatMap((branch) => [branch.cwd, ...branch.otherDirectories]));
    if (!exhaustive || directories.size > 1)
      for (const other of [this.cwd, ...this.otherDirectories]) directories.add(other);
    const moved = branches.find((branch) => branch.cwd !== this.cwd);
    if (!moved) return;
    if (branches.some((branch) => branch.cwd === undefined)) this.moveTo(undefined);
    else
      this.moveTo(
        moved.cwd,
        [...directories].filter((directory) => directory !== undefined),
      );
  }

  #locals: Map<string, Variable | undefined> | undefined;

  /** Starts to remember what `local` hides; the result goes to `leaveFunction`. */
  enterFunction(): Map<string, Variable | undefined> | undefined {
    const outer = this.#locals;
    this.#locals = new Map();
    return outer;
  }

  leaveFunction(outer: Map<string, Variable | undefined> | undefined): void {
    for (const [name, variable] of this.#locals ?? []) this.set(name, variable);
    this.#locals = outer;
  }

  /** The variable is the running function's own from here on. */
  local(name: string): void {
    for (let scope: ShellScope | undefined = this; scope; scope = scope.parent) {
      if (!scope.#locals) continue;
      if (!scope.#locals.has(name)) scope.#locals.set(name, scope.variable(name));
      return;
    }
  }

  moveTo(cwd: string | undefined, others: readonly string[] = [], whenFailed: readonly string[] = []): void {
    this.previous = this.cwd;
    this.cwd = cwd;
    this.#whenFailed = whenFailed;
    this.otherDirectories = others.filter((other) => other !== cwd).slice(0, 4);
  }

  /** `cd x && ...`: what follows runs only where the `cd` worked. */
  succeeded(): void {
    this.otherDirectories = this.otherDirectories.filter((other) => !this.#whenFailed.includes(other));
    this.#whenFailed = [];
  }

  /** Whether a variable or the directory was changed here since the fork. */
  changed(): boolean {
    return this.#variables.size > 0 || this.cwd !== this.parent?.cwd;
  }
}

function same(left: Variable | undefined, right: Variable | undefined): boolean {
  return (
    left !== undefined &&
    right !== undefined &&
    left.text.value !== undefined &&
    left.text.value === right.text.value &&
    left.items === undefined &&
    right.items === undefined
  );
}
