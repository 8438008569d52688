// sed and awk: small programs over the files they are given.
// Invariant: the program text goes to its analyser; operands are read, and written when the edit is in place.

import type { Arg, Emit, Invocation, Language, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { joined } from "./programs.js";
import { asksHelp, asksHelpFirst, isStream } from "./table.js";

const sedSyntax = syntax(
  "e|expression= f|file= i|in-place=? l|line-length= E|r|regexp-extended n|quiet|silent s|separate z|null-data I=?",
);

const sed: ToolFamily = {
  names: ["sed", "gsed", "ssed"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, sedSyntax);
    const inPlace = given.has("in-place", "I");
    let { operands } = given;
    // BSD: `sed -i '' script file` gives the suffix as a word of its own.
    if (inPlace && operands[0]?.value === "") operands = operands.slice(1);
    const scripts = given.values("expression");
    const hasScript = scripts.length > 0 || given.has("file");
    const [script, ...rest] = operands;
    const text = hasScript ? scripts : script ? [script] : [];
    if (text.length) emit.program(joined(text), "sed script", "sed");
    for (const file of given.values("file")) programFile(file, call, emit, "sed");
    for (const file of hasScript ? operands : rest) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} reads it`, inPlace ? { how: "edit" } : {});
      if (inPlace) emit.write(file, `${call.name} -i`);
    }
    if (given.unsure && !inPlace) emit.unknown(`an unresolved word may be an option of ${call.name}`);
  },
};

const awkSyntax = syntax(
  "f|file= v|assign= F|field-separator= i|include= e|source= E|exec= l|load= o|pretty-print=? p|profile=? d|dump-variables=? D|debug=? L|lint=? W= m= version",
  { posix: true },
);

const awk: ToolFamily = {
  names: ["awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "frawk"],
  lower(call, emit) {
    if (asksHelpFirst(call)) return;
    const given = parse(call.args, awkSyntax);
    if (given.values("W").some((value) => /^(version|help)/.test(value.value ?? ""))) return;
    const includes = given.values("include");
    const inPlace = includes.some((name) => name.value === "inplace");
    for (const name of includes) if (name.value !== "inplace") programFile(name, call, emit, "awk");
    for (const name of given.values("load")) emit.unknown(`awk loads the extension ${name.source}`);
    for (const file of given.values("file", "exec")) programFile(file, call, emit, "awk");
    for (const [option, standard] of [
      ["pretty-print", "awkprof.out"],
      ["profile", "awkprof.out"],
      ["dump-variables", "awkvars.out"],
    ] as const) {
      const value = given.value(option);
      if (given.has(option) && !(value && isStream(value))) emit.write(value ?? literal(standard), `awk --${option}`);
    }
    const sources = given.values("source");
    const hasProgram = sources.length > 0 || given.has("file", "exec");
    const [program, ...rest] = given.operands;
    if (sources.length) emit.program(joined(sources), "awk program", "awk");
    else if (!hasProgram && program) emit.program(program, "awk program", "awk");
    for (const file of hasProgram ? given.operands : rest) {
      if (isStream(file) || /^[A-Za-z_]\w*=/.test(file.value ?? file.prefix)) continue;
      emit.read(file, `${call.name} reads it`);
      if (inPlace) emit.write(file, `${call.name} -i inplace`);
    }
  },
};

function programFile(file: Arg, call: Invocation, emit: Emit, language: Language): void {
  if (isStream(file)) {
    if (call.stdin.kind === "text") emit.program(literal(call.stdin.text), `${call.name} -f -`, language);
    else emit.unknown(`${call.name} takes its program from its input`);
    return;
  }
  emit.script(file, `${call.name} -f`, language);
}

export const filters = [sed, awk];
