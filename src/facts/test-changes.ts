// What an edit does to tests: how many it drops or skips, and which assertions cannot fail.
// Invariant: pure over the two texts.
import { alternatives } from "./lazy-pattern.js";

export const testFilePattern = alternatives([
  String.raw`(?:^|\/)(?:tests?|__tests__|spec|specs)\/`,
  String.raw`(?:\.|_|-)(?:test|tests|spec)\.[a-z]+$`,
  String.raw`(?:^|\/)test_[^/]+\.py$`,
  String.raw`(?:^|\/)[A-Z]\w*Tests?\.(?:java|kt|cs|swift|php)$`,
]);

export const testCases = new RegExp(
  String.raw`^[ \t]*(?:(?:it|test|specify|scenario|Deno\.test)(?:\.(?:each|concurrent|only)[^(]*)?\s*\(` +
    String.raw`|(?:async\s+)?def\s+test_\w+|func\s+Test\w+\s*\(|#\[(?:tokio::)?test\]|@Test\b` +
    String.raw`|func\s+test\w+\s*\()`,
  "gm",
);
const skips = alternatives(
  [
    String.raw`\b(?:it|test|describe|context|suite)\.(?:skip|todo|only)\b`,
    String.raw`\b(?:xit|xdescribe|xtest|fit|fdescribe)\s*\(`,
    String.raw`@(?:pytest\.mark\.)?(?:skip|xfail)\b`,
    String.raw`@unittest\.skip`,
    String.raw`\bpytest\.skip\(`,
    String.raw`\bt\.Skip(?:Now|f)?\(`,
    String.raw`#\[ignore\b`,
    String.raw`@(?:Disabled|Ignore)\b`,
    String.raw`\bXCTSkip\b`,
    String.raw`\.disabled\(`,
    String.raw`\bwithKnownIssue\b`,
    String.raw`\{\s*skip:\s*(?:true|["'])`,
  ],
  "g",
);

let patterns: readonly RegExp[] | undefined;

/** Assertions that hold whatever the code does, by language and library; made when a test file is first edited. */
const hollowPatterns = (): readonly RegExp[] =>
  (patterns ??= [
    alternatives(
      [
        String.raw`\bexpect\(\s*(?:true|!false|1)\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*(?:true|1)\s*\)`,
        String.raw`\bexpect\(\s*(?:true|1)\s*\)\.toBeTruthy\(\)`,
        String.raw`\bexpect\(\s*false\s*\)\.toBe(?:Falsy\(\)|\(\s*false\s*\))`,
      ],
      "g",
    ),
    /\bassert(?:\.ok|\.isTrue|\.isOk)?\(\s*(?:true|1|!0|!false)\s*(?:,[^)]*)?\)/g,
    /\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\(\s*(\d+|true|false|"[^"]*"|'[^']*')\s*,\s*\1\s*[,)]/g,
    /\bexpect\(\s*([\w.]+)\s*\)\.(?:toBe|toEqual|toStrictEqual)\(\s*\1\s*\)/g,
    /\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\(\s*([\w.]+)\s*,\s*\1\s*[,)]/g,
    /^[ \t]*assert[ \t]+(?:True|1|not False|1[ \t]*==[ \t]*1)[ \t]*(?:,.*)?$/gm,
    /^[ \t]*assert[ \t]+([\w.]+)[ \t]*==[ \t]*\1[ \t]*$/gm,
    /\bself\.assert(?:True\(\s*True|False\(\s*False|Equal\(\s*([\w.]+)\s*,\s*\1)\s*\)/g,
    /\bassert(?:_eq)?!\(\s*(?:true|(\w+)\s*,\s*\1)\s*\)/g,
    alternatives(
      [
        String.raw`\bexpect\([^()\n]{0,200}` +
          String.raw`(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\.length\s*\)\.toBeGreaterThanOrEqual\(\s*0\s*\)`,
        String.raw`\bassert[^\n]{0,60}?(?:len\([^)\n]{0,100}\)|\.length|\.count)\s*>=\s*0`,
      ],
      "g",
    ),
    new RegExp(
      "\\b(?:it|test)\\(\\s*(?:\"[^\"]*\"|'[^']*'|`[^`]*`)\\s*,\\s*(?:async\\s*)?(?:\\(\\s*\\)" +
        String.raw`|function\s*\(\s*\))\s*(?:=>)?\s*\{\s*\}\s*\)`,
      "g",
    ),
    /def\s+test_\w+\([^)\n]{0,300}\):\s*(?:\n\s+(?:"""[^"]*"""\s*)?)?pass\b/g,
    new RegExp(
      String.raw`\b(?:assert|require)\.(?:True\(\s*t\s*,\s*true|False\(\s*t\s*,\s*false` +
        String.raw`|Equal\(\s*t\s*,\s*([\w."]+)\s*,\s*\1)\s*[,)]`,
      "g",
    ),
    /(?:#expect|#require|\bXCTAssert(?:True|Equal)?)\(\s*([A-Za-z_][\w.]*)\s*(?:==|,)\s*\1\s*[,)]/g,
    new RegExp(
      String.raw`\b(?:assertTrue\(\s*true|assertFalse\(\s*false|assert(?:Equals|Same)\(\s*([\w."]+)\s*,\s*\1` +
        String.raw`|Assert\.(?:Is)?True\(\s*true|Assert\.(?:Is)?False\(\s*false` +
        String.raw`|Assert\.(?:Are)?Equal\(\s*([\w."]+)\s*,\s*\2)\s*[,)]`,
      "g",
    ),
    alternatives(
      [
        String.raw`\bexpect\(\s*(true|1)\s*\)\.to\s+(?:be(?:_truthy|\s+true|\(\s*true\s*\))|eq\s*\(?\s*\1\b)`,
        String.raw`^[ \t]*assert[ \t]+true[ \t]*$`,
        String.raw`^[ \t]*assert_equal[ \t]+([\w.:]+)[ \t]*,[ \t]*\2[ \t]*$`,
      ],
      "gm",
    ),
  ]);

/** The code without its comments. */
export const bareCode = (text: string): string =>
  text
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replace(/(^|\s)\/\/.*$/gm, "$1")
    .replace(/^[ \t]*#[ \t].*$/gm, "");

export interface TestChange {
  dropped: number;
  skipped: number;
  hollow: string[];
}

const mockMade = new RegExp(
  String.raw`\b(?:(?:let|const|var|val)\s+)?(\w+)\s*(?::\s*[\w<>]+\s*)?=\s*(?:new\s+|await\s+)?` +
    String.raw`(?:jest\.fn|vi\.fn|sinon\.\w+|mock` +
    String.raw`|MagicMock|AsyncMock|Mock|create_autospec|\w*(?:Mock|Stub|Fake|Spy)\w*)\s*[(<]`,
  "g",
);
const asserted =
  /(?:#expect|#require|\bexpect|\bassert\w*(?:\.\w+)?|\bXCTAssert\w*)\s*\(?\s*!?\s*(?:await\s+|try\s+)*(\w+)/g;
const called = /(?<![.\w])([A-Za-z_]\w*)(?:\.\w+)*\s*\(/g;
const helpers =
  /^(?:it|test|describe|expect|assert\w*|XCTAssert\w*|jest|vi|sinon|mock|func|def|if|for|while|async|when|verify|given|super|require)$/;

function bodiesOf(text: string): string[] {
  const starts = [...text.matchAll(testCases)].map((m) => m.index);
  return starts.map((from, i) => text.slice(from, starts[i + 1] ?? text.length));
}

/** Tests that assert only what they told their own mock: no code of the project is called. */
function mockOnly(text: string): string[] {
  return bodiesOf(text).flatMap((body) => {
    const mocks = new Set([...body.matchAll(mockMade)].map((m) => m[1]!));
    for (const [, name, of] of body.matchAll(takenFrom)) if (mocks.has(of!)) mocks.add(name!);
    const subjects = [...body.slice(body.indexOf("\n") + 1).matchAll(asserted)].map((m) => m[1]!);
    if (!mocks.size || !subjects.length || !subjects.every((s) => mocks.has(s))) return [];
    const inside = body.slice(Math.max(0, body.search(/[{:]\s*\n/)));
    const calls = [...inside.matchAll(called)].map((m) => m[1]!);
    const own = calls.every((c) => mocks.has(c) || helpers.test(c) || /(?:Mock|Stub|Fake|Spy)/.test(c));
    return own ? [`it asserts only its own mock (${[...mocks].slice(0, 2).join(", ")})`] : [];
  });
}

/** `let got = mock.value` */
const takenFrom = /\b(?:let|const|var|val)\s+(\w+)\s*=\s*(?:await\s+|try\s+)*(\w+)\./g;

const swiftAssertion = /(#expect|#require|\bXCTAssert\w*)\(((?:[^()\n]|\([^()\n]*\)){1,200})\)/g;
const swiftLiteral = /\b(let|var)\s+(\w+)\s*(?::\s*[\w?]+\s*)?=\s*(?:-?[\d._]+|"[^"\n]*"|true|false|nil)[ \t]*$/gm;

/** Swift assertions made of literals and of names that stand for one: they say nothing about the project's code. */
function literalOnly(text: string): string[] {
  const bodies = bodiesOf(text);
  return (bodies.length ? bodies : [text]).flatMap((body) => {
    const inside = body.slice(body.indexOf("{") + 1);
    const calls = [...inside.matchAll(called)].some((m) => !helpers.test(m[1]!) && m[1] !== "Bool");
    const known = new Set(["true", "false", "nil"]);
    // What is no constant may have been changed by a call.
    for (const [, how, name] of inside.matchAll(swiftLiteral)) if (how === "let" || !calls) known.add(name!);
    return [...inside.matchAll(swiftAssertion)].flatMap(([all, name, given]) => {
      const said = given!.replace(/"[^"\n]*"/g, "0").replace(/\bBool\((\w+)\)/g, "$1");
      const words = said.match(/(?<![\w.])[A-Za-z_]\w*|\.(?!count\b|isEmpty\b)[A-Za-z]\w*|[\w\]]\(/g) ?? [];
      // An assertion that always fails marks a place that must not be reached.
      const [, not, truth] = /^\s*(!?)(true|false)\s*(?:,|$)/.exec(said) ?? [];
      const fails = truth !== undefined && ((truth === "true") !== (not === "!")) === name!.endsWith("False");
      return !fails && words.every((word) => known.has(word)) ? [all] : [];
    });
  });
}

const fresh = (of: (text: string) => string[], before: string, after: string): string[] =>
  of(after).slice(of(before).length);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

export function testChange(textBefore: string, textAfter: string): TestChange {
  const [before, after] = [bareCode(textBefore), bareCode(textAfter)];
  const found = hollowPatterns().flatMap((pattern) => {
    const all = (text: string): string[] => text.match(pattern) ?? [];
    return fresh(all, before, after);
  });
  return {
    dropped: Math.max(0, count(before, testCases) - count(after, testCases)),
    skipped: Math.max(0, count(after, skips) - count(before, skips)),
    hollow: [...found, ...fresh(literalOnly, before, after), ...fresh(mockOnly, before, after)].map((f) =>
      f.trim().replace(/\s+/g, " ").slice(0, 80),
    ),
  };
}
