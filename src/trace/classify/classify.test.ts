// The class of a change: files by their kind, other languages by tokens, and properties of the comparison.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { parseSyntax, type SyntaxNode } from "../syntax/syntax-tree.js";
import { classifyChange } from "./classify.js";

const change = (path: string, before: string, after: string): string => classifyChange(path, before, after).class;

for (const [path, expected] of [
  ["README.md", "DOCUMENTATION"],
  ["LICENSE", "DOCUMENTATION"],
  ["docs/a.rst", "DOCUMENTATION"],
  ["package.json", "CONFIGURATION"],
  ["package-lock.json", "CONFIGURATION"],
  ["Cargo.lock", "CONFIGURATION"],
  ["ci.yml", "CONFIGURATION"],
  ["Dockerfile", "CONFIGURATION"],
  ["build/Dockerfile.dev", "CONFIGURATION"],
  ["Makefile", "CONFIGURATION"],
  [".env.local", "CONFIGURATION"],
  ["requirements-dev.txt", "CONFIGURATION"],
  ["pyproject.toml", "CONFIGURATION"],
  ["a.unknown", "INTENT_EVOLUTION"],
  ["no-extension", "INTENT_EVOLUTION"],
] as const)
  test(`a change to ${path} is ${expected}`, () => assert.equal(change(path, "a\n", "b\n"), expected));

test("a new file is a creation, a missing one a deletion, whatever its kind", () => {
  assert.equal(classifyChange("a.md", undefined, "x").class, "FILE_CREATION");
  assert.equal(classifyChange("a.ts", "x", undefined).class, "FILE_DELETION");
  assert.equal(classifyChange("a.ts", "x", "").class, "INTENT_EVOLUTION");
});

for (const [what, path, before, after, expected] of [
  ["layout in C", "a.c", "int f(){return 1;}\n", "int f()\n{\n  return 1;\n}\n", "AST_REFACTOR"],
  ["a comment in C", "a.c", "f(); /* a */\n", "f(); // b\n", "DOCUMENTATION"],
  ["a comment sign in a string", "a.c", 'f("// a");\n', 'f("// b");\n', "INTENT_EVOLUTION"],
  ["a macro that takes the next line", "a.c", "#define A 1\nf();\n", "#define A 1 f();\n", "INTENT_EVOLUTION"],
  ["a character that is a quote", "a.c", "f('\"'); // a\n", "f('\"'); // b\n", "DOCUMENTATION"],
  ["a name in C", "a.c", "int a;\n", "int b;\n", "INTENT_EVOLUTION"],
  ["layout in Rust with lifetimes", "a.rs", "fn f<'a>(x:&'a str){}\n", "fn f<'a>(x:&'a str) {\n}\n", "AST_REFACTOR"],
  ["nested comments in Rust", "a.rs", "/* a /* b */ c */ f();\n", "/* x /* y */ z */ f();\n", "DOCUMENTATION"],
  ["a raw string in Rust", "a.rs", 'f(r#"a // "#);\n', 'f(r#"b // "#);\n', "INTENT_EVOLUTION"],
  ["a Go line break that ends a statement", "a.go", "a\n(b)\n", "a(b)\n", "INTENT_EVOLUTION"],
  ["indentation in Go", "a.go", "if a {\n  b()\n}\n", "if a {\n\tb()\n}\n", "AST_REFACTOR"],
  ["a Go build tag", "a.go", "//go:build linux\npackage a\n", "//go:build darwin\npackage a\n", "INTENT_EVOLUTION"],
  ["a raw string in Go", "a.go", "f(`a // b`)\n", "f(`a // c`)\n", "INTENT_EVOLUTION"],
  ["a comment in Java", "A.java", "class A {} // a\n", "class A {} // b\n", "DOCUMENTATION"],
  ["a comment in Ruby", "a.rb", "f 1 # a\n", "f 1 # b\n", "DOCUMENTATION"],
  ["a Ruby blank that changes a call", "a.rb", "f [1]\n", "f[1]\n", "INTENT_EVOLUTION"],
  ["a here-document in Ruby", "a.rb", "f <<~A\n # a\nA\n", "f <<~A\n # b\nA\n", "INTENT_EVOLUTION"],
  ["a comment in shell", "a.sh", "ls # a\n", "ls # b\n", "DOCUMENTATION"],
  ["a # in a shell string", "a.sh", 'echo "a # b"\n', 'echo "a # c"\n', "INTENT_EVOLUTION"],
  ["a here-document in shell", "a.sh", "cat <<E\n# a\nE\n", "cat <<E\n# b\nE\n", "INTENT_EVOLUTION"],
  ["a comment in SQL", "a.sql", "select 1 -- a\n", "select 1 -- b\n", "DOCUMENTATION"],
  ["a string in SQL", "a.sql", "select '-- a'\n", "select '-- b'\n", "INTENT_EVOLUTION"],
  ["indentation in Haskell", "a.hs", "f = do\n  a\n  b\n", "f = do\n  a\n    b\n", "INTENT_EVOLUTION"],
  ["blanks at the end of lines anywhere", "a.xyz", "a  \nb\n", "a\nb\n\n", "AST_REFACTOR"],
  ["indentation in an unknown language", "a.xyz", "a\n b\n", "a\nb\n", "INTENT_EVOLUTION"],
  ["a string without an end", "a.c", 'f("a);\n', 'f("a );\n', "INTENT_EVOLUTION"],
] as const)
  test(`${what}: ${expected}`, () => assert.equal(change(path, before, after), expected));

test("a file above 1 MB is not parsed, one above 4 MB is compared line by line", () => {
  const large = "f();\n".repeat(220_000);
  assert.equal(change("a.ts", large, `${large} `), "INTENT_EVOLUTION");
  assert.equal(change("a.c", large.repeat(4), `${large.repeat(4)}\n`), "AST_REFACTOR");
  assert.equal(change("a.c", large.repeat(4), `${large.repeat(4)}g();\n`), "INTENT_EVOLUTION");
});

test("deep nesting and long chains have an answer", () => {
  for (const text of [`${"(".repeat(5_000)}1${")".repeat(5_000)}`, `a = ${"1+".repeat(20_000)}1`, "[".repeat(9_999)])
    assert.ok(change("a.ts", text, `${text}\n`));
});

// Programs made of locals, each declared once and used at least once, printed with any names.
type Spelling = { names: string[]; comment: string; blank: string };
const locals = 5;
interface Use {
  left: number;
  right: number;
  operator: string;
  call: string;
  literal: number;
  nested: boolean;
}
const programs: fc.Arbitrary<Use[]> = fc.array(
  fc.record({
    left: fc.nat(locals - 1),
    right: fc.nat(locals - 1),
    operator: fc.constantFrom("+", "-", "*", "<", ">="),
    call: fc.constantFrom("g", "h", "o.m", "o.n"),
    literal: fc.nat(9),
    nested: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
const all = Array.from({ length: locals }, (_, i) => i);

const languages = {
  "a.ts": (uses: readonly Use[], { names, comment, blank }: Spelling): string =>
    [
      `export function f() { /* ${comment} */`,
      ...all.map((i) => `let ${names[i]} =${blank} ${i};`),
      ...uses.map(({ left, right, operator, call, literal, nested }) => {
        const inner = `${call}(${names[left]} ${operator} ${names[right]},${blank} ${literal});`;
        return nested ? `{ let q${literal} = ${literal};${blank}${inner} k(q${literal}) }` : inner;
      }),
      `return { ${all.map((i) => `k${i}: ${names[i]}`).join(", ")} } }`,
    ].join(`\n${blank}`),
  "a.py": (uses: readonly Use[], { names, comment, blank }: Spelling): string =>
    [
      `def f():  # ${comment}`,
      ...all.map((i) => `    ${names[i]} =${blank} ${i}`),
      ...uses.map(({ left, right, operator, call, literal, nested }) => {
        const inner = `${call}(${names[left]} ${operator} ${names[right]},${blank} ${literal})`;
        return nested ? `    if k(${names[left]}):\n        ${inner}` : `    ${inner}`;
      }),
      `    return dict(${all.map((i) => `k${i}=${names[i]}`).join(", ")})\n`,
    ].join("\n"),
};

const spelling = (prefix: string, comment = "c"): fc.Arbitrary<Spelling> =>
  fc.record({
    names: fc.shuffledSubarray(
      all.map((i) => `${prefix}${i}`),
      { minLength: locals },
    ),
    comment: fc.constant(comment),
    blank: fc.constantFrom("", " ", "  "),
  });

const runs = process.env["INTERLOCK_NIGHTLY"] ? 5_000 : 150;

for (const [path, print] of Object.entries(languages)) {
  test(`${path}: renaming locals consistently is a refactor`, () => {
    fc.assert(
      fc.property(programs, spelling("v"), fc.oneof(spelling("w"), spelling("v")), (uses, one, other) => {
        const before = print(uses, one);
        assert.equal(change(path, before, print(uses, other)), "AST_REFACTOR");
        assert.equal(change(path, before, print(uses, { ...one, comment: "another" })), "DOCUMENTATION");
      }),
      { numRuns: runs },
    );
  });

  test(`${path}: changing a single token is never a refactor`, () => {
    fc.assert(
      fc.property(programs, spelling("v"), fc.nat(), fc.nat(), (uses, names, which, to) => {
        const text = print(uses, names);
        const tokens = [...text.matchAll(/\b[a-z]\w*\b|\d+|[-+*<]|>=/g)].filter(
          ({ 0: token, index }) => token !== "c" || text[index - 1] !== " ",
        );
        const chosen = tokens[which % tokens.length]!;
        const options = optionsFor(chosen[0]).filter((option) => option !== chosen[0]);
        const put = options[to % options.length]!;
        const changed = text.slice(0, chosen.index) + put + text.slice(chosen.index + chosen[0].length);
        assert.equal(change(path, text, changed), "INTENT_EVOLUTION", `${chosen[0]} -> ${put} in\n${changed}`);
      }),
      { numRuns: runs },
    );
  });
}

test("a token of real code changed to another of its kind is never a refactor", () => {
  const folder = join(process.cwd(), "src/model");
  const paths = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const files = paths.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const tree = parseSyntax(name, text);
    return tree ? [{ name, text, tokens: tokensIn(tree.root) }] : [];
  });
  assert.ok(files.length > 5, String(files.length));
  fc.assert(
    fc.property(fc.nat(files.length - 1), fc.nat(), fc.nat(), (which, from, to) => {
      const { name, text, tokens } = files[which]!;
      const chosen = tokens[from % tokens.length]!;
      const written = text.slice(chosen.from, chosen.to);
      const others = tokens.filter((one) => one.name === chosen.name && text.slice(one.from, one.to) !== written);
      if (!others.length) return;
      const other = others[to % others.length]!;
      const changed = text.slice(0, chosen.from) + text.slice(other.from, other.to) + text.slice(chosen.to);
      assert.equal(change(name, text, changed), "INTENT_EVOLUTION", `${name}:${chosen.from} ${written}`);
    }),
    { numRuns: process.env["INTERLOCK_NIGHTLY"] ? 3_000 : 100 },
  );
});

/** Without declared names: one that is used nowhere else may be renamed. */
function tokensIn(node: SyntaxNode): SyntaxNode[] {
  if (node.children.length) return node.children.flatMap(tokensIn);
  return node.name === "VariableDefinition" || node.name === "TypeDefinition" ? [] : [node];
}

function optionsFor(token: string): string[] {
  if (/^\d/.test(token)) return ["0", "11", "x", '"s"'];
  if (/^\w/.test(token)) return ["v0", "v1", "v2", "g", "h", "fresh", "7"];
  return ["+", "-", "*", "<", ">="];
}
