// The class of changes to TypeScript and JavaScript, a named row each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { classifyChange } from "./classify.js";

const refactor = "AST_REFACTOR";
const evolution = "INTENT_EVOLUTION";
const documentation = "DOCUMENTATION";

type Row = [what: string, before: string, after: string, expected: string, path?: string];

const inFunction = (body: string): string => `export function f(p) { ${body} }\n`;
const body = (what: string, before: string, after: string, expected: string): Row => [
  what,
  inFunction(before),
  inFunction(after),
  expected,
];

const rows: Row[] = [
  // Layout and comments
  ["the same text", "let a = 1;", "let a = 1;", refactor],
  [
    "blanks and line breaks",
    "export const a={b:1,c:[1,2]}",
    "export const a = {\n  b: 1,\n  c: [1, 2],\n}\n",
    refactor,
  ],
  ["a semicolon at the end", "export const a = 1", "export const a = 1;", refactor],
  ["CRLF instead of LF", "export const a = 1;\nf();\n", "export const a = 1;\r\nf();\r\n", refactor],
  ["a trailing comma in a call", "f(a, b)", "f(a, b,)", refactor],
  ["a comma that makes an element", "f([1,,])", "f([1,])", evolution],
  ["quotes of a plain string", "f('a')", 'f("a")', refactor],
  ["quotes where an escape is inside", "f('a\\n')", 'f("b\\n")', evolution],
  ["parentheses round one arrow parameter", "export const f = x => x", "export const f = (x) => x", refactor],
  ["a comment added", "export const a = 1;", "// why\nexport const a = 1;", documentation],
  ["a comment changed", "/** one */ f()", "/** two */ f()", documentation],
  ["a comment removed and layout changed", "f() // x", "\nf()\n", documentation],
  ["a comment and a local renamed", inFunction("let a; /* x */ g(a)"), inFunction("let b; g(b)"), refactor],
  ["@ts-ignore added", "f()", "// @ts-ignore\nf()", evolution],
  ["a reference directive changed", '/// <reference path="a" />\nf()', '/// <reference path="b" />\nf()', evolution],
  ["the hashbang changed", "#!/usr/bin/node\nf()", "#!/usr/bin/bun\nf()", evolution],
  ["return and its value torn apart", inFunction("return p"), inFunction("return\np"), evolution],
  ["++ moved to the next line's variable", "a\n++b", "a++\nb", evolution],
  ["async on a line of its own", "async function f() {}", "async\nfunction f() {}", evolution],
  ["two lines that become a call", "a = b\n;(c)", "a = b\n(c)", evolution],
  ["blanks inside a string with an escape", "f('a  b\\n')", "f('a b\\n')", evolution],
  ["blanks inside a template with an escape", "f(`a  b\\n`)", "f(`a b\\n`)", evolution],
  ["blanks inside a pattern", "f(/a  b\\n/)", "f(/a b\\n/)", evolution],
  [
    "blanks inside an attribute",
    'export default () => <i a="b  c&amp;"/>',
    'export default () => <i a="b c&amp;"/>',
    evolution,
  ],
  ["blanks inside a template", "f(`a  b`)", "f(`a b`)", evolution],
  ["blanks inside a template's hole", `f(\`a \${b} c\`)`, `f(\`a \${ b } c\`)`, refactor],
  ["an empty statement as the body", "if (a) b()", "if (a); b()", evolution],
  // Consistent renaming
  body("a local renamed", "const a = p; return a", "const b = p; return b", refactor),
  body("a local renamed in one place only", "const a = p; return a", "const b = p; return a", evolution),
  ["a parameter renamed", "export function f(a) { return a }", "export function f(b) { return b }", refactor],
  [
    "a destructured local renamed",
    "const { a: b } = o; export default b",
    "const { a: c } = o; export default c",
    refactor,
  ],
  [
    "a key in destructuring renamed",
    inFunction("const { a } = p; return a"),
    inFunction("const { b } = p; return b"),
    evolution,
  ],
  body("destructuring given another local name", "const { a } = p; g(a)", "const { a: b } = p; g(b)", refactor),
  body("a default in destructuring changed", "const { a = 1 } = p; g(a)", "const { a = 2 } = p; g(a)", evolution),
  body("a rest element renamed", "const [a, ...b] = p; g(b)", "const [c, ...d] = p; g(d)", refactor),
  body("a catch variable renamed", "try { g() } catch (e) { h(e) }", "try { g() } catch (x) { h(x) }", refactor),
  body("a loop variable renamed", "for (const a of p) g(a)", "for (const b of p) g(b)", refactor),
  body("a loop over another list", "for (const a of p) g(a)", "for (const a of q) g(a)", evolution),
  body("a nested function renamed", "function a() { a() } a()", "function b() { b() } b()", refactor),
  body("a named function expression renamed", "g(function a() { a() })", "g(function b() { b() })", refactor),
  body("a nested class renamed", "class A {} return new A()", "class B {} return new B()", refactor),
  [
    "a function of the module renamed",
    "function a() {}\nexport default () => a()",
    "function b() {}\nexport default () => b()",
    refactor,
  ],
  ["a global of a plain script renamed", "function a() {}\na()", "function b() {}\nb()", evolution, "x.js"],
  [
    "a variable of a CommonJS file renamed",
    "const a = require('x'); a()",
    "const b = require('x'); b()",
    refactor,
    "x.cjs",
  ],
  [
    "a local in a plain script's function renamed",
    "function f() { var a = 1; g(a) }",
    "function f() { var b = 1; g(b) }",
    refactor,
    "x.js",
  ],
  [
    "a private type renamed",
    "type A = string; export const x: A = ''",
    "type B = string; export const x: B = ''",
    refactor,
  ],
  [
    "a type parameter renamed",
    "export function f<T>(a: T): T { return a }",
    "export function f<U>(a: U): U { return a }",
    refactor,
  ],
  [
    "a component renamed with its tags",
    "const A = () => <i/>; export default () => <A></A>",
    "const B = () => <i/>; export default () => <B></B>",
    refactor,
  ],
  ["a tag changed", "export default () => <i></i>", "export default () => <b></b>", evolution],
  [
    "a component that becomes a plain tag",
    "const A = () => 1; export default () => <A/>",
    "const a = () => 1; export default () => <a/>",
    evolution,
  ],
  ["blank lines between tags", "export default () => <i>\n  <b/>\n</i>", "export default () => <i><b/></i>", refactor],
  ["text between tags", "export default () => <i>a</i>", "export default () => <i>b</i>", evolution],
  [
    "a blank between tags on one line",
    "export default () => <i><b/> <b/></i>",
    "export default () => <i><b/><b/></i>",
    evolution,
  ],
  [
    "a comment between tags",
    "export default () => <i>{/* a */}<b/></i>",
    "export default () => <i>{/* b */}<b/></i>",
    documentation,
  ],
  ["an attribute renamed", 'export default () => <i a="1"/>', 'export default () => <i b="1"/>', evolution],
  // What is no renaming
  ["min to max", "export const f = (a, b) => Math.min(a, b)", "export const f = (a, b) => Math.max(a, b)", evolution],
  ["a.push to a.pop", inFunction("const a = []; a.push(p)"), inFunction("const a = []; a.pop(p)"), evolution],
  body("two variables swapped", "const a = 1, b = 2; return a - b", "const a = 1, b = 2; return b - a", evolution),
  ["two parameters swapped", "export const f = (a, b) => a - b", "export const f = (b, a) => a - b", evolution],
  [
    "two parameters swapped everywhere",
    "export const f = (a, b) => a - b",
    "export const f = (b, a) => b - a",
    refactor,
  ],
  body("a literal changed", "return p + 1", "return p + 2", evolution),
  body("a string changed", "return 'a'", "return 'b'", evolution),
  body("a pattern's flag changed", "return /a/g", "return /a/i", evolution),
  body("an operator changed", "return p < 1", "return p <= 1", evolution),
  body("=== to ==", "return p === 1", "return p == 1", evolution),
  body("a negation added", "if (p) g()", "if (!p) g()", evolution),
  body("optional chaining removed", "g(p?.x)", "g(p.x)", evolution),
  body("const to let", "const a = 1; g(a)", "let a = 1; g(a)", evolution),
  body("statements swapped", "g(); h()", "h(); g()", evolution),
  body("a global called instead of a local", "const a = g; a()", "const a = g; g()", evolution),
  body("another global", "return parseInt(p)", "return parseFloat(p)", evolution),
  body("a property renamed", "return p.a", "return p.b", evolution),
  body("a key of an object renamed", "return { a: 1 }", "return { b: 1 }", evolution),
  body("a shorthand property renamed", "const a = 1; return { a }", "const b = 1; return { b }", evolution),
  body(
    "shorthand spelled out when its local is renamed",
    "const a = 1; return { a }",
    "const b = 1; return { a: b }",
    refactor,
  ),
  body(
    "__proto__ spelled out sets the prototype",
    "const __proto__ = p; return { __proto__ }",
    "const __proto__ = p; return { __proto__: __proto__ }",
    evolution,
  ),
  [
    "require in a comment makes no module",
    "// require(x)\nvar a = 1; f(a)",
    "// require(x)\nvar b = 1; f(b)",
    evolution,
    "x.js",
  ],
  body("a method renamed", "return { a() {} }", "return { b() {} }", evolution),
  body("a label renamed", "a: for (;;) break a", "b: for (;;) break b", evolution),
  body("break out of another loop", "a: for (;;) b: for (;;) break a", "a: for (;;) b: for (;;) break b", evolution),
  // Scopes
  body(
    "a rename that captures",
    "const a = 1; return () => { const b = 2; return a + b }",
    "const b = 1; return () => { const b = 2; return b + b }",
    evolution,
  ),
  body(
    "a shadowing variable renamed away",
    "const a = 1; { const a = 2; g(a) } h(a)",
    "const a = 1; { const b = 2; g(b) } h(a)",
    refactor,
  ),
  body(
    "a shadowing declaration removed",
    "const a = 1; { let a = 2; g(a) }",
    "const a = 1; { a = 2; g(a) }",
    evolution,
  ),
  body(
    "a use that now means the outer one",
    "const a = 1; { const b = 2; g(b) }",
    "const a = 1; { const b = 2; g(a) }",
    evolution,
  ),
  body("var in a block is the function's", "{ var a = 1 } g(a)", "{ var b = 1 } g(b)", refactor),
  body("let in a block is the block's", "{ let a = 1 } g(a)", "{ let b = 1 } g(b)", evolution),
  [
    "var beside a parameter of that name",
    "export function f(a) { var a; return a }",
    "export function f(x) { var a; return a }",
    evolution,
  ],
  [
    "a default that means the outer name",
    "const x = 1, z = 2; export function f(a = () => x) { var x = a; return x }",
    "const x = 1, z = 2; export function f(a = () => z) { var z = a; return z }",
    evolution,
  ],
  body("a use before its declaration", "g(a); var a = 1", "g(b); var b = 1", refactor),
  body(
    "a switch's names",
    "switch (p) { case 1: let a = 1; g(a) }",
    "switch (p) { case 1: let b = 1; g(b) }",
    refactor,
  ),
  body(
    "assignment by destructuring",
    "let a, b; ({ a, b } = p); g(a, b)",
    "let a, b; ({ a: b, b: a } = p); g(a, b)",
    evolution,
  ),
  body("swap by destructuring renamed", "let a, b; [a, b] = [b, a]", "let x, y; [x, y] = [y, x]", refactor),
  body(
    "arguments keeps names exact",
    "let a = 1; return arguments[0] + a",
    "let b = 1; return arguments[0] + b",
    evolution,
  ),
  body("eval keeps names exact", "let a = 1; return eval('a') + a", "let b = 1; return eval('a') + b", evolution),
  [
    "with keeps names exact",
    "function f(o) { var a = 1; with (o) { g(a) } }",
    "function f(o) { var b = 1; with (o) { g(b) } }",
    evolution,
    "x.js",
  ],
  // Imports and exports
  ["an exported function renamed", "export function a() {}", "export function b() {}", evolution],
  ["an exported constant renamed", "export const a = 1", "export const b = 1", evolution],
  ["a local renamed behind its export", "const a = 1; export { a }", "const b = 1; export { b as a }", refactor],
  ["an export list renamed", "const a = 1; export { a }", "const b = 1; export { b }", evolution],
  ["an export removed", "export const a = 1", "const a = 1; export {}", evolution],
  ["default instead of a named export", "export const a = 1", "export default 1", evolution],
  ["another name imported", "import { a } from 'x'; a()", "import { b } from 'x'; b()", evolution],
  ["default instead of a named import", "import { a } from 'x'; a()", "import a from 'x'; a()", evolution],
  ["another module imported", "import { a } from 'x'; a()", "import { a } from 'y'; a()", evolution],
  [
    "a type import made a value import",
    "import type { A } from 'x'; export type B = A",
    "import { A } from 'x'; export type B = A",
    evolution,
  ],
  [
    "imports in another order",
    "import { a } from 'x';\nimport { b } from 'y';\na(b)",
    "import { b } from 'y';\nimport { a } from 'x';\na(b)",
    refactor,
  ],
  [
    "names of an import in another order",
    "import { a, b } from 'x';\na(b)",
    "import { b, a } from 'x';\na(b)",
    refactor,
  ],
  [
    "imports for their effect in another order",
    "import 'x';\nimport 'y';\nf()",
    "import 'y';\nimport 'x';\nf()",
    evolution,
  ],
  [
    "functions in another order",
    "export function a() { b() }\nfunction b() {}",
    "function b() {}\nexport function a() { b() }",
    refactor,
  ],
  [
    "functions in another order, one changed",
    "export function a() { b() }\nfunction b() {}",
    "function b() { c() }\nexport function a() { b() }",
    evolution,
  ],
  [
    "constants in another order",
    "export const a = f();\nexport const b = g();",
    "export const b = g();\nexport const a = f();",
    evolution,
  ],
  [
    "a directive that no longer comes first",
    "'use strict';\nfunction a() {}\nexport {}",
    "function a() {}\n'use strict';\nexport {}",
    evolution,
  ],
  [
    "overloads in another order",
    "export function f(a: string): 1;\nexport function f(a: any): 2;\nexport function f(a: any) { return 1 }",
    "export function f(a: any): 2;\nexport function f(a: string): 1;\nexport function f(a: any) { return 1 }",
    evolution,
  ],
  // Classes and types
  ["a member of a class renamed", "export class A { b() {} }", "export class A { c() {} }", evolution],
  [
    "a parameter property renamed",
    "export class A { constructor(private b: string) {} }",
    "export class A { constructor(private c: string) {} }",
    evolution,
  ],
  [
    "a plain constructor parameter renamed",
    "export class A { constructor(b: string) { f(b) } }",
    "export class A { constructor(c: string) { f(c) } }",
    refactor,
  ],
  ["a decorator added", "export class A {}", "@d export class A {}", evolution],
  ["a decorator's argument changed", "@d(1) class A {}\nexport {}", "@d(2) class A {}\nexport {}", evolution],
  ["members in another order", "export class A { b = f(); c = g() }", "export class A { c = g(); b = f() }", evolution],
  ["a type annotation changed", "export let a: string", "export let a: number", evolution],
  ["a return type added", "export function f() { return 1 }", "export function f(): number { return 1 }", evolution],
  [
    "a property of an interface renamed",
    "export interface A { b: string }",
    "export interface A { c: string }",
    evolution,
  ],
  [
    "a parameter name in a type",
    "export type F = (a: string) => void",
    "export type F = (b: string) => void",
    refactor,
  ],
  [
    "an enum's member renamed",
    "enum E { A, B }\nexport const x = E.A",
    "enum E { C, B }\nexport const x = E.C",
    evolution,
  ],
  ["declare in a plain file", "declare const a: string;\nexport {}", "declare const b: string;\nexport {}", evolution],
  [
    "interfaces in another order",
    "interface A {}\ninterface B {}\nexport type C = A & B",
    "interface B {}\ninterface A {}\nexport type C = A & B",
    refactor,
  ],
  // What can't be compared
  ["a syntax error before", "let a = ;", "let a = 1;", evolution],
  ["a syntax error after", "let a = 1;", "let a = 1; }", evolution],
  ["a syntax error in both", "let a = (;", "let a  = (;", evolution],
];

for (const [what, before, after, expected, path = "src/x.tsx"] of rows)
  test(`${what}: ${expected}`, () => {
    const there = classifyChange(path, before, after);
    assert.equal(there.class, expected, there.why);
    if (expected !== documentation || before !== after)
      assert.equal(classifyChange(path, after, before).class, expected, "and back");
  });

test("every row stands for something else", () => {
  assert.ok(rows.length >= 60);
  assert.equal(new Set(rows.map(([what]) => what)).size, rows.length);
});
