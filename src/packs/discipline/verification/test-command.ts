// The command that runs the tests for given files, found from the project's own files.
// Invariant: reads only, starts no process; the command exists, is whole, keeps its exit code and fits the package
// manager; undefined if no file tells, or if the tests that are there have nothing to do with the files.
import type { Project } from "../../../model/gate.js";
import { isObject, type JsonObject } from "../../../model/json.js";

const cache = new WeakMap<Project, Map<string, Found>>();

interface Found {
  command?: string;
  /** Extensions of files the command says something about; undefined: any. */
  covers?: RegExp;
  /** Its tests need the whole system running; nothing else tests these files. */
  apart?: boolean;
  /** There are no tests: the command builds. */
  builds?: boolean;
  /** The test command that would find none. */
  idle?: string;
}

/** With files: the command of the package the first of them lies in, as it is run from the project's root. */
export function testCommand(project: Project, files: readonly string[] = [""]): string | undefined {
  for (const file of files) {
    const found = commandFor(project, file);
    if (found) return found;
  }
  return undefined;
}

/** Whether the project has tests that a command runs, as far as its root shows. */
export const hasTests = (project: Project): boolean => {
  const { command, builds } = commandIn(project, "");
  return command !== undefined && builds !== true;
};

/** The test command of a project whose files show that it would find no test. */
export const idleTestCommand = (project: Project): string | undefined => commandIn(project, "").idle;

/** Files that the project's tests can say something about. */
export const testedFiles = (project: Project, files: readonly string[]): string[] =>
  files.filter((file) => commandFor(project, file) !== undefined);

function commandFor(project: Project, file: string): string | undefined {
  for (let folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : ""; ; ) {
    const { command, covers, apart } = commandIn(project, folder);
    if (apart) return undefined;
    if (command && (file === "" || !covers || covers.test(file)))
      return folder === "" ? command : `cd ${folder} && ${command}`;
    if (folder === "") return undefined;
    folder = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
  }
}

function commandIn(project: Project, folder: string): Found {
  const known = cache.get(project) ?? new Map<string, Found>();
  cache.set(project, known);
  let found = known.get(folder);
  if (!found) known.set(folder, (found = derive(project, folder)));
  return found;
}

const script = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|json|html?|graphql|prisma|snap|wasm)$/i;

function derive(project: Project, folder: string): Found {
  const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
  const has = (...names: string[]) => names.some((n) => project.exists(at(n)));
  const text = (name: string) => project.read(at(name)) ?? "";
  if (has("MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel")) return { command: "bazel test //..." };
  const task = taskRunner(has, text);
  if (task) return { command: task, ...coverOf(has) };
  const npm = npmTest(project, folder, text("package.json"));
  // A runner that finds no test file fails, whatever the code does: then the build is what can be run.
  if (npm?.build && findsFiles.test(npm.script) && !hasFile(project, folder, scriptTest))
    return { command: npm.build, builds: true, idle: npm.command, covers: script };
  if (npm && folder !== "" && endToEnd.test(text("package.json"))) return { apart: true };
  if (npm) return { command: npm.command, covers: script };
  if (has("Cargo.toml")) return { command: "cargo test", covers: /\.rs$|(?<!pyproject|netlify|fly|wrangler)\.toml$/ };
  if (has("go.mod")) {
    const builds = !hasFile(project, folder, /_test\.go$/);
    return { command: builds ? "go build ./..." : "go test ./...", builds, covers: /\.(?:go|mod|sum|tmpl|proto)$/ };
  }
  const python = pythonTest(has, text);
  if (python) return { command: python, covers: /\.(?:py|pyi|toml|cfg|ini|jinja2?)$/ };
  if (has("Package.swift"))
    return { command: has("Tests") ? "swift test" : "swift build", builds: !has("Tests"), covers: /\.swift$/ };
  if (has("build.gradle", "build.gradle.kts"))
    return { command: has("gradlew") ? "./gradlew test" : "gradle test", covers: jvm };
  if (has("pom.xml")) return { command: has("mvnw") ? "./mvnw test" : "mvn test", covers: jvm };
  if (has("mix.exs")) return { command: "mix test", covers: /\.(?:exs?|eex|heex|erl)$/ };
  if (has(".rspec", "spec/spec_helper.rb")) return { command: "bundle exec rspec", covers: ruby };
  if (has("bin/rails") && hasFile(project, at("test"), /_test\.rb$/))
    return { command: "bin/rails test", covers: ruby };
  if (has("phpunit.xml", "phpunit.xml.dist")) return { command: "vendor/bin/phpunit", covers: /\.(?:php|twig|xml)$/ };
  if (has("deno.json", "deno.jsonc")) return { command: "deno test", covers: script };
  return {};
}

/** Whether a file with such a name lies in the folder or below; true as well when there are too many folders to see. */
function hasFile(project: Project, folder: string, name: RegExp): boolean {
  const foreign = /^(?:\.|node_modules$|vendor$|third_party$|dist$|build$|target$)/;
  const open = [folder];
  for (let seen = 0; open.length; seen++) {
    if (seen > 200) return true;
    const at = open.shift()!;
    const entries = project.list(at === "" ? "." : at).filter((e) => !foreign.test(e));
    if (entries.some((e) => name.test(e))) return true;
    for (const entry of entries) if (!/\.\w+$/.test(entry)) open.push(at === "" ? entry : `${at}/${entry}`);
  }
  return false;
}

/** Runners that look for test files by their names, and fail where there are none. */
const findsFiles = /^(?:npx )?(?:vitest|jest|mocha|ava)(?:\s+(?:run|--?[\w-]+(?:=\S+)?))*\s*$/;
const scriptTest = /(?:[._-](?:test|spec)\.[cm]?[jt]sx?$|^(?:__tests__|tests?|specs?)$)/;

/** A package that holds nothing but tests through a browser. */
const endToEnd = /"test(?::\w+)?"\s*:\s*"(?:npx )?(?:playwright|cypress|wdio|detox|nightwatch|testcafe)\b/;

/** What the tests of a task reach, by the languages of the package. */
function coverOf(has: (...names: string[]) => boolean): Pick<Found, "covers"> {
  const kinds = [
    ...(has("go.mod") ? ["go", "mod", "tmpl", "proto"] : []),
    ...(has("Cargo.toml") ? ["rs", "toml"] : []),
    ...(has("package.json") ? ["[cm]?[jt]sx?", "vue", "svelte", "json", "html?"] : []),
    ...(has("pyproject.toml", "setup.py") ? ["py", "pyi", "toml"] : []),
  ];
  return kinds.length ? { covers: new RegExp(String.raw`\.(?:${kinds.join("|")})$`) } : {};
}

const jvm = /\.(?:java|kts?|groovy|scala|xml|properties|gradle)$/;
const ruby = /\.(?:rb|erb|haml|slim|rake|gemspec)$/;

/** A task of the project that is called test, before what a language would use: it knows the flags. */
function taskRunner(has: (...names: string[]) => boolean, text: (name: string) => string): string | undefined {
  if (has("bin/test")) return "bin/test";
  if (has("script/test")) return "script/test";
  const make = /^(test|check):/m.exec(text("Makefile"))?.[1];
  const just = /^test(?:\s[^:\n]*)?:/m.test(`${text("justfile")}\n${text("Justfile")}`);
  if (/^\[tasks\.(?:"test"|test)\]/m.test(`${text("mise.toml")}\n${text(".mise.toml")}`)) return "mise run test";
  // A language's own command shows its exit code and its summary; other tasks are used where there is no such command.
  if (has("package.json", "Cargo.toml", "go.mod", "pyproject.toml", "pytest.ini", "conftest.py")) return undefined;
  if (make) return `make ${make}`;
  if (just) return "just test";
  if (/^\s+test:/m.test(`${text("Taskfile.yml")}\n${text("Taskfile.yaml")}`)) return "task test";
  return undefined;
}

function pythonTest(has: (...names: string[]) => boolean, text: (name: string) => string): string | undefined {
  const settings = text("pyproject.toml");
  if (!has("pytest.ini", "tox.ini", "conftest.py", "tests/conftest.py") && !/\bpytest\b/.test(settings))
    return has("manage.py") ? "python manage.py test" : undefined;
  if (has("uv.lock")) return "uv run pytest";
  return has("poetry.lock") || settings.includes("[tool.poetry]") ? "poetry run pytest" : "pytest";
}

interface NpmScripts {
  command: string;
  /** The text of the test script. */
  script: string;
  build?: string;
}

function npmTest(project: Project, folder: string, text: string): NpmScripts | undefined {
  if (text === "") return undefined;
  let file: JsonObject;
  try {
    file = JSON.parse(text) as JsonObject;
  } catch {
    // A package.json that does not parse tells nothing.
    return undefined;
  }
  const scripts = isObject(file["scripts"]) ? file["scripts"] : {};
  const runnable = (name: string) =>
    typeof scripts[name] === "string" && scripts[name].trim() !== "" && !/no test specified/.test(scripts[name]);
  const name = ["test", "test:unit", "test:ci", "tests", "unit"].find(runnable);
  if (!name) return undefined;
  const manager = managerOf(project, folder);
  const run = (script: string) =>
    manager !== "bun" && script === "test" ? `${manager} test` : `${manager} run ${script}`;
  const build = ["build", "typecheck"].find(runnable);
  return { command: run(name), script: String(scripts[name]), ...(build && { build: run(build) }) };
}

const lockFiles = [
  ["pnpm-lock.yaml", "pnpm"],
  ["pnpm-workspace.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
] as const;

/** The package manager a package is used with: named by it or above it, or by the lock file beside or above it. */
export function managerOf(project: Project, folder: string): string {
  for (let at = folder; ; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
    const here = (name: string) => (at === "" ? name : `${at}/${name}`);
    const named = /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(project.read(here("package.json")) ?? "")?.[1];
    if (named) return named;
    const lock = lockFiles.find(([name]) => project.exists(here(name)));
    if (lock) return lock[1];
    if (at === "") return "npm";
  }
}
