// Compares two texts of a language we parse. Invariant: "same" only where every difference is layout, comments, a
// consistent renaming of locals, or the order of declarations whose order has no effect.
import { nodeText, type SyntaxNode, type SyntaxTree } from "../syntax/syntax-tree.js";
import { canonicalWords, isDocstring } from "./canonical.js";
import { directiveComment } from "./directive-comments.js";
import type { ResolvedNames } from "./name-scope.js";
import { pythonNames } from "./python-names.js";
import { scriptNames } from "./script-names.js";

export type SyntaxDifference = "none" | "comments" | "names" | "order" | "meaning";

export function compareSyntax(before: SyntaxTree, after: SyntaxTree): SyntaxDifference {
  const [a, b] = [before, after].map((tree) => ({ tree, names: namesOf(tree) })) as [Named, Named];
  const words = ({ tree, names }: Named, naming: "exact" | "free") => canonicalWords(tree, names, tree.root, naming);
  if (before.isModule !== after.isModule) return "meaning";
  if (isSame(words(a, "exact"), words(b, "exact")))
    return isSame(commentsOf(before), commentsOf(after)) ? "none" : "comments";
  if (isSame(words(a, "free"), words(b, "free"))) return "names";
  return isSame(orderless(a), orderless(b)) ? "order" : "meaning";
}

interface Named {
  tree: SyntaxTree;
  names: ResolvedNames;
}

const namesOf = (tree: SyntaxTree): ResolvedNames =>
  tree.language === "python" ? pythonNames(tree) : scriptNames(tree);

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, i) => word === b[i]);

function commentsOf(tree: SyntaxTree): string[] {
  const docs: string[] = [];
  const collect = (node: SyntaxNode): void => {
    if (isDocstring(node, tree)) docs.push(nodeText(node, tree));
    else for (const child of node.children) collect(child);
  };
  if (tree.language === "python") collect(tree.root);
  return [...tree.comments.map(({ from, to }) => tree.text.slice(from, to)), ...docs].map((one) =>
    one.replace(/\s+/g, " ").trim(),
  );
}

interface Item {
  words: string;
  /** Items of one kind that stand together may change places. */
  movable?: "import" | "function" | "type";
  /** What it binds. */
  names: string[];
}

/** The statements at the top, those that may change places sorted. ResolvedNames at the top count as spelled. */
function orderless({ tree, names }: Named): string[] {
  const items = tree.root.children.map((node) => itemOf(node, tree, names));
  const isScript = tree.language === "script";
  // Functions and types of a script exist before its first statement runs, wherever they stand.
  const hoisted = isScript ? items.filter(({ movable }) => movable === "function" || movable === "type") : [];
  const inPlace = items.filter((item) => !hoisted.includes(item));
  const sorted = [...directivesOf(tree), ...hoisted.sort(byName).map(({ words }) => words)];
  for (let i = 0; i < inPlace.length; ) {
    const { movable } = inPlace[i]!;
    let end = i + 1;
    while (movable && inPlace[end]?.movable === movable) end++;
    const run = inPlace.slice(i, end);
    const bound = run.flatMap(({ names: own }) => own);
    const mayMove = movable && (isScript || new Set(bound).size === bound.length);
    sorted.push(...(mayMove ? run.map(({ words }) => words).sort() : run.map(({ words }) => words)));
    i = end;
  }
  return sorted;
}

const directivesOf = ({ comments, text }: SyntaxTree): string[] =>
  comments.map(({ from, to }) => text.slice(from, to).trim()).filter(directiveComment);

/** By name: overloads of one function keep their order. */
const byName = (x: Item, y: Item): number => {
  const [a, b] = [x.names[0] ?? "", y.names[0] ?? ""];
  return a < b ? -1 : a > b ? 1 : 0;
};

function itemOf(node: SyntaxNode, tree: SyntaxTree, names: ResolvedNames): Item {
  const words = canonicalWords(tree, names, node, "top exact").join("\n");
  const item = tree.language === "python" ? pythonItem(node, tree) : scriptItem(node, tree);
  // A directive has to come first to be one.
  const isDirective = /^<ExpressionStatement\nstring/.test(words) && isLeading(node);
  return { words: isDirective ? `first ${words}` : words, ...item };
}

const isLeading = (node: SyntaxNode): boolean =>
  (node.parent?.children.slice(0, node.index) ?? []).every(
    ({ name, children }) => name === "ExpressionStatement" && children[0]?.name === "String",
  );

function scriptItem(node: SyntaxNode, tree: SyntaxTree): Omit<Item, "words"> {
  const inner = node.name === "ExportDeclaration" ? (node.children.find(isDeclaration) ?? node) : node;
  if (node.name === "ImportDeclaration") {
    const isBare = node.children[1]?.name === "String";
    return isBare ? { names: [] } : { movable: "import", names: [] };
  }
  if (inner.name === "FunctionDeclaration") return { movable: "function", names: [nameIn(inner, tree)] };
  if (inner.name === "InterfaceDeclaration" || inner.name === "TypeAliasDeclaration")
    return { movable: "type", names: [nameIn(inner, tree)] };
  return { names: [] };
}

const isDeclaration = ({ name }: SyntaxNode): boolean => name.endsWith("Declaration");

/** In Python a definition runs: only one that computes nothing may move. */
function pythonItem(node: SyntaxNode, tree: SyntaxTree): Omit<Item, "words"> {
  if (node.name === "ImportStatement") {
    const bound = importedNames(node, tree);
    return bound ? { movable: "import", names: bound } : { names: [] };
  }
  if (node.name !== "FunctionDefinition") return { names: [] };
  const runs = node.children.some(
    (child) =>
      child.name === "TypeDef" ||
      child.name === "TypeParamList" ||
      (child.name === "ParamList" && child.children.some(({ name }) => name === "TypeDef" || name === "AssignOp")),
  );
  return runs ? { names: [] } : { movable: "function", names: [nameIn(node, tree)] };
}

/** Undefined: `import *` or a future statement, whose place matters. */
function importedNames(node: SyntaxNode, tree: SyntaxTree): string[] | undefined {
  const { children } = node;
  if (children.some(({ name }) => name === "*") || /__future__/.test(nodeText(node, tree))) return undefined;
  const list = children.slice(children.findIndex(({ name }) => name === "import") + 1);
  return list.flatMap((child, i) => {
    if (child.name !== "VariableName" || list[i - 1]?.name === "." || list[i + 1]?.name === "as") return [];
    return [nodeText(child, tree)];
  });
}

function nameIn(node: SyntaxNode, tree: SyntaxTree): string {
  const found = node.children.find(({ name }) => /^(?:VariableDefinition|TypeDefinition|VariableName)$/.test(name));
  return found ? nodeText(found, tree) : "";
}
