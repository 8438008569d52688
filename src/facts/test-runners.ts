// Which programs run tests or checks, by name and arguments: runners, task runners, and scripts of the project.
// Invariant: pure; listing tests, preparing them or printing help is not a run.
import { setOf } from "./lazy-pattern.js";

/** A program of the analysed command, as the shell analysis lists it. */
export interface ProgramCall {
  program: string;
  argv: readonly (string | undefined)[];
  /** Its path, if it was called by one. */
  path?: string;
}

export interface Runner {
  runner: string;
  level: "test" | "check";
}

const tests = (runner: string): Runner => ({ runner, level: "test" });
const checks = (runner: string): Runner => ({ runner, level: "check" });

/** Programs that do nothing but run tests, and those that check. */
const direct: Readonly<Record<string, Runner>> = {
  ...Object.fromEntries(["vitest", "jest", "mocha", "ava", "pytest", "rspec", "phpunit", "ctest"].map(named(tests))),
  "py.test": tests("pytest"),
  pest: tests("phpunit"),
  paratest: tests("phpunit"),
  ginkgo: tests("go test"),
  gotestsum: tests("go test"),
  ...Object.fromEntries(
    words(
      "tox nox bats prove shellspec busted wtr web-test-runner karma jasmine tap tape testem nose2 nosetests behave " +
        "cucumber cucumber-js kaocha ward codecept stestr zunit ptw newman cargo-nextest uvu lab",
    ).map((name) => [name, tests("script")]),
  ),
  ...Object.fromEntries(
    words(
      "tsc vue-tsc svelte-check eslint biome mypy pyright ruff golangci-lint shellcheck oxlint flake8 pylint rubocop " +
        "stylelint pre-commit swiftlint ktlint phpstan psalm papermill",
    ).map(named(checks)),
  ),
};

/** Programs that run tests with a certain word among their arguments. */
const byWord: Readonly<Record<string, Readonly<Record<string, Runner>>>> = {
  go: { test: tests("go test"), build: checks("go build"), vet: checks("go vet") },
  cargo: {
    test: tests("cargo test"),
    t: tests("cargo test"),
    nextest: tests("cargo test"),
    nt: tests("cargo test"),
    "llvm-cov": tests("cargo test"),
    tarpaulin: tests("cargo test"),
    check: checks("cargo check"),
    build: checks("cargo build"),
    clippy: checks("cargo clippy"),
    fmt: checks("cargo fmt"),
  },
  swift: { test: tests("xctest"), build: checks("swift build") },
  dotnet: { test: tests("dotnet test"), build: checks("dotnet build") },
  mvn: { test: tests("maven"), verify: tests("maven"), install: tests("maven"), compile: checks("maven") },
  gradle: { test: tests("gradle"), check: tests("gradle"), build: tests("gradle") },
  rake: { test: tests("script"), spec: tests("rspec") },
  mix: { test: tests("mix test"), compile: checks("mix compile") },
  deno: { test: tests("deno test"), check: checks("deno check") },
  bun: { test: tests("bun test") },
  playwright: { test: tests("playwright") },
  cypress: { run: tests("cypress") },
  xcodebuild: { test: tests("xctest"), build: checks("xcodebuild") },
  rebar3: { eunit: tests("script"), ct: tests("script") },
  nix: { check: tests("script") },
};
const sameAs: Readonly<Record<string, string>> = { gradlew: "gradle", mvnw: "mvn", mvnd: "mvn" };

function words(list: string): string[] {
  return list.split(" ");
}
function named(of: (runner: string) => Runner): (name: string) => [string, Runner] {
  return (name) => [name, of(name)];
}

/** Programs whose arguments name tasks of the project: `just test`, `nx run app:test`, `bazel test //...`. */
const taskRunners = setOf(`
  make gmake just task go-task mise rtx rake invoke inv doit hatch pdm pixi devbox devenv rye poe turbo nx lerna moon
  wireit nps npm-run-all npm-run-all2 run-s run-p concurrently wsrun rush composer earthly bazel bazelisk buck buck2
  pants plz please sbt mill lein stack cabal dune ninja meson ng react-scripts craco vue-cli-service rails django
  django-admin artisan manage.py symfony flutter dart fvm melos zig gradle mvn ant crystal nimble dub raco scons
  xcodebuild fastlane cargo deno zx grunt gulp jake b2 waf`);
/** Where `check` means the tests too, as the GNU conventions have it. */
const checkIsTest = setOf("make gmake just task go-task gradle ninja");

const scriptRunners = setOf("npm pnpm yarn bun");
const launchers = setOf("npx bunx pnpx uvx pipx c8 nyc dotenvx ts-node tsx");
/** Programs that run what follows a word of theirs. */
const launchWords: Readonly<Record<string, string>> = { uv: "run", poetry: "run", pipenv: "run", bundle: "exec" };
/** Options of package managers that take a value, which is no script. */
const valued = setOf("--filter -F --prefix -C --cwd --dir -w --workspace --if-present= --loglevel --reporter");

/** Options with which a runner lists, compiles or explains, and runs no test. */
const showsOnly = new RegExp(
  "^(?:--help|-h|--version|--list(?:[A-Z-][A-Za-z-]*)?|--collect-only|--co|--init|--dry-run|--no-run" +
    "|--show-only(?:=.*)?|--showConfig|--clearCache|--setup-plan|--setup-only|--just-print|--recon)$",
);
const onlyShort: Readonly<Record<string, RegExp>> = {
  go: /^-(?:c|n|list(?:=.*)?)$/,
  dotnet: /^-t$/,
  gradle: /^-m$/,
  ctest: /^-N$/,
  bats: /^(?:-c|--count)$/,
  make: /^-[nqt]$/,
  gmake: /^-[nqt]$/,
};
/** Where the word `list` stands: `vitest list`, `swift test list`, `cargo nextest list`. */
const listWord: Readonly<Record<string, number>> = { vitest: 0, swift: 1, cargo: 1 };

/** Which runner a program with these arguments is, if it is one. `root`: only scripts of this folder are known. */
export function runnerOf(call: ProgramCall, root?: string): Runner | undefined {
  const { argv } = call;
  const program = sameAs[call.program] ?? call.program;
  const given = argv.map((a) => a ?? "");
  if (given.some((w) => showsOnly.test(w) || onlyShort[program]?.test(w))) return undefined;
  const plain = given.filter((w) => w && !w.startsWith("-"));
  if (plain[listWord[program] ?? -1] === "list") return undefined;
  if (Object.hasOwn(direct, program)) return direct[program];
  if ((program === "node" || program === "tsx") && given.includes("--test")) return tests("node:test");
  if (program === "node" && given.includes("--run")) return scriptLevel(given[given.indexOf("--run") + 1]);
  if (/^R(?:script)?$/.test(program))
    return given.some((w) => testsInR.test(w)) || plain.slice(0, 2).join(" ") === "CMD check"
      ? tests("script")
      : undefined;
  if (/^jupyter(?:-nbconvert)?$/.test(program)) return given.includes("--execute") ? checks("nbconvert") : undefined;
  if (/^python[\d.]*$/.test(program) && given[0] === "-m")
    return given[1] === "unittest" ? tests("unittest") : own(direct, given[1] ?? "");
  const installed = program === "node" ? /(?:^|\/)node_modules\/\.bin\/([\w-]+)$/.exec(plain[0] ?? "")?.[1] : undefined;
  if (installed) return runnerOf({ program: installed, argv: given.slice(given.indexOf(plain[0]!) + 1) }, root);
  if (scriptRunners.has(program)) return packageScript(program, given);
  if (launchers.has(program)) return launched(given, undefined);
  if (Object.hasOwn(launchWords, program) && plain[0] === launchWords[program]) return launched(given, plain[0]);
  const known = Object.hasOwn(byWord, program) ? plain.map((w) => own(byWord[program]!, w)).find(Boolean) : undefined;
  return known ?? taskOf(program, given) ?? projectScript(call, plain, root) ?? behindProxy(program, given);
}

const testsInR =
  /\b(?:test_(?:dir|file|local|package|check)|devtools::(?:test|check)|tinytest::\w+)\s*\(|(?:^|\/)tests?\/\w+\.R$/;

const showing = setOf(`
  echo printf cat bat less more head tail grep egrep fgrep rg ag ack sed awk git gh find fd ls which type command man
  alias export test ssh curl kill pkill pgrep ps xargs tmux screen open code vim nano diff jq yq wc sort tee touch mkdir
  rm cp mv ln chmod npm pnpm yarn bun`);

/** A program nobody knows that is given a whole call: `rtk test bun run test`. */
function behindProxy(program: string, given: string[]): Runner | undefined {
  if (showing.has(program)) return undefined;
  const at = given.findIndex((w) => /^(?:npm|pnpm|yarn|bun|npx|go|cargo|uv|poetry|mise|make|just)$/.test(w));
  return at < 0 || at > 2 ? undefined : runnerOf({ program: given[at]!, argv: given.slice(at + 1) });
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

function launched(given: string[], after: string | undefined): Runner | undefined {
  const rest = after === undefined ? given : given.slice(given.indexOf(after) + 1);
  const start = rest.findIndex((w) => !w.startsWith("-"));
  return start < 0
    ? undefined
    : runnerOf({ program: rest[start]!.replace(/@[\w.^~-]+$/, ""), argv: rest.slice(start + 1) });
}

function packageScript(program: string, given: string[]): Runner | undefined {
  const plain = given.filter((w, i) => w && !w.startsWith("-") && !valued.has(given[i - 1] ?? ""));
  const [first, second] = plain;
  if (first === "exec" || first === "dlx" || first === "x") return launched(given, first);
  if (program === "bun" && first === "test") return tests("bun test");
  const nested =
    first === "workspace" ? plain.slice(2) : first === "workspaces" || first === "recursive" ? plain.slice(1) : plain;
  const script = nested.find((w) => w !== "run" && w !== "run-script" && w !== "foreach");
  return scriptLevel(script) ?? (first === "run" && second ? scriptLevel(second) : undefined);
}

/** A script of package.json or a task by its name; `npm run check` proves less than `npm test`. */
function scriptLevel(script: string | undefined): Runner | undefined {
  if (script === undefined) return undefined;
  if (script === "t" || script === "tst" || namesTests(script)) return tests("script");
  return /^(?:build|lint|check|typecheck|type-check|tsc|types|compile)(?:$|[:._-])/.test(script)
    ? checks("script")
    : undefined;
}

function taskOf(program: string, given: string[]): Runner | undefined {
  if (!taskRunners.has(program)) return undefined;
  const tasks = given
    .map((w) => /^--?(?:t|target|targets)=(.+)$/.exec(w)?.[1] ?? /^(?:npm|yarn|pnpm|bun):(.+)$/.exec(w)?.[1] ?? w)
    .filter((w) => w && !w.startsWith("-"))
    .map((w) => (program === "sbt" ? w.split(/\s/)[0]! : w));
  if (tasks.some((w) => namesTests(w))) return tests("script");
  if (tasks.includes("check")) return checkIsTest.has(program) ? tests("script") : checks("script");
  const building = program === "gradle" ? gradleTask : /(?:^|:)(?:build|lint|typecheck|compile|assemble|fuzz|bench)$/;
  return tasks.some((w) => building.test(w)) ? checks("script") : undefined;
}

/** `:app:assembleDebug`, `installDebug`, `compileKotlin`, `lintRelease`. */
const gradleTask = /(?:^|:)(?:build|assemble|bundle|install|compile|lint|ktlint|detekt)(?:[A-Z]\w*)?$/;

const testWords = setOf(
  "test tests spec specs unit e2e integration pytest jest vitest verify ci cibuild coverage eunit",
);
/** What prepares tests or keeps their data runs none. */
const preparing = setOf(`
  setup fixture fixtures data gen generate seed clean list server install deps prepare new create init update migrate
  build compile lint format fmt db up down start stop watch report results utils helpers`);

/** Whether a task's name says that it runs tests: `test:unit`, `web:test`, `unit-tests`, `testDebugUnitTest`. */
function namesTests(name: string): boolean {
  if (name.length > 80 || /[\s/\\*=]/.test(name.replace(/^\/\/|\*$/g, ""))) return false;
  const parts = name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return parts.some((p) => testWords.has(p)) && !parts.some((p) => preparing.has(p));
}

const interpreters = setOf("bash sh zsh dash node bun deno python python3 ruby perl php");
const scriptFolder = /(?:^|\/)(?:bin|scripts?|tools?|ci|dev|hack|build|\.ci|etc|tasks)\/[^/]+$/;
const runsAll = /^(?:run[-_]?(?:all[-_]?)?tests?|tests?[-_]?(?:all|runner)|all[-_]?tests?|runtests)$/i;

/** `bin/test`, `scripts/run-tests.sh`, `./dev test`: a file of the project that says it runs the tests. */
function projectScript({ program, path }: ProgramCall, plain: readonly string[], root?: string): Runner | undefined {
  const file = path ?? (interpreters.has(program) ? plain[0] : undefined);
  if (file === undefined) return undefined;
  if (path !== undefined && root !== undefined && !path.startsWith(`${root}/`)) return undefined;
  if (file.startsWith("/") && path === undefined && !(root !== undefined && file.startsWith(`${root}/`)))
    return undefined;
  const name = file.replace(/^.*\//, "").replace(/\.(?:sh|bash|zsh|mjs|cjs|js|mts|ts|py|rb|pl|php)$/, "");
  if (runsAll.test(name) || /(?:^|\/)tests?\/(?:run|all)[\w-]*\.\w+$/.test(file)) return tests("script");
  if (namesTests(name)) return path !== undefined || scriptFolder.test(file) ? tests("script") : undefined;
  return path !== undefined && plain[0] !== undefined && namesTests(plain[0]) ? tests("script") : undefined;
}
