// A run of tests or checks as evidence: which runner, on whose exit code, with which counts.
// Invariant: the runner is known from the analysed command, never from words in the output; a hidden exit code proves nothing good.
import type { Event } from "../engine/event.js";
import { type Counts, countsIn } from "./reporters.js";

export interface TestRun {
  runner: string;
  /** Tests prove behaviour; a check (types, lint, build) proves less. */
  level: "test" | "check";
  command: string;
  exitCode?: number;
  counts?: Counts;
  /** true and false are proved; undefined: the run says nothing, and `why` says why. */
  ok?: boolean;
  why?: string;
}

/** A program of the analysed command, as the shell analysis lists it. */
export interface Program {
  program: string;
  argv: readonly (string | undefined)[];
}

interface Runner {
  runner: string;
  level: TestRun["level"];
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

/** Programs that test when given a certain first word. */
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
export function runnerOf({ program, argv }: Program): Runner | undefined {
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

/** The run of a shell call that is over, from its analysed programs and its outcome. */
export function testRunOf(event: Event, programs: readonly Program[]): TestRun | undefined {
  const { tool, outcome } = event;
  if (!tool?.command || !outcome || outcome.interrupted) return undefined;
  const found = programs.flatMap((p) => {
    const r = runnerOf(p);
    return r ? [{ ...r, program: p.program }] : [];
  });
  if (!found.length) return undefined;
  const best =
    found.find((r) => r.level === "test" && r.runner !== "script") ??
    found.find((r) => r.level === "test") ??
    found[0]!;
  const counts =
    best.level === "test" ? countsIn(outcome.text, best.runner === "script" ? undefined : best.runner) : undefined;
  const run: TestRun = {
    runner: best.runner,
    level: best.level,
    command: tool.command,
    ...(outcome.exitCode !== undefined && { exitCode: outcome.exitCode }),
    ...(counts && { counts }),
  };
  return {
    ...run,
    ...judged(
      run,
      tool.background === true,
      hiding(
        tool.command,
        found.map((r) => r.program),
      ),
      outcome.ok,
    ),
  };
}

function judged(run: TestRun, background: boolean, hidden: Hiding, ok: boolean): Pick<TestRun, "ok" | "why"> {
  if (background) return { why: "it still runs in the background; its result is not known" };
  if ((run.counts?.failed ?? 0) > 0) return { ok: false };
  if (hidden !== "pipe" && (!ok || (run.exitCode ?? 0) !== 0)) return { ok: false };
  if (hidden === "masked") return { why: "the exit code of the run is hidden by what follows it; run it on its own" };
  if (run.counts && run.counts.passed === 0) return { why: "no test was run" };
  if (hidden === "pipe" && !run.counts)
    return { why: "the exit code is hidden by the pipe and the summary is cut off; run it on its own" };
  if (!ok) return { ok: false };
  return { ok: true };
}

type Hiding = "no" | "pipe" | "masked";

/** Whether the exit code of the call is the runner's: a pipe into a pager shows the summary still, anything else may hide it. */
export function hiding(command: string, programs: readonly string[]): Hiding {
  const bare = command
    .replace(/\\\n/g, " ")
    .replace(/'[^']*'|"(?:[^"\\]|\\[^])*"/g, "Q")
    .replace(/\d*>>?\s*(?:&\s*\d|[^\s;&|)]+)|&>>?\s*[^\s;&|)]+|\d*<\s*[^\s;&|)]+/g, " ");
  const at = Math.max(...programs.map((p) => lastWord(bare, p)));
  if (at < 0) return "masked";
  if (/\$\(|`|(?:^|[\s;&|(])!\s|\b(?:if|while|until)\b/.test(bare.slice(0, at))) return "masked";
  const rest = bare
    .slice(at)
    .replace(/&&/g, " ")
    .trim()
    .replace(/[)\s]+$/, "");
  const after = rest.search(/[|;&\n]/);
  if (after < 0) return "no";
  const tail = rest.slice(after);
  if (/^(?:\|\s*(?:tail|head|cat|tee|less|more)\b[^|;&\n]*)+$/.test(tail))
    return /\bset\s+-\w*o?\s*pipefail|\bpipefail\b/.test(command) ? "no" : "pipe";
  return "masked";
}

function lastWord(text: string, program: string): number {
  let at = -1;
  for (const match of text.matchAll(
    new RegExp(`(?:^|[\\s;&|(/])${program.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?=$|[\\s;&|)])`, "g"),
  ))
    at = match.index + match[0].length;
  return at;
}
