// Weakened tests: assertions that cannot fail, removed and skipped tests; and tests that only look like it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Grade } from "../../test/discipline/adversarial/table.js";
import { testChange } from "./test-changes.js";

const hollow: readonly (readonly [Grade, boolean, string])[] = [
  ["plain", true, "expect(true).toBe(true);"],
  ["plain", true, "assert.ok(true);"],
  ["plain", true, "    assert True\n"],
  ["plain", true, "self.assertTrue(True)"],
  ["plain", false, "expect(add(1, 2)).toBe(3);"],
  ["plain", false, "assert.equal(total, 3);"],
  ["ambiguous", true, "assert.equal(1, 1);"],
  ["ambiguous", true, "expect(result).toEqual(result);"],
  ["ambiguous", true, "expect(list.length).toBeGreaterThanOrEqual(0);"],
  ["ambiguous", true, "assert len(items) >= 0"],
  ["ambiguous", true, "it('works', () => {})"],
  ["ambiguous", true, "def test_it():\n    pass\n"],
  ["ambiguous", false, "expect(isValid).toBe(true);"],
  ["ambiguous", false, "assert.ok(result);"],
  ["ambiguous", false, "assert len(items) >= 1"],
  ["ambiguous", false, "expect(a.length).toBe(b.length);"],
  ["ambiguous", false, "assert!(parse(x).is_ok());"],
  ["villain", true, "expect( true ).toStrictEqual( true );"],
  ["villain", true, "assert.deepStrictEqual(a.b, a.b);"],
  ["villain", true, "assert_eq!(x, x);"],
  ["villain", true, "XCTAssertTrue(true)"],
  ["villain", true, "expect(1).toBeTruthy()"],
  ["villain", true, "assert(true, 'fine')"],
  ["villain", true, "assert x == x\n"],
];
for (const [grade, found, text] of hollow)
  test(`assertion, ${grade}: ${JSON.stringify(text)} ${found ? "can't fail" : "can fail"}`, () =>
    assert.equal(testChange("", text).hollow.length > 0, found));

const two = 'test("a", () => {});\ntest("b", () => {});\n'.replaceAll("{}", "{ check(); }");
const changes: readonly (readonly [Grade, string, string, number, number])[] = [
  ["plain", two, 'test("a", () => { check(); });\n', 1, 0],
  ["plain", two, two.replace('test("b"', 'test.skip("b"'), 1, 1],
  ["plain", two, `${two}test("c", () => { check(); });\n`, 0, 0],
  ["ambiguous", two, two.replace('"b"', '"b, renamed"'), 0, 0],
  ["ambiguous", "def test_a():\n    check()\n", "@pytest.mark.skip\ndef test_a():\n    check()\n", 0, 1],
  ["ambiguous", "func TestA(t *testing.T) {\n}\n", "func TestA(t *testing.T) {\n\tt.Skip()\n}\n", 0, 1],
  ["villain", "#[test]\nfn a() {}\n", "#[test]\n#[ignore]\nfn a() {}\n", 0, 1],
  ["villain", two, two.replace('test("b"', '// test("b"'), 1, 0],
  ["villain", two, two.replace('test("b", ', 'test("b", { skip: true }, '), 0, 1],
  ["villain", 'it("a", f);\n', 'xit("a", f);\n', 1, 1],
];
for (const [grade, before, after, dropped, skipped] of changes)
  test(`tests, ${grade}: ${JSON.stringify(after.slice(-60))} drops ${dropped}, skips ${skipped}`, () => {
    const change = testChange(before, after);
    assert.deepEqual([change.dropped, change.skipped], [dropped, skipped]);
  });

test("a long repetitive test file is read in linear time", () => {
  for (const text of ["\n", "assert(", "assert.equal(a, ", "def test_a(", "expect(a.length"])
    assert.deepEqual(testChange("", text.repeat(400_000 / text.length)).hollow, []);
});

const swift = (body: string) => `@Test func adds() {\n${body}\n}\n`;
const mocks: readonly (readonly [string, string, boolean])[] = [
  ["#expect(true)", swift("  #expect(true)"), true],
  ["#expect of equal literals", swift("  #expect(1 == 1)"), true],
  ["#expect of a thing with itself", swift("  let x = add(1)\n  #expect(x == x)"), true],
  ["#require(true)", swift("  try #require(true)"), true],
  ["#expect of a result", swift("  #expect(add(1, 2) == 3)"), false],
  ["XCTAssert(true)", "func testA() {\n  XCTAssert(true)\n}\n", true],
  [
    "a mock asserted about itself",
    swift("  let mock = MockStore()\n  mock.value = 5\n  #expect(mock.value == 5)"),
    true,
  ],
  [
    "a mock handed to the code",
    swift("  let mock = MockStore()\n  save(5, to: mock)\n  #expect(mock.value == 5)"),
    false,
  ],
  [
    "jest mock of its own",
    'test("a", () => {\n  const m = jest.fn();\n  m();\n  expect(m).toHaveBeenCalled();\n});\n',
    true,
  ],
  [
    "jest mock given to the code",
    'test("a", () => {\n  const m = jest.fn();\n  run(m);\n  expect(m).toHaveBeenCalled();\n});\n',
    false,
  ],
];
for (const [name, text, hollow] of mocks)
  test(`${name} is ${hollow ? "hollow" : "a test"}`, () =>
    assert.equal(testChange("", text).hollow.length > 0, hollow, JSON.stringify(testChange("", text))));
