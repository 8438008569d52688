// Lean declarations as text: name, statement and proof of each, without comments and strings.
// Invariant: pure and linear; what is not understood stays part of the declaration before it, so that it can't change
// unnoticed.

import { sha256 } from "../../../model/sha256.js";

export interface LeanDeclaration {
  /** Keyword and name: "theorem add_comm". */
  name: string;
  /** Everything up to `:=`, `where` or the first `|`, whitespace removed. */
  signature: string;
  /** The rest, whitespace removed. */
  body: string;
  /** Digest of the variables, sections and notations before it. */
  context: string;
}

export interface LeanFacts {
  /** "theorem name signature", one per declaration. */
  statements: string[];
  /** The same with their proofs. */
  proofs: string[];
  sorries: number;
  axioms: number;
}

const forbidden = new RegExp(
  String.raw`(?<![\w'.!?])(?:axiom|unsafe|native_decide|admit)(?![\w'!?])` +
    // Other names for the same: what the compiler or the kernel takes on trust.
    String.raw`|\b(?:sorryAx|lcProof|ofReduceBool|reduceBool|skipKernelTC|implemented_by)\b|\bdecide\s*\+native\b`,
  "g",
);
const sorry = /(?<![\w'.!?])sorry(?![\w'!?])/g;

/** The text with comments (nested too) and the insides of strings blanked. */
export function bareLean(text: string): string {
  let out = "";
  let at = 0;
  while (at < text.length) {
    if (text.startsWith("--", at)) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (text.startsWith("/-", at)) {
      at = afterComment(text, at);
      out += " ";
    } else if (text[at] === '"') {
      const end = afterString(text, at);
      // In s!"...", m!"..." and f!"..." what stands in braces is code.
      out += text[at - 1] === "!" ? `""${codeIn(text.slice(at + 1, end - 1))}` : '""';
      at = end;
    } else out += text[at++];
  }
  return out;
}

const codeIn = (content: string): string => (content.match(/\{[^{}]*\}/g) ?? []).join(" ");

function afterComment(text: string, start: number): number {
  const marks = /\/-|-\//g;
  marks.lastIndex = start;
  let depth = 0;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    depth += found[0] === "/-" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

function afterString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

const modifiers = "(?:(?:private|protected|noncomputable|partial|unsafe|nonrec|scoped|local)\\s+)*";
const keywords = "theorem|lemma|def|abbrev|structure|inductive|class|instance|axiom|opaque|example";
/** They change what the statements after them mean. */
const scoping = [
  ...["variable", "variables", "universe", "universes", "namespace", "section", "end", "mutual", "include", "omit"],
  ...["notation", "notation3", "infix", "infixl", "infixr", "prefix", "postfix", "macro", "macro_rules", "syntax"],
  ...["elab", "elab_rules", "declare_syntax_cat", "deriving"],
];
/** They begin a part of their own and change no statement. */
const passing = ["open", "import", "export", "set_option", "attribute", "initialize", "suppress_compilation", "#\\w+"];
const attributes = String.raw`(?:@\[[^\]\n]*\][ \t]*)*`;
const declaration = new RegExp(
  String.raw`^[ \t]*${attributes}${modifiers}(${keywords})\b[ \t]*([^\s:({\[]*)` +
    String.raw`|^(?:(?:noncomputable|local|scoped)[ \t]+)?(${[...scoping, ...passing].join("|")})(?![\w'])`,
  "gm",
);

/** Line ends and spaces do not matter in what is compared. */
const packed = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/λ/gu, "fun")
    .replace(/ ?([()[\]{}⟨⟩:,;]) ?/gu, "$1")
    .trim();

export function leanDeclarations(text: string): LeanDeclaration[] {
  const bare = bareLean(text);
  const starts = [...bare.matchAll(declaration)];
  const out: LeanDeclaration[] = [];
  let context = "";
  starts.forEach((found, i) => {
    const whole = bare.slice(found.index, starts[i + 1]?.index ?? bare.length);
    const [, keyword, name, command] = found;
    if (command !== undefined) {
      if (!scoping.includes(command)) return;
      const signature = packed(whole);
      context = sha256(`${context}\n${signature}`).slice(0, 12);
      // A section by itself says nothing; what it changes is in the context of the statements in it.
      if (!/^(?:section|end|namespace|mutual)$/.test(command))
        out.push({ name: `${command} _`, signature, body: "", context });
      return;
    }
    const cut = splitAt(whole, keyword!);
    out.push({
      name: `${keyword} ${name || "_"}`,
      signature: packed(whole.slice(0, cut)),
      body: packed(whole.slice(cut)),
      context,
    });
  });
  return out;
}

/** Where the proof begins: the first `:=` or `|` outside brackets. Structures and inductives are all statement. */
function splitAt(whole: string, keyword: string): number {
  if (/^(?:structure|inductive|class|axiom)$/.test(keyword)) return whole.length;
  let depth = 0;
  /** Only blanks since the line began. */
  let fresh = false;
  for (let at = 0; at < whole.length; at++) {
    const char = whole[at]!;
    if ("([{⟨".includes(char)) depth++;
    else if (")]}⟩".includes(char)) depth--;
    if (depth > 0) continue;
    if (whole.startsWith(":=", at)) return at;
    if (char === "|" && fresh) return at;
    if (fresh || char.trim() === "") fresh = char === "\n" || (fresh && char.trim() === "");
    if (char.trim() === "" && /^\swhere\s/.test(whole.slice(at, at + 7))) return at;
  }
  return whole.length;
}

const statementOf = (d: LeanDeclaration): string => `${d.name} ${d.signature} ${d.context}`;

export function leanFacts(text: string): LeanFacts {
  const all = leanDeclarations(text);
  const bare = bareLean(text);
  return {
    statements: all.map(statementOf),
    proofs: all.map((d) => `${statementOf(d)} ${d.body}`),
    sorries: bare.match(sorry)?.length ?? 0,
    axioms: bare.match(forbidden)?.length ?? 0,
  };
}

/** The words that prove nothing, which the new text holds and the old did not. */
export function newAxiom(before: string, after: string): string | undefined {
  const old = bareLean(before).match(forbidden) ?? [];
  const now = bareLean(after).match(forbidden) ?? [];
  const count = (list: readonly string[], word: string) => list.filter((w) => w === word).length;
  return now.find((word) => count(now, word) > count(old, word));
}

/** A declaration that appeared, went or was restated, in words. */
export function restated(before: readonly string[], after: readonly string[]): string | undefined {
  const left = [...after];
  for (const one of before) {
    const at = left.indexOf(one);
    if (at < 0) return `${nameIn(one)} is gone or reads differently`;
    left.splice(at, 1);
  }
  return left.length ? `${nameIn(left[0]!)} is new` : undefined;
}

const nameIn = (statement: string): string => statement.split(" ").slice(0, 2).join(" ");

/** The first theorem, lemma or instance whose proof is anything but `sorry`. */
export function provedDeclaration(text: string, before: string): string | undefined {
  const old = new Set(leanFacts(before).proofs);
  return leanDeclarations(text).find(
    (d) =>
      /^(?:theorem|lemma|example)\b/.test(d.name) &&
      !/^:= ?(?:by ?)?sorry$/.test(d.body) &&
      !old.has(`${statementOf(d)} ${d.body}`),
  )?.name;
}
