// Which programs run tests or checks, by name and arguments.
// Invariant: pure; listing tests or printing help is not a run.

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

const direct: Readonly<Record<string, Runner>> = {
  vitest: { runner: "vitest", level: "test" },
  jest: { runner: "jest", level: "test" },
  mocha: { runner: "mocha", level: "test" },
  ava: { runner: "ava", level: "test" },
  pytest: { runner: "pytest", level: "test" },
  "py.test": { runner: "pytest", level: "test" },
  tox: { runner: "script", level: "test" },
  nox: { runner: "script", level: "test" },
  rspec: { runner: "rspec", level: "test" },
  phpunit: { runner: "phpunit", level: "test" },
  pest: { runner: "phpunit", level: "test" },
  ctest: { runner: "ctest", level: "test" },
  tsc: { runner: "tsc", level: "check" },
  eslint: { runner: "eslint", level: "check" },
  biome: { runner: "biome", level: "check" },
  mypy: { runner: "mypy", level: "check" },
  pyright: { runner: "pyright", level: "check" },
  ruff: { runner: "ruff", level: "check" },
  "golangci-lint": { runner: "golangci-lint", level: "check" },
  shellcheck: { runner: "shellcheck", level: "check" },
};

/** Programs that run tests with a certain first argument. */
const byWord: Readonly<Record<string, Readonly<Record<string, Runner>>>> = {
  go: {
    test: { runner: "go test", level: "test" },
    build: { runner: "go build", level: "check" },
    vet: { runner: "go vet", level: "check" },
  },
  cargo: {
    test: { runner: "cargo test", level: "test" },
    nextest: { runner: "cargo test", level: "test" },
    check: { runner: "cargo check", level: "check" },
    build: { runner: "cargo build", level: "check" },
    clippy: { runner: "cargo clippy", level: "check" },
  },
  swift: { test: { runner: "xctest", level: "test" }, build: { runner: "swift build", level: "check" } },
  dotnet: { test: { runner: "dotnet test", level: "test" }, build: { runner: "dotnet build", level: "check" } },
  mvn: {
    test: { runner: "maven", level: "test" },
    verify: { runner: "maven", level: "test" },
    compile: { runner: "maven", level: "check" },
  },
  gradle: {
    test: { runner: "gradle", level: "test" },
    check: { runner: "gradle", level: "test" },
    build: { runner: "gradle", level: "test" },
  },
  gradlew: {
    test: { runner: "gradle", level: "test" },
    check: { runner: "gradle", level: "test" },
    build: { runner: "gradle", level: "test" },
  },
  make: {
    test: { runner: "script", level: "test" },
    check: { runner: "script", level: "test" },
    tests: { runner: "script", level: "test" },
  },
  just: { test: { runner: "script", level: "test" }, check: { runner: "script", level: "test" } },
  rake: { test: { runner: "script", level: "test" }, spec: { runner: "rspec", level: "test" } },
  mix: { test: { runner: "mix test", level: "test" } },
  deno: { test: { runner: "deno test", level: "test" }, check: { runner: "deno check", level: "check" } },
  bun: { test: { runner: "bun test", level: "test" } },
  playwright: { test: { runner: "playwright", level: "test" } },
  cypress: { run: { runner: "cypress", level: "test" } },
  xcodebuild: { test: { runner: "xctest", level: "test" }, build: { runner: "xcodebuild", level: "check" } },
};

const scriptRunners = new Set(["npm", "pnpm", "yarn", "bun"]);
const launchers = new Set(["npx", "bunx", "pnpx", "uvx", "pipx"]);

/** Which runner a program with these arguments is, if it is one. */
export function runnerOf({ program, argv }: ProgramCall): Runner | undefined {
  const words = argv.map((a) => a ?? "");
  if (words.some((w) => /^(?:--help|-h|--version|--list|--collect-only|--co|--listTests|--init)$/.test(w)))
    return undefined;
  const plain = words.filter((w) => w && !w.startsWith("-"));
  if (Object.hasOwn(direct, program)) return program === "vitest" && plain[0] === "list" ? undefined : direct[program];
  if (program === "node" && words.includes("--test")) return { runner: "node:test", level: "test" };
  if (/^python[\d.]*$/.test(program) && words[0] === "-m")
    return words[1] === "pytest"
      ? direct["pytest"]
      : words[1] === "unittest"
        ? { runner: "unittest", level: "test" }
        : undefined;
  if (scriptRunners.has(program)) {
    if (plain[0] === "exec" || plain[0] === "dlx" || plain[0] === "x") return launched(words, plain[0]);
    const script = plain[0] === "run" || plain[0] === "run-script" ? plain[1] : plain[0];
    if (program === "bun" && script === "test" && plain[0] !== "run") return { runner: "bun test", level: "test" };
    return scriptLevel(script);
  }
  if (
    launchers.has(program) ||
    (program === "uv" && plain[0] === "run") ||
    (program === "poetry" && plain[0] === "run")
  )
    return launched(words, program === "uv" || program === "poetry" ? "run" : undefined);
  if (program === "bundle" && plain[0] === "exec") return launched(words, "exec");
  return Object.hasOwn(byWord, program) ? plain.map((w) => own(byWord[program]!, w)).find(Boolean) : undefined;
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

function launched(words: string[], after: string | undefined): Runner | undefined {
  const rest = after === undefined ? words : words.slice(words.indexOf(after) + 1);
  const start = rest.findIndex((w) => !w.startsWith("-"));
  return start < 0
    ? undefined
    : runnerOf({ program: rest[start]!.replace(/@[\w.^~-]+$/, ""), argv: rest.slice(start + 1) });
}

function scriptLevel(script: string | undefined): Runner | undefined {
  if (script === undefined) return undefined;
  if (/^(?:t|test|tst|tests|verify|e2e|unit|spec)(?:$|[:._-])/.test(script)) return { runner: "script", level: "test" };
  if (/^(?:build|lint|check|typecheck|type-check|tsc|types|compile)(?:$|[:._-])/.test(script))
    return { runner: "script", level: "check" };
  return undefined;
}
