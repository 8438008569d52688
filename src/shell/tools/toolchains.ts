// Language toolchains with package management: cargo, go, pip, uv, gem, composer, dotnet, and others.
// Invariant: builds and tests are exec; manifests, lock files and formatted trees they change are writes; publishing is
// a hazard.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal, parse, syntax } from "../spec/options.js";
import { judgeIndex, variables } from "./package-index.js";
import { executes } from "./programs.js";
import { runScript } from "./scripts.js";

const fetch = `network "fetches packages", exec "installs packages"`;
const project = `write last else . tree "makes a project"`;
const format = `write rest else . all "formats it"`;

const uvOptions = [
  "p|python= project= directory= with= with-editable= with-requirements= from= extra= group= only-group= no-group=",
  "env-file= i|index-url= default-index= index= package= m|module config-file= cache-dir= o|output-file=",
  "r|requirements=",
  "c|constraints= e|editable= color= w= s|script link-mode= extra-index-url= f|find-links= refresh isolated n|no-cache",
  "q|quiet v|verbose offline U|upgrade P|upgrade-package= prerelease= resolution= exclude-newer= reinstall frozen",
  "locked",
  "no-sync active all-extras no-dev only-dev dev all-groups all-packages no-project no-editable exact native-tls",
  "no-config no-progress managed-python no-managed-python allow-insecure-host= C|config-setting= gui-script",
].join(" ");
const uvSyntax = syntax(uvOptions, { posix: true });
/** Where no program follows, options stand between the operands too. */
const uvMixedSyntax = syntax(uvOptions);

export const toolchains = tools(
  "toolchains",
  `
tool cargo cross
  style plus
  options manifest-path= p|package= features= F= target= target-dir= j|jobs= profile= color= config= Z= bin= example=
    test= bench= message-format= depth= vers= version= git= path= root= registry= exclude= C= i|invert= e|edges=
    branch= tag= rev= index= token= rename= lockfile-path= explain= r|release q|quiet v|verbose all workspace lib bins
    examples tests benches all-targets all-features no-default-features frozen locked offline keep-going no-run
    no-fail-fast doc timings=? allow-dirty allow-staged open no-deps document-private-items check fix dev build optional
    no-optional vcs= name= edition= force f|no-track list V h undo a|add= remove= d|duplicates prefix= no-dedupe
    aggressive
    precise= recursive
  dry n|dry-run
  fmt --check : quiet
  fmt ~--check : quiet
  fmt : write . all "formats it"
  clippy --fix : exec, write . all
  fix : exec, write . all
  clean : delete ./target tree "removes what was built"
  add|remove|rm|update|upgrade : ${fetch}, write ./Cargo.toml, write ./Cargo.lock
  new|init : ${project}
  install|uninstall|binstall|fetch : ${fetch}
  publish|yank : !publish
  owner --add|remove : !publish
  login|logout : write ~/.cargo/credentials.toml own-store "keeps the credential"
  release : do release
  search|info|tree|metadata|read-manifest|pkgid|locate-project|verify-project|owner|audit|deny|outdated|machete|udeps :
    quiet
  vendor : write ./vendor tree
  build|b|test|t|run|r|check|c|bench|doc|d|clippy|rustc|rustdoc :
    exec "runs the project's code", write --target-dir else ./target tree
  #0 : quiet
  otherwise exec "runs a plug-in or the project's code"
tool go gotip tinygo
  style one-dash
  options C= o=write run= count= timeout= tags= ldflags= gcflags= mod= modfile= p= covermode= coverpkg= cpu= bench=
    benchtime= coverprofile=write cpuprofile=write memprofile=write trace=write blockprofile=write mutexprofile=write
    outputdir= exec=shell f= toolexec=shell overlay= pkgdir= asmflags= vet= buildmode= parallel= fuzz= fuzztime= skip=
    list= shuffle= compiler= installsuffix= pgo= target= v race cover short x n a i json failfast benchmem m u t e
    deps test export compiled go=? require= droprequire= replace= dropreplace= exclude= dropexclude= module= diff
    msan asan work trimpath buildvcs=? linkshared modcacherw w modcache cache testcache fuzzcache
  fmt|fix : ${format}
  mod tidy|init|edit|vendor : ${fetch}, write ./go.mod, write ./go.sum
  mod graph|verify|why|download : quiet
  get : ${fetch}, write ./go.mod, write ./go.sum
  work init|use|sync|edit|vendor : ${fetch}, write ./go.work
  env --w|u : write ~/.config/go/env own-store
  install : ${fetch}
  clean --modcache : !module-cache-clean({name}-clean-modcache)
  list|version|doc|env|vet|tool|telemetry|bug : quiet
  otherwise exec "runs the project's code"
tool pip pip2 pip3 easy_install
  options r|requirement=read c|constraint=read e|editable= t|target= prefix= root= d|dest= w|wheel-dir= i|index-url=
    extra-index-url= f|find-links= python= proxy= cache-dir= log=write platform= python-version= implementation= abi=
    src= report=write format= path= no-binary= only-binary= retries= timeout= trusted-host= exists-action= cert=
    client-cert= use-feature= use-deprecated= progress-bar= upgrade-strategy= C|config-settings= global-option=
    root-user-action= no-build-isolation group= U|upgrade q|quiet v|verbose no-deps no-cache-dir user I|ignore-installed
    force-reinstall y|yes pre no-input isolated require-virtualenv break-system-packages no-index o|outdated u|uptodate
    not-required l|local all exclude= require-hashes disable-pip-version-check no-warn-script-location no-clean
  dry dry-run
  also install|download|wheel : do index
  install : ${fetch}, write --target|prefix|root tree "installs into it"
  uninstall|remove : exec "uninstalls packages"
  download : ${fetch}, write --dest else . all
  wheel : ${fetch}, write --wheel-dir else . all
  config set ~*index-url : write ~/.config/pip/pip.conf own-store, do storeIndex
  config set|unset|edit : write ~/.config/pip/pip.conf own-store
  cache purge|remove : exec "empties its cache"
  freeze|list|show|check|search|index|inspect|hash|debug|config|cache|completion|lock : quiet
  otherwise exec "runs code"
tool uv
  style posix
  options ${uvOptions}
  otherwise do uv
tool gem
  options v|version= i|install-dir= n|bindir= s|source= host= h P|trust-policy= k|key= platform= f|force l|local
    r|remote b|both a|all d|details q|quiet V|verbose N|no-document x|executables I|ignore-dependencies user-install
    D|dryrun pre otp= add= remove= u|update o|output= c|clear-sources
  --h : quiet
  push|yank : !publish
  owner : !publish
  install|update|uninstall|cleanup|pristine|i : ${fetch}
  signin : write ~/.gem/credentials own-store "keeps the credential"
  list|search|info|env|environment|which|contents|specification|dependency|outdated|query|sources|check|server|fetch :
    quiet
  unpack|signout|stale|lock|mirror|rdoc|cert : quiet
  build : exec "builds a package", write . all
  otherwise exec "runs code"
tool composer composer.phar
  options d|working-dir= f|format= s|stability= dev o|optimize-autoloader classmap-authoritative n|no-interaction
    q|quiet v|verbose ansi no-ansi no-dev no-scripts no-plugins no-cache profile apcu-autoloader ignore-platform-reqs
    ignore-platform-req= prefer-dist prefer-source prefer-install= W|with-all-dependencies w|with-dependencies
    no-update no-install no-progress lock prefer-stable prefer-lowest repository= t|tree i|installed p|platform a|all
    D|direct m|minor-only ignore= locked abandoned= audit-format= timeout= g|global unset e|editor
  dry dry-run
  show|info|outdated|search|licenses|validate|why|depends|prohibits|why-not|diagnose|about|list|status|fund|audit :
    quiet
  check-platform-reqs|suggests|browse|home|completion|config : quiet
  install|i|update|u|upgrade|require|r|remove|rm|reinstall|create-project|global|dump-autoload|dumpautoload|bump :
    ${fetch}, do composerFiles
  exec|x : run rest
  clear-cache|clearcache|cc|self-update|selfupdate|archive|init : exec "works on its own files"
  run|run-script : do composerScript
  otherwise do composerScript
tool dotnet
  options c|configuration= o|output= f|framework= r|runtime= p|project= s|source= k|api-key= v|verbosity= n|name=
    arch= os= version-suffix= t|startup-project= filter= l|logger= results-directory= settings= collect= context=
    no-restore no-build self-contained nologo force interactive g|global version= add-source= launch-profile= lang=
    tool-path= verify-no-changes include= exclude= severity= diagnostics= nuget-source= watch idempotent dry-run
  nuget push : !publish
  nuget delete : !unpublish
  publish : write --output tree, exec "builds the project"
  format --verify-no-changes : quiet
  format : ${format}
  ef database drop !--dry-run : !drop-database
  ef : exec "runs migrations"
  add|remove|restore|install|tool|workload|nuget|package|reference : ${fetch}
  new : ${project}
  sln add|remove|migrate or sln * add|remove|migrate : write . all "changes the solution"
  list|--info|sln|sdk|search : quiet
  otherwise exec "runs the project's code"
tool twine vsce ovsx jsr hatchling flit wally rokit luarocks nuget paket conan anaconda
  options c|configuration= o|output|out= p|pat= s|source|server= k|api-key= v|verbosity= n|name= repository= r|remote=
    repository-url= u|username= t|target= m|message= sign identity= config-file= skip-existing non-interactive
    verbose token= baseContentUrl= no-dependencies packagePath= pre-release sign-with= comment= build= profile=
  dry dry-run
  publish|upload|push|register : upload "publishes", !publish
  delete|unpublish|retire|unlist|yank : !unpublish
  add|remove|restore|install|get|upgrade|update|uninstall|tool|deps|lock|download|sync : ${fetch}
  new|create|init : ${project}
  list|show|search|info|check|which|config|ls|verify-pat|whoami|help|version|graph|inspect|path : quiet
  login|logout|login-publisher|logout-publisher|create-publisher : quiet
  otherwise exec "runs code"
tool flutter pub rustup sdkmanager sdk opam rebar3 gleam cpan cpanm cpanminus raco hackage vcpkg spack spago
tool build bower jspm changelogen
# -c, -m, -n, -v and --profile are flags of some of them: not listed, both readings are tried.
  options component= o|output= p|project= s|source= k|api-key= verbosity= name= t|target= toolchain= d|device-id=
    u= message= flavor= dart-define= switch= channel= y|yes f|force q|quiet verbose h
  dry dry-run
  publish|upload|push|register : upload "publishes", !publish
  pub publish : !publish
  hex publish : upload "publishes", !publish
  delete|unpublish|retire|unlist : !unpublish
  format : ${format}
  add|remove|restore|install|get|upgrade|update|uninstall|tool|toolchain|component|target|override|default|pub|deps :
    ${fetch}
  new|create|init : ${project}
  list|show|search|info|doctor|devices|emulators|check|which|env|config|analyze|symbol-size|current|switch|var : quiet
  clean : exec "cleans"
  otherwise exec "runs the project's code"

# Release and commit tools commit on their own.
tool np release-it semantic-release
  options m|message= no-commit commit=? no-git.commit=? i|increment=? c|config= ci tag= branch= b|branches= r=
    p|plugins=
    t|tag-format= e|extends= yolo any-branch preview no-publish no-release-draft contents= V|verbose no-git.push=?
    changelog release-version
  dry d|dry-run n l|list
  --no-commit|changelog|release-version : quiet
  otherwise exec "runs git", do commit, do push, !publish
tool standard-version commit-and-tag-version bumpversion bump2version bump-my-version cz git-cz czg commitizen gitmoji
tool opencommit oco aicommits
  options m|message= no-commit commit=? r|release-as= p|prerelease= f|first-release t|tag-prefix= a|all s|sign no-verify
    current-version= new-version= config-file= part= serialize= parse= search= replace= tag-name= tag-message= tag
    allow-dirty verbose skip.commit=? skip.tag=? i|infile= increment= y|yes g|generate= type= amend
    fgm c
  dry d|dry-run n l|list
  --no-commit : quiet
  #0 : exec "runs git", do commit
  check|info|ls|list|example|schema|version|show|config|hook|init|show-bump|replace|sample-config|models : quiet
  otherwise exec "runs git", do commit
`,
  {
    release({ call }, emit) {
      emit.effect({
        kind: "commit",
        program: call.name,
        how: "release",
        reason: `${call.name} commits and tags a release`,
        repo: emit.resolve(literal(".")),
      });
      emit.hazard(hazard("publish"), `${call.name} release`);
    },
    commit: ({ call }, emit) =>
      emit.effect({
        kind: "commit",
        program: call.name,
        reason: `${call.name} commits`,
        repo: emit.resolve(literal(".")),
      }),
    push: ({ call }, emit) =>
      emit.effect({
        kind: "push",
        program: call.name,
        reason: `${call.name} pushes the release`,
        repo: emit.resolve(literal(".")),
      }),
    composerFiles({ given, path: [verb = ""] }, emit) {
      const directory = given.value("working-dir");
      emit.write(below(directory, "vendor"), `composer ${verb}`, { recursive: true });
      emit.write(below(directory, "composer.lock"), `composer ${verb}`);
      if (/^(require|r|remove|rm|bump)$/.test(verb)) emit.write(below(directory, "composer.json"), `composer ${verb}`);
    },
    composerScript({ call, given, rest: [script, ...args] }, emit) {
      if (script) runScript(script, args, given.value("working-dir"), call, emit, { file: "composer.json" });
    },
    index({ call, given }, emit) {
      const named = given.values("index-url", "extra-index-url", "find-links");
      judgeIndex([...named, ...variables(call, "PIP_INDEX_URL PIP_EXTRA_INDEX_URL UV_INDEX_URL")], emit);
    },
    storeIndex: ({ rest }, emit) => judgeIndex(rest, emit),
    uv,
  },
);

const below = (directory: Arg | undefined, file: string) =>
  literal(directory?.value ? `${directory.value}/${file}` : file);

/** uv: its sub-commands run programs, or manage the files of a project; some of both have options of their own. */
function uv({ call, given, rest: [verb, ...words] }: Use, emit: Emit): void {
  const name = verb?.value;
  const inner = parse(words, uvSyntax);
  const directory = given.value("directory") ?? inner.value("directory");
  const [first, ...rest] = inner.operands;
  const installs = (...files: string[]) => {
    emit.effect({ kind: "network", program: "uv", reason: `uv ${name} fetches packages` });
    executes(call, emit, `uv ${name} installs packages`);
    const named = [given, parse(words, uvMixedSyntax)].flatMap((options) =>
      options.values("index-url", "default-index", "index", "extra-index-url", "find-links"),
    );
    const addresses = named.map((word) => ({ ...word, value: word.value?.replace(/^[\w-]+=/, "") }));
    judgeIndex([...addresses, ...variables(call, "UV_INDEX_URL UV_DEFAULT_INDEX UV_EXTRA_INDEX_URL")], emit);
    for (const file of files)
      emit.write(below(directory, file), `uv ${name}`, file === ".venv" ? { recursive: true } : {});
  };
  switch (name) {
    case undefined:
      if (verb) emit.unknown("the sub-command of uv is not static");
      return;
    case "run":
      for (const file of inner.values("env-file")) emit.read(file, "uv run --env-file");
      return first && emit.run(uvProgram(first, rest, inner.has("module")), "run by uv", { cwd: directory });
    case "x":
      return uvTool(words, emit);
    case "tool":
      if (first?.value === "run") return uvTool(words.slice(words.indexOf(first) + 1), emit);
      return /^(list|dir)$/.test(first?.value ?? "list") ? undefined : installs();
    case "pip":
      if (/^(list|freeze|show|check|tree)$/.test(first?.value ?? "")) return;
      if (first?.value === "compile") return uvOutput(words, emit, "uv pip compile");
      return emit.run([literal("pip"), ...words], "uv pip");
    case "add":
    case "remove":
      return installs("pyproject.toml", "uv.lock", ".venv");
    case "sync":
      return installs("uv.lock", ".venv");
    case "lock":
      return installs("uv.lock");
    case "venv":
      return emit.write(first ?? literal(".venv"), "uv venv", { recursive: true });
    case "init":
      return emit.write(first ?? literal("."), "uv init", { recursive: true });
    case "publish":
      emit.effect({ kind: "network", program: "uv", upload: true, reason: "uv publish" });
      return words.some((word) => word.value === "--dry-run")
        ? undefined
        : emit.hazard(hazard("publish"), "uv publish reaches everyone");
    case "build":
      emit.write(literal("dist"), "uv build", { recursive: true });
      return executes(call, emit, "uv build");
    case "export":
      return uvOutput(words, emit, "uv export");
    case "format":
      if (parse(words, syntax("check diff")).has("check", "diff")) return;
      return emit.write(literal("."), "uv format", { recursive: true, glob: true });
    case "version":
      return first || parse(words, syntax("bump=")).has("bump")
        ? emit.write(literal("pyproject.toml"), "uv version")
        : undefined;
    case "tree":
    case "help":
    case "self":
    case "cache":
      return;
    default:
      return executes(call, emit, `uv ${verb!.source}`);
  }
}

function uvProgram(program: Arg, args: Arg[], module: boolean): Arg[] {
  if (module) return [literal("python"), literal("-m"), program, ...args];
  const isPython = program.value === "-" || /\.py$/.test(program.value ?? "");
  return isPython ? [literal("python"), program, ...args] : [program, ...args];
}

function uvTool(words: readonly Arg[], emit: Emit): void {
  const [program, ...args] = parse(words, uvSyntax).operands;
  if (program) emit.run([{ ...program, value: program.value?.replace(/(?<=.)@.*$/, "") }, ...args], "run by uv tool");
}

function uvOutput(words: readonly Arg[], emit: Emit, reason: string): void {
  for (const file of parse(words, syntax("o|output-file=")).values("output-file")) emit.write(file, reason);
}
