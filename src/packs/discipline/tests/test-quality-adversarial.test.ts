// Tests that cannot fail, are skipped or test nothing, in several languages: reported when added; honest tests are
// not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../../../../test/discipline/agent.js";

const cases: [path: string, text: string, told: boolean][] = [
  ["test/a.test.ts", "it('a', () => { expect(true).toBe(true); });", true],
  ["test/a.test.ts", "it('a', () => { expect(1).toBe(1); });", true],
  ["test/a.test.ts", "test('a', () => { assert.ok(true); });", true],
  ["test/a.test.ts", "test('a', () => { assert.equal(1, 1); });", true],
  ["test/a.test.ts", "test('a', () => { assert.equal(x, x); });", true],
  ["test/a.test.ts", "it('a', () => { expect(result).toBe(result); });", true],
  ["test/a.test.ts", "it('a', () => { expect(list.length).toBeGreaterThanOrEqual(0); });", true],
  ["test/a.test.ts", "it('a', () => {});", true],
  ["test/a.test.ts", "it.skip('a', () => { expect(f()).toBe(2); });", true],
  ["test/a.test.ts", "describe.skip('a', () => { it('b', () => { expect(f()).toBe(2); }); });", true],
  ["test/a.test.ts", "xit('a', () => { expect(f()).toBe(2); });", true],
  ["test/a.test.ts", "it.only('a', () => { expect(f()).toBe(2); });", true],
  ["test/a.test.ts", "it.todo('a');", true],
  ["tests/test_a.py", "def test_a():\n    assert True\n", true],
  ["tests/test_a.py", "def test_a():\n    assert 1 == 1\n", true],
  ["tests/test_a.py", "def test_a():\n    self.assertTrue(True)\n", true],
  ["tests/test_a.py", "def test_a():\n    assert len(rows) >= 0\n", true],
  ["tests/test_a.py", "def test_a():\n    pass\n", true],
  ["tests/test_a.py", "@pytest.mark.skip\ndef test_a():\n    assert f() == 2\n", true],
  ["a_test.go", "func TestA(t *testing.T) { assert.True(t, true) }\n", true],
  ["a_test.go", 'func TestA(t *testing.T) {\n\tt.Skip("later")\n}\n', true],
  ["tests/a.rs", "#[test]\nfn a() { assert!(true); }\n", true],
  ["tests/a.rs", "#[test]\nfn a() { assert_eq!(1, 1); }\n", true],
  ["tests/a.rs", "#[test]\n#[ignore]\nfn a() { assert_eq!(f(), 2); }\n", true],
  ["Tests/ATests.swift", "func testA() { XCTAssertTrue(true) }\n", true],
  ["Tests/ATests.swift", "@Test func a() { #expect(true) }\n", true],
  ["src/test/java/ATest.java", "@Test void a() { assertTrue(true); }\n", true],
  ["src/test/java/ATest.java", "@Disabled @Test void a() { assertEquals(2, f()); }\n", true],
  ["spec/a_spec.rb", "it 'a' do\n  expect(true).to be true\nend\n", true],
  ["tests/ATest.php", "public function testA() { $this->assertTrue(true); }\n", true],
  ["test/ATests.cs", "[Fact] public void A() { Assert.True(true); }\n", true],
  ["test/a.test.ts", "it('a', () => { expect(isOpen(door)).toBe(true); });", false],
  ["test/a.test.ts", "test('a', () => { assert.equal(sum(1, 1), 2); });", false],
  ["test/a.test.ts", "test('a', () => { assert.equal(a.x, b.x); });", false],
  ["test/a.test.ts", "it('a', () => { expect(list.length).toBeGreaterThan(0); });", false],
  ["test/a.test.ts", "it('skips what is empty', () => { expect(skip('')).toBe(true); });", false],
  ["test/a.test.ts", "// expect(true).toBe(true) proves nothing\nit('a', () => { expect(f()).toBe(2); });", false],
  ["test/a.test.ts", "it('a', () => { expect(() => f()).toThrow(); });", false],
  ["test/a.test.ts", "it('a', async () => { await page.click('#only'); expect(await count()).toBe(1); });", false],
  ["tests/test_a.py", "def test_a():\n    assert is_open(door) is True\n", false],
  ["tests/test_a.py", "def test_a():\n    with pytest.raises(ValueError):\n        f('')\n", false],
  ["a_test.go", 'func TestA(t *testing.T) { if f() != 2 { t.Fatal("no") } }\n', false],
  ["tests/a.rs", "#[test]\nfn a() { assert!(f().is_ok()); }\n", false],
  ["src/a.ts", "export const ok = assert.ok(true);", false],
  ["src/skip.ts", "export const it = { skip: (n: string) => n };", false],
  ["docs/testing.md", "Write `expect(true).toBe(true)` nowhere.", false],
];
for (const [path, text, told] of cases)
  test(`${path}: ${text.replaceAll("\n", "\\n")} -> ${told ? "told" : "not told"}`, async (t) => {
    const a = play(t, { gates: ["test-quality", "gaming"] });
    await a.prompt("Add a test for the settings reader");
    const said = await a.write(path, text);
    const all = [said.context, said.shown, said.text].join("\n").trim();
    assert.equal(all !== "", told, all);
  });

const one = 'test("adds", () => {\n  const sum = add(1, 2);\n  assert.equal(sum, 3);\n});\n';
const two = 'test("subtracts", () => {\n  const rest = add(1, -2);\n  assert.equal(rest, -1);\n});\n';
const three = 'test("negates", () => {\n  assert.equal(negate(1), -1);\n});\n';
const told = ({ outcome, context }: { outcome: string; context: string }) => (outcome === "pass" ? context : outcome);

test("tests moved between files by Write and Edit are not dropped", async (t) => {
  const a = play(t, { gates: ["test-quality"], files: { "test/a.test.ts": one + two + three } });
  await a.prompt("Split the tests of the calculator");
  assert.equal(told(await a.write("test/b.test.ts", one)), "");
  assert.equal(told(await a.edit("test/a.test.ts", one, "")), "");
  assert.equal(told(await a.edit("test/b.test.ts", one, `${one}${two}${three}`)), "");
  assert.equal(told(await a.write("test/a.test.ts", "")), "", "the rest by Write");
});

test("a whole file whose tests stand elsewhere may go", async (t) => {
  const a = play(t, { gates: ["test-quality"], files: { "test/a.test.ts": one + two } });
  await a.prompt("Merge the calculator's test files");
  await a.write("test/all.test.ts", one + two);
  assert.equal(told(await a.bash("rm test/a.test.ts", "")), "");
});

test("tests taken out first and put in afterwards: the warning is taken back", async (t) => {
  const a = play(t, { gates: ["test-quality"], files: { "test/a.test.ts": one + two + three } });
  await a.prompt("Split the tests of the calculator");
  for (const [text, file] of [
    [one, "test/b.test.ts"],
    [two, "test/c.test.ts"],
  ] as const) {
    assert.match(told(await a.edit("test/a.test.ts", text, "")), /drops 1 test/);
    assert.equal(told(await a.write(file, text)), "");
  }
});

test("what only looks like a move is a dropped test", async (t) => {
  const a = play(t, {
    gates: ["test-quality"],
    files: { "test/a.test.ts": one + two + three, "test/old.test.ts": two },
  });
  await a.prompt("Split the tests of the calculator");
  await a.write("test/b.test.ts", 'test("adds", () => {\n  call();\n  check();\n});\n');
  assert.match(told(await a.edit("test/a.test.ts", one, "")), /drops 1 test/, "the same name with another body");
  assert.equal(told(await a.edit("test/a.test.ts", two, "")), "ask", "in a file this session has not touched");
  await a.write("notes/c.md", three);
  assert.equal(told(await a.edit("test/a.test.ts", three, "")), "ask", "not in a test file");
  await a.write("test/d.test.ts", two);
  assert.equal(told(await a.bash("rm test/a.test.ts", "")), "ask", "one of its two stands elsewhere");
});
