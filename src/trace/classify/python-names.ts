// Which binding each name in a Python text refers to. Invariant: what another module, a keyword argument or an
// attribute lookup could see keeps its exact name: module and class names, parameters, imports. Only locals are free.
import { nodeText, type SyntaxNode, type SyntaxTree, siblingAfter, siblingBefore } from "../syntax/syntax-tree.js";
import { type Binding, bind, type Mention, type NameScope, newScope, type ResolvedNames } from "./name-scope.js";

/** They read local variables by name. */
const readsLocals = new Set(["eval", "exec", "locals", "vars", "dir"]);
const targetLists = new Set(["TupleExpression", "ArrayExpression", "ParenthesizedExpression"]);

export function pythonNames(tree: SyntaxTree): ResolvedNames {
  const mentions = new Map<number, Mention>();
  const top = newScope("top");
  top.exact = true;
  let everythingExact = false;
  visitAll(tree.root.children, top);
  if (everythingExact) for (const { scope } of mentions.values()) scope.exact = true;
  return { mentions, top, resolve };

  function mention(node: SyntaxNode, scope: NameScope): void {
    mentions.set(node.from, { name: nodeText(node, tree), scope });
  }

  function declare(node: SyntaxNode, scope: NameScope, exact = false): void {
    const name = nodeText(node, tree);
    const isMangled = name.startsWith("__"); // a class around it becomes part of the name
    if (!scope.elsewhere?.has(name)) bind(scope, name, exact || isMangled || scope.kind === "class");
    mention(node, scope);
  }

  function visitAll(nodes: readonly SyntaxNode[], scope: NameScope): void {
    for (const node of nodes) visit(node, scope);
  }

  function visit(node: SyntaxNode, scope: NameScope): void {
    const { name, children } = node;
    if (name === "VariableName") return use(node, scope);
    if (name === "FunctionDefinition") return functionLike(node, scope);
    if (name === "LambdaExpression") return functionLike(node, scope);
    if (name === "ClassDefinition") return classLike(node, scope);
    if (name === "AssignStatement") return assignment(node, scope);
    if (name === "UpdateStatement") return targets([children[0]!], scope, () => visitAll(children.slice(1), scope));
    if (name === "ForStatement") return forLoop(node, scope);
    if (isComprehension(node)) return comprehension(node, scope);
    if (name === "ImportStatement") return imports(node, scope);
    if (name === "ScopeStatement") return takenFromElsewhere(node, scope);
    if (name === "DeleteStatement") return targets(children, scope);
    if (name === "WithStatement" || name === "TryStatement" || name === "AsPattern") return withNames(node, scope);
    if (name === "NamedExpression")
      return targets([children[0]!], walrusScope(scope), () => visitAll(children.slice(1), scope));
    if (name === "CapturePattern") return nodeText(node, tree) === "_" ? undefined : targets(children, scope);
    if (name === "KeywordPattern") return visitAll(children.slice(1), scope);
    if (name === "TypeDefinition" || name === "TypeParam") return targets(children.slice(0, 2), scope);
    if (name === "ArgList") return argumentList(node, scope);
    visitAll(children, scope);
  }

  function use(node: SyntaxNode, scope: NameScope): void {
    if (siblingBefore(node)?.name === ".") return;
    if (readsLocals.has(nodeText(node, tree))) everythingExact = true;
    mention(node, scope);
  }

  /** ResolvedNames that are assigned to; whatever else is among them is an expression. */
  function targets(nodes: readonly SyntaxNode[], scope: NameScope, rest?: () => void): void {
    for (const node of nodes)
      if (node.name === "VariableName") declare(node, scope);
      else if (targetLists.has(node.name)) targets(node.children, scope);
      else visit(node, scope);
    rest?.();
  }

  /** Defaults and annotations belong to the scope around the function. */
  function functionLike(node: SyntaxNode, scope: NameScope): void {
    const inside = newScope("function", scope);
    let reached = false;
    for (const child of node.children) {
      if (child.name === "ParamList") {
        reached = true;
        parameters(child, inside, scope);
      } else if (child.name === "VariableName" && !reached) declare(child, scope);
      else visit(child, reached && child.name !== "TypeDef" ? inside : scope);
    }
  }

  /** A caller can name a parameter, unless it is before "/" or takes the rest. */
  function parameters(node: SyntaxNode, inside: NameScope, outside: NameScope): void {
    const positionalEnd = slashIn(node);
    for (const child of node.children) {
      const before = siblingBefore(child)?.name;
      if (child.name !== "VariableName" || before === "AssignOp") visit(child, outside);
      else declare(child, inside, !(before === "*" || before === "**" || child.from < positionalEnd));
    }
  }

  /** The place of "/" among parameters; the parser gives it no node. */
  function slashIn({ children }: SyntaxNode): number {
    for (const [i, child] of children.entries()) {
      const after = children[i + 1];
      if (after && tree.text.slice(child.to, after.from).trim() === "/") return child.to;
    }
    return -1;
  }

  function classLike(node: SyntaxNode, scope: NameScope): void {
    const inside = newScope("class", scope);
    for (const child of node.children)
      if (child.name === "VariableName") declare(child, scope);
      else visit(child, child.name === "Body" ? inside : scope);
  }

  function assignment(node: SyntaxNode, scope: NameScope): void {
    const last = node.children.findLastIndex(({ name }) => name === "AssignOp");
    const end = last < 0 ? node.children.length : last;
    targets(node.children.slice(0, end), scope, () => visitAll(node.children.slice(end), scope));
  }

  function forLoop(node: SyntaxNode, scope: NameScope): void {
    const first = node.children.findIndex(({ name }) => name === "in");
    targets(node.children.slice(0, first), scope, () => visitAll(node.children.slice(first), scope));
  }

  /** Its names are its own; only what the first `in` names is looked up outside. */
  function comprehension(node: SyntaxNode, scope: NameScope): void {
    const inside = newScope("function", scope);
    inside.comprehension = true;
    let state: "element" | "targets" | "first" | "rest" = "element";
    let first = true;
    for (const child of node.children) {
      if (child.name === "for") state = "targets";
      else if (child.name === "in") {
        state = first ? "first" : "rest";
        first = false;
      } else if (child.name === "if" || child.name === "async") state = "rest";
      else if (state === "targets") targets([child], inside);
      else visit(child, state === "first" ? scope : inside);
    }
  }

  function imports(node: SyntaxNode, scope: NameScope): void {
    const isFrom = node.children[0]?.name === "from";
    let list = !isFrom;
    for (const child of node.children) {
      if (child.name === "import") list = true;
      if (child.name !== "VariableName" || !list) continue;
      const before = siblingBefore(child)?.name;
      const after = siblingAfter(child)?.name;
      if (before === "as" || (before !== "." && after !== "as")) declare(child, scope, true);
    }
  }

  function takenFromElsewhere(node: SyntaxNode, scope: NameScope): void {
    const from = node.children[0]!.name as "global" | "nonlocal";
    scope.elsewhere ??= new Map();
    for (const child of node.children.slice(1)) {
      if (child.name !== "VariableName") continue;
      const name = nodeText(child, tree);
      scope.elsewhere.set(name, from);
      scope.names.delete(name);
      if (from === "global") bind(top, name, true);
      mention(child, scope);
    }
  }

  /** What follows `as` is a target. */
  function withNames(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (siblingBefore(child)?.name === "as") targets([child], scope);
      else visit(child, scope);
  }

  /** `f(x=1)`: x is a name of f's. */
  function argumentList(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (!(child.name === "VariableName" && siblingAfter(child)?.name === "AssignOp")) visit(child, scope);
  }
}

function isComprehension({ name, children }: SyntaxNode): boolean {
  return (
    name.endsWith("ComprehensionExpression") ||
    (name === "ArgList" && children.some((child) => child.name === "for" || child.name === "in"))
  );
}

/** `:=` in a comprehension binds in the function around it. */
function walrusScope(scope: NameScope): NameScope {
  let at = scope;
  while (at.comprehension && at.parent) at = at.parent;
  return at;
}

/** A class's names are seen in its body only, not in the functions there. */
function resolve({ name, scope }: Mention): Binding | undefined {
  let skipFunction = false;
  for (let at: NameScope | undefined = scope; at; at = at.parent) {
    if (at.kind === "class" && at !== scope) continue;
    const from = at.elsewhere?.get(name);
    if (from === "global") return topOf(at).names.get(name);
    if (from === "nonlocal") skipFunction = true;
    if (skipFunction && at.kind === "top") return undefined;
    const found = at.names.get(name);
    if (found) return found;
  }
  return undefined;
}

function topOf(scope: NameScope): NameScope {
  let at = scope;
  while (at.parent) at = at.parent;
  return at;
}
