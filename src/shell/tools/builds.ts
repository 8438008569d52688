// Test runners, linters, bundlers, build systems, compilers: they run the project's own code.
// Invariant: each is exec, known and without hazard; outputs named on the command line are writes, what publishes is a
// hazard.
import type { Arg, Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { cut, isStream, literal } from "../spec/options.js";
import { executes } from "./programs.js";
import { packagesNamed, runInPackages } from "./workspaces.js";

/** Where such tools put what they make. */
const outputs = [
  "o|output|outfile=write:tree outdir|out-dir|outDir=write:tree d|dest= output-file|outputFile=write:tree",
  "junitxml|junit-xml=write:tree report= coverage-dir|coverageDirectory=",
].join(" ");

/** Options common enough to be listed for all of them. */
const common = [
  "c|config= w|watch x|bail v|verbose q|quiet s|silent p|port= k= m= n= t= r|require= e= i|interactive u|update",
  "host= reporter=? env= mode= ext= ignore= ignore-path= exclude= include= max-warnings= cache fix ci json debug",
  "coverage=? run passWithNoTests project= tsconfig= filter= grep= g= timeout= workers= retries= shard= maxfail= tb=",
  "cov=? cov-report= durations= target= format=? color=? no-color strict production development open base=",
  "root= cwd= log-level= loglevel= threads= jobs= j= l= f= b= a|all S h",
].join(" ");

export const builds = tools(
  "builds",
  `
tool vitest jest mocha ava tap tape jasmine karma playwright cypress testcafe wdio nightwatch puppeteer qunit uvu
tool node-tap c8 nyc pytest py.test nox nose2 nosetests behave coverage hypothesis rspec minitest cucumber phpunit
tool pest codecept behat ctest gtest bats shellspec cargo-nextest nextest ginkgo gotestsum richgo busted zunit ward
tool trial robot locust k6 artillery autocannon wrk hey ab storybook chromatic percy stryker mutmut infection pitest
tool prove
  options ${outputs} ${common}
  otherwise exec "runs tests"
tool mypy dmypy pyright basedpyright pytype pyre pylint flake8 pycodestyle pydocstyle bandit safety pip-audit vulture
tool radon tsc-watch vue-tsc svelte-check attw publint knip depcheck madge dependency-cruiser depcruise size-limit
tool bundlesize commitlint lint-staged syncpack manypkg shellcheck yamllint actionlint jsonlint ec vale alex cspell
tool phpstan psalm phpmd phpcs deptrac brakeman bundler-audit solargraph sorbet srb steep credo dialyzer cppcheck
tool cpplint include-what-you-use sonar-scanner snyk osv-scanner spectral redocly
tool openapi-generator swagger-cli graphql-codegen protolint helm-docs kubeconform kubeval conftest opa hlint slither
tool solhint cargo-deny cargo-audit clippy-driver license-checker is-my-node-vulnerable tfenv
  options ${outputs} ${common}
  otherwise exec "checks the project"
tool webpack webpack-cli webpack-dev-server vite rollup esbuild parcel swc babel tsup unbuild ncc nexe microbundle next
tool nuxt nuxi astro gatsby remix react-scripts vue-cli-service ng angular ember svelte-kit expo eas react-native metro
tool electron electron-builder electron-forge tauri ionic cap capacitor hugo jekyll eleventy mkdocs sphinx-build
tool sphinx-autobuild docusaurus vuepress vitepress typedoc jsdoc api-extractor rustdoc doxygen mdbook lessc sass
tool node-sass postcss tailwindcss uglifyjs terser html-minifier svgo workbox serve http-server live-server
tool browser-sync json-server uvicorn gunicorn hypercorn daphne flask fastapi streamlit gradio jupyter jupyter-lab
tool ipykernel dagster airflow prefect dbt puma unicorn thin rackup foreman overmind hivemind honcho nest adonis ace
tool medusa strapi keystone directus redwood blitz forge cast anvil hardhat truffle bolt beachball wireit
tool changeset auto-changelog conventional-changelog git-cliff cookiecutter copier yo plop hygen degit tiged
tool create-react-app create-next-app create-vite
  options ${outputs} ${common}
  otherwise exec "builds or serves the project"

tool trufflehog
  options json=? only-verified results= include-paths= exclude-paths= concurrency= config= no-update no-verification
    fail debug since-commit= branch= max-depth= bare directory= org= repo= token= bucket=
  filesystem : read rest tree, read --directory tree, exec "looks for secrets"
  git|github|gitlab|s3|gcs|docker|huggingface|postman|jenkins : network
  otherwise exec "looks for secrets"
tool gitleaks detect-secrets
  options s|source= c|config= r|report-path=write f|report-format= b|baseline-path= l|log-level= v|verbose redact=?
    no-git no-banner no-color log-opts= exit-code= staged pre-commit max-target-megabytes= p|pipe
  dir|directory|file : read rest tree, exec "looks for secrets"
  detect|protect : read --source tree, exec "looks for secrets"
  otherwise exec "looks for secrets"
tool turbo
  options F|filter= cwd= concurrency= output-logs= log-order= cache-dir= env-mode=? parallel force=? continue=?
    only affected no-cache no-daemon summarize=? graph=? log-prefix= ui= token= team= root-turbo-json= verbosity=
    v cache=
  dry dry-run=? dry=?
  run : do packageScripts
  watch : do packageScripts
  login|logout|link|unlink|daemon|prune|scan|gen|generate|info|ls|query|telemetry|boundaries|config|bin :
    exec "works on the project"
  otherwise do packageScripts
tool nx
  options t|target|targets= p|project|projects= c|configuration= parallel=? exclude= base= head= skip-nx-cache
    output-style= verbose all nx-bail files= runner= batch prod dry-run=? d
  run : do nxRun
  run-many|affected : do nxMany
  graph|list|report|show|format:check|print-affected|dep-graph|connect|login|logout|view-logs : quiet
  generate|g|migrate|init|add|reset|release|sync|import|repair|format:write|daemon|watch|exec :
    exec "works on the project"
  * #1+ : do nxTarget
  otherwise exec "works on the project"
tool lerna
  options scope= ignore= since=? concurrency= loglevel= npm-client= dist-tag= y|yes stream parallel no-bail no-sort
    include-dependencies force-publish=? conventional-commits canary=? registry= message= exact
  exec : do behindDashes
  run : do packageScripts
  publish : !publish
  ls|list|la|ll|changed|updated|diff|info : quiet
  otherwise exec "runs scripts of the packages"
tool gradle gradlew mvn mvnw mvnd ant sbt mill lein boot maven ivy kotlinc-jvm bloop amper
# -c, -p, -s and -t are flags of some of them: not listed, both readings are tried.
  options project-dir= b|build-file= f|file= settings= P= D= pl|projects= x|exclude-task= settings-file=
    I|init-script= T|threads= r|resume-from|rf= g|gradle-user-home= tests= include-build= max-workers= console=
    q|quiet i|info d|debug S|stacktrace o|offline B|batch-mode U|update-snapshots e|errors am|also-make X
    N|non-recursive
    daemon no-daemon parallel build-cache no-build-cache scan continue rerun-tasks refresh-dependencies
    fae fn ff V m
  dry dry-run
  also ~publish*|*:publish*|deploy|*:deploy|release:perform|uploadArchives|*:uploadArchives|bintrayUpload : !publish
  also ~*:bintrayUpload|closeAndRelease*|*:closeAndRelease* : !publish
  also ~*flyway:clean*|*flywayClean*|*liquibase:dropAll*|*dropAll : !flyway-clean
  otherwise exec "builds"
tool bazel bazelisk buck buck2 pants please plz
  options config= c= jobs|j= compilation_mode= output_base= output_user_root= bazelrc= test_output= test_arg=
    test_filter= platforms= define= copt= k|keep_going remote_cache= verbose_failures nocache expunge async
  query|cquery|aquery|info|mod|dump|canonicalize-flags|print_action|targets|peek|list|dependencies|roots : quiet
  clean : !build-clean
  otherwise exec "builds"
tool ninja samu meson scons waf premake xmake tup redo shake autoreconf autoconf automake configure qmake
  options C= f= j= t= k= l= buildtype= D= v n d= w= prefix= wrap-mode= native-file= cross-file= reconfigure wipe i
  otherwise exec "builds"
tool fastlane
  options env= verbose
  #0 : exec "runs the project's lanes"
  run sh : do laneShell
  otherwise exec "runs the project's lanes"
tool tox
  options e= c|conf= x|override= workdir= r|recreate p|parallel=? q|quiet v|verbose skip-pkg-install
  #0 : exec "runs tests"
  exec|e #1+ : do behindDashes
  list|l|config|c|quickstart|q|depends|de|devenv|d : exec "reads the project's settings"
  otherwise exec "runs tests"
tool xcodebuild xcrun swift-build pod carthage tuist xctool agvtool simctl
  style one-dash
  options project= workspace= scheme= destination= configuration= sdk= derivedDataPath= archivePath= exportPath= target=
    testPlan= resultBundlePath= exportOptionsPlist= arch= find quiet json list showsdks showBuildSettings toolchain=
    xcconfig= jobs= parallelizeTargets only-testing=? skip-testing=? repo-update verbose silent platform=
    use-xcframeworks
  simctl erase|delete : !simulator-delete({path})
  @simctl erase|delete : !simulator-delete({path})
  trunk push|delete|deprecate : !publish
  @pod install|update|repo : write ./Pods tree
  otherwise exec "builds"
tool cmake ccmake cpack
  options B= S= D= U= G= A= T= C= P= build= install= prefix= t|target= j|parallel=? config= preset= toolchain= L LA
    LH N i
    component= log-level= loglevel= graphviz= trace trace-expand fresh debug-output W=? strip v|verbose clean-first
    use-stderr open= find-package workflow list-presets=? E V r R f
  also --P !--E : script --P
  also --install !--E : !build-install
  rm --E --r|R : delete rest tree
  rm|remove --E : delete rest
  remove_directory --E : delete rest tree
  rename|copy|copy_if_different|copy_directory|copy_directory_if_different|create_symlink|create_hardlink --E :
    do cmakeCopy
  make_directory|touch|touch_nocreate --E : write rest
  env --E : run words assigns
  time --E : run words
  chdir --E : do cmakeChdir
  cat --E : read rest
  echo|echo_append|environment|capabilities|sleep|true|false|compare_files|md5sum|sha*sum --E : quiet
  --E : unknown
  otherwise exec "runs the project's build", write --B tree "configures into it"

tool gcc g++ cc c++ clang clang++ tcc
  options o= I= L= l= D=? U=? B= MF= MT= MQ= W=? f=? O=? g=? d=? isystem= include= std= x= T= e= m=? c E S v s w M H P
    C=? p=? n=? r=? a=? print=? target= sysroot= help=? param= u= z= X= i= q=?
  otherwise do compile
tool tsc
  options outFile=write:tree outDir=write:tree declarationDir=write:tree tsBuildInfoFile=write p|project= t|target=
    m|module= rootDir= lib= jsx= moduleResolution= baseUrl= types= typeRoots= b|build w|watch d|declaration
    i|incremental
    noEmit strict init all v h showConfig listFiles listFilesOnly emitDeclarationOnly sourceMap skipLibCheck pretty=?
    noEmitOnError esModuleInterop allowJs checkJs resolveJsonModule isolatedModules diagnostics extendedDiagnostics
    traceResolution explainFiles force clean dry verbose generateTrace=write:tree noUnusedLocals=? preserveWatchOutput
  --init : write ./tsconfig.json
  --v|h|showConfig : quiet
  otherwise exec "compiles"
tool javac kotlinc scalac
  style one-dash
  options d=write:tree cp|classpath= sourcepath= source= target= release= encoding= processor= processorpath=
    s=write:tree
    h=write:tree g nowarn verbose version X=? J=? include-runtime jvm-target= language-version= no-stdlib
  --version : quiet
  otherwise exec "compiles"
tool rustc swiftc nvcc icc gfortran ocamlc ocamlopt fpc nasm yasm as ld lld gold emcc em++ asc solc valac dmd ldc2 gdc
tool elm coqc lean agda typst dot mmdc plantuml wasm-pack wasm-opt wat2wasm windres flex bison yacc ragel antlr4 gperf
tool cython nuitka pyinstaller mypyc
  options o|output|outfile=write:tree outDir|out-dir=write:tree I= L= l= D=? p|project= t|target= m|module= B= f= O=?
    g=?
    W=? emit= crate-type= crate-name= edition= C= T= e= K= i= c d|defines=? v V std= lib= print=? explain= cfg= extern=
    test sysroot= version dumpversion optimize=? bin abi combined-json= name= onefile noconfirm add-data=
    hidden-import= distpath=write:tree workpath=write:tree specpath=write:tree
  --print : quiet
  --v|version|dumpversion #0 : quiet
  otherwise exec "compiles"
tool pdflatex xelatex lualatex latex latexmk tectonic
  style one-dash
  options output-directory=write:tree outdir=write:tree o|outfmt= jobname= interaction= file-line-error halt-on-error
    shell-escape enable-write18 no-shell-escape synctex= pdf xelatex lualatex pvc c C f g v version e= r=script
    recorder draftmode output-format= keep-intermediates keep-logs
  also --shell-escape|enable-write18 : unknown "may run programs"
  --v|version : quiet
  otherwise exec "compiles"

tool ctags etags cscope global
  options o|f=write L=read R|recurse languages= exclude= I= a|append e x sort= fields= extras= kinds-C= b q s= i=
  otherwise read rest
tool neato circo twopi fdp sfdp
  options o=write T= K= G= N= E= O v x
  otherwise read rest
tool ffprobe
  otherwise quiet
tool ffmpeg sox optipng pngquant jpegoptim gs qpdf pdftk img2pdf inkscape gimp blender
  style one-dash
  options i=input o=write f= c= vf= af= ss= t= to= r= b= map= filter_complex= metadata= y n sOutputFile=write sDEVICE=
    preset= crf= codec= acodec= vcodec= an vn dn sn loglevel= hide_banner nostdin stats s= aspect= q= qscale= pix_fmt=
    framerate= ar= ac= vframes= frames= movflags= profile= level= tune= threads= loop= stream_loop= f:v= c:v= c:a= b:v=
    b:a= q:v= q:a= filter:v= filter:a= lavfi= shortest copyts itsoffset= g= maxrate= bufsize= x= v= dNOPAUSE dBATCH
    strip quality= ext= force skip-if-larger speed= export-filename=write export-type= export-dpi=
  --o|sOutputFile|export-filename : quiet
  #1+ : do lastOutput
  otherwise quiet
tool exiftool
  style one-dash
  options o=write w= csv=? ext= r s S G a b j X d= if= f tagsFromFile=read overwrite_original p=
  otherwise do exif

tool goreleaser
  options f|config= clean snapshot skip= single-target id= o|output= p|parallelism= timeout= auto-snapshot nightly
    verbose q|quiet soft deprecated
  check|healthcheck|schema|jsonschema|init|completion : quiet
  build or release --snapshot : exec "builds the project", write ./dist tree
  release|publish|announce|continue : exec "builds the project", !publish
  otherwise unknown
tool shadcn shadcn-ui
  options y|yes d|defaults o|overwrite c|cwd= a|all p|path= s|silent f|force t|template= b|base-color= src-dir
    no-src-dir
  diff|info|search|view|list|docs : network
  otherwise network "fetches components", exec, write . all "adds components"
# They install git hooks and run them; they can also take them away.
tool pre-commit prek lefthook husky overcommit simple-git-hooks
  options c|config= t|hook-type= hook-stage= from-ref|source|s= to-ref|origin|o= files= a|all-files v|verbose
    show-diff-on-failure color= f|force overwrite install-hooks allow-missing-config commands= file= remote-branch=
    local-branch= bleeding-edge freeze repo= j|jobs= sign unsign uninstall install no-verify
  uninstall|deactivate : write .git/hooks tree "removes the git hooks", !hooks-uninstall
  @husky init : write ./.husky tree, write ./package.json, exec "takes the git hooks from .husky"
  install|init|add|set : write .git/hooks tree "installs git hooks"
  --uninstall : write .git/hooks tree "removes the git hooks", !hooks-uninstall
  --install : write .git/hooks tree "installs git hooks"
  validate-config|validate-manifest|sample-config|dump|validate|check-install|list : quiet
  clean|gc : !hook-cache-clean
  autoupdate|migrate-config : write ./.pre-commit-config.yaml "updates the hook configuration"
  otherwise exec "runs the hooks"
`,
  {
    /** turbo and lerna: the scripts of that name in the packages, and in the project itself. */
    packageScripts({ call, given, rest }, emit) {
      const filters = given.values("filter", "scope");
      const names = rest.filter((word) => !word.value?.startsWith("-"));
      const packages = packagesNamed(filters, emit);
      for (const name of names) {
        const [, only, task] = /^(.+)#(.+)$/.exec(name.value ?? "") ?? [];
        const script = task ? literal(task) : name;
        const those = only ? packagesNamed([literal(only)], emit) : packages;
        runInPackages(script, [], those, call, emit);
      }
      if (names.length === 0) executes(call, emit, `${call.name} runs scripts`);
    },
    nxRun({ call, rest: [word, ...args] }, emit) {
      const [project, target] = (word?.value ?? "").split(":");
      const script = target ? literal(target) : { source: word?.source ?? "", prefix: "" };
      runInPackages(script, args, packagesNamed(project ? [literal(project)] : [], emit), call, emit);
    },
    nxMany({ call, given }, emit) {
      const split = (word: Arg) => (word.value ?? "").split(",").filter(Boolean).map(literal);
      const packages = packagesNamed(given.values("projects").flatMap(split), emit);
      for (const target of given.values("targets").flatMap(split)) runInPackages(target, [], packages, call, emit);
    },
    nxTarget({ call, path: [target = ""], rest: [project, ...args] }, emit) {
      runInPackages(literal(target), args, packagesNamed(project ? [project] : [], emit), call, emit);
    },
    behindDashes({ call, raw }, emit) {
      const at = raw.findIndex((word) => word.value === "--");
      emit.run(raw.slice(at + 1), `run by ${call.name} exec`);
    },
    /** fastlane run sh command:'rm x' */
    laneShell({ rest }, emit) {
      const found = rest.find((word) => word.value === undefined || word.value.startsWith("command:"));
      if (found?.value === undefined) emit.unknown("the command of fastlane run sh is not known");
      else emit.shell(cut(found, "command:".length), "fastlane runs it");
    },
    compile,
    cmakeCopy({ path: [verb], rest }, emit) {
      const copy = verb === "copy_directory" ? [literal("cp"), literal("-r")] : [literal("cp")];
      emit.run([...(verb === "rename" ? [literal("mv")] : copy), ...rest], `cmake -E ${verb}`);
    },
    cmakeChdir({ raw: [directory, ...words] }, emit) {
      emit.run(words, "cmake -E chdir", { cwd: directory });
    },
    input({ call, value }, emit) {
      if (!/^\w+:/.test(value?.value ?? "")) emit.read(value!, `${call.name} input`);
    },
    lastOutput({ call, rest }, emit) {
      const target = rest.at(-1);
      if (target && !/^(-|\w+:\/\/.*)$/.test(target.value ?? "")) emit.write(target, `${call.name} output`);
    },
    exif({ call, rest }, emit) {
      if (!call.args.some((arg) => /^-\w+=/.test(arg.value ?? ""))) return;
      for (const file of rest) emit.write(file, "exiftool changes it");
    },
  },
);

/** A C compiler: without -o it names what it makes itself. */
function compile({ call, given, rest }: Use, emit: Emit): void {
  const asks = /^(-dumpversion|-dumpmachine|-print-.*|--print-.*|-version)$/;
  if (call.args.some((arg) => asks.test(arg.value ?? "")) || (rest.length === 0 && given.has("v"))) return;
  executes(call, emit, `${call.name} compiles`);
  for (const path of given.values("o"))
    if (!isStream(path)) emit.write(path, `${call.name} output`, { recursive: true });
  for (const path of given.values("MF")) emit.write(path, `${call.name} output`);
  const checks = given.has("E", "M") || given.values("f").some((flag) => flag.value === "syntax-only");
  if (given.has("o") || checks || !rest[0]) return;
  const source = rest[0].value
    ?.replace(/\.\w+$/, "")
    .split("/")
    .at(-1);
  emit.write(literal(given.has("c") ? `${source}.o` : "a.out"), `${call.name} output`);
}
