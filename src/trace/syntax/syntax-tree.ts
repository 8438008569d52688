// Texts in TypeScript, JavaScript and Python as plain trees, parsed by lezer. Invariant: a tree has no error nodes and
// a bounded depth; comments are a list of their own. Whatever the parser is unsure of has no tree.
import type { Tree } from "@lezer/common";
import { parser as scriptParser } from "@lezer/javascript";
import type { LRParser } from "@lezer/lr";
import { parser as pythonParser } from "@lezer/python";
import { extensionOf, fileKind } from "./file-kind.js";

export interface SyntaxNode {
  name: string;
  from: number;
  to: number;
  children: SyntaxNode[];
  parent?: SyntaxNode;
  /** Its place among its parent's children. */
  index: number;
}

export interface SyntaxTree {
  language: "script" | "python";
  text: string;
  root: SyntaxNode;
  comments: { from: number; to: number }[];
  /** A script that is a module: what it declares at the top is its own. */
  isModule: boolean;
}

/** Deeper trees would overflow the stack somewhere; nobody writes them. */
const deepest = 600;
export const longestParsed = 1 << 20;

const parsers = new Map<string, LRParser>();
const isComment = (name: string): boolean => name === "LineComment" || name === "BlockComment" || name === "Comment";

/** Undefined: a language without a parser here, a syntax error, or too large. */
export function parseSyntax(path: string, text: string): SyntaxTree | undefined {
  const kind = fileKind(path);
  if (text.length > longestParsed || (kind !== "script" && kind !== "python")) return undefined;
  return kind === "python" ? parsePython(text) : parseScript(path, text);
}

function parseScript(path: string, text: string): SyntaxTree | undefined {
  const parser = scriptParserFor(path);
  const comments: SyntaxTree["comments"] = [];
  let parsed = text;
  // This parser fails at a comment in braces between JSX tags. They are blanked, one parse finds most of them.
  for (let round = 0; round < 6; round++) {
    const found = build(parser.parse(parsed), "script", parsed);
    if (found.tree && !found.failed) {
      found.tree.text = text;
      found.tree.comments.push(...comments);
      found.tree.comments.sort((a, b) => a.from - b.from);
      found.tree.isModule = /\.[cm][jt]s$/i.test(path) || looksLikeModule(found.tree.root, text);
      return found.tree;
    }
    const blanked = blankComments(parsed, found.loneComments, comments);
    if (blanked === parsed) return undefined;
    parsed = blanked;
  }
  return undefined;
}

function scriptParserFor(path: string): LRParser {
  const extension = extensionOf(path);
  const dialect = /^[cm]?ts$/.test(extension) ? "ts" : extension === "tsx" ? "ts jsx" : "jsx";
  const parser = parsers.get(dialect) ?? scriptParser.configure({ dialect });
  parsers.set(dialect, parser);
  return parser;
}

/** `{0   }` instead of a comment in braces: as long, and left out when trees are compared. */
function blankComments(text: string, lone: readonly SyntaxNode[], comments: SyntaxTree["comments"]): string {
  let blanked = text;
  for (const { from, to } of lone) {
    const end = blanked.indexOf("}", to);
    if (end < 0 || blanked.slice(to, end).trim()) continue;
    blanked = `${blanked.slice(0, from)}{${blankedMark}${" ".repeat(end - from - 2)}}${blanked.slice(end + 1)}`;
    comments.push({ from, to: end + 1 });
  }
  return blanked;
}

const blankedMark = "0";

function parsePython(text: string): SyntaxTree | undefined {
  const { tree, failed } = build(pythonParser.parse(text), "python", text);
  return tree && !failed && isIndentedWell(tree) ? tree : undefined;
}

/** The tree of a text that may have errors: good enough to find declarations, not to compare. */
export function parseLoosely(path: string, text: string): SyntaxTree | undefined {
  const kind = fileKind(path);
  if (text.length > longestParsed || (kind !== "script" && kind !== "python")) return undefined;
  const parser = kind === "python" ? pythonParser : scriptParserFor(path);
  return build(parser.parse(text), kind, text).tree;
}

function build(
  parsed: Tree,
  language: SyntaxTree["language"],
  text: string,
): { tree?: SyntaxTree; failed?: boolean; loneComments: SyntaxNode[] } {
  const comments: SyntaxTree["comments"] = [];
  const loneComments: SyntaxNode[] = [];
  let failed = false;
  let tooDeep = false;
  let depth = 0;
  let root: SyntaxNode | undefined;
  let top: SyntaxNode | undefined;
  parsed.iterate({
    enter({ name, from, to, type }) {
      if (type.isError) {
        failed = true;
        if (top?.name === "JSXEscape" && top.children.length === 1 && (comments.at(-1)?.from ?? -1) > top.from)
          loneComments.push({ ...top, to: from });
        return false;
      }
      if (isComment(name)) {
        comments.push({ from, to });
        return false;
      }
      if (++depth > deepest) {
        failed = true;
        tooDeep = true;
      }
      const index = top ? top.children.length : 0;
      const node: SyntaxNode = { name, from, to, children: [], index, ...(top && { parent: top }) };
      top?.children.push(node);
      root ??= node;
      top = node;
      return undefined;
    },
    leave() {
      depth--;
      top = top?.parent;
    },
  });
  if (!root || tooDeep) return { loneComments };
  return { loneComments, failed, tree: { language, text, root, comments, isModule: false } };
}

/** It imports or exports, in the manner of ECMAScript or CommonJS. */
function looksLikeModule(root: SyntaxNode, text: string): boolean {
  const isCommonJs = (node: SyntaxNode): boolean => {
    const first = node.children[0];
    const name = first?.name === "VariableName" ? text.slice(first.from, first.to) : "";
    if (node.name === "CallExpression" && name === "require") return true;
    if (node.name === "MemberExpression" && (name === "module" || name === "exports")) return true;
    return node.children.some(isCommonJs);
  };
  const declarations = root.children.map(({ name }) => name);
  return declarations.includes("ImportDeclaration") || declarations.includes("ExportDeclaration") || isCommonJs(root);
}

/** The parser accepts a dedent to nowhere and mixed tabs; Python does not. */
function isIndentedWell({ root, text }: SyntaxTree): boolean {
  const check = (node: SyntaxNode, outer: string): boolean => {
    let own: string | undefined = node === root ? "" : undefined;
    for (const child of node.children) {
      if (child.name === ":") continue;
      const indent = indentOf(text, child.from);
      if (indent === undefined) continue;
      own ??= indent;
      if (indent !== own) return false;
    }
    if (node !== root && own !== undefined && !(own.startsWith(outer) && own.length > outer.length)) return false;
    return bodiesIn(node).every((body) => check(body, own ?? outer));
  };
  return check(root, "");
}

function bodiesIn(node: SyntaxNode): SyntaxNode[] {
  return node.children.flatMap((child) =>
    child.name === "Body" || child.name === "MatchBody" ? [child] : bodiesIn(child),
  );
}

/** The blanks before a statement that begins a line. */
function indentOf(text: string, from: number): string | undefined {
  const start = Math.max(text.lastIndexOf("\n", from - 1), text.lastIndexOf("\r", from - 1)) + 1;
  const before = text.slice(start, from).replace(/^\ufeff/, "");
  return /^[ \t\f]*$/.test(before) ? before : undefined;
}

/** A comment in braces between JSX tags, see above. */
export const isBlankedComment = (node: SyntaxNode, tree: SyntaxTree): boolean =>
  node.name === "JSXEscape" && commentsBetween(tree, node.from, node.to)[0]?.from === node.from;

export const nodeText = (node: SyntaxNode, tree: SyntaxTree): string => tree.text.slice(node.from, node.to);

export const childNamed = (node: SyntaxNode, ...names: string[]): SyntaxNode | undefined =>
  node.children.find(({ name }) => names.includes(name));

export const siblingBefore = (node: SyntaxNode): SyntaxNode | undefined => node.parent?.children[node.index - 1];
export const siblingAfter = (node: SyntaxNode): SyntaxNode | undefined => node.parent?.children[node.index + 1];

/** The comments between two places. */
export function commentsBetween(tree: SyntaxTree, from: number, to: number): SyntaxTree["comments"] {
  const { comments } = tree;
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comments[middle]!.from < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < comments.length && comments[end]!.to <= to) end++;
  return comments.slice(low, end);
}
