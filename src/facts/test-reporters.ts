// Reads the summaries of test reporters as counts. Invariant: pure over the text; several summaries are added up,
// and text without a summary gives undefined, not zero.

import { lazyRegExp } from "./lazy-pattern.js";

export interface Counts {
  collected: number;
  passed: number;
  failed: number;
  skipped: number;
}

export type Reporter = (text: string) => Counts | undefined;

const none = (): Counts => ({ collected: 0, passed: 0, failed: 0, skipped: 0 });

/** Adds up every match, each turned into the counts it shows. */
const sum =
  (pattern: RegExp, read: (match: RegExpMatchArray) => Partial<Counts>): Reporter =>
  (text) => {
    let total: Counts | undefined;
    for (const match of text.matchAll(pattern)) {
      const { passed = 0, failed = 0, skipped = 0, collected } = read(match);
      total ??= none();
      total.passed += passed;
      total.failed += failed;
      total.skipped += skipped;
      total.collected += collected ?? passed + failed + skipped;
    }
    return total;
  };

/** "3 passed | 1 failed" -> the numbers before the given words. */
function numbers(text: string, words: Record<keyof Omit<Counts, "collected">, RegExp>): Partial<Counts> {
  const out: Partial<Counts> = {};
  for (const [, n, word] of text.matchAll(/(\d+)\s+([a-z]+)/gi))
    for (const key of ["passed", "failed", "skipped"] as const)
      if (words[key].test(word!)) out[key] = (out[key] ?? 0) + Number(n);
  return out;
}

const usual = {
  passed: /^pass(?:ed|ing)?$/i,
  failed: /^(?:fail(?:ed|ing)?|errors?)$/i,
  skipped: /^(?:skipped|todo|pending|ignored)$/i,
};

const vitestTotals = sum(
  /^[ \t]*Tests[ \t]{1,4}((?:\d+ (?:passed|failed|skipped|todo)(?: \| )?)+) \((\d+)\)/gm,
  (m) => ({
    ...numbers(m[1]!, usual),
    collected: Number(m[2]),
  }),
);

/** ` ✓ src/a.test.ts (47 tests) 10ms`, ` ❯ src/b.test.ts (3 tests | 1 failed)`: what a filter leaves of a run. */
const vitestFiles = sum(/^[ \t]*[✓❯×][ \t]+\S+ \((\d+) tests?((?: \| \d+ \w+)*)\)/gmu, (m) => {
  const { failed = 0, skipped = 0 } = numbers(m[2]!, usual);
  return { passed: Number(m[1]) - failed - skipped, failed, skipped };
});

const vitest: Reporter = (text) => vitestTotals(text) ?? vitestFiles(text);

const jest = sum(/^Tests:\s+(.*?)(\d+) total/gm, (m) => ({ ...numbers(m[1]!, usual), collected: Number(m[2]) }));

const nodeTest: Reporter = (text) => {
  const read = (name: string) =>
    [...text.matchAll(new RegExp(`^(?:#|ℹ|\\u2139) ${name} (\\d+)$`, "gm"))].reduce<number | undefined>(
      (a, m) => (a ?? 0) + Number(m[1]),
      undefined,
    );
  const [passed, bad] = [read("pass"), read("fail")];
  // A filter may leave the two lines that matter.
  const collected = read("tests") ?? (passed !== undefined && bad !== undefined ? passed + bad : undefined);
  if (collected === undefined) return undefined;
  return {
    collected,
    passed: passed ?? 0,
    failed: (bad ?? 0) + (read("cancelled") ?? 0),
    skipped: (read("skipped") ?? 0) + (read("todo") ?? 0),
  };
};

const pytestWords = {
  passed: /^(?:passed|xpassed)$/,
  failed: /^(?:failed|errors?)$/,
  skipped: /^(?:skipped|xfailed)$/,
};
const pytestSummary = sum(
  new RegExp(
    String.raw`^(?:=+ )?((?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?` +
      String.raw`|rerun)(?:, )?)+) in [\d.]+s`,
    "gm",
  ),
  (m) => numbers(m[1]!, pytestWords),
);
const pytest: Reporter = (text) =>
  pytestSummary(text) ?? (/^(?:=+ )?no tests (?:ran|collected)/m.test(text) ? none() : undefined);

const unittest = sum(/^Ran (\d+) tests? in [^\n]*\n{1,3}[ \t]*(OK|FAILED|NO TESTS RAN)([^\n]*)/gm, (m) => {
  const of = (word: string) => Number(new RegExp(`${word}=(\\d+)`).exec(m[3]!)?.[1] ?? 0);
  const failed = of("failures") + of("errors");
  const skipped = of("skipped");
  return { collected: Number(m[1]), failed, skipped, passed: Number(m[1]) - failed - skipped };
});

/** With -v or -json single tests are counted, otherwise packages. */
const goTest: Reporter = (text) => {
  const counts = none();
  for (const [, action] of text.matchAll(/^[ \t]*--- (PASS|FAIL|SKIP): /gm)) tally(counts, action!);
  for (const [, action] of text.matchAll(/"Action":"(pass|fail|skip)"[^\n}]*"Test":/g)) tally(counts, action!);
  if (counts.collected && /^FAIL\b/m.test(text) && !counts.failed) counts.failed = 1;
  if (counts.collected) return counts;
  let seen = false;
  for (const [line, word] of text.matchAll(/^(ok|FAIL|\?) *\t\S+[^\n]*/gm)) {
    seen = true;
    if (word === "ok" && !line.endsWith("[no tests to run]")) tally(counts, "pass");
    if (word === "FAIL") tally(counts, "fail");
  }
  // With -json every test has an event of its own.
  return seen || /^\{.*"Action":"(?:pass|skip)","Package":/m.test(text) ? counts : undefined;
};

function tally(counts: Counts, action: string): void {
  counts.collected++;
  const a = action.toLowerCase();
  if (a === "pass") counts.passed++;
  else if (a === "fail") counts.failed++;
  else counts.skipped++;
}

const cargo: Reporter = (text) =>
  sum(/^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm, (m) => ({
    passed: Number(m[1]),
    failed: Number(m[2]),
    skipped: Number(m[3]),
  }))(text) ??
  sum(/^[ \t]*Summary \[[^\]]*\]\s+(?:\d+\/)?(\d+) tests? run: (.*)$/gm, (m) => numbers(m[2]!, usual))(text);

const mocha: Reporter = (text) => {
  const read = (word: string) => /\d+/.exec(new RegExp(`^[ \\t]+\\d+ ${word}\\b`, "m").exec(text)?.[0] ?? "")?.[0];
  const passed = read("passing");
  if (passed === undefined) return undefined;
  const [failed, skipped] = [Number(read("failing") ?? 0), Number(read("pending") ?? 0)];
  return { collected: Number(passed) + failed + skipped, passed: Number(passed), failed, skipped };
};

const rspec = sum(/^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?/gm, (m) => {
  const [all, failed, skipped] = [Number(m[1]), Number(m[2]), Number(m[3] ?? 0)];
  return { collected: all, failed, skipped, passed: all - failed - skipped };
});

const bun = sum(/^[ \t]*(\d+) pass\n(?:[ \t]*(\d+) skip\n)?(?:[ \t]*\d+ todo\n)?[ \t]*(\d+) fail\n/gm, (m) => ({
  passed: Number(m[1]),
  skipped: Number(m[2] ?? 0),
  failed: Number(m[3]),
}));

const phpunit: Reporter = (text) =>
  sum(/^OK \((\d+) tests?, /gm, (m) => ({ passed: Number(m[1]) }))(text) ??
  sum(/^Tests: (\d+), Assertions: \d+(.*)$/gm, (m) => {
    const of = (word: string) => Number(new RegExp(`${word}: (\\d+)`).exec(m[2]!)?.[1] ?? 0);
    const failed = of("Failures") + of("Errors");
    return { collected: Number(m[1]), failed, skipped: of("Skipped"), passed: Number(m[1]) - failed - of("Skipped") };
  })(text) ??
  // Pest and `php artisan test`: "Tests:    1 failed, 2 passed (3 assertions)".
  sum(/^[ \t]*Tests:[ \t]+((?:\d+ [a-z]+(?:, )?)+) \(\d+ assertions?\)/gm, (m) => numbers(m[1]!, usual))(text) ??
  (/^No tests executed!/m.test(text) ? none() : undefined);

const surefire = (m: RegExpMatchArray): Partial<Counts> => {
  const [all, failed, skipped] = [Number(m[1]), Number(m[2]) + Number(m[3]), Number(m[4])];
  return { collected: all, failed, skipped, passed: all - failed - skipped };
};
/** Totals stand on a line of their own; the line of a single class has a time. */
const maven: Reporter = (text) =>
  sum(/^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)[ \t]*$/gm, surefire)(text) ??
  sum(/^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+), /gm, surefire)(text) ??
  (/^(?:\[\w+\] )?No tests to run\./m.test(text) ? none() : undefined);

const gradle = sum(/^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?/gm, (m) => {
  const [all, failed, skipped] = [Number(m[1]), Number(m[2] ?? 0), Number(m[3] ?? 0)];
  return { collected: all, failed, skipped, passed: all - failed - skipped };
});

const dotnet: Reporter = (text) =>
  sum(
    /^[ \t]{0,8}(?:Passed|Failed|Skipped)! {1,4}- Failed: *(\d+), Passed: *(\d+), Skipped: *(\d+), Total: *(\d+)/gm,
    (m) => ({
      failed: Number(m[1]),
      passed: Number(m[2]),
      skipped: Number(m[3]),
      collected: Number(m[4]),
    }),
  )(text) ??
  sum(/^Test summary: total: (\d+), failed: (\d+), succeeded: (\d+), skipped: (\d+)/gm, (m) => ({
    collected: Number(m[1]),
    failed: Number(m[2]),
    passed: Number(m[3]),
    skipped: Number(m[4]),
  }))(text) ??
  (/^No test is available in /m.test(text) ? none() : undefined);

/** Swift Testing prints one line for the whole run, and counts issues, not failed tests. */
const swiftTesting = sum(
  /\bTest run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after [^\n]*?(?:with (\d+) issues?)?[^\S\n]*\.?$/gm,
  (m) => {
    const all = Number(m[1]);
    const failed = m[2] === "failed" ? Math.max(1, Math.min(all, Number(m[3] ?? 1))) : 0;
    return { collected: all, failed, passed: all - failed };
  },
);
/** XCTest prints "Executed 0 tests" beside it where all tests are of the newer kind. */
const swift: Reporter = (text) => {
  const [old, newer] = [xctest(text), swiftTesting(text)];
  return old?.collected ? (newer?.failed ? newer : old) : (newer ?? old);
};

/** minitest: "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips"; ExUnit, Bats and others: "3 tests, 1 failure". */
const minitest = sum(
  new RegExp(
    String.raw`^[ \t]*(\d+) (?:runs|tests|checks), (?:\d+ assertions, )?(\d+) failures?(?:, (\d+) errors?)?` +
      String.raw`(?:, (\d+) (?:skips|skipped|excluded))?`,
    "gm",
  ),
  (m) => {
    const [all, failed, skipped] = [Number(m[1]), Number(m[2]) + Number(m[3] ?? 0), Number(m[4] ?? 0)];
    return { collected: all, failed, skipped, passed: Math.max(0, all - failed - skipped) };
  },
);

const xctest = sum(/Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?/g, (m) => ({
  collected: Number(m[1]),
  skipped: Number(m[2] ?? 0),
  failed: Number(m[3]),
  passed: Number(m[1]) - Number(m[3]) - Number(m[2] ?? 0),
}));

const deno = sum(
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm,
  (m) => ({
    passed: Number(m[1]),
    failed: Number(m[2]),
    skipped: Number(m[3] ?? 0),
  }),
);

/** One line for each outcome; the time stands behind the passed or failed ones, and nowhere if all were skipped. */
const playwright: Reporter = (text) => {
  const timed = /^[ \t]+\d+ (?:passed|failed|flaky|skipped) \(\d[\d.]*(?:ms|s|m|h)\)[ \t]*$/m.test(text);
  if (!timed && !/^Running \d+ tests? using \d+ workers?/m.test(text)) return undefined;
  const lines = /^[ \t]+(\d+) (passed|failed|flaky|interrupted|skipped|did not run)(?: \([^)\n]{1,12}\))?[ \t]*$/gm;
  const total = none();
  for (const [, n, word] of text.matchAll(lines)) {
    const key = word === "passed" || word === "flaky" ? "passed" : word === "skipped" ? "skipped" : "failed";
    total[key] += Number(n);
    total.collected += Number(n);
  }
  return total;
};

/** The last row of the table: how long, tests, passing, failing, pending, skipped; a dash is zero. */
const cypress = sum(
  /(?:All specs passed!|\d+ of \d+ failed \(\d+%\)) +[\d:hms.]+ +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-) +(\d+|-)/g,
  (m) => {
    const [collected, passed, failed, pending, skipped] = m.slice(1).map((n) => Number(n) || 0);
    return { collected: collected!, passed: passed!, failed: failed!, skipped: pending! + skipped! };
  },
);
/** "100% tests passed, 0 tests failed out of 12" */
const ctest = sum(/^\d+% tests passed, (\d+) tests? failed out of (\d+)/gm, (m) => {
  const [failed, all] = [Number(m[1]), Number(m[2])];
  return { collected: all, failed, passed: all - failed };
});

/** busted: "3 successes / 0 failures / 0 errors / 1 pending"; plenary: "Success: 3", "Failed : 0", "Errors : 0". */
const busted: Reporter = (text) =>
  sum(/^(\d+) success(?:es)? \/ (\d+) failures? \/ (\d+) errors?(?: \/ (\d+) pending)?/gm, (m) => ({
    passed: Number(m[1]),
    failed: Number(m[2]) + Number(m[3]),
    skipped: Number(m[4] ?? 0),
  }))(text) ??
  sum(/^Success:[ \t]+(\d+)[ \t]*\nFailed :[ \t]+(\d+)[ \t]*\nErrors :[ \t]+(\d+)/gm, (m) => ({
    passed: Number(m[1]),
    failed: Number(m[2]) + Number(m[3]),
  }))(text);

/** Bazel counts targets: "Executed 1 out of 5 tests: 4 tests pass and 1 fails locally." */
const bazel = sum(/^Executed \d+ out of (\d+) tests?: (.*)$/gm, (m) => {
  const of = (words: string) => Number(new RegExp(`(\\d+) (?:tests? )?(?:${words})`).exec(m[2]!)?.[1] ?? 0);
  const [all, passed, skipped] = [Number(m[1]), of("pass"), of("(?:was|were) skipped")];
  return { collected: all, passed, skipped, failed: Math.max(0, all - passed - skipped) };
});

/** Cabal counts suites: "1 of 2 test suites (1 of 2 test cases) passed." */
const cabal: Reporter = (text) =>
  sum(/^(\d+) of (\d+) test suites \(.*\) passed\.$/gm, (m) => ({
    passed: Number(m[1]),
    failed: Number(m[2]) - Number(m[1]),
  }))(text) ?? sum(/^Test suite \S+: (PASS|FAIL)$/gm, (m) => (m[1] === "PASS" ? { passed: 1 } : { failed: 1 }))(text);

/** Perl: "Files=2, Tests=9, ..." above "Result: PASS". */
const prove = sum(/^Files=\d+, Tests=(\d+),[^\n]*\n+Result: (PASS|FAIL)/gm, (m) =>
  m[2] === "PASS" ? { passed: Number(m[1]) } : { collected: Number(m[1]), failed: 1 },
);

/** testthat in R prints its counts anew as it goes; the last line has them all. */
const testthat: Reporter = (text) => {
  const [, failed, skipped, passed] =
    [...text.matchAll(/\[ FAIL (\d+) \| WARN \d+ \| SKIP (\d+) \| PASS (\d+) \]/g)].at(-1) ?? [];
  if (failed === undefined) return undefined;
  const counts = { failed: Number(failed), skipped: Number(skipped), passed: Number(passed) };
  return { ...counts, collected: counts.failed + counts.skipped + counts.passed };
};

/** TAP has no summary: every test that its plan announces must be shown. */
const tap: Reporter = (text) => {
  const planned = Number(/^1\.\.(\d+)[ \t]*(?:#.*)?$/m.exec(text)?.[1] ?? 0);
  const lines = [...text.matchAll(/^(not )?ok \d+\b(?:.*#[ \t]*(skip|todo)\b)?/gim)];
  const failed = lines.filter(([, not, directive]) => not && !directive).length;
  if (!planned || (lines.length !== planned && !failed)) return undefined;
  const skipped = lines.filter(([, , directive]) => directive).length;
  return { collected: planned, failed, skipped, passed: lines.length - failed - skipped };
};

export const reporters: Readonly<Record<string, Reporter>> = {
  vitest,
  jest,
  "node:test": nodeTest,
  pytest,
  unittest,
  "go test": goTest,
  "cargo test": cargo,
  mocha,
  rspec,
  "bun test": bun,
  phpunit,
  maven,
  gradle,
  "dotnet test": dotnet,
  xctest: swift,
  minitest,
  "deno test": deno,
  playwright,
  cypress,
  ctest,
  busted,
  bazel,
  cabal,
  prove,
  testthat,
  tap,
};

/** The line with the counts of a run in which a test failed. */
const failing: Readonly<Record<string, string>> = {
  vitest: "      Tests  1 failed | 2 passed (3)",
  jest: "Tests:       1 failed, 2 passed, 3 total",
  "node:test": "# fail 1",
  pytest: "=== 1 failed, 2 passed in 0.12s ===",
  unittest: "FAILED (failures=1)",
  "go test": "FAIL\texample.com/a\t0.01s",
  "cargo test": "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
  mocha: "  1 failing",
  rspec: "3 examples, 1 failure",
  "bun test": " 1 fail",
  phpunit: "Tests: 3, Assertions: 3, Failures: 1.",
  maven: "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0",
  gradle: "3 tests completed, 1 failed",
  "dotnet test": "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3",
  xctest: "Executed 3 tests, with 1 failure (0 unexpected) in 0.1 seconds",
  minitest: "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips",
  "deno test": "FAILED | 2 passed | 1 failed (20ms)",
  playwright: "  1 failed",
  cypress: "    1 of 1 failed (100%)      00:12        3        2        1        -        -",
  ctest: "67% tests passed, 1 tests failed out of 3",
  busted: "2 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds",
  bazel: "Executed 3 out of 3 tests: 2 tests pass and 1 fails locally.",
  cabal: "0 of 1 test suites (0 of 1 test cases) passed.",
  prove: "Result: FAIL",
  testthat: "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 2 ]",
  tap: "not ok 2 - adds",
};

/** What the runner's summary looks like when a test fails; for a script, that of the reporter that found counts. */
export function failingSummaries(runner: string, text = ""): string[] {
  if (failing[runner]) return [failing[runner]];
  return Object.entries(reporters).flatMap(([name, read]) => (read(text)?.collected ? [failing[name]!] : []));
}

const colours = /\u001b\[[0-9;]*[A-Za-z]/g;

/** What runners say instead of a summary when there was nothing to run. */
const nothingRun = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^[^\w\n[]{0,8}` +
        String.raw`(?:(?:error|warning|testing|warn|info|lerna|nx|nox >|make(?:\[\d+\])?|\[\w+\])[ \t:!]*){0,3}` +
        "(?:no tests? (?:files? |suites? |cases? |targets? )?(?:were |was |have been )?" +
        "(?:found|ran|run|executed|collected|discovered|matched|to run)" +
        "|there are no tests to run|no stale tests|couldn't find any files to test|no specs? found|no examples found" +
        String.raw`|(?:ran|executed|done) 0 (?:(?:out )?of \d+ specs|(?:out )?of 0\b|tests?\b)` +
        "|(?:0|zero) (?:tests?|specs?|scenarios?|examples?|features?) (?:ran|run|passed|executed|found)" +
        String.raw`|0 specs, 0 failures|0 scenarios$|0 successes / 0 failures|1\.\.0\b` +
        String.raw`|files=0, tests=0\b|result: notests` +
        String.raw`|total:[ \t]+0$|passed: total 0\b|test run summary: zero tests ran` +
        String.raw`|task :\S*test\S* (?:no-source|skipped)|\S+: skip \(|all 0 tests|tests[ \t]+no tests` +
        "|no test (?:files|modules found|matches )|no matching test cases|tests are skipped" +
        String.raw`|could(?: not|n't) find any tests?\b|no tasks were (?:run|executed)|no sessions selected` +
        "|no packages found with the lifecycle script|none of the selected packages has a " +
        String.raw`|nothing to be done for '\S*(?:test|check)\S*'|'\S*(?:test|check)\S*' is up to date)` +
        String.raw`|\bexecuted 0 of 0\b|\b0 passed, 0 failed\b`,
      "im",
    ),
);

/** What shows beside it that another part of the run had tests. */
const someRun = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^\W{0,8}(?:[1-9]\d* (?:tests?|specs?|scenarios?|examples?|features?|passed|passing|pass|successes)\b` +
        String.raw`|ok \d|all [1-9]\d* tests|executed [1-9]|ran [1-9]|total:[ \t]+[1-9]` +
        String.raw`|passed: total [1-9]|\S+: ok \(|task :\S*:?test(?: up-to-date| from-cache)?$)`,
      "im",
    ),
);

/** The commands of package scripts, as npm, pnpm, yarn and bun print them before running them. */
const scriptLine = /^(?:> \S+@\S+ [^\n]*\n> |\$ )([^\n]+)$/gm;
const doesNothing = /^(?:(?:echo|printf)\b[^;&|]*|true|:|exit 0)(?:\s*(?:;|&&)\s*(?:true|exit 0))?$/;

/** `"test": "echo no tests yet"`: a script that stands where tests will be. */
function isPlaceholder(plain: string): boolean {
  const commands = [...plain.matchAll(scriptLine)].map((m) => m[1]!.trim());
  return commands.length > 0 && commands.every((c) => doesNothing.test(c));
}

/** All that a package manager prints where no package has the script. */
const onlyDone = /^\s*Done in [\d.]+ ?m?s(?: [\d.]+ms)?\.?\s*$/;

const ranNothing = (plain: string): boolean =>
  onlyDone.test(plain) || (nothingRun().test(plain) && !someRun().test(plain)) || isPlaceholder(plain);

/** The counts in an output, by the named runner's reporter or by the first that recognises its summary. */
export function countsIn(text: string, runner?: string): Counts | undefined {
  const plain = text.replace(colours, "").replaceAll("\r\n", "\n");
  const own = runner === undefined ? undefined : reporters[runner];
  const found = own ? own(plain) : firstCounts(plain);
  return found ?? (ranNothing(plain) ? none() : undefined);
}

/** Of several summaries, one that counts a test wins. */
function firstCounts(plain: string): Counts | undefined {
  let empty: Counts | undefined;
  for (const reporter of Object.values(reporters)) {
    const counts = reporter(plain);
    if (counts?.collected) return counts;
    empty ??= counts;
  }
  return empty;
}
