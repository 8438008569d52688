import assert from "node:assert/strict";
import { test } from "node:test";
import { casesOf, lostCases, movedCases } from "./moved-tests.js";

const names = (text: string) => casesOf(text).map((c) => c.name);

test("cases are named in each language", () => {
  const rows: [text: string, names: string[]][] = [
    ["test(\"adds\", () => {\n  a();\n});\nit.each([1])('each %s', () => {});\n", ["adds", "each %s"]],
    ["def test_a():\n    x()\n\nasync def test_b(x):\n    y()\n", ["test_a", "test_b"]],
    ["func TestA(t *testing.T) {\n}\n", ["TestA"]],
    ["#[test]\nfn adds() {\n}\n#[tokio::test]\nasync fn waits() {}\n", ["adds", "waits"]],
    ["@Test\nvoid adds() {}\n", ["adds"]],
    ["@Test func adds() {}\nfunc testOld() {}\n", ["adds", "testOld"]],
    ['// test("gone", f);\n', []],
  ];
  for (const [text, expected] of rows) assert.deepEqual(names(text), expected, text);
});

test("a case is moved by its name with half of its lines, not by its name alone", () => {
  const old = 'test("adds", () => {\n  const sum = add(1, 2);\n  assert.equal(sum, 3);\n  assert.ok(sum);\n});\n';
  const lost = lostCases(`${old}test("b", () => b());\n`, 'test("b", () => b());\n');
  assert.deepEqual(
    lost.map((c) => c.name),
    ["adds"],
  );
  assert.equal(movedCases(lost, [`describe("x", () => {\n${old.replaceAll("\n", "\n  ")}});\n`]).length, 1, "indented");
  assert.equal(movedCases(lost, ['test("adds", () => {\n  other();\n});\n']).length, 0, "another body");
  assert.equal(movedCases(lost, [old.replace("adds", "subtracts")]).length, 0, "another name");
  assert.equal(movedCases(lost, []).length, 0);
});
