// Declarations in a parsed text: functions, classes with their members, types, constants at the top. Invariant: goes
// into classes and namespaces, never into functions: what is local to one is part of it.
import { nodeText, type SyntaxNode, type SyntaxTree } from "../syntax/syntax-tree.js";
import type { DeclaredSymbol } from "./symbols.js";

const named = new Set([
  ...["FunctionDeclaration", "AmbientFunctionDeclaration", "InterfaceDeclaration", "TypeAliasDeclaration"],
  ...["EnumDeclaration", "FunctionDefinition", "TypeDefinition"],
]);
const wrappers = new Set(["ExportDeclaration", "AmbientDeclaration", "DecoratedStatement", "StatementGroup"]);
const containers = new Set(["ClassDeclaration", "ClassExpression", "ClassDefinition", "NamespaceDeclaration"]);
const bodies = new Set(["ClassBody", "Body", "Block"]);
const functionValues = new Set(["ArrowFunction", "FunctionExpression", "ClassExpression"]);

export function declarationsInTree(tree: SyntaxTree): DeclaredSymbol[] {
  const starts = lineStarts(tree.text);
  const found: DeclaredSymbol[] = [];
  for (const child of tree.root.children) collect(child, "", child, false);
  return found;

  function add(name: string, outer: string, { from, to }: SyntaxNode): void {
    found.push({ name: outer ? `${outer}.${name}` : name, start: lineAt(starts, from), end: lineAt(starts, to) });
  }

  /** `whole` is the statement with its decorators and `export`. */
  function collect(node: SyntaxNode, outer: string, whole: SyntaxNode, exported: boolean): void {
    const { name, children } = node;
    if (wrappers.has(name)) {
      const isExport = exported || name === "ExportDeclaration";
      const before = found.length;
      const extent = name === "StatementGroup" ? undefined : whole;
      for (const child of children) collect(child, outer, extent ?? child, isExport);
      const isDefault = name === "ExportDeclaration" && children.some((child) => child.name === "default");
      if (isDefault && found.length === before) add("default", outer, whole);
    } else if (containers.has(name)) container(node, outer, whole, exported);
    else if (named.has(name)) {
      const id = nameIn(node);
      if (id) add(id, outer, whole);
    } else if (name === "VariableDeclaration") variables(node, outer, whole, exported);
    else if (name === "AssignStatement" && !outer) assignment(node, whole);
    else if (name === "MethodDeclaration" || name === "PropertyDeclaration") member(node, outer, whole);
  }

  function container(node: SyntaxNode, outer: string, whole: SyntaxNode, exported: boolean): void {
    const id = nameIn(node) ?? (exported ? "default" : undefined);
    if (!id) return;
    add(id, outer, whole);
    const path = outer ? `${outer}.${id}` : id;
    for (const body of node.children)
      if (bodies.has(body.name)) for (const child of body.children) collect(child, path, child, false);
  }

  /** A constant counts when others can use it, or when it is a function or class. */
  function variables(node: SyntaxNode, outer: string, whole: SyntaxNode, exported: boolean): void {
    const { children } = node;
    for (const [i, child] of children.entries()) {
      if (child.name !== "VariableDefinition") continue;
      const end = children.findIndex(({ name }, j) => j > i && name === ",");
      const value = children.slice(i, end < 0 ? undefined : end).find(({ name }) => functionValues.has(name));
      if (exported || value) add(nodeText(child, tree), outer, whole);
    }
  }

  function assignment({ children }: SyntaxNode, whole: SyntaxNode): void {
    for (const [i, child] of children.entries())
      if (child.name === "VariableName" && (i === 0 || children[i - 1]!.name === ","))
        add(nodeText(child, tree), "", whole);
      else if (child.name === "AssignOp") return;
  }

  function member(node: SyntaxNode, outer: string, whole: SyntaxNode): void {
    const id = node.children.find(({ name }) => /^(?:Private)?PropertyDefinition$|^String$/.test(name));
    if (id) add(nodeText(id, tree).replace(/^(["'])(.*)\1$/, "$2"), outer, whole);
  }

  function nameIn({ children }: SyntaxNode): string | undefined {
    const id = children.find(({ name }) => /^(?:VariableDefinition|TypeDefinition|VariableName)$/.test(name));
    return id && nodeText(id, tree);
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
