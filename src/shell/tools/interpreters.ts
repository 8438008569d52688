// Interpreters: python, node and its kin, ruby, perl, php, lua, R, AppleScript, and those whose language nobody reads
// here.
// Invariant: program text reaches its analyser wherever it comes from (option, script file, standard input); in-place
// edits are writes.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation, Language } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { isStream, literal, parse, syntax } from "../spec/options.js";
import { escapes, extracts, withoutEscape } from "./extraction.js";
import { javascript, nodeOptions } from "./javascript.js";
import { asksVersion, executes, fromInput, isStandardInput, joined, scriptOrInput } from "./programs.js";

const pythonOptions = "c= m= W= X= Q= check-hash-based-pycs= i u B E s S I O OO b d x P q v h V";
const pythonSyntax = syntax(pythonOptions, { posix: true });

export const interpreters = tools(
  "interpreters",
  `
tool python python2 python3 pypy pypy3 py ipython ipython3 jython micropython
  style posix
  options ${pythonOptions}
  otherwise do python
tool node nodejs tsx ts-node ts-node-esm esno jiti qjs d8 vite-node zx swc-node babel-node
  style posix
  options ${nodeOptions}
  otherwise do node
tool deno
  options c|config= import-map= lock=? L|log-level= cert= seed= location= ext= env-file=? inspect=? inspect-brk=?
    A|allow-all allow-read=? allow-write=? allow-net=? allow-env=? allow-run=? allow-ffi=? allow-sys=? allow-import=?
    R=? W=? N=? E=? S=? deny-read=? deny-write=? deny-net=? deny-env=? deny-run=? o|output=write p|print T|ts check=?
    no-check=? r|reload=? q|quiet watch=? no-prompt unstable n|name= g|global f|force no-lock node-modules-dir=? h
    cached-only v8-flags=? V port= host= D|dev ignore= permit-no-files filter= coverage=? fail-fast=? parallel
    target= include= icon= line-width= indent-width= single-quote use-tabs prose-wrap= no-semicolons
  --V|h : quiet
  #0 : do input
  eval : do evaluated
  run|serve https:*|http:*|npm:*|jsr:* : do elsewhere
  run|serve : do script
  fmt --check : quiet
  fmt : write rest else . tree
  lint|check|info|doc|types|outdated|completions|approve-scripts|lsp|coverage : quiet
  install|i|add|remove|rm|cache|upgrade|update : network "fetches packages"
  uninstall : exec "removes an installed script"
  publish --dry-run : quiet
  publish : upload, !publish
  *.js|*.mjs|*.cjs|*.jsx|*.ts|*.mts|*.cts|*.tsx : do file
  test|bench|task|compile|bundle|repl|jupyter|init|deploy|clean|vendor|create|x : exec
  otherwise unknown
tool ruby jruby irb mruby truffleruby
  style posix
  options e= r= I= i=? C= F= K= E= n p l a c w v s S x=? W=? d h T=? U y enable= disable= yjit jit
  otherwise do ruby
tool perl perl5
  style posix
  options e= E= M= m= I= i=? F= D= C=? 0 l n p a w c s S t T u U W X v V=? x=? d=? f g h
  otherwise do perl
tool php hhvm php-cgi
  style posix
  options r|run= f|file= d|define= c|php-ini= z|zend-extension= B|process-begin= R|process-code= F|process-file=
    E|process-end= S|server= t|docroot= l|syntax-check i|info m|modules a|interactive n q s w v h ini rf= rc= re= ri=
    H e
  also --info : !env-dump "-i shows the environment"
  --syntax-check|info|modules|ini|rf|rc|re|ri : quiet
  --server : exec "-S serves the directory"
  otherwise do php
tool lua luajit luau texlua
  style posix
  options e= l= i v E W j= O=? b
  otherwise do lua
tool osascript
  style posix
  options e= l= s= i
  otherwise do osascript
tool Rscript littler
  style posix
  options e= f|file= default-packages= vanilla slave no-save no-restore no-init-file q|quiet verbose no-environ
  otherwise do r
tool R
  options e= f|file= default-packages= vanilla slave no-save no-restore no-init-file q|quiet verbose no-environ s
    d|debugger= g|gui= args
  CMD : exec
  otherwise do r
# Languages without an analyser: running the project's own program is exec, inline code is unknown.
tool java kotlin scala groovy swift julia elixir iex erl escript tclsh wish expect guile racket sbcl clojure clj bb ghc
tool runghc runhaskell stack cabal ocaml dart crystal nim zig coffee gjs csi fsi dotnet-script raku janet fennel octave
tool matlab gnuplot wasmtime wasmer mono wine jshell jrunscript scheme chez gosh io sml ghci rebol osh
  style posix
  otherwise do other
tool dc
  style posix
  options e= f=read V h
  otherwise do dc
tool bc
  otherwise quiet
`,
  {
    python: ({ call }, emit) => python(call, emit),
    node: ({ call }, emit) => javascript(call, emit, call.args),
    input: ({ call }, emit) => fromInput(call, emit, "node"),
    evaluated({ rest: [code] }, emit) {
      if (code) emit.program(code, "deno eval", "node");
    },
    elsewhere({ path: [, address] }, emit) {
      emit.effect({ kind: "network", program: "deno", host: address, reason: "deno run of a remote program" });
      emit.unknown("deno runs a program from elsewhere", { hazard: hazard("deno-remote") });
    },
    script: ({ call, rest: [script, ...args] }, emit) => scriptOrInput(script, args, call, emit, "node"),
    file: ({ call, given: { operands } }, emit) => scriptOrInput(operands[0], operands.slice(1), call, emit, "node"),
    ruby: (use, emit) => editor(use, "ruby", emit),
    perl: (use, emit) => editor(use, "perl", emit),
    php,
    lua({ call, given, rest: [script, ...args] }, emit) {
      if (asksVersion(call)) return;
      const code = given.values("e");
      if (code.length) emit.program(joined(code), "lua -e", "lua");
      if (script || code.length === 0) scriptOrInput(script, args, call, emit, "lua");
    },
    osascript({ call, given, rest: [script] }, emit) {
      const code = given.values("e");
      if (/javascript/i.test(given.value("l")?.value ?? ""))
        return emit.unknown("osascript runs JavaScript with access to applications");
      if (code.length) return emit.program(joined(code), "osascript -e", "applescript");
      if (!script || isStandardInput(script)) return fromInput(call, emit, "applescript");
      emit.script(script, "osascript runs it", "applescript");
    },
    r({ call, given, rest: [script, ...args] }, emit) {
      if (asksVersion(call)) return;
      const code = given.values("e");
      if (code.length) return emit.program(joined(code), `${call.name} -e`, "r");
      scriptOrInput(given.value("file") ?? script, args, call, emit, "r");
    },
    other: ({ call, raw }, emit) => other({ ...call, args: raw }, emit),
    dc: ({ call, raw }, emit) => calculated({ ...call, args: raw }, emit),
  },
);

function python(call: Invocation, emit: Emit): void {
  if (asksVersion(call)) return;
  // -c and -m end the options: what follows belongs to the program.
  const at = call.args.findIndex(
    (arg) => /^-[a-zA-Z]*[cm]/.test(arg.value ?? arg.prefix) && !/^-[WXQ]/.test(arg.value ?? ""),
  );
  const operandAt = call.args.findIndex(
    (arg, index) => !/^-./.test(arg.value ?? arg.prefix) && !/^-[WXQ]$/.test(call.args[index - 1]?.value ?? ""),
  );
  const inline = at >= 0 && (operandAt < 0 || at < operandAt);
  const given = parse(inline ? call.args.slice(0, at + 2) : call.args, pythonSyntax);
  const code = given.value("c");
  if (code) return emit.program(code, `${call.name} -c`, "python");
  const module = given.value("m");
  if (module) {
    const attached = (call.args[at]?.value ?? "").replace(/^-[a-zA-Z]*?m/, "") !== "";
    return runModule(module, call.args.slice(at + (attached ? 1 : 2)), call, emit);
  }
  const [script, ...rest] = given.operands;
  if (/(^|\/)manage\.py$/.test(script?.value ?? ""))
    return emit.run([literal("manage.py"), ...rest], `${call.name} runs it`);
  scriptOrInput(script, rest, call, emit, "python");
}

/** Modules that are tools with a name of their own. */
const pythonModules = new Set(
  (
    "pip pip3 pytest py.test black ruff mypy isort flake8 pylint coverage tox nox poetry virtualenv pre_commit build " +
    "twine mkdocs sphinx uvicorn gunicorn flask django celery alembic autopep8 yapf pyright bandit unittest venv " +
    "ensurepip compileall py_compile doctest cProfile profile timeit trace pdb http.server site sysconfig this " +
    "platform zipfile tarfile json.tool calendar ast tokenize dis pydoc inspect base64 gzip jupyter notebook IPython"
  ).split(" "),
);

/** python -m: many modules are tools with a name of their own. */
function runModule(module: Arg, rest: Arg[], call: Invocation, emit: Emit): void {
  const name = module.value ?? "";
  const operands = rest.filter((arg) => !arg.value?.startsWith("-"));
  const tool = pythonModules.has(name) ? name : undefined;
  if (!tool) {
    executes(call, emit, `${call.name} -m ${module.source}`);
    return emit.unknown(`${call.name} -m runs the module ${module.source}`);
  }
  if (/^(json\.tool|ast|tokenize|dis|base64|gzip)$/.test(tool)) {
    const [input, output] = operands;
    if (input && !isStream(input)) emit.read(input, `-m ${tool} reads it`);
    if (output && tool === "json.tool") emit.write(output, "-m json.tool writes it");
    if (input && tool === "gzip") emit.write(literal(`${input.value}.gz`), "-m gzip writes it");
    return;
  }
  if (/^(site|sysconfig|this|platform|calendar|pydoc|inspect)$/.test(tool)) return;
  if (tool === "venv" || tool === "virtualenv") {
    for (const directory of operands) emit.write(directory, `-m ${tool} makes an environment`, { recursive: true });
    return;
  }
  if (tool === "http.server") {
    const at = rest.findIndex((word) => /^(-d|--directory)$/.test(word.value ?? ""));
    const served = emit.resolve(at < 0 ? literal(".") : (rest[at + 1] ?? literal(".")));
    if (served !== undefined && (served === emit.home || served === "/" || emit.home?.startsWith(`${served}/`)))
      emit.hazard(hazard("upload-everything"), "-m http.server serves the home directory");
    return emit.effect({
      kind: "network",
      program: call.name,
      upload: true,
      reason: "-m http.server serves the directory",
    });
  }
  if (tool === "zipfile" || tool === "tarfile") {
    const [archive, target] = operands;
    const verb = rest[0]?.value ?? "";
    if (/^(-e|--extract)$/.test(verb)) {
      if (archive) emit.read(archive, `-m ${tool}`);
      pythonExtracts(tool, archive, target ?? literal("."), emit);
    } else if (/^(-c|--create)$/.test(verb)) {
      if (archive) emit.write(archive, `-m ${tool}`);
      for (const source of operands.slice(1)) emit.read(source, `-m ${tool}`, { recursive: true });
    } else if (archive) emit.read(archive, `-m ${tool}`);
    return;
  }
  if (/^(cProfile|profile|trace|pdb)$/.test(tool)) {
    const script = operands[0];
    return script
      ? emit.script(script, `-m ${tool} runs it`, "python", operands.slice(1))
      : executes(call, emit, `-m ${tool}`);
  }
  if (tool === "timeit") {
    for (const text of operands) emit.program(text, "-m timeit", "python");
    return;
  }
  if (/^(unittest|doctest|ensurepip|compileall|py_compile|jupyter|notebook|IPython)$/.test(tool))
    return executes(call, emit, `${call.name} -m ${tool}`);
  emit.run([literal(tool.replace("_", "-")), ...rest], `${call.name} -m`);
}

/** zipfile keeps entries in the folder; tarfile did not before Python 3.14. */
function pythonExtracts(tool: string, archive: Arg | undefined, target: Arg, emit: Emit): void {
  const placesOf = (name: string) => {
    const inside = withoutEscape(name);
    return tool === "tarfile" && (escapes(name) || name.startsWith("/")) ? [inside, name] : [inside];
  };
  const plan = { program: `-m ${tool}`, target, replaces: true, placesOf };
  if (archive && extracts(emit.archive?.(archive), plan, emit)) return;
  emit.write(target, `-m ${tool} extracts`, { recursive: true });
}

/** ruby and perl share -e, -n, -p and -i. */
function editor({ call, given }: Use, language: Language, emit: Emit): void {
  if (asksVersion(call)) return;
  const code = language === "perl" ? given.values("e", "E") : given.values("e");
  // -n and -p read the operands; so does a program that asks for its arguments' text.
  const loops =
    given.has("n", "p", "i") || code.some((part) => /ARGF|ARGV|<>|\bgets\b|\breadlines\b/.test(part.value ?? ""));
  for (const module of given.values("M", "m"))
    if (!harmlessModule.test(module.value ?? "")) emit.unknown(`${call.name} loads ${module.source}`);
  for (const library of given.values("r"))
    if (/^[./]/.test(library.value ?? "")) emit.script(library, `${call.name} -r`, language);
  if (given.has("c") && !code.length) return;
  if (code.length) emit.program(joined(code), `${call.name} -e`, language);
  const [script, ...rest] = given.operands;
  if (!code.length) scriptOrInput(script, rest, call, emit, language);
  const files = code.length ? given.operands : rest;
  if (loops)
    for (const file of files) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} reads it`, given.has("i") ? { how: "edit" } : {});
      if (given.has("i")) emit.write(file, `${call.name} -i`);
    }
  if (given.has("x", "d") && language === "perl") emit.unknown(`${call.name} -x or -d runs other code`);
}

const harmlessModule = new RegExp(
  `^-?(${[
    "strict|warnings|utf8|feature|open|POSIX|List::Util|Data::Dumper|JSON(::PP)?|MIME::Base64|Time::\\w+",
    "File::(Basename|Spec|Copy|Path|Find|Slurp)|Encode|Text::\\w+|Digest::\\w+|bigint|Socket|IO::\\w+(::\\w+)*",
  ].join("|")})([=\\s].*)?$`,
);

/** Programs written in PHP that have a name of their own. */
const phpTool = /(?:^|\/)(artisan|console|phpunit|pest|phpstan|psalm|phpcs|php-cs-fixer|composer)(?:\.phar)?$/;

function php({ call, given, rest: [script, ...args] }: Use, emit: Emit): void {
  if (asksVersion(call)) return;
  const code = given.values("run", "process-begin", "process-code", "process-end");
  if (code.length) return emit.program(joined(code), "php -r", "php");
  const named = given.value("file", "process-file") ?? script;
  const tool = phpTool.exec(named?.value ?? "")?.[1];
  if (tool) return emit.run([literal(tool), ...args], "php runs it");
  scriptOrInput(named, args, call, emit, "php");
}

const inlineOption = /^(-e|-c|-E|--eval|-eval|-r|--expression|-run)$/;

function other(call: Invocation, emit: Emit): void {
  if (asksVersion(call)) return;
  const evaluates = /^(eval|play|shell|repl)$/.test(call.args[0]?.value ?? "");
  const inline = evaluates || call.args.some((arg) => inlineOption.test(arg.value ?? ""));
  executes(call, emit, `${call.name} runs a program`);
  const jenkins = call.args.some((arg) => /jenkins-cli/.test(arg.value ?? ""));
  const verb = call.args.find((arg) =>
    /^(delete-[\w-]+|groovy|groovysh|shutdown|safe-shutdown|disconnect-node|clear-queue)$/.test(arg.value ?? ""),
  );
  if (jenkins && verb) emit.hazard(hazard("jenkins-admin", `jenkins-${verb.value}`), `Jenkins ${verb.value}`);
  if (inline) return inlineCode(call, evaluates, emit);
  const file = call.args.find((arg) => !/^-./.test(arg.value ?? ""));
  if (file && !isStandardInput(file)) {
    const text = emit.projectFile(file);
    if (text !== undefined && !text.includes("\0")) emit.program(literal(text), `${call.name} runs it`, "loose");
  } else if (call.args.length === 0 || file) fromInput(call, emit, "loose");
}

/** Text behind -e and the like; what is not static is unknown all the same. */
function inlineCode(call: Invocation, evaluates: boolean, emit: Emit): void {
  const at = evaluates ? 0 : call.args.findIndex((arg) => inlineOption.test(arg.value ?? ""));
  emit.program(call.args[at + 1] ?? literal(""), `${call.name} runs code given on the command line`, "loose");
}

/** dc runs what stands behind "!". */
function calculated(call: Invocation, emit: Emit): void {
  const texts = [...call.args.map((arg) => arg.value ?? ""), call.stdin.kind === "text" ? call.stdin.text : ""];
  for (const text of texts)
    for (const [, command] of text.matchAll(/(?:^|[\s=])!([^<>=\n][^\n]*)/g))
      emit.shell(literal(command!), "dc runs it");
}
