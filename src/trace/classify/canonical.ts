// A syntax tree as a list of words in which layout, comments and names of locals leave no mark. Invariant: two texts
// with the same list do the same; every token is in it, but for those the language allows to leave out.
import {
  commentsBetween,
  isBlankedComment,
  type SyntaxNode,
  type SyntaxTree,
  siblingAfter,
  siblingBefore,
} from "../syntax/syntax-tree.js";
import { directiveComment } from "./directive-comments.js";
import { type Binding, isExact, type ResolvedNames } from "./name-scope.js";

export type Naming =
  /** Locals by the order in which they first appear. */
  | "free"
  /** As "free", but names declared at the top as they are spelled. */
  | "top exact"
  /** Every name as it is spelled. */
  | "exact";

/** Blanks inside these are part of a value. */
const rawInside = new Set(["TemplateString", "TemplateType", "FormatString", "FormatSpec"]);
/** Compared as they are written, escapes inside them included. */
const wholeTokens = new Set(["String", "JSXAttributeValue", "RegExp", "JSXText"]);
const commaLists = new Set([
  ...["ArgList", "ParamList", "ArrayExpression", "ObjectExpression", "ObjectPattern", "ArrayPattern", "ImportGroup"],
  ...["ExportGroup", "EnumBody", "TypeParamList", "TypeArgList", "DictionaryExpression", "SetExpression"],
]);
/** A line break after one of these means something. */
const breakMatters = new Set(
  "async return throw break continue yield type declare abstract namespace module interface get set using".split(" "),
);
const closing = new Set([")", "]", "}", ">"]);

export function canonicalWords(tree: SyntaxTree, names: ResolvedNames, part: SyntaxNode, naming: Naming): string[] {
  const { text, language } = tree;
  let words: string[] = [];
  const numbers = new Map<Binding, number>();
  const keepDocs = /\b__doc__\b/.test(text);
  add(part);
  return words;

  function add(node: SyntaxNode): void {
    const { name, children, from, to } = node;
    if (isLeftOut(node)) return;
    if (!children.length || wholeTokens.has(name)) return leaf(node);
    const flat = name === "StatementGroup";
    if (!flat) words.push(`<${name}`);
    if (name === "FormatReplacement" && children.some((child) => child.name === "FormatSelfDoc"))
      words.push(`shown ${text.slice(from, to)}`); // f"{x=}" prints the name
    if (naming === "top exact" && (name === "ImportGroup" || name === "ExportGroup")) return sortedList(node);
    let at = from;
    for (const child of children) {
      gap(node, at, child.from);
      add(child);
      at = child.to;
    }
    gap(node, at, to);
    if (!flat) words.push(">");
  }

  /** Text that belongs to no node: blanks, or part of a string. */
  function gap(node: SyntaxNode, from: number, to: number): void {
    if (from === to) return;
    const between = text.slice(from, to);
    if (rawInside.has(node.name)) return void words.push(`raw ${between}`);
    if (!/\S/.test(between)) return;
    let kept = "";
    let at = from;
    for (const comment of commentsBetween(tree, from, to)) {
      const written = text.slice(comment.from, comment.to);
      if (directiveComment(written)) words.push(`directive ${written.trim()}`);
      kept += `${text.slice(at, comment.from)} `;
      at = comment.to;
    }
    kept = `${kept}${text.slice(at, to)}`
      .replace(/\\\r?\n/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    if (kept) words.push(`gap ${kept}`);
  }

  /** The names of an import or export list, sorted. */
  function sortedList(node: SyntaxNode): void {
    const outside = words;
    const entries: string[][] = [[]];
    for (const child of node.children) {
      if (child.name === ",") entries.push([]);
      words = entries.at(-1)!;
      if (!["{", "}", ","].includes(child.name)) add(child);
    }
    words = outside;
    for (const entry of entries.map((one) => one.join(" ")).sort()) if (entry) words.push(entry);
  }

  function leaf(node: SyntaxNode): void {
    const { name, from, to } = node;
    const written = text.slice(from, to);
    if (name === "JSXText") {
      const shown = jsxText(written);
      if (shown) words.push(`JSXText ${shown}`);
      return;
    }
    const mention = names.mentions.get(from);
    if (!mention)
      words.push(name === "String" || name === "JSXAttributeValue" ? plainString(written) : `${name} ${written}`);
    else if (mention.also === "key" && written === "__proto__") words.push(`own ${nameOf(from)}`);
    else if (mention.also === "key")
      words.push(`${name === "VariableDefinition" ? "PropertyName" : name} ${written}`, ": :", `name ${nameOf(from)}`);
    else if (mention.also === "export") words.push(`name ${nameOf(from)}`, "as as", `VariableName ${written}`);
    else words.push(`name ${nameOf(from)}`);
    if (language === "script" && breakMatters.has(written) && hasBreak(to, endOfGap(node))) words.push("break");
    if (name === "Arrow" && hasBreak(siblingBefore(node)?.to ?? from, from)) words.push("break");
  }

  function nameOf(from: number): string {
    const mention = names.mentions.get(from)!;
    if (naming === "exact") return mention.name;
    const binding = names.resolve(mention);
    if (!binding) return `free ${mention.name}`;
    if (naming === "top exact" && binding.scope === names.top) return `top ${mention.name}`;
    const number = numbers.get(binding) ?? numbers.size;
    numbers.set(binding, number);
    return isExact(binding) ? `${number} ${binding.name}` : String(number);
  }

  function isLeftOut(node: SyntaxNode): boolean {
    const { name, parent } = node;
    if (language === "python") return (name === "," && isTrailingComma(node)) || name === ";" || isDoc(node);
    if (name === ";") return parent?.name !== "ForSpec" && !isBody(node);
    if (name === ",") return isTrailingComma(node) || parent?.name === "ObjectType";
    if (name === "(" || name === ")") return parent?.name === "ParamList";
    return isBlankedComment(node, tree);
  }

  /** `if (a);`: the semicolon is what is done. */
  function isBody({ parent }: SyntaxNode): boolean {
    return /^(?:If|For|While|Do|Labeled|With)Statement$/.test(parent?.name ?? "");
  }

  function isDoc(node: SyntaxNode): boolean {
    return !keepDocs && isDocstring(node, tree);
  }

  function endOfGap(node: SyntaxNode): number {
    return siblingAfter(node)?.from ?? node.to;
  }

  function hasBreak(from: number, to: number): boolean {
    return /[\n\r\u2028\u2029]/.test(text.slice(from, to));
  }
}

/** A string that documents the module, class or function it begins. */
export function isDocstring(node: SyntaxNode, tree: SyntaxTree): boolean {
  const { name, children, parent } = node;
  if (name !== "ExpressionStatement" || !parent || children.length !== 1) return false;
  const holder = parent.name === "Body" ? parent.parent?.name : parent.name;
  if (holder !== "Script" && holder !== "FunctionDefinition" && holder !== "ClassDefinition") return false;
  if (node.index !== (parent.name === "Body" ? 1 : 0)) return false;
  const value = children[0]!;
  const isText = ({ name, from }: SyntaxNode) => name === "String" && /["'rRuU]/.test(tree.text[from]!);
  return isText(value) || (value.name === "ContinuedString" && value.children.every(isText));
}

/** Not in `[a,,]`, where the last comma makes an element, nor in a tuple. */
function isTrailingComma(node: SyntaxNode): boolean {
  const { parent } = node;
  if (!parent || !commaLists.has(parent.name)) return false;
  const after = siblingAfter(node);
  const before = siblingBefore(node)?.name;
  return (!after || closing.has(after.name)) && before !== "," && before !== "[" && before !== "(" && before !== "*";
}

/** The same string in the other quotes is the same value. */
function plainString(written: string): string {
  const found = /^(['"])([^'"\\]*)\1$/.exec(written);
  return `string ${found ? `"${found[2]}"` : written}`;
}

/** What React makes of text between tags: lines trimmed, empty ones dropped. */
function jsxText(written: string): string {
  const lines = written.split(/\r\n|\n|\r/);
  return lines
    .map((line, i) => {
      const start = i === 0 ? line : line.replace(/^[ \t]+/, "");
      return i === lines.length - 1 ? start : start.replace(/[ \t]+$/, "");
    })
    .filter((line) => line)
    .join(" ");
}
