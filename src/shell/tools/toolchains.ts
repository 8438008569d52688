// Language toolchains with package management: cargo, go, pip, uv, gem, composer, dotnet, and others.
// Invariant: builds and tests are `exec`; manifests, lock files and formatted trees they change are writes; publishing is a hazard.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { atHome, literal, parse, syntax } from "../spec/options.js";
import { cli, type Use, type Verb } from "./commands.js";
import { runScript } from "./scripts.js";
import { asksHelp, asksHelpFirst, executes, isStream } from "./table.js";

const run = ({ call }: Use, emit: Emit) => executes(call, emit, `${call.name} runs the project's code`);
const fetches = ({ call }: Use, emit: Emit) => {
  emit.effect({ kind: "network", program: call.name, reason: `${call.name} fetches packages` });
  executes(call, emit, `${call.name} installs packages`);
};
const changes =
  (...files: string[]) =>
  (use: Use, emit: Emit) => {
    fetches(use, emit);
    for (const file of files) emit.write(literal(file), `${use.call.name} changes it`);
  };
const formats = ({ call, rest }: Use, emit: Emit) => {
  for (const path of rest.length ? rest : [literal(".")])
    emit.write(path, `${call.name} formats it`, { recursive: true, glob: true });
};
const makes = ({ call, rest }: Use, emit: Emit) =>
  emit.write(rest.at(-1) ?? literal("."), `${call.name} makes a project`, { recursive: true });
const removes =
  (directory: string) =>
  ({ call }: Use, emit: Emit) =>
    emit.delete(literal(directory), `${call.name} removes what was built`, { recursive: true });
const publish: Partial<Verb> = { hazard: "infrastructure:2", id: "publish" };

const cargo: ToolFamily = cli({
  names: "cargo cross",
  takes:
    "manifest-path= p|package= features= F= target= target-dir= j|jobs= profile= color= config= Z= bin= example= test= bench= message-format= depth= vers= version= git= path= root= registry= exclude= C= i|invert= e|edges=",
  verbs: [
    {
      path: "fmt",
      unless: ["check"],
      does: ({ rest, call }, emit) =>
        rest.some((word) => word.value === "--check") ? undefined : formats({ call, rest: [] } as never, emit),
    },
    { path: "fmt" },
    {
      path: "clippy|fix",
      needs: ["fix"],
      does: (use, emit) => {
        run(use, emit);
        formats({ ...use, rest: [] }, emit);
      },
    },
    {
      path: "fix",
      does: (use, emit) => {
        run(use, emit);
        formats({ ...use, rest: [] }, emit);
      },
    },
    { path: "clean", does: removes("target") },
    { path: "add|remove|rm|update|upgrade", unless: ["dry-run"], does: changes("Cargo.toml", "Cargo.lock") },
    { path: "new|init", does: makes },
    { path: "install|uninstall|binstall", does: fetches },
    { path: "publish|yank", unless: ["dry-run"], ...publish },
    { path: "owner", needs: ["add", "remove"], hazard: "infrastructure:2", id: "publish" },
    {
      path: "login|logout",
      does: ({ call }, emit) =>
        emit.write(atHome(call, ".cargo/credentials.toml"), "cargo keeps the credential", { how: "own-store" }),
    },
    { path: "release", does: (use, emit) => commits(use, emit) },
    {
      path: "search|info|tree|metadata|read-manifest|pkgid|locate-project|verify-project|help|version|audit|deny|outdated|machete|udeps",
    },
    { path: "vendor", does: (_use, emit) => emit.write(literal("vendor"), "cargo vendor", { recursive: true }) },
  ],
  otherwise({ call, given }, emit) {
    const verb = given.operands.find((word) => !word.value?.startsWith("+"))?.value;
    if (!verb && given.has("list", "V", "h", "v")) return;
    if (given.operands[0]?.value?.startsWith("+"))
      return cargo.lower({ ...call, args: call.args.filter((arg) => !arg.value?.startsWith("+")) }, emit);
    executes(call, emit, `cargo ${verb ?? ""}`);
    if (/^(build|b|test|t|run|r|check|c|bench|doc|clippy|rustc)$/.test(verb ?? ""))
      emit.write(given.value("target-dir") ?? literal("target"), `cargo ${verb}`, { recursive: true });
  },
});

function commits({ call }: Use, emit: Emit): void {
  emit.effect({
    kind: "commit",
    program: call.name,
    how: "release",
    reason: `${call.name} commits and tags a release`,
    repo: emit.resolve(literal(".")),
  });
  emit.hazard({ class: "infrastructure", level: 2, id: "publish" }, `${call.name} release`);
}

const go = cli({
  names: "go gotip tinygo",
  takes:
    "C= o= run= count= timeout= tags= ldflags= gcflags= mod= modfile= p= cover= coverprofile= coverpkg= cpu= bench= benchtime= cpuprofile= memprofile= trace= blockprofile= mutexprofile= outputdir= exec= f= toolexec= overlay= pkgdir= asmflags= vet= buildmode= parallel=",
  style: { oneDash: true },
  verbs: [
    { path: "fmt", does: formats },
    { path: "fix", does: formats },
    { path: "mod tidy|init|edit|vendor", does: changes("go.mod", "go.sum") },
    { path: "get", does: changes("go.mod", "go.sum") },
    { path: "work init|use|sync|edit", does: changes("go.work") },
    {
      path: "env",
      needs: ["w", "u"],
      does: ({ call }, emit) => emit.write(atHome(call, ".config/go/env"), "go env -w", { how: "own-store" }),
    },
    { path: "install", does: fetches },
    { path: "clean", needs: ["modcache"], hazard: "worktree-loss:1", id: "go-clean-modcache" },
    { path: "list|version|doc|env|vet|help|tool|telemetry|bug" },
    { path: "mod graph|verify|why|download" },
  ],
  otherwise({ call, given }, emit) {
    executes(call, emit, `go ${given.operands[0]?.source ?? ""}`);
    for (const path of given.values(
      "o",
      "coverprofile",
      "cpuprofile",
      "memprofile",
      "trace",
      "blockprofile",
      "mutexprofile",
    ))
      if (!isStream(path)) emit.write(path, "go output");
    for (const program of given.values("exec", "toolexec")) emit.shell(program, "go runs programs through it");
  },
});

const pip = cli({
  names: "pip pip2 pip3 easy_install",
  takes:
    "r|requirement= c|constraint= e|editable= t|target= prefix= root= d|dest= w|wheel-dir= i|index-url= extra-index-url= f|find-links= python= proxy= cache-dir= log= platform= python-version= implementation= abi= src= report= format= path= no-binary= only-binary= retries= timeout= trusted-host=",
  verbs: [
    { path: "install", does: installs },
    { path: "uninstall|remove", does: ({ call }, emit) => executes(call, emit, "pip uninstalls packages") },
    {
      path: "download|wheel",
      does: (use, emit) => {
        fetches(use, emit);
        emit.write(use.given.value("dest", "wheel-dir") ?? literal("."), `pip ${use.given.operands[0]?.source}`, {
          glob: true,
          recursive: true,
        });
      },
    },
    {
      path: "config set|unset|edit",
      does: ({ call }, emit) => emit.write(atHome(call, ".config/pip/pip.conf"), "pip config", { how: "own-store" }),
    },
    { path: "freeze|list|show|check|search|index|inspect|hash|debug|help|config|cache|completion" },
  ],
  otherwise: run,
});

function installs(use: Use, emit: Emit): void {
  if (use.given.has("dry-run")) return;
  for (const file of use.given.values("requirement", "constraint"))
    if (!/^https?:/.test(file.value ?? "")) emit.read(file, "pip takes requirements from it");
  fetches(use, emit);
  for (const directory of use.given.values("target", "prefix", "root"))
    emit.write(directory, "pip installs into it", { recursive: true });
}

const uvSyntax = syntax(
  "p|python= project= directory= with= with-editable= with-requirements= from= extra= group= only-group= no-group= env-file= index-url= i= default-index= index= package= m|module config-file= cache-dir= o|output-file= r|requirements= c|constraints= e|editable= color= w= s|script link-mode=",
  { posix: true },
);

const uv: ToolFamily = {
  names: ["uv"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const outer = parse(call.args, uvSyntax);
    const [verb, ...words] = outer.operands;
    const rest = parse(words, uvSyntax);
    const directory = outer.value("directory") ?? rest.value("directory");
    const packages = (...files: string[]) => {
      emit.effect({ kind: "network", program: "uv", reason: `uv ${verb!.value} fetches packages` });
      executes(call, emit, `uv ${verb!.value} installs packages`);
      for (const file of files)
        emit.write(
          literal(directory?.value ? `${directory.value}/${file}` : file),
          `uv ${verb!.value}`,
          file === ".venv" ? { recursive: true } : {},
        );
    };
    switch (verb?.value) {
      case undefined:
        return;
      case "run": {
        for (const file of rest.values("env-file")) emit.read(file, "uv run --env-file");
        const [program, ...args] = rest.operands;
        if (!program) return;
        if (rest.has("module"))
          return emit.run([literal("python"), literal("-m"), program, ...args], "uv run -m", { cwd: directory });
        if (program.value === "-" || /\.py$/.test(program.value ?? ""))
          return emit.run([literal("python"), program, ...args], "uv run", { cwd: directory });
        return emit.run([program, ...args], "run by uv", { cwd: directory });
      }
      case "tool":
      case "x":
        if (verb.value === "x" || rest.operands[0]?.value === "run") {
          const [program, ...args] = parse(verb.value === "x" ? words : words.slice(1), uvSyntax).operands;
          return program
            ? emit.run([{ ...program, value: program.value?.replace(/(?<=.)@.*$/, "") }, ...args], "run by uv tool")
            : undefined;
        }
        return rest.operands[0]?.value === "list" || rest.operands[0]?.value === "dir" ? undefined : packages();
      case "pip":
        if (/^(list|freeze|show|check|tree)$/.test(rest.operands[0]?.value ?? "")) return;
        if (rest.operands[0]?.value === "compile") {
          for (const file of parse(words, syntax("o|output-file=")).values("output-file"))
            emit.write(file, "uv pip compile");
          return;
        }
        return emit.run([literal("pip"), ...words], "uv pip");
      case "add":
      case "remove":
        return packages("pyproject.toml", "uv.lock", ".venv");
      case "sync":
        return packages("uv.lock", ".venv");
      case "lock":
        return packages("uv.lock");
      case "venv":
        return emit.write(rest.operands[0] ?? literal(".venv"), "uv venv", { recursive: true });
      case "init":
        return emit.write(rest.operands[0] ?? literal("."), "uv init", { recursive: true });
      case "publish":
        emit.effect({ kind: "network", program: "uv", upload: true, reason: "uv publish" });
        return emit.hazard({ class: "infrastructure", level: 2, id: "publish" }, "uv publish reaches everyone");
      case "build":
        emit.write(literal("dist"), "uv build", { recursive: true });
        return executes(call, emit, "uv build");
      case "export":
        for (const file of parse(words, syntax("o|output-file=")).values("output-file")) emit.write(file, "uv export");
        return;
      case "format":
        return parse(words, syntax("check diff")).has("check", "diff")
          ? undefined
          : emit.write(literal("."), "uv format", { recursive: true, glob: true });
      case "version":
        return rest.operands.length || parse(words, syntax("bump=")).has("bump")
          ? emit.write(literal("pyproject.toml"), "uv version")
          : undefined;
      case "tree":
      case "help":
      case "self":
      case "cache":
        return;
      default:
        return executes(call, emit, `uv ${verb?.source}`);
    }
  },
};

const gem = cli({
  names: "gem",
  takes: "v|version= i|install-dir= n|bindir= s|source= h|host= P= k|key=",
  verbs: [
    { path: "push|yank|owner", ...publish },
    { path: "install|update|uninstall|cleanup|pristine|i", does: fetches },
    {
      path: "signin",
      does: ({ call }, emit) =>
        emit.write(atHome(call, ".gem/credentials"), "gem keeps the credential", { how: "own-store" }),
    },
    {
      path: "list|search|info|env|environment|which|contents|specification|dependency|outdated|help|query|sources|check|server|fetch|unpack",
    },
  ],
  otherwise: run,
});

const composer: ToolFamily = {
  names: ["composer", "composer.phar"],
  lower(call: Invocation, emit: Emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("d|working-dir= f|format= stability= dev", { posix: false }));
    const [verb, ...rest] = given.operands;
    const directory = given.value("working-dir");
    const use: Use = { call, given, rest, raw: rest };
    if (
      !verb ||
      /^(show|info|outdated|search|licenses|validate|why|depends|prohibits|why-not|diagnose|about|list|help|status|check-platform-reqs|fund|audit|suggests)$/.test(
        verb.value ?? "",
      )
    )
      return;
    if (
      /^(install|i|update|u|upgrade|require|r|remove|rm|reinstall|create-project|global|dump-autoload|dumpautoload|bump)$/.test(
        verb.value ?? "",
      )
    ) {
      fetches(use, emit);
      emit.write(place(directory, "vendor"), `composer ${verb.value}`, { recursive: true });
      emit.write(place(directory, "composer.lock"), `composer ${verb.value}`);
      if (/^(require|r|remove|rm|bump)$/.test(verb.value ?? ""))
        emit.write(place(directory, "composer.json"), `composer ${verb.value}`);
      return;
    }
    if (/^(exec|x)$/.test(verb.value ?? "")) return emit.run(rest, "composer exec");
    if (/^(run|run-script)$/.test(verb.value ?? ""))
      return rest[0] ? runScript(rest[0], rest.slice(1), directory, call, emit, "composer.json") : undefined;
    runScript(verb, rest, directory, call, emit, "composer.json");
  },
};

const place = (directory: Arg | undefined, file: string) =>
  literal(directory?.value ? `${directory.value}/${file}` : file);

const others = cli({
  names:
    "dotnet flutter pub rustup sdkmanager sdk opam rebar3 gleam rokit wally luarocks cpan cpanm cpanminus raco hackage vcpkg conan spack spago twine vsce ovsx jsr anaconda hatchling flit build nuget paket bower jspm changelogen",
  takes:
    "c|configuration= o|output= f|framework= r|runtime= p|project= s|source= k|api-key= v|verbosity= n|name= repository= repository-url= u= t= message= m= new-version= current-version=",
  verbs: [
    { path: "nuget push", ...publish },
    { path: "delete|unpublish|retire|unlist", hazard: "infrastructure:2", id: "unpublish" },
    { path: "nuget delete", hazard: "infrastructure:2", id: "unpublish" },
    {
      path: "publish|upload|push|register",
      does: ({ call, given }, emit) => {
        if (call.name === "dotnet") {
          for (const path of given.values("output")) emit.write(path, "dotnet publish", { recursive: true });
          return executes(call, emit, "dotnet publish");
        }
        emit.effect({ kind: "network", program: call.name, upload: true, reason: `${call.name} publishes` });
        if (!given.has("dry-run", "n"))
          emit.hazard({ class: "infrastructure", level: 2, id: "publish" }, `${call.name} publishes`);
      },
    },
    { path: "pub publish", ...publish },
    { path: "format", unless: ["verify-no-changes"], does: formats },
    {
      path: "ef database",
      does: ({ rest, call }, emit) =>
        rest[0]?.value === "drop"
          ? emit.hazard({ class: "database", level: 3, id: "drop-database" }, "dotnet ef database drop")
          : executes(call, emit, "dotnet ef"),
    },
    {
      path: "add|remove|restore|install|get|upgrade|update|uninstall|tool|workload|toolchain|component|target|override|default|pub|deps",
      does: fetches,
    },
    { path: "new|create|init", does: makes },
    { path: "list|show|search|info|doctor|devices|check|which|help|--info|env|config|sln" },
    { path: "clean", does: ({ call }, emit) => executes(call, emit, `${call.name} clean`) },
  ],
  otherwise: run,
});

/** Release and commit tools commit on their own. */
const committers: ToolFamily = {
  names: [
    "np",
    "release-it",
    "semantic-release",
    "standard-version",
    "commit-and-tag-version",
    "bumpversion",
    "bump2version",
    "bump-my-version",
    "cz",
    "git-cz",
    "czg",
    "commitizen",
    "gitmoji",
    "opencommit",
    "oco",
    "aicommits",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("m|message= dry-run n no-commit commit= list l"));
    const verb = given.operands[0]?.value ?? "";
    if (
      given.has("dry-run", "no-commit", "n", "list", "l") ||
      /^(check|info|ls|list|example|schema|version|show|config|hook|init)$/.test(verb)
    )
      return;
    executes(call, emit, `${call.name} runs git`);
    emit.effect({
      kind: "commit",
      program: call.name,
      reason: `${call.name} commits`,
      repo: emit.resolve(literal(".")),
    });
    if (!/^(np|release-it|semantic-release)$/.test(call.name)) return;
    emit.effect({
      kind: "push",
      program: call.name,
      reason: `${call.name} pushes the release`,
      repo: emit.resolve(literal(".")),
    });
    emit.hazard({ class: "infrastructure", level: 2, id: "publish" }, `${call.name} publishes`);
  },
};

export const toolchains = [cargo, go, pip, uv, gem, composer, committers, others];
