// Reads the summaries of test reporters as counts. Invariant: pure over the text; several summaries are added up,
// and text without a summary gives undefined, not zero.

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

const vitest = sum(/^[ \t]*Tests[ \t]{1,4}((?:\d+ (?:passed|failed|skipped|todo)(?: \| )?)+) \((\d+)\)/gm, (m) => ({
  ...numbers(m[1]!, usual),
  collected: Number(m[2]),
}));

const jest = sum(/^Tests:\s+(.*?)(\d+) total/gm, (m) => ({ ...numbers(m[1]!, usual), collected: Number(m[2]) }));

const nodeTest: Reporter = (text) => {
  const read = (name: string) =>
    [...text.matchAll(new RegExp(`^(?:#|ℹ|\\u2139) ${name} (\\d+)$`, "gm"))].reduce<number | undefined>(
      (a, m) => (a ?? 0) + Number(m[1]),
      undefined,
    );
  const collected = read("tests");
  if (collected === undefined) return undefined;
  return {
    collected,
    passed: read("pass") ?? 0,
    failed: (read("fail") ?? 0) + (read("cancelled") ?? 0),
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
  return seen ? counts : undefined;
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
  )(text) ?? (/^No test is available in /m.test(text) ? none() : undefined);

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
    String.raw`^[ \t]*(\d+) (?:runs|tests), (?:\d+ assertions, )?(\d+) failures?(?:, (\d+) errors?)?` +
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

/** One line for each outcome; the time stands behind the passed ones, or behind the failed where none passed. */
const playwright: Reporter = (text) => {
  if (!/^[ \t]+\d+ (?:passed|failed|flaky|skipped) \(\d[\d.]*(?:ms|s|m|h)\)[ \t]*$/m.test(text)) return undefined;
  const lines = /^[ \t]+(\d+) (passed|failed|flaky|interrupted|skipped|did not run)(?: \([^)\n]{1,12}\))?[ \t]*$/gm;
  const total = none();
  for (const [, n, word] of text.matchAll(lines)) {
    const key = word === "passed" || word === "flaky" ? "passed" : word === "skipped" ? "skipped" : "failed";
    total[key] += Number(n);
    total.collected += Number(n);
  }
  return total;
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
};

/** What the runner's summary looks like when a test fails; for a script, that of the reporter that found counts. */
export function failingSummaries(runner: string, text = ""): string[] {
  if (failing[runner]) return [failing[runner]];
  return Object.entries(reporters).flatMap(([name, read]) => (read(text)?.collected ? [failing[name]!] : []));
}

const colours = /\u001b\[[0-9;]*[A-Za-z]/g;

/** What runners say instead of a summary when there was nothing to run. */
const nothingRun = new RegExp(
  String.raw`^[ \t>*!-]*(?:(?:error|warning|testing|warn|info|\[\w+\])[ \t:!]*){0,3}` +
    `(?:no tests? (?:files? |suites? |cases? )?(?:were |was |have been )?` +
    `(?:found|ran|run|executed|collected|discovered|matched|to run)` +
    `|there are no tests to run|couldn't find any files to test|no specs? found|no examples found` +
    String.raw`|ran 0 of \d+ specs|0 tests? (?:ran|run|executed|found)|task :\S*test\S* no-source` +
    String.raw`|all 0 tests|tests[ \t]+no tests|no test (?:files|modules found|matches )|no matching test cases` +
    String.raw`|tests are skipped|could(?: not|n't) find any tests?\b)`,
  "im",
);

/** The counts in an output, by the named runner's reporter or by the first that recognises its summary. */
export function countsIn(text: string, runner?: string): Counts | undefined {
  const plain = text.replace(colours, "").replaceAll("\r\n", "\n");
  const own = runner === undefined ? undefined : reporters[runner];
  const found = own ? own(plain) : firstCounts(plain);
  return found ?? (nothingRun.test(plain) ? none() : undefined);
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
