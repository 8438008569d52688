// Test runners, linters, bundlers, build systems: they run the project's own code.
// Invariant: each is `exec`, known and without hazard; outputs named on the command line are writes, what publishes is a hazard.

import type { ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { all, cli } from "./commands.js";
import { asksHelp, executes, families } from "./table.js";

const runs = (names: string, reason: string, takes = ""): ToolFamily => {
  const grammar = syntax(
    `o|output|outfile= outdir|out-dir|outDir= d|dest= output-file|outputFile= junitxml|junit-xml= report= coverage-dir|coverageDirectory= ${takes}`,
  );
  return {
    names: names.split(" "),
    lower(call, emit) {
      if (asksHelp(call)) return;
      const given = parse(call.args, grammar);
      executes(call, emit, `${call.name} ${reason}`);
      for (const path of given.values("outfile", "outDir", "outputFile", "junit-xml"))
        emit.write(path, `${call.name} output`, { recursive: true });
    },
  };
};

const tests = runs(
  "vitest jest mocha ava tap tape jasmine karma playwright cypress testcafe wdio nightwatch puppeteer qunit uvu node-tap c8 nyc pytest py.test tox nox nose2 nosetests behave coverage hypothesis rspec minitest cucumber phpunit pest codecept behat ctest gtest bats shellspec cargo-nextest nextest ginkgo gotestsum richgo busted zunit ward trial robot locust k6 artillery autocannon wrk hey ab storybook chromatic percy stryker mutmut infection pitest prove",
  "runs tests",
);

const linters = runs(
  "mypy dmypy pyright basedpyright pytype pyre pylint flake8 pycodestyle pydocstyle bandit safety pip-audit vulture radon tsc-watch vue-tsc svelte-check attw publint knip depcheck madge dependency-cruiser depcruise size-limit bundlesize commitlint lint-staged syncpack manypkg shellcheck yamllint actionlint jsonlint ec vale alex cspell phpstan psalm phpmd phpcs deptrac brakeman bundler-audit solargraph sorbet srb steep credo dialyzer cppcheck cpplint include-what-you-use sonar-scanner snyk gitleaks trufflehog detect-secrets osv-scanner spectral redocly openapi-generator swagger-cli graphql-codegen buf-lint protolint helm-docs kubeconform kubeval conftest opa hlint slither solhint cargo-deny cargo-audit clippy-driver license-checker is-my-node-vulnerable tfenv",
  "checks the project",
);

const bundlers = runs(
  "webpack webpack-cli webpack-dev-server vite rollup esbuild parcel swc babel tsup unbuild ncc nexe microbundle next nuxt nuxi astro gatsby remix react-scripts vue-cli-service ng angular ember svelte-kit expo eas react-native metro electron electron-builder electron-forge tauri ionic cap capacitor hugo jekyll eleventy mkdocs sphinx-build sphinx-autobuild docusaurus vuepress vitepress typedoc jsdoc api-extractor rustdoc doxygen mdbook lessc sass node-sass postcss tailwindcss uglifyjs terser html-minifier svgo workbox serve http-server live-server browser-sync json-server uvicorn gunicorn hypercorn daphne flask fastapi streamlit gradio jupyter jupyter-lab ipykernel dagster airflow prefect dbt puma unicorn thin rackup foreman overmind hivemind honcho nest adonis ace medusa strapi keystone directus redwood blitz turbo nx forge cast anvil hardhat truffle bolt beachball wireit syncpack-fix changeset auto-changelog conventional-changelog git-cliff cookiecutter copier yo plop hygen degit tiged create-react-app create-next-app create-vite",
  "builds or serves the project",
);

const lerna = cli({
  names: "lerna",
  takes: "scope= ignore= since= concurrency= loglevel=",
  verbs: [
    {
      path: "exec",
      does: ({ raw }, emit) => {
        const at = raw.findIndex((word) => word.value === "--");
        emit.run(raw.slice(at + 1), "run by lerna exec");
      },
    },
    { path: "publish", hazard: "infrastructure:2", id: "publish" },
  ],
  otherwise: ({ call }, emit) => executes(call, emit, "lerna runs scripts of the packages"),
});

const jvm = cli({
  names: "gradle gradlew mvn mvnw mvnd ant sbt mill lein boot maven ivy kotlinc-jvm bloop amper",
  takes: "p|project-dir= b|build-file= f|file= s|settings= P= D= pl= x|exclude-task= i= c= I|init-script= T= t= r=",
  verbs: [],
  otherwise({ call, given }, emit) {
    executes(call, emit, `${call.name} builds`);
    const tasks = given.operands.map((word) => word.value ?? "");
    if (
      tasks.some(
        (task) =>
          /^(publish\w*|deploy|release:perform|uploadArchives|bintrayUpload|closeAndRelease\w*|publishSigned)$/.test(
            task.split(":").at(-1) ?? "",
          ) || task === "release:perform",
      )
    )
      emit.hazard({ class: "infrastructure", level: 2, id: "publish" }, `${call.name} publishes`);
    if (tasks.some((task) => /flyway:clean|flywayClean|liquibase:dropAll|dropAll$/.test(task)))
      emit.hazard({ class: "database", level: 3, id: "flyway-clean" }, `${call.name} drops the database`);
  },
});

const systems = [
  cli({
    names: "bazel bazelisk buck buck2 pants please plz",
    takes: "config= c= jobs=",
    verbs: [
      { path: "query|cquery|aquery|info|version|help|mod" },
      { path: "clean", hazard: "worktree-loss:1", id: "build-clean" },
    ],
    otherwise: ({ call }, emit) => executes(call, emit, `${call.name} builds`),
  }),
  cli({
    names: "ninja samu meson scons waf premake xmake tup redo shake autoreconf autoconf automake configure qmake",
    takes: "C= f= j= t= k= l= buildtype= D=",
    verbs: [],
    otherwise: ({ call }, emit) => executes(call, emit, `${call.name} builds`),
  }),
  cli({
    names: "xcodebuild xcrun swift-build fastlane pod carthage tuist xctool agvtool simctl",
    takes: "project= workspace= scheme= destination= configuration= sdk= derivedDataPath= archivePath= exportPath=",
    style: { oneDash: true },
    verbs: [
      { path: "simctl erase|delete", hazard: "infrastructure:1" },
      { path: "trunk push|delete|deprecate", hazard: "infrastructure:2", id: "publish" },
      {
        path: "install|update|repo",
        does: (_use, emit) => emit.write(literal("Pods"), "pod install", { recursive: true }),
      },
    ],
    otherwise: ({ call }, emit) => executes(call, emit, `${call.name} builds`),
  }),
];

/** cmake -E is a little shell of its own. */
const cmake: ToolFamily = {
  names: ["cmake", "ccmake", "cpack"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const [first, verb, ...rest] = call.args;
    if (first?.value === "-E") {
      const words = rest.filter((arg) => !arg.value?.startsWith("-"));
      switch (verb?.value) {
        case "rm":
        case "remove":
        case "remove_directory":
          for (const path of words)
            emit.delete(
              path,
              `cmake -E ${verb.value}`,
              verb.value === "remove" ||
                !(verb.value === "remove_directory" || rest.some((arg) => /^-\w*r/i.test(arg.value ?? "")))
                ? {}
                : { recursive: true },
            );
          return;
        case "copy":
        case "copy_if_different":
        case "copy_directory":
        case "rename":
        case "create_symlink":
          return emit.run(
            [
              literal(verb.value === "rename" ? "mv" : "cp"),
              ...(verb.value === "copy_directory" ? [literal("-r")] : []),
              ...words,
            ],
            `cmake -E ${verb.value}`,
          );
        case "make_directory":
        case "touch":
          for (const path of words) emit.write(path, `cmake -E ${verb.value}`);
          return;
        case "env":
        case "time":
        case "chdir": {
          const skip = verb.value === "chdir" ? 1 : 0;
          const at = rest.findIndex((arg, index) => index >= skip && !/=|^-/.test(arg.value ?? ""));
          return at < 0
            ? undefined
            : emit.run(rest.slice(at), `cmake -E ${verb.value}`, verb.value === "chdir" ? { cwd: rest[0] } : {});
        }
        default:
          return;
      }
    }
    const given = parse(
      call.args,
      syntax("B= S= D= G= A= T= P= build= install= prefix= target= j= config= preset= t= toolchain="),
    );
    executes(call, emit, "cmake runs the project's build");
    for (const directory of given.values("B")) emit.write(directory, "cmake configures into it", { recursive: true });
    for (const script of given.values("P")) emit.unknown(`cmake -P runs ${script.source}`);
    if (given.has("install")) emit.hazard({ class: "system", level: 1, id: "install" }, "cmake --install");
  },
};

const compilers: ToolFamily = {
  names: [
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "tcc",
    "icc",
    "nvcc",
    "gfortran",
    "rustc",
    "javac",
    "kotlinc",
    "scalac",
    "swiftc",
    "ocamlc",
    "ocamlopt",
    "fpc",
    "nasm",
    "yasm",
    "as",
    "ld",
    "lld",
    "gold",
    "emcc",
    "em++",
    "tsc",
    "asc",
    "solc",
    "valac",
    "dmd",
    "ldc2",
    "gdc",
    "elm",
    "coqc",
    "lean",
    "agda",
    "pdflatex",
    "xelatex",
    "lualatex",
    "latex",
    "latexmk",
    "tectonic",
    "typst",
    "dot",
    "mmdc",
    "plantuml",
    "wasm-pack",
    "wasm-opt",
    "wat2wasm",
    "windres",
    "flex",
    "bison",
    "yacc",
    "ragel",
    "antlr4",
    "gperf",
    "cython",
    "nuitka",
    "pyinstaller",
    "mypyc",
  ],
  lower(call, emit) {
    if (
      asksHelp(call) ||
      call.args.some((arg) => /^(-dumpversion|-print-.*|-v|--print=.*|-version)$/.test(arg.value ?? ""))
    )
      return;
    const given = parse(
      call.args,
      syntax(
        "o|output|outfile|outFile= outDir= d= I= L= l= D= p|project= t|target= m|module= B= MF= MT= W=? f=? O=? g=? isystem= include= emit= crate-type= crate-name= edition= L= C= T= e= Wl=? std= lib= declarationDir= tsBuildInfoFile= out-dir=",
      ),
    );
    for (const path of given.values("outFile", "outDir", "out-dir", "declarationDir"))
      emit.write(path, `${call.name} output`, { recursive: true });
    if (call.name === "javac" || call.name === "kotlinc")
      for (const path of given.values("d")) emit.write(path, `${call.name} -d`, { recursive: true });
    const quiet = given.has("noEmit", "fsyntax-only", "E", "showConfig", "listFiles", "init-only");
    if (call.name === "tsc" && given.has("init")) return emit.write(literal("tsconfig.json"), "tsc --init");
    executes(call, emit, `${call.name} compiles`);
    if (/tex/.test(call.name) && given.has("shell-escape", "enable-write18"))
      emit.unknown(`${call.name} may run programs`);
    const names = given.has("outFile", "outDir", "out-dir") || quiet;
    if (!names && /^(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc)$/.test(call.name) && given.operands.length)
      emit.write(
        literal(
          given.has("c")
            ? `${given.operands[0]!.value?.replace(/\.\w+$/, "")
                .split("/")
                .at(-1)}.o`
            : "a.out",
        ),
        `${call.name} output`,
      );
  },
};

const plain = families([
  { names: "ctags etags cscope global", options: { "o|f=": "write" }, takes: "L= R languages= exclude=" },
  { names: "graphviz neato circo twopi", options: { "o=": "write" }, takes: "T= K= G= N= E=" },
]);

const media: ToolFamily = {
  names: [
    "ffmpeg",
    "ffprobe",
    "sox",
    "exiftool",
    "optipng",
    "pngquant",
    "jpegoptim",
    "gs",
    "qpdf",
    "pdftk",
    "img2pdf",
    "inkscape",
    "gimp",
    "blender",
  ],
  lower(call, emit) {
    if (asksHelp(call) || call.name === "ffprobe") return;
    const given = parse(
      call.args,
      syntax(
        "i= o= f= c= vf= af= ss= t= to= r= b= map= filter_complex= metadata= y sOutputFile= sDEVICE= preset= crf= codec= acodec= vcodec=",
        { oneDash: true },
      ),
    );
    for (const input of given.values("i")) if (!/^\w+:/.test(input.value ?? "")) emit.read(input, `${call.name} input`);
    const target =
      given.value("o", "sOutputFile") ??
      (call.name === "exiftool" && !call.args.some((arg) => /^-\w+=/.test(arg.value ?? ""))
        ? undefined
        : given.operands.at(-1));
    if (target && !/^(-|\w+:\/\/.*)$/.test(target.value ?? "")) emit.write(target, `${call.name} output`);
  },
};

/** pre-commit installs git hooks and runs them; it can also take them away. */
const hooks = cli({
  names: "pre-commit prek lefthook husky overcommit simple-git-hooks",
  takes: "c|config= t|hook-type= hook-stage= from-ref= to-ref= files= s= o=",
  verbs: [
    {
      path: "uninstall|deactivate",
      hazard: "verification-skip:2",
      id: "hooks-uninstall",
      does: (_use, emit) => emit.write(literal(".git/hooks"), "removes the git hooks", { recursive: true }),
    },
    {
      path: "install|init|add|set",
      does: (_use, emit) => emit.write(literal(".git/hooks"), "installs git hooks", { recursive: true }),
    },
    { path: "validate-config|validate-manifest|sample-config|help|dump|version" },
    ...all("infrastructure:1", ["clean|gc"], { id: "hook-cache-clean" }),
    {
      path: "autoupdate|migrate-config",
      does: (_use, emit) => emit.write(literal(".pre-commit-config.yaml"), "updates the hook configuration"),
    },
  ],
  otherwise: ({ call }, emit) => executes(call, emit, `${call.name} runs the hooks`),
});

export const builds = [lerna, tests, linters, bundlers, jvm, ...systems, cmake, compilers, ...plain, media, hooks];
