// Globs: a table by hand, agreement with picomatch over generated pairs, and a bound on the work.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import picomatch from "picomatch";
import { processorTime } from "../testing/processor-time.js";
import { compileGlob, expandGlobBraces, GlobError, matchCompiled, matchGlob } from "./globs.js";

const rows: [glob: string, path: string, expected: boolean][] = [
  ["src/**", "src/a/b.ts", true],
  ["src/**", "src", true],
  ["src/", "src/a.ts", true],
  ["src/**", "lib/src/a.ts", false],
  ["**/*.test.ts", "a.test.ts", true],
  ["**/*.test.ts", "x/y/a.test.ts", true],
  ["*.ts", "x/a.ts", false],
  ["**/src/**/x", "a/src/src/b/x", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/x/y/c", false],
  ["{src,lib}/*.{ts,tsx}", "lib/a.tsx", true],
  ["{src,lib}/*.{ts,tsx}", "test/a.ts", false],
  ["a{b,c{d,e}}f", "acef", true],
  ["file[0-9].txt", "file7.txt", true],
  ["file[!0-9].txt", "file7.txt", false],
  ["file[^a]?", "filebc", true],
  ["[]]x", "]x", true],
  ["a[b", "a[b", true],
  ["\\*.ts", "*.ts", true],
  ["\\*.ts", "a.ts", false],
  ["**", ".env", true],
  ["*", ".env", true],
  ["/src/*", "src/x", true],
  ["./src/*", "./src/x", true],
  ["src//x", "src/x", true],
  ["a**b", "aXXb", true],
  ["日*.ts", "日本.ts", true],
  ["?", "𝒳", true],
  ["{!a,b}", "!a", true],
  ["{x}", "{x}", true],
];
for (const [glob, path, expected] of rows)
  test(`${glob} ${expected ? "matches" : "does not match"} ${path}`, () =>
    assert.equal(matchGlob(glob, path), expected));

test("the last glob that matches decides", () => {
  const scope = ["src/**", "!src/generated/**", "src/generated/keep.ts"].map(compileGlob);
  assert.equal(matchCompiled(scope, "src/a.ts"), true);
  assert.equal(matchCompiled(scope, "src/generated/x.ts"), false);
  assert.equal(matchCompiled(scope, "src/generated/keep.ts"), true);
  assert.equal(matchCompiled(scope, "docs/a.md"), false);
  assert.equal(matchCompiled(["!{a,b}/**"].map(compileGlob), "a/x"), false);
});

test("without dot, wildcards leave dotted names alone as a shell does", () => {
  const at = (glob: string, path: string) => matchGlob(glob, path, { dot: false });
  assert.equal(at("*", ".env"), false);
  assert.equal(at(".*", ".env"), true);
  assert.equal(at("**/x", ".git/x"), false);
  assert.equal(at("**", "a/.b"), false);
  assert.equal(at(".git/*", ".git/config"), true);
});

test("what can't be meant is an error with a sentence", () => {
  for (const bad of ["", "!", "@(a|b)", "!(x)", "a\nb", "x".repeat(1_001), "{a,b}".repeat(9)])
    assert.throws(() => compileGlob(bad), GlobError, bad);
});

test("agrees with picomatch on generated globs and paths", () => {
  const name = fc.constantFrom("a", "b", "ab", ".a", "a.ts", "b.ts");
  const piece = fc.constantFrom("*", "**", "a", "b", "?", "a*", "*b", "*.ts", "[ab]", "{a,b}", ".a", "{a,b*}.ts", "a?");
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.array(name, { minLength: 1, maxLength: 5 }),
      (glob, path) => {
        // picomatch takes "a" for "a/**" but not for "*/**"; here both mean the folder as well.
        fc.pre(glob.length === 1 || glob.at(-1) !== "**");
        const pattern = glob.join("/");
        const file = path.join("/");
        assert.equal(
          matchGlob(pattern, file),
          picomatch.isMatch(file, pattern, { dot: true }),
          `${pattern} on ${file}`,
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test("braces expand as in bash", () => {
  assert.deepEqual(expandGlobBraces("a{1,2{x,y}}{,z}"), ["a1", "a1z", "a2x", "a2xz", "a2y", "a2yz"]);
});

test("a pattern made to backtrack costs pattern times path, not a power of them", async () => {
  const path = `${`${"a".repeat(200)}/`.repeat(15)}b`;
  const cost = (glob: string) => {
    const compiled = [compileGlob(glob)];
    return processorTime(() => {
      for (let i = 0; i < 2_000; i++) matchCompiled(compiled, path);
    });
  };
  await cost("**/c");
  const plain = await cost(`${"*/".repeat(15)}c`);
  const hostile = await cost(`${"**/*a*a*a*a*a*a*c/".repeat(10)}c`);
  assert.ok(hostile < plain * 400, `${hostile} µs against ${plain} µs`);
});
