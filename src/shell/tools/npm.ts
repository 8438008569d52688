// npm, pnpm, yarn and bun: installs, scripts, runners, publishing.
// Invariant: scripts are followed through package.json; installs write node_modules and the lock file and nothing else of the project.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { atHome, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { javascript } from "./javascript.js";
import { runScript, scriptsOf } from "./scripts.js";
import { executes } from "./table.js";

const options =
  "C|dir|cwd|prefix= w|workspace= F|filter= registry= tag= otp= access= m|message= D|save-dev g|global r|recursive s|silent loglevel= package= p= c|call= cache= userconfig= before= omit= include= only= depth= json config= shell= node-options= reporter= network-timeout= mutex= modules-folder= production e|eval= filter-prod= workspace-concurrency= store-dir= outfile= outdir= target= tsconfig=";
const grammar = syntax(options, { posix: true });
const anywhere = syntax(options);

const locks: Record<string, string> = {
  npm: "package-lock.json",
  pnpm: "pnpm-lock.yaml",
  yarn: "yarn.lock",
  bun: "bun.lock",
};

/** Sub-commands that only show. */
const shows =
  /^(ls|ll|la|list|view|info|show|v|outdated|why|explain|root|prefix|bin|help|help-search|search|find|s|se|ping|whoami|fund|doctor|query|docs|home|repo|bugs|issues|licenses|sbom|stars|org|diff|completion|get|access|owner|profile|team|hook|dist-tag|dist-tags|store|env|node|--list|workspaces|workspace-tools|version-check|pm|tag)$/;

const installs =
  /^(install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|ci|clean-install|ic|install-clean|isntall-clean|add|a|remove|rm|uninstall|un|unlink|r|update|up|upgrade|udpate|upgrade-interactive|dedupe|ddp|prune|rebuild|rb|link|ln|install-test|it|cit|import|fetch|patch|patch-commit|set|dlx-install|shrinkwrap|approve-builds)$/;

const npm: ToolFamily = {
  names: ["npm", "pnpm", "yarn", "yarnpkg", "bun", "cnpm", "corepack"],
  lower(call, emit) {
    const manager = call.name === "yarnpkg" ? "yarn" : call.name;
    const outer = parse(call.args, grammar);
    let [verb, ...words] = outer.operands;
    if (outer.has("version", "help", "v", "h") && !verb) return;
    for (const text of outer.values("eval")) return emit.program(text, `${manager} -e`, "node");
    if (manager === "corepack")
      return verb && /^(npm|pnpm|yarn)/.test(verb.value ?? "")
        ? emit.run(outer.operands, "corepack runs it")
        : undefined;
    // `yarn workspace pkg run x`, `pnpm -r exec x`
    if (verb?.value === "workspace" && manager === "yarn")
      [, verb, ...words] = [undefined, ...words.slice(1)] as [undefined, Arg | undefined, ...Arg[]];
    if (verb?.value === "workspaces" && words[0]?.value === "foreach") {
      const at = words.findIndex((word) => /^(run|exec)$/.test(word.value ?? ""));
      if (at >= 0) [verb, ...words] = words.slice(at) as [Arg, ...Arg[]];
    }
    // `yarn npm publish`: the registry's own commands behind one word.
    if (verb?.value === "npm" && manager === "yarn")
      [verb, ...words] = words as [Arg | undefined, ...Arg[]] as [Arg, ...Arg[]];
    const inner = parse(words, anywhere);
    const directory = outer.value("prefix") ?? inner.value("prefix");
    const name = verb?.value;
    if (!verb) return manager === "yarn" ? installed(call, manager, directory, undefined, outer, emit) : undefined;
    if (name === undefined) {
      executes(call, emit, `${manager} with an unresolved sub-command`);
      return emit.unknown(`the sub-command of ${manager} is not static`);
    }
    const runs = /^(run|run-script|rum|urn)$/.test(name);
    if (runs) {
      const [script, ...rest] = afterOptions(words);
      if (!script || script.value?.startsWith("-")) return;
      if (manager === "bun" && /\.[mc]?[jt]sx?$/.test(script.value ?? ""))
        return emit.script(script, "bun runs it", "node", rest);
      return runScript(script, rest, directory, call, emit);
    }
    if (/^(test|t|tst|start|stop|restart)$/.test(name) && manager !== "bun")
      return runScript(literal(/^t(st)?$/.test(name) ? "test" : name), afterOptions(words), directory, call, emit);
    if (/^(exec|x|dlx|create|init|innit)$/.test(name)) return runner(name, words, parse(words, grammar), call, emit);
    if (name === "version") return versioned(inner, manager, directory, emit);
    if (name === "publish" || name === "unpublish" || name === "deprecate") {
      emit.effect({ kind: "network", program: manager, upload: true, reason: `${manager} ${name}` });
      if (!inner.has("dry-run", "help", "h"))
        emit.hazard(
          { class: "infrastructure", level: name === "unpublish" && inner.has("force", "f") ? 3 : 2, id: "publish" },
          `${manager} ${name} reaches everyone`,
        );
      return;
    }
    if (name === "token" && /^(list|ls)$/.test(inner.operands[0]?.value ?? "list"))
      return emit.effect({ kind: "network", program: manager, reason: "npm token list" });
    if (
      /^(org|team|profile|owner|access|dist-tag|hook)$/.test(name) &&
      !/^(ls|list|get|info)$/.test(inner.operands[0]?.value ?? "ls")
    ) {
      emit.effect({ kind: "network", program: manager, upload: true, reason: `${manager} ${name}` });
      return emit.hazard(
        {
          class: "infrastructure",
          level: /^(rm|remove|destroy|revoke|public)$/.test(inner.operands[0]?.value ?? "") ? 2 : 1,
          id: "registry-settings",
        },
        `${manager} ${name} changes the registry`,
      );
    }
    if (/^(login|adduser|add-user|logout|token|trust)$/.test(name))
      return emit.write(atHome(call, ".npmrc"), `${manager} ${name} keeps the credential`, { how: "own-store" });
    if (name === "config" || name === "c") return configured(inner, call, emit);
    if (name === "set") return emit.write(atHome(call, ".npmrc"), "npm set", { how: "own-store" });
    if (name === "pkg")
      return /^(set|delete|fix)$/.test(inner.operands[0]?.value ?? "")
        ? emit.write(place(directory, "package.json"), "npm pkg")
        : undefined;
    if (name === "pack")
      return inner.has("dry-run")
        ? undefined
        : emit.write(
            { source: "*.tgz", value: directory?.value ? `${directory.value}/*.tgz` : "*.tgz", prefix: "", glob: true },
            "npm pack",
            { glob: true },
          );
    if (name === "audit")
      return inner.operands[0]?.value === "fix" || inner.has("fix")
        ? installed(call, manager, directory, "audit fix", outer, emit)
        : emit.effect({ kind: "network", program: manager, reason: "audit" });
    if (name === "cache" || (name === "store" && inner.operands[0]?.value === "prune"))
      return executes(call, emit, `${manager} ${name}`);
    if (manager === "bun" && (name === "test" || name === "build")) {
      for (const path of inner.values("outfile", "outdir")) emit.write(path, "bun build", { recursive: true });
      return executes(call, emit, `bun ${name}`);
    }
    if (installs.test(name))
      return installed(call, manager, directory, name, inner.has("global") ? inner : outer, emit, inner.operands);
    if (shows.test(name))
      return /^(view|info|show|v|outdated|search|find|ping|whoami|doctor|owner|access|dist-tag)$/.test(name)
        ? emit.effect({ kind: "network", program: manager, reason: `${manager} ${name}` })
        : undefined;
    if (manager === "bun" && /\.[mc]?[jt]sx?$|^[./]/.test(name)) return javascript(call, emit, call.args);
    // yarn x, pnpm x, bun x: a script of that name, else a program of node_modules/.bin.
    if (manager !== "npm") {
      const scripts = scriptsOf(emit.projectFile(place(directory, "package.json")));
      if (scripts && !(name in scripts)) return emit.run([verb, ...words], `${manager} runs it`);
      return runScript(verb, afterOptions(words), directory, call, emit);
    }
    executes(call, emit, `npm ${name}`);
  },
};

const place = (directory: Arg | undefined, file: string): Arg =>
  literal(directory?.value ? `${directory.value}/${file}` : file);

/** Options before `--` belong to the manager, what follows to the script. */
function afterOptions(words: readonly Arg[]): Arg[] {
  return words.filter(
    (word, index) => word.value !== "--" || words.findIndex((other) => other.value === "--") !== index,
  );
}

function installed(
  call: Invocation,
  manager: string,
  directory: Arg | undefined,
  verb: string | undefined,
  given: Parsed,
  emit: Emit,
  packages: readonly Arg[] = [],
): void {
  emit.effect({ kind: "network", program: manager, reason: `${manager} ${verb ?? "install"} fetches packages` });
  executes(call, emit, `${manager} ${verb ?? "install"} runs install scripts`);
  if (given.has("global") || verb === "global")
    return emit.hazard({ class: "system", level: 1, id: "global-install" }, `${manager} installs for the whole user`);
  emit.write(place(directory, "node_modules"), `${manager} ${verb ?? "install"}`, { recursive: true });
  emit.write(place(directory, locks[manager] ?? "package-lock.json"), `${manager} ${verb ?? "install"}`);
  const changes = packages.length > 0 || /^(remove|rm|uninstall|un|update|up|upgrade)$/.test(verb ?? "");
  if (changes && !given.has("no-save")) emit.write(place(directory, "package.json"), `${manager} ${verb}`);
}

function runner(name: string, words: readonly Arg[], given: Parsed, call: Invocation, emit: Emit): void {
  for (const text of given.values("call")) emit.shell(text, `${call.name} exec -c`);
  const rest = given.operands[0]?.value === "--" ? given.operands.slice(1) : given.operands;
  const [program, ...args] = rest;
  if (/^(create|init|innit)$/.test(name)) {
    if (!program || given.has("y", "yes")) return emit.write(literal("package.json"), `${call.name} ${name}`);
    emit.effect({ kind: "network", program: call.name, reason: `${call.name} ${name} fetches a generator` });
    executes(call, emit, `${call.name} ${name} ${words[0]?.source ?? ""}`);
    const target = args.find((arg) => !arg.value?.startsWith("-"));
    return emit.write(target ?? literal("."), "a generator makes files", { recursive: true, glob: true });
  }
  if (!program) return;
  // `yarn exec 'rm -rf x'`: one word with blanks is shell text.
  if (args.length === 0 && /\s/.test(program.value ?? "")) return emit.shell(program, `${call.name} ${name}`);
  const bare = program.value?.replace(/(?<=.)@[^/]*$/, "");
  const short = bare?.replace(/^.*\//, "");
  emit.run(
    [
      short === undefined || bare === "@anthropic-ai/claude-code"
        ? bare
          ? literal("claude")
          : program
        : { ...literal(short), source: program.source },
      ...args,
    ],
    `run by ${call.name} ${name}`,
  );
}

/** npm version makes a commit and a tag unless told not to. */
function versioned(given: Parsed, manager: string, directory: Arg | undefined, emit: Emit): void {
  if (given.operands.length === 0) return;
  emit.write(place(directory, "package.json"), `${manager} version`);
  if (
    given.has("no-git-tag-version", "git-tag-version=false") ||
    (manager !== "npm" && manager !== "yarn" && manager !== "pnpm")
  )
    return;
  const message = given.value("message")?.value;
  emit.effect({
    kind: "commit",
    program: manager,
    how: "version",
    reason: `${manager} version commits the new version`,
    repo: emit.resolve(directory ?? literal(".")),
    ...(message && !message.includes("%s") && { message }),
  });
}

function configured(given: Parsed, call: Invocation, emit: Emit): void {
  const [verb, key] = given.operands;
  if (/^(set|delete|edit|fix|rm|unset)$/.test(verb?.value ?? ""))
    return emit.write(atHome(call, ".npmrc"), "npm config", {
      how: "own-store",
      // What runs every script from now on.
      ...(/^(script-shell|node-options|shell|git|init-module)(=|$)/.test(key?.value ?? "") && {
        hazard: { class: "persistence", level: 3, id: "npm-script-shell" } as const,
      }),
    });
  if (verb?.value === "get" && /_auth|token|password/i.test(key?.value ?? ""))
    emit.hazard({ class: "credential-read", level: 2, id: "npm-token" }, "npm config shows a token");
}

export const npmTools = [npm];
