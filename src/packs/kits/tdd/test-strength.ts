// How much a test file asks: its tests, its assertions, the strict ones among them, the values they name.
// Invariant: pure over the text; comments do not count.
import { testChange } from "../../../facts/test-changes.js";

export interface TestFacts {
  tests: number;
  assertions: number;
  strict: number;
  skipped: number;
}

const assertion = new RegExp(
  String.raw`\bexpect\s*\(|\bassert(?:_\w+!?|!|\.\w+)?\s*\(|^[ \t]*assert\b(?!\s*\()|\bself\.assert\w+\s*\(|` +
    String.raw`\b(?:XCTAssert\w*|assert(?:That|Equals|True|False|Null|NotNull|Throws|Same))\s*\(|` +
    String.raw`\bt\.(?:Error|Fatal|Fail)\w*\(|\brequire\.\w+\(|\bshould\b`,
  "gm",
);
const strictWords = [
  ...["toBe", "toEqual", "toStrictEqual", "toHaveBeenCalledWith", "toHaveBeenCalledTimes", "toHaveLength"],
  ...["toThrow", "toThrowError", "toMatchObject", "toContain", "toContainEqual", "toMatch", "toBeCloseTo", "rejects"],
  ...["toMatchSnapshot", "toMatchInlineSnapshot", "toHaveProperty"],
  ...["equal", "strictEqual", "deepEqual", "deepStrictEqual", "throws", "match", "assertEqual", "assertRaises"],
  ...["assertEquals", "assertThrows", "assertSame", "assert_eq", "Equal", "EqualError"],
];
const strict = new RegExp(
  String.raw`\b(?:${strictWords.join("|")})!?\s*\(|^[ \t]*assert\b[^\n]*(?:==| is | in )`,
  "gm",
);
const cases = new RegExp(
  String.raw`^[ \t]*(?:(?:it|test|specify|scenario|Deno\.test)(?:\.(?:each|concurrent|only)[^(]*)?\s*\(` +
    String.raw`|(?:async\s+)?def\s+test_\w+|func\s+Test\w+\s*\(|#\[(?:tokio::)?test\]|@Test\b|func\s+test\w+\s*\()`,
  "gm",
);

const withoutComments = (text: string): string =>
  text
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/^[ \t]*#[ \t].*$/gm, "");
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

export function testFacts(text: string): TestFacts {
  const bare = withoutComments(text);
  return {
    tests: count(bare, cases),
    assertions: count(bare, assertion),
    strict: count(bare, strict),
    skipped: testChange("", text).skipped,
  };
}

export const addTestFacts = (a: TestFacts, b: TestFacts): TestFacts => ({
  tests: a.tests + b.tests,
  assertions: a.assertions + b.assertions,
  strict: a.strict + b.strict,
  skipped: a.skipped + b.skipped,
});

/** How the tests ask less than before; undefined when they do not. */
export function weakerTests(before: TestFacts, after: TestFacts): string | undefined {
  if (after.tests < before.tests) return `${before.tests - after.tests} fewer tests`;
  if (after.assertions < before.assertions) return `${before.assertions - after.assertions} fewer assertions`;
  if (after.strict < before.strict) return `${before.strict - after.strict} assertions that ask for less`;
  if (after.skipped > before.skipped) return `${after.skipped - before.skipped} more skipped`;
  return undefined;
}

const asserting = String.raw`(?:\bexpect\s*\(|\bassert)`;
/** Ways to keep an assertion in the text and out of the run. */
const dodges: readonly { what: string; pattern: RegExp }[] = [
  {
    what: "an assertion behind a return, which is never reached",
    pattern: new RegExp(
      String.raw`^([ \t]*)return;?[ \t]*\n(?:\1[^\n]*\n){0,20}?\1[ \t]*(?:await )?${asserting}`,
      "gm",
    ),
  },
  {
    what: "an assertion whose failure is swallowed, which can't fail",
    pattern: new RegExp(
      String.raw`\btry\s*\{[^{}]{0,2000}${asserting}[^{}]{0,2000}\}\s*catch\s*(?:\([^)]*\)\s*)?\{\s*\}` +
        String.raw`|\btry:[ \t]*\n(?:[ \t]+[^\n]*\n){0,20}?[ \t]+assert\b[^\n]*\n(?:[ \t]+[^\n]*\n){0,20}?` +
        String.raw`[ \t]*except[^\n]*:\s*(?:pass|\.\.\.)`,
      "g",
    ),
  },
  {
    what: "an assertion that can't fail: it ends in a truth",
    pattern: /^[ \t]*(?:assert\b|expect\s*\()[^\n]*(?:\bor\s+(?:True|1\b)|\|\|\s*(?:true|1\b))/gm,
  },
];

/** The same for one file, with the values its assertions name and assertions that can't fail. */
export function weakerEdit(before: string, after: string): string | undefined {
  const counted = weakerTests(testFacts(before), testFacts(after));
  if (counted) return counted;
  const dodge = dodges.find(
    ({ pattern }) => count(withoutComments(after), pattern) > count(withoutComments(before), pattern),
  );
  if (dodge) return dodge.what;
  const { hollow } = testChange(before, after);
  if (hollow.length) return `an assertion that can't fail: ${hollow[0]}`;
  const lost = assertedValues(before).find((value) => !after.includes(value));
  return lost === undefined ? undefined : `the value ${lost} is no longer asked for`;
}

/** Numbers and texts in the lines of assertions. */
function assertedValues(text: string): string[] {
  const lines = withoutComments(text)
    .split("\n")
    .filter((line) => count(line, assertion) > 0);
  return lines.flatMap((line) => line.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b\d+(?:\.\d+)?\b/g) ?? []);
}
