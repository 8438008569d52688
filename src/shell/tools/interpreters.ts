// Interpreters: python, node and its kin, ruby, perl, php, lua, R, AppleScript, and those whose language nobody reads here.
// Invariant: program text reaches its analyser from every door (option, script file, standard input); in-place edits are writes.

import type { Arg, Emit, Invocation, Language, ToolFamily } from "../analyze/tool.js";
import { literal, parse, type Syntax, syntax } from "../spec/options.js";
import { javascript } from "./javascript.js";
import { fromInput, isStandardInput, joined, scriptOrInput, version } from "./programs.js";
import { executes, isStream } from "./table.js";

const pythonSyntax = syntax("c= m= W= X= Q= check-hash-based-pycs= i u B E s S I O OO b d x P q v", { posix: true });

const python: ToolFamily = {
  names: ["python", "python2", "python3", "pypy", "pypy3", "py", "ipython", "ipython3", "jython", "micropython"],
  lower(call, emit) {
    if (version(call)) return;
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
  },
};

/** python -m: many modules are tools with a name of their own. */
function runModule(module: Arg, rest: Arg[], call: Invocation, emit: Emit): void {
  const name = module.value ?? "";
  const operands = rest.filter((arg) => !arg.value?.startsWith("-"));
  const tool =
    /^(pip|pip3|pytest|py\.test|black|ruff|mypy|isort|flake8|pylint|coverage|tox|nox|poetry|virtualenv|pre_commit|build|twine|mkdocs|sphinx|uvicorn|gunicorn|flask|django|celery|alembic|autopep8|yapf|pyright|bandit|unittest|venv|ensurepip|compileall|py_compile|doctest|cProfile|profile|timeit|trace|pdb|http\.server|site|sysconfig|this|platform|zipfile|tarfile|json\.tool|calendar|ast|tokenize|dis|pydoc|inspect|base64|gzip|jupyter|notebook|IPython)$/.exec(
      name,
    )?.[1];
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
  if (tool === "http.server")
    return emit.effect({
      kind: "network",
      program: call.name,
      upload: true,
      reason: "-m http.server serves the directory",
    });
  if (tool === "zipfile" || tool === "tarfile") {
    const [archive, target] = operands;
    const verb = rest[0]?.value ?? "";
    if (/^(-e|--extract)$/.test(verb)) {
      if (archive) emit.read(archive, `-m ${tool}`);
      emit.write(target ?? literal("."), `-m ${tool} extracts`, { recursive: true });
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

const node: ToolFamily = {
  names: [
    "node",
    "nodejs",
    "tsx",
    "ts-node",
    "ts-node-esm",
    "esno",
    "jiti",
    "qjs",
    "d8",
    "vite-node",
    "zx",
    "swc-node",
    "babel-node",
  ],
  lower: (call, emit) => javascript(call, emit, call.args),
};

const denoSyntax = syntax(
  "c|config= import-map= lock=? L|log-level= cert= seed= location= ext= env-file=? inspect=? A|allow-all allow-read=? allow-write=? allow-net=? allow-env=? allow-run=? o|output= p|print T|ts check",
  { posix: false },
);

const deno: ToolFamily = {
  names: ["deno"],
  lower(call, emit) {
    if (version(call)) return;
    const given = parse(call.args, denoSyntax);
    const [verb, first, ...rest] = given.operands;
    switch (verb?.value) {
      case undefined:
        return fromInput(call, emit, "node");
      case "eval":
        return first ? emit.program(first, "deno eval", "node") : undefined;
      case "run":
      case "serve":
        if (/^(https?|npm|jsr):/.test(first?.value ?? "")) {
          emit.effect({ kind: "network", program: "deno", host: first!.value, reason: "deno run of a remote program" });
          return emit.unknown("deno runs a program from elsewhere", {
            hazard: { class: "remote-code", level: 2, id: "deno-remote" },
          });
        }
        return scriptOrInput(first, rest, call, emit, "node");
      case "fmt":
        if (given.has("check")) return;
        for (const target of first ? [first, ...rest] : [literal(".")])
          emit.write(target, "deno fmt formats it", { recursive: true });
        return;
      case "lint":
      case "check":
      case "info":
      case "doc":
      case "types":
        return;
      case "install":
      case "add":
      case "remove":
      case "cache":
      case "upgrade":
        return emit.effect({ kind: "network", program: "deno", reason: `deno ${verb.value} fetches packages` });
      default:
        if (/\.[mc]?[jt]sx?$/.test(verb?.value ?? ""))
          return scriptOrInput(verb, given.operands.slice(1), call, emit, "node");
        return executes(call, emit, `deno ${verb?.source}`);
    }
  },
};

/** ruby and perl share -e, -n, -p and -i. */
function editor(names: string[], language: Language, grammar: Syntax): ToolFamily {
  return {
    names,
    lower(call, emit) {
      if (version(call)) return;
      const given = parse(call.args, grammar);
      const code = given.values("e", "E");
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
    },
  };
}

const harmlessModule =
  /^-?(strict|warnings|utf8|feature|open|POSIX|List::Util|Data::Dumper|JSON(::PP)?|MIME::Base64|Time::\w+|File::(Basename|Spec|Copy|Path|Find|Slurp)|Encode|Text::\w+|Digest::\w+|bigint|Socket|IO::\w+(::\w+)*)([=\s].*)?$/;

const ruby = editor(
  ["ruby", "jruby", "irb", "mruby", "truffleruby"],
  "ruby",
  syntax("e= r= I= i=? C= F= K= E= n p l a c w v", { posix: true }),
);
const perl = editor(
  ["perl", "perl5"],
  "perl",
  syntax("e= E= M= m= I= i=? F= D= C=? n p a w c s S t T u U W X", { posix: true }),
);

const php: ToolFamily = {
  names: ["php", "hhvm", "php-cgi"],
  lower(call, emit) {
    if (version(call)) return;
    const given = parse(
      call.args,
      syntax(
        "r|run= f|file= d|define= c|php-ini= z|zend-extension= B|process-begin= R|process-code= F|process-file= E|process-end= S|server= t|docroot= l|syntax-check i|info m|modules a|interactive n q s w",
        { posix: true },
      ),
    );
    const code = given.values("run", "process-begin", "process-code", "process-end");
    if (given.has("info"))
      emit.hazard({ class: "credential-read", level: 2, id: "env-dump" }, "php -i shows the environment");
    if (given.has("syntax-check", "info", "modules")) return;
    if (given.has("server")) return executes(call, emit, "php -S serves the directory");
    if (code.length) return emit.program(joined(code), "php -r", "php");
    const [script, ...rest] = given.operands;
    const named = given.value("file", "process-file") ?? script;
    if (/(^|\/)(artisan|console)$/.test(named?.value ?? ""))
      return emit.run([literal(named!.value!.split("/").at(-1)!), ...rest], "php runs it");
    if (/(^|\/)(phpunit|pest|phpstan|psalm|phpcs|php-cs-fixer|composer(\.phar)?)$/.test(named?.value ?? ""))
      return emit.run(
        [
          literal(
            named!
              .value!.split("/")
              .at(-1)!
              .replace(/\.phar$/, ""),
          ),
          ...rest,
        ],
        "php runs it",
      );
    scriptOrInput(named, rest, call, emit, "php");
  },
};

const lua: ToolFamily = {
  names: ["lua", "luajit", "luau", "texlua"],
  lower(call, emit) {
    if (version(call)) return;
    const given = parse(call.args, syntax("e= l= i v E W", { posix: true }));
    const code = given.values("e");
    if (code.length) emit.program(joined(code), "lua -e", "lua");
    const [script, ...rest] = given.operands;
    if (script || code.length === 0) scriptOrInput(script, rest, call, emit, "lua");
  },
};

const osascript: ToolFamily = {
  names: ["osascript"],
  lower(call, emit) {
    const given = parse(call.args, syntax("e= l= s= i", { posix: true }));
    const code = given.values("e");
    if (/javascript/i.test(given.value("l")?.value ?? ""))
      return emit.unknown("osascript runs JavaScript with access to applications");
    if (code.length) return emit.program(joined(code), "osascript -e", "applescript");
    const [script] = given.operands;
    if (!script || isStandardInput(script)) return fromInput(call, emit, "applescript");
    emit.script(script, "osascript runs it", "applescript");
  },
};

const rLanguage: ToolFamily = {
  names: ["Rscript", "R", "littler"],
  lower(call, emit) {
    if (version(call)) return;
    const given = parse(
      call.args,
      syntax("e= f|file= default-packages= vanilla slave no-save q|quiet", { posix: call.name === "Rscript" }),
    );
    const code = given.values("e");
    if (code.length) return emit.program(joined(code), `${call.name} -e`, "r");
    const [script, ...rest] = given.operands;
    if (script?.value === "CMD") return executes(call, emit, "R CMD");
    const file = given.value("file") ?? script;
    scriptOrInput(file, rest, call, emit, "r");
  },
};

/** Languages without an analyser: inline code is unknown, running the project's own program is `exec`. */
const inlineOption = /^(-e|-c|-E|--eval|-eval|-r|--expression|-run)$/;

const others: ToolFamily = {
  names: [
    "java",
    "kotlin",
    "scala",
    "groovy",
    "swift",
    "julia",
    "elixir",
    "iex",
    "erl",
    "escript",
    "tclsh",
    "wish",
    "expect",
    "guile",
    "racket",
    "sbcl",
    "clojure",
    "clj",
    "bb",
    "ghc",
    "runghc",
    "runhaskell",
    "stack",
    "cabal",
    "ocaml",
    "dart",
    "crystal",
    "nim",
    "zig",
    "coffee",
    "gjs",
    "csi",
    "fsi",
    "dotnet-script",
    "raku",
    "janet",
    "fennel",
    "octave",
    "matlab",
    "gnuplot",
    "bc",
    "dc",
    "wasmtime",
    "wasmer",
    "mono",
    "wine",
    "jshell",
    "jrunscript",
    "scheme",
    "chez",
    "gosh",
    "io",
    "sml",
    "ghci",
    "rebol",
    "osh",
  ],
  lower(call, emit) {
    if (version(call)) return;
    if (call.name === "bc" || call.name === "dc") return calculated(call, emit);
    const evaluates = /^(eval|play|shell|repl)$/.test(call.args[0]?.value ?? "");
    const inline = evaluates || call.args.some((arg) => inlineOption.test(arg.value ?? ""));
    executes(call, emit, `${call.name} runs a program`);
    const jenkins = call.args.some((arg) => /jenkins-cli/.test(arg.value ?? ""));
    const verb = call.args.find((arg) =>
      /^(delete-[\w-]+|groovy|groovysh|shutdown|safe-shutdown|disconnect-node|clear-queue)$/.test(arg.value ?? ""),
    );
    if (jenkins && verb)
      emit.hazard({ class: "infrastructure", level: 2, id: `jenkins-${verb.value}` }, `Jenkins ${verb.value}`);
    if (inline) return inlineCode(call, evaluates, emit);
    const file = call.args.find((arg) => !/^-./.test(arg.value ?? ""));
    if (file && !isStandardInput(file)) {
      const text = emit.projectFile(file);
      if (text !== undefined && !text.includes("\0")) emit.program(literal(text), `${call.name} runs it`, "loose");
    } else if (call.args.length === 0 || file) fromInput(call, emit, "loose");
  },
};

/** Text behind -e and the like; what is not static is unknown all the same. */
function inlineCode(call: Invocation, evaluates: boolean, emit: Emit): void {
  const at = evaluates ? 0 : call.args.findIndex((arg) => inlineOption.test(arg.value ?? ""));
  emit.program(call.args[at + 1] ?? literal(""), `${call.name} runs code given on the command line`, "loose");
}

/** dc runs what stands behind "!". */
function calculated(call: Invocation, emit: Emit): void {
  if (call.name !== "dc") return;
  const texts = [...call.args.map((arg) => arg.value ?? ""), call.stdin.kind === "text" ? call.stdin.text : ""];
  for (const text of texts)
    for (const [, command] of text.matchAll(/(?:^|[\s=])!([^<>=\n][^\n]*)/g))
      emit.shell(literal(command!), "dc runs it");
}

export const interpreters = [python, node, deno, ruby, perl, php, lua, osascript, rLanguage, others];
