// The words a language's analyser is made of: what calls mean, what is harmless, what a name stands for.
// Invariant: types and tables only; nothing here reads a program.
import type { Arg, Emit, Language } from "../analyze/tool.js";
import type { Dialect, Token } from "./tokens.js";

export interface Call {
  /** "os.remove"; ".write_text" for a method of an expression. */
  name: string;
  receiver: Token[];
  args: Token[][];
  /** Keyword arguments, and the keys of an object literal given last. */
  keywords: ReadonlyMap<string, Token[]>;
}

export interface ProgramScope {
  emit: Emit;
  /** The language of the program, for text it evaluates. */
  language: Language;
  /** The program opens no database but one in memory. */
  scratchStore?: boolean;
  /** The static text of an expression, if it has one. */
  constant(tokens: readonly Token[] | undefined): string | undefined;
  /** The expression as a word: resolved when constant. */
  word(tokens: readonly Token[] | undefined): Arg;
  /** What an expression can be: each item of the list a loop walks, or the one word it is. */
  choices(tokens: readonly Token[] | undefined): Arg[];
  /** The static words of a list literal, entries unresolved where they are computed; undefined when it is no list. */
  list(tokens: readonly Token[] | undefined): Arg[] | undefined;
}

export type Meaning = (call: Call, scope: ProgramScope) => void;

export interface Vocabulary {
  /** As people write it. */
  language: string;
  id: Language;
  dialect: Dialect;
  /** Words of the syntax that may stand before "(" or anywhere without being a call. */
  keywords: ReadonlySet<string>;
  /** Separators inside a dotted name. */
  dots: ReadonlySet<string>;
  meanings: Readonly<Record<string, Meaning>>;
  /** Functions, ".methods" and "namespace.*" that change nothing and start nothing. */
  harmless: ReadonlySet<string>;
  /** Modules that may be loaded. */
  modules?: ReadonlySet<string>;
  /** Namespaces that exist without being imported ("fs" in node -e, "File" in Ruby). */
  globals: ReadonlySet<string>;
  /** Rewrites module expressions and records what names stand for. */
  imports?(tokens: Token[], scope: Bindings): Token[];
  /** Files of the project a module can be, relative to the program; the first of each list that exists is loaded. */
  moduleFiles?(module: string, members: readonly string[]): readonly (readonly string[])[];
  /** Calls without parentheses: a known function name followed by an operand. */
  bareCalls?: boolean;
  /** Names with these first characters are variables. */
  sigils?: string;
  /** Functions over constants: path joins and the like. */
  folds?: Readonly<Record<string, (parts: string[]) => string | undefined>>;
  /** Dotted names with a known text: process.env.HOME. */
  texts?: Readonly<Record<string, string>>;
  /** Names of the process environment ("os.environ"). */
  environment?: ReadonlySet<string>;
  /** Tags that run the template literal behind them ("$" of Bun and zx). */
  tags?: ReadonlySet<string>;
  /** Parts of a name that reach behind the vocabulary (reflection). */
  forbidden?: RegExp;
}

export interface Bindings {
  aliases: Map<string, string>;
  unknownModules: string[];
  /** Names that are taken out of a module: they can be modules themselves. */
  members?: Map<string, string[]>;
}

const known = new WeakMap<Vocabulary, ReadonlySet<string>>();

/** Modules and classes whose functions have effects. */
export function namespaces(vocabulary: Vocabulary): ReadonlySet<string> {
  const seen = known.get(vocabulary);
  if (seen) return seen;
  const found = new Set<string>();
  for (const name of Object.keys(vocabulary.meanings))
    if (name.lastIndexOf(".") > 0) found.add(name.slice(0, name.lastIndexOf(".")));
  known.set(vocabulary, found);
  return found;
}

export const ownValue = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
