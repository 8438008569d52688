// Which binding each name in a TypeScript or JavaScript text refers to. Invariant: what another file, a property
// lookup or `eval` could see keeps its exact name: exports, imports, parameter properties, globals of a plain script.
import {
  childNamed,
  nodeText,
  type SyntaxNode,
  type SyntaxTree,
  siblingAfter,
  siblingBefore,
} from "../syntax/syntax-tree.js";
import { type Binding, bind, type Mention, type NameScope, newScope, type ResolvedNames } from "./name-scope.js";

const statementsWithScope = new Set(["Block", "SwitchBody", "ForStatement", "CatchClause"]);
const typeDeclarations = new Set(["TypeAliasDeclaration", "InterfaceDeclaration", "EnumDeclaration"]);

export function scriptNames(tree: SyntaxTree): ResolvedNames {
  const mentions = new Map<number, Mention>();
  const top = newScope("top");
  top.exact = !tree.isModule;
  let everythingExact = false;
  /** Inside `declare`: other files may see it. */
  let ambient = 0;
  for (const child of tree.root.children) visit(child, top);
  if (everythingExact) exactBelow(top, mentions);
  return { mentions, top, resolve };

  function mention(node: SyntaxNode, scope: NameScope, also?: Mention["also"]): void {
    mentions.set(node.from, { name: nodeText(node, tree), scope, ...(also && { also }) });
  }

  function declare(node: SyntaxNode, given: NameScope, exact = false, also?: Mention["also"]): void {
    const name = nodeText(node, tree);
    const outer = given.kind === "function" && given.parent?.kind === "parameters" ? given.parent : undefined;
    const scope = outer?.names.has(name) ? outer : given; // `var a` beside a parameter a is that parameter
    bind(scope, name, exact || ambient > 0);
    mention(node, scope, also);
  }

  function visitAll(nodes: readonly SyntaxNode[], scope: NameScope): void {
    for (const node of nodes) visit(node, scope);
  }

  function visit(node: SyntaxNode, scope: NameScope): void {
    const { name, children } = node;
    if (name === "VariableName" || name === "TypeName" || name === "VariableDefinition" || name === "TypeDefinition")
      return use(node, scope);
    if (name === "VariableDeclaration") return variables(node, scope);
    if (name === "ObjectPattern" || name === "ArrayPattern") return pattern(node, scope);
    if (name === "Property" && children.length === 1 && children[0]!.name === "PropertyDefinition")
      return mention(children[0]!, scope, "key");
    if (name === "ImportDeclaration") return imports(node, scope);
    if (name === "ExportDeclaration" && childNamed(node, "from")) return;
    if (name === "ExportGroup") return exportGroup(node, scope);
    if (name === "ClassDeclaration" || name === "ClassExpression") return classLike(node, scope);
    if (typeDeclarations.has(name)) return typeLike(node, scope);
    if (name === "NamespaceDeclaration") return namespace(node, scope);
    if (name === "ForOfSpec" || name === "ForInSpec") return forEach(node, scope);
    if (name === "CatchClause") return catchClause(node, newScope("block", scope));
    if (name === "AmbientDeclaration") return ambiently(() => visitAll(children, scope));
    if (name === "WithStatement") everythingExact = true;
    if (children.some((child) => child.name === "ParamList" || child.name === "TypeParamList"))
      return functionLike(node, scope);
    if (name.startsWith("JSX")) return jsx(node, scope);
    if (name === "StaticBlock")
      return visitAll(
        children.flatMap((c) => c.children),
        newScope("function", scope),
      );
    visitAll(children, statementsWithScope.has(name) ? newScope("block", scope) : scope);
  }

  /** A name after a dot is a property, whatever the parser calls it. */
  function use(node: SyntaxNode, scope: NameScope): void {
    const before = siblingBefore(node)?.name;
    if (before === "." || before === "?.") return;
    const name = nodeText(node, tree);
    if (name === "eval" && node.parent?.name === "CallExpression" && node.parent.children[0] === node)
      everythingExact = true;
    if (name === "arguments") for (const at of scopesAround(scope)) at.exact = true;
    mention(node, scope);
  }

  function variables(node: SyntaxNode, scope: NameScope): void {
    const target = childNamed(node, "var") ? functionScope(scope) : scope;
    const exported = isExported(node);
    for (const child of node.children)
      if (child.name === "VariableDefinition") declare(child, target, exported);
      else if (child.name === "ObjectPattern" || child.name === "ArrayPattern") pattern(child, scope, target, exported);
      else visit(child, scope);
  }

  /** A pattern that declares its names in `target`; without one it assigns to names there are. */
  function pattern(node: SyntaxNode, scope: NameScope, target?: NameScope, exact = false): void {
    const { children } = node;
    const takesKey = node.name === "PatternProperty" && children[0]?.name === "VariableDefinition";
    for (const [i, child] of children.entries()) {
      if (child.name === "VariableDefinition") {
        const also = takesKey && i === 0 ? ("key" as const) : undefined;
        if (target) declare(child, target, exact, also);
        else mention(child, scope, also);
      } else if (child.name.endsWith("Pattern") || child.name === "PatternProperty")
        pattern(child, scope, target, exact);
      else if (child.name !== "PropertyName") visit(child, scope);
    }
  }

  function imports(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (child.name === "VariableDefinition") declare(child, scope, true);
      else if (child.name === "ImportGroup")
        for (const one of child.children) if (one.name === "VariableDefinition") declare(one, scope, true);
  }

  function exportGroup(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (child.name === "VariableName" && siblingBefore(child)?.name !== "as")
        mention(child, scope, siblingAfter(child)?.name === "as" ? undefined : "export");
  }

  function functionLike(node: SyntaxNode, scope: NameScope): void {
    const isDeclaration = node.name.endsWith("FunctionDeclaration");
    const outside = node.name === "FunctionExpression" ? newScope("block", scope) : scope;
    const inside = newScope("parameters", outside);
    let reached = false;
    for (const child of node.children) {
      if (child.name === "TypeParamList" || child.name === "ParamList") reached = true;
      if (child.name === "VariableDefinition" && !reached) declare(child, outside, isDeclaration && isExported(node));
      else if (child.name === "ParamList") parameters(child, inside);
      else if (child.name === "TypeParamList") typeParameters(child, inside);
      else if (child.name === "Block" && reached) visitAll(child.children, newScope("function", inside));
      else visit(child, reached ? inside : scope);
    }
  }

  function parameters(node: SyntaxNode, scope: NameScope): void {
    let isProperty = false;
    for (const child of node.children) {
      if (child.name === "Privacy" || child.name === "readonly") isProperty = true;
      else if (child.name === ",") isProperty = false;
      if (child.name === "VariableDefinition") declare(child, scope, isProperty);
      else if (child.name === "ObjectPattern" || child.name === "ArrayPattern") pattern(child, scope, scope);
      else visit(child, scope);
    }
  }

  function typeParameters(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (child.name === "TypeDefinition") declare(child, scope);
      else visit(child, scope);
  }

  function classLike(node: SyntaxNode, scope: NameScope): void {
    const inside = newScope("block", scope);
    for (const child of node.children)
      if (child.name === "VariableDefinition")
        declare(child, node.name === "ClassDeclaration" ? scope : inside, isExported(node));
      else if (child.name === "TypeParamList") typeParameters(child, inside);
      else visit(child, child.name === "Decorator" ? scope : inside);
  }

  function typeLike(node: SyntaxNode, scope: NameScope): void {
    const inside = newScope("block", scope);
    for (const child of node.children)
      if (child.name === "TypeDefinition") declare(child, scope, isExported(node));
      else if (child.name === "TypeParamList") typeParameters(child, inside);
      else {
        if (child.name === "EnumBody")
          for (const member of child.children)
            if (member.name === "PropertyName") bind(inside, nodeText(member, tree), true);
        visit(child, inside);
      }
  }

  function namespace(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (child.name === "VariableDefinition") declare(child, scope, isExported(node));
      else if (child.name === "Block") visitAll(child.children, newScope("function", scope));
  }

  function forEach(node: SyntaxNode, scope: NameScope): void {
    const keyword = childNamed(node, "var", "let", "const", "using");
    const target = keyword?.name === "var" ? functionScope(scope) : keyword ? scope : undefined;
    for (const child of node.children)
      if (child.name === "VariableDefinition" && target) declare(child, target);
      else if (child.name === "ObjectPattern" || child.name === "ArrayPattern") pattern(child, scope, target);
      else visit(child, scope);
  }

  function catchClause(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children)
      if (child.name === "VariableDefinition") declare(child, scope);
      else if (child.name === "ObjectPattern" || child.name === "ArrayPattern") pattern(child, scope, scope);
      else visit(child, scope);
  }

  /** A tag named with a capital or a dot uses a name; attributes and plain tags do not. */
  function jsx(node: SyntaxNode, scope: NameScope): void {
    for (const child of node.children) {
      if (child.name === "JSXBuiltin" || child.name === "JSXNamespacedName") continue;
      if (child.name !== "JSXIdentifier") visit(child, scope);
      else if (node.name !== "JSXAttribute" && siblingBefore(child)?.name !== ".") mention(child, scope);
    }
  }

  function ambiently(action: () => void): void {
    ambient++;
    action();
    ambient--;
  }
}

function resolve({ name, scope }: Mention): Binding | undefined {
  for (let at: NameScope | undefined = scope; at; at = at.parent) {
    const found = at.names.get(name);
    if (found) return found;
  }
  return undefined;
}

function exactBelow(top: NameScope, mentions: ReadonlyMap<number, Mention>): void {
  top.exact = true;
  for (const { scope } of mentions.values()) scope.exact = true;
}

/** Where `var` declares. */
function functionScope(scope: NameScope): NameScope {
  let at = scope;
  while (at.kind === "block" && at.parent) at = at.parent;
  return at;
}

/** A scope and those around it, down from the top. */
function* scopesAround(scope: NameScope): Iterable<NameScope> {
  for (let at: NameScope | undefined = scope; at && at.kind !== "top"; at = at.parent) yield at;
}

function isExported(node: SyntaxNode): boolean {
  const { parent } = node;
  return parent?.name === "ExportDeclaration" || (parent?.name === "AmbientDeclaration" && isExported(parent));
}
