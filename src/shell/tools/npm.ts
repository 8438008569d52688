// npm, pnpm, yarn and bun: installs, scripts, runners, publishing.
// Invariant: scripts are followed through package.json; installs write node_modules and the lock file and nothing else
// of the project.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal, type Parsed, parse, syntax } from "../spec/options.js";
import { handedOn } from "../spec/readings.js";
import { javascript } from "./javascript.js";
import { judgeIndex, variables } from "./package-index.js";
import { executes } from "./programs.js";
import { runScript, scriptsOf } from "./scripts.js";
import { packagesNamed, runInPackages, type WorkspacePackage, workspacePackages } from "./workspaces.js";

const options = [
  "C|dir|cwd|prefix= w|workspace= F|filter= registry= tag= otp= access= m|message= D|save-dev g|global r|recursive",
  "s|silent loglevel= package= c|call= cache= userconfig= before= omit= include= only= depth= json config= shell=",
  "node-options= reporter= network-timeout= mutex= modules-folder= production filter-prod= workspace-concurrency=",
  "store-dir= outfile= outdir= target= tsconfig= q|quiet y|yes f|force a|all l|long P|save-prod S|save E|save-exact",
  "O|save-optional B|save-bundle dev no-save no-audit no-fund audit=? fund=? legacy-peer-deps ignore-scripts=?",
  "if-present",
  "workspaces ws iwr include-workspace-root dry-run no-git-tag-version preid= fix audit-level= frozen-lockfile=?",
  "no-frozen-lockfile prefer-offline offline immutable inline-builds no-progress non-interactive no-lockfile parallel",
  "stream color no-color h help v V verbose watch=? hot smol minify sourcemap=? format= external= splitting",
  "install-strategy= strict-peer-deps package-lock-only no-package-lock provenance lockfile-only latest",
].join(" ");
/** Options of the manager end where the program it runs begins. */
const beforeProgram = syntax(`${options} p= e= n`, { posix: true });

const installs = [
  "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|ci|clean-install|ic|install-clean|isntall-clean|add|a",
  "remove|rm|uninstall|un|unlink|r|update|up|upgrade|udpate|upgrade-interactive|dedupe|ddp|prune|rebuild|rb|link|ln",
  "install-test|it|cit|import|fetch|patch|patch-commit|shrinkwrap|approve-builds|global",
].join("|");
const settings = "org|team|profile|owner|access|dist-tag|hook";
const shown = [
  "ls|ll|la|list|why|explain|root|prefix|bin|help-search|fund|query|docs|home|repo|bugs|issues|licenses|sbom|stars",
  "diff",
  "completion|get|store|env|node|workspaces|pm|tag|recent|ignored-builds|cat-file|cat-index|find-hash|server|config",
].join("|");

const rules = (own = options) => `
  options ${own}
  run|run-script|rum|urn : do run
  !@bun test|t|tst|start|stop|restart : do lifecycle
  exec|x|dlx : do exec
  create|init|innit : do create
  version : do version
  unpublish --force !--dry-run !--h|help : upload "reaches everyone", !unpublish-force
  publish|unpublish|deprecate --dry-run|h|help : upload
  publish|unpublish|deprecate : upload "reaches everyone", !publish
  token list|ls : network
  token #0 : network
  ${settings} ls|list|get|info : network
  ${settings} #0 : network
  ${settings} rm|remove|destroy|revoke|public : upload, !registry-settings
  owner|team add or org|profile|access set|grant|edit|restricted or profile disable-2fa : upload, !registry-settings
  token revoke|delete|rm|remove : upload, !registry-settings
  token create : upload, !npm-token
  ${settings} : upload, !registry-settings-minor
  login|adduser|add-user|logout|token|trust : write ~/.npmrc own-store "keeps the credential"
  config|c set|delete|edit|fix|rm|unset ~script-shell|script-shell=*|node-options|node-options=*|shell|shell=*|git|git=*
    : write ~/.npmrc own-store !npm-script-shell
  config|c set|delete|edit|fix|rm|unset ~init-module|init-module=* : write ~/.npmrc own-store !npm-script-shell
  config|c set ~registry|registry=*|*:registry|*:registry=*|npmRegistryServer : do setRegistry
  config|c set|delete|edit|fix|rm|unset : write ~/.npmrc own-store
  config|c get ~*_auth*|*oken*|*assword* : !npm-token
  config|c : quiet
  set ~registry|registry=*|*:registry|*:registry=* : do setRegistry
  set : write ~/.npmrc own-store
  pkg set|delete|fix : do packageFile
  pkg : quiet
  pack --dry-run : quiet
  pack : do pack
  audit fix : do install
  audit --fix : do install
  audit : network
  cache|edit|explore : exec
  store prune : exec
  ${installs} : do install
  view|info|show|v|outdated|search|find|s|se|ping|whoami|doctor : network
  ${shown} : quiet`;

export const npmTools = tools(
  "npm",
  `
tool npm cnpm
  ${rules()}
  otherwise unknown
tool pnpm
  ${rules(options.replace("w|workspace= ", ""))}
  otherwise do script
tool yarn yarnpkg
  #0 : do install
  workspace * : do ofWorkspace
  workspaces foreach : do eachWorkspace
  npm : do npm
  ${rules(options.replace("C|dir", "dir").replace("S|save ", "save "))}
  otherwise do script
tool bun
  options e|eval=evaluate p|print=evaluate r|preload=script l|loader=
  test|build : write --outfile|outdir tree, exec
  *.js|*.mjs|*.cjs|*.jsx|*.ts|*.mts|*.cts|*.tsx|./*|/*|../* : do file
  ${rules(options.replace("r|recursive", "recursive").replace("l|long", "long").replace("only= ", ""))}
  otherwise do script
tool corepack
  npm|pnpm|yarn|npm@*|pnpm@*|yarn@* : do manager
  enable|disable|prepare|hydrate|install|use|up|pack : exec "changes which package managers run"
  cache : exec
  otherwise unknown
`,
  {
    run({ call, given, rest: [script, ...words] }, emit) {
      if (!script) return;
      // npm takes its own options behind the script's name too, up to `--`.
      const dashes = call.args.findIndex((arg) => arg.value === "--");
      const taken = call.name === "npm" && given.has("workspace", "workspaces", "ws", "prefix");
      const behindName = behind(call, script);
      const args = taken ? (dashes < 0 ? words : call.args.slice(dashes)) : behindName;
      if (call.name === "bun" && /\.[mc]?[jt]sx?$/.test(script.value ?? ""))
        return emit.script(script, "bun runs it", "node", args);
      named(script, withoutDashes(args), given, call, emit);
    },
    lifecycle({ call, given, path: [name = ""], raw }, emit) {
      const script = literal(/^t(st)?$/.test(name) ? "test" : name);
      named(script, withoutDashes(raw), given, call, emit);
    },
    exec,
    create,
    version,
    install,
    setRegistry({ rest }, emit) {
      emit.write(literal("~/.npmrc"), "keeps the setting", { how: "own-store" });
      judgeIndex(
        rest.map((word) => literal((word.value ?? "").replace(/^[^=]*registry=/, ""))),
        emit,
      );
    },
    packageFile: ({ given }, emit) => emit.write(below(given.value("prefix"), "package.json"), "npm pkg"),
    pack({ given }, emit) {
      const value = below(given.value("prefix"), "*.tgz").value!;
      emit.write({ source: "*.tgz", value, prefix: "", glob: true }, "npm pack", { glob: true });
    },
    evaluate: ({ call, value }, emit) => emit.program(value!, `${call.name} -e`, "node"),
    file: ({ call }, emit) => javascript(call, emit, call.args),
    /** yarn x, pnpm x, bun x: a script of that name, else a program of node_modules/.bin. */
    script({ call, given, rest: [script] }, emit) {
      if (!script) return;
      const args = behind(call, script);
      const packages = packagesMeant(given, emit);
      if (packages) {
        const having = packages.filter(({ scripts }) => script.value !== undefined && script.value in scripts);
        if (having.length || packages.length === 0)
          return runInPackages(script, withoutDashes(args), having, call, emit);
        for (const { folder } of packages)
          emit.run([script, ...args], `${call.name} runs it`, { cwd: literal(folder) });
        return;
      }
      const scripts = scriptsOf(emit.projectFile(below(given.value("prefix"), "package.json")));
      if (scripts && script.value !== undefined && !(script.value in scripts))
        return emit.run([script, ...args], `${call.name} runs it`);
      runScript(script, withoutDashes(args), given.value("prefix"), call, emit);
    },
    ofWorkspace({ call, given, path, raw }, emit) {
      const name = given.operands[path.length - 1]!;
      for (const folder of orHere(packagesNamed([name], emit)))
        emit.run([literal(call.name), ...raw], "in a workspace", folder);
    },
    eachWorkspace({ call, raw }, emit) {
      const at = raw.findIndex((word) => /^(run|exec)$/.test(word.value ?? ""));
      if (at < 0) return;
      const words = raw.slice(at);
      const [verb, script] = words;
      const packages = workspacePackages(emit);
      if (verb!.value === "run" && script && packages.length)
        runInPackages(script, words.slice(2), packages, call, emit);
      else for (const folder of orHere(packages)) emit.run([literal(call.name), ...words], "in each workspace", folder);
    },
    npm: ({ raw }, emit) => emit.run([literal("npm"), ...raw], "yarn npm"),
    manager({ path: [name = ""], raw }, emit) {
      emit.run([literal(name.replace(/@.*$/, "")), ...raw], "corepack runs it");
    },
  },
);

/** A script of the project, of the packages that options name, or of all of them. */
function named(script: Arg, args: readonly Arg[], given: Parsed, call: Invocation, emit: Emit): void {
  const packages = packagesMeant(given, emit);
  if (packages) runInPackages(script, args, packages, call, emit);
  else runScript(script, args, given.value("prefix"), call, emit);
}

/** The packages of `-w`, `--filter`, `-r` and `--workspaces`; undefined when the call is about the project itself. */
function packagesMeant(given: Parsed, emit: Emit): WorkspacePackage[] | undefined {
  const filters = [...given.values("workspace"), ...given.values("filter"), ...given.values("filter-prod")];
  if (filters.length) return packagesNamed(filters, emit);
  return given.has("recursive", "workspaces", "ws") ? workspacePackages(emit) : undefined;
}

/** Where the packages are not known, the project stands for them. */
const orHere = (packages: readonly WorkspacePackage[]): { cwd?: Arg }[] =>
  packages.length ? packages.map(({ folder }) => ({ cwd: literal(folder) })) : [{}];

const below = (directory: Arg | undefined, file: string): Arg =>
  literal(directory?.value ? `${directory.value}/${file}` : file);

/** The words behind one, which belong to another program. */
function behind(call: Invocation, word: Arg): Arg[] {
  const words = call.args.slice(call.args.indexOf(word) + 1);
  handedOn(words);
  return words;
}

/** The first `--` separates the manager's options from the script's words. */
function withoutDashes(words: readonly Arg[]): Arg[] {
  const first = words.findIndex((word) => word.value === "--");
  return words.filter((_, index) => index !== first);
}

const locks: Record<string, string> = {
  npm: "package-lock.json",
  pnpm: "pnpm-lock.yaml",
  yarn: "yarn.lock",
  yarnpkg: "yarn.lock",
  bun: "bun.lock",
};

function install({ call, given, path: [verb = "install"], rest }: Use, emit: Emit): void {
  const directory = given.value("prefix");
  const said = `${call.name} ${verb}`;
  emit.effect({ kind: "network", program: call.name, reason: `${said} fetches packages` });
  judgeIndex([...given.values("registry"), ...variables(call, "NPM_CONFIG_REGISTRY npm_config_registry")], emit);
  executes(call, emit, `${said} runs install scripts`);
  if (given.has("global") || verb === "global")
    return emit.hazard(hazard("global-install"), `${call.name} installs for the whole user`);
  emit.write(below(directory, "node_modules"), said, { recursive: true });
  emit.write(below(directory, locks[call.name] ?? "package-lock.json"), said);
  const changes = rest.length > 0 || /^(remove|rm|uninstall|un|update|up|upgrade)$/.test(verb);
  if (changes && !given.has("no-save")) emit.write(below(directory, "package.json"), said);
}

/** The program behind `exec`: its words and, apart, the options of the manager in front of it. */
function programOf({ call, given, path }: Use) {
  const at = call.args.indexOf(given.operands[path.length - 1]!);
  const inner = parse(call.args.slice(at + 1), beforeProgram);
  const words = inner.operands[0]?.value === "--" ? inner.operands.slice(1) : inner.operands;
  handedOn(words.slice(1));
  return { inner, words };
}

function exec(use: Use, emit: Emit): void {
  const { call, path } = use;
  const { inner, words } = programOf(use);
  const said = `${call.name} ${path[0]}`;
  judgeIndex([...use.given.values("registry"), ...inner.values("registry")], emit);
  for (const text of inner.values("call")) emit.shell(text, `${said} -c`);
  const [program, ...args] = words;
  if (!program) return;
  // `yarn exec 'rm -rf x'`: one word with blanks is shell text.
  if (args.length === 0 && /\s/.test(program.value ?? "")) return emit.shell(program, said);
  const bare = program.value?.replace(/(?<=.)@[^/]*$/, "");
  const name = bare === "@anthropic-ai/claude-code" ? "claude" : bare?.replace(/^.*\//, "");
  const command = [name === undefined ? program : { ...literal(name), source: program.source }, ...args];
  const packages = packagesMeant(use.given, emit) ?? packagesMeant(inner, emit);
  for (const folder of orHere(packages ?? [])) emit.run(command, `run by ${said}`, folder);
}

function create(use: Use, emit: Emit): void {
  const { call, path } = use;
  const { inner, words } = programOf(use);
  const [generator, ...args] = words;
  const said = `${call.name} ${path[0]}`;
  if (!generator || inner.has("yes")) return emit.write(literal("package.json"), said);
  emit.effect({ kind: "network", program: call.name, reason: `${said} fetches a generator` });
  executes(call, emit, `${said} ${generator.source}`);
  const target = args.find((arg) => !arg.value?.startsWith("-"));
  emit.write(target ?? literal("."), "a generator makes files", { recursive: true, glob: true });
}

/** npm version makes a commit and a tag unless told not to. */
function version({ call, given, rest }: Use, emit: Emit): void {
  if (rest.length === 0) return;
  const directory = given.value("prefix");
  emit.write(below(directory, "package.json"), `${call.name} version`);
  if (given.has("no-git-tag-version") || call.name === "bun" || call.name === "cnpm") return;
  const message = given.value("message")?.value;
  emit.effect({
    kind: "commit",
    program: call.name,
    how: "version",
    reason: `${call.name} version commits the new version`,
    repo: emit.resolve(directory ?? literal(".")),
    ...(message && !message.includes("%s") && { message }),
  });
}
