// Which declarations a range of lines touches, per language.
import assert from "node:assert/strict";
import { test } from "node:test";
import { symbolsTouched } from "./symbols.js";

const script = `import { a } from "a";

export function one(x: string): void {
  function inner() {}
  inner();
}

/** Doc. */
@sealed
class Store<T> extends Base {
  #size = 0;

  constructor(readonly name: string) {
    super();
  }

  get(key: string): T {
    return key;
  }

  static async "odd name"() {}
}

export const limit = 5, other = 6;
const hidden = 1;
const local = () => 2;

export interface Shape {
  side: number;
}
type Side = number;
export enum Kind {
  A,
}
namespace Space {
  export function deep() {}
}
export default () => 1;
`;
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split("\n").length;
const at = (path: string, text: string, ...parts: string[]): string[] =>
  symbolsTouched(
    path,
    text,
    parts.map((part) => ({ start: lineOf(text, part), end: lineOf(text, part) })),
  );

for (const [part, expected] of [
  ["import", []],
  ["export function one", ["one"]],
  ["inner();", ["one"]],
  ["@sealed", ["Store"]],
  ["#size", ["Store.#size"]],
  ["super();", ["Store.constructor"]],
  ["return key", ["Store.get"]],
  ["odd name", ["Store.odd name"]],
  ["limit", ["limit", "other"]],
  ["hidden", []],
  ["const local", ["local"]],
  ["side:", ["Shape"]],
  ["type Side", ["Side"]],
  ["  A,", ["Kind"]],
  ["deep", ["Space.deep"]],
  ["export default", ["default"]],
] as const)
  test(`TypeScript, at "${part}": ${expected.join(", ") || "nothing"}`, () =>
    assert.deepEqual(at("a.ts", script, part), expected));

test("a range over several declarations names each, in order, a class only where its own lines are touched", () => {
  assert.deepEqual(symbolsTouched("a.ts", script, [{ start: 3, end: 18 }]), [
    "one",
    "Store",
    "Store.#size",
    "Store.constructor",
    "Store.get",
  ]);
  assert.deepEqual(at("a.ts", script, "return key", "super();"), ["Store.constructor", "Store.get"]);
  assert.deepEqual(symbolsTouched("a.ts", script, [{ start: 900, end: 901 }]), []);
});

test("a text with a syntax error still has symbols", () => {
  assert.deepEqual(at("a.ts", `${script}\nlet x = ;`, "return key"), ["Store.get"]);
});

const python = `import os
LIMIT: int = 3
a, b = 1, 2

@decorated
def one(x):
    def inner():
        pass
    return x

class Store(Base):
    """Doc."""
    size = 1

    @property
    def get(self):
        return 1

    class Inner:
        def deep(self): pass

if os:
    def hidden(): pass
`;
for (const [part, expected] of [
  ["import os", []],
  ["LIMIT", ["LIMIT"]],
  ["a, b", ["a", "b"]],
  ["@decorated", ["one"]],
  ["def inner", ["one"]],
  ["size = 1", ["Store"]],
  ["@property", ["Store.get"]],
  ["return 1", ["Store.get"]],
  ["deep", ["Store.Inner.deep"]],
] as const)
  test(`Python, at "${part}": ${expected.join(", ") || "nothing"}`, () =>
    assert.deepEqual(at("a.py", python, part), expected));

for (const [path, text, part, expected] of [
  ["a.go", "package a\n\nfunc (s *Server[T]) Start(x int) error {\n\treturn nil\n}\n", "return", ["Server.Start"]],
  ["a.go", "func Plain() {\n\tx()\n}\n\ntype T struct {\n\tA int\n}\n", "A int", ["T"]],
  ["a.rs", "impl<T> Show for Thing {\n    pub async fn run(&self) {\n        x();\n    }\n}\n", "x();", ["Thing.run"]],
  ["a.rs", "pub(crate) struct A {\n    b: i32,\n}\n", "b:", ["A"]],
  [
    "A.java",
    "public class A {\n    private int n;\n    public static int f(int x) {\n        return g(x);\n    }\n}\n",
    "return",
    ["A.f"],
  ],
  ["A.java", "public class A {\n    public A(int x) {\n        y();\n    }\n}\n", "y();", ["A.A"]],
  ["a.c", "static int f(int x)\n{\n    return g(x);\n}\n", "return", ["f"]],
  ["a.cpp", "void A::run() {\n    go();\n}\n", "go", ["A.run"]],
  [
    "a.cs",
    "namespace N {\n  public class A {\n    public async Task<int> F() {\n      return 1;\n    }\n  }\n}\n",
    "return",
    ["N.A.F"],
  ],
  ["a.rb", "module M\n  class A\n    def self.go!\n      x\n    end\n  end\nend\n", "x\n", ["M.A.go!"]],
  ["a.php", "<?php\nclass A {\n    public static function go() {\n        x();\n    }\n}\n", "x()", ["A.go"]],
  ["a.swift", "struct A {\n    func go() {\n        x()\n    }\n}\n", "x()", ["A.go"]],
  ["a.kt", "data class A(val b: Int) {\n    suspend fun go() {\n        x()\n    }\n}\n", "x()", ["A.go"]],
  ["a.sh", "go() {\n  x\n}\n", "x\n", ["go"]],
  [
    "a.c",
    "int main(void) {\n    if (a) {\n        b(c);\n    }\n    for (;;) {\n        d();\n    }\n}\n",
    "d();",
    ["main"],
  ],
  ["a.unknown", "func a() {}\n", "func", []],
] as const)
  test(`${path}, at "${part.trim()}" of "${text.split("\n")[0]}": ${expected.join(", ") || "nothing"}`, () =>
    assert.deepEqual(at(path, text, part), expected));

test("a whole file of many declarations, and one too large", () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `export function f${n}() {}\n`).join("");
  assert.equal(symbolsTouched("a.ts", many, [{ start: 1, end: 5_000 }]).length, 5_000);
  assert.deepEqual(symbolsTouched("a.ts", many.repeat(10), [{ start: 1, end: 1 }]), []);
});
