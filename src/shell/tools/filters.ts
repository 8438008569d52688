// sed and awk: small programs over the files they are given.
// Invariant: the program text goes to its analyser; operands are read, and written when the edit is in place.

import type { Arg, Emit, Language } from "../analyze/tool.js";
import { type Code, tools, type Use } from "../spec/interpret.js";
import { isStream, literal } from "../spec/options.js";
import { joined } from "./programs.js";

const code: Code = {
  sed({ call, given }, emit) {
    const inPlace = given.has("in-place", "I");
    let { operands } = given;
    // BSD: `sed -i '' script file` gives the suffix as a word of its own.
    if (inPlace && operands[0]?.value === "") operands = operands.slice(1);
    const scripts = given.values("expression");
    const hasScript = scripts.length > 0 || given.has("file");
    const [script, ...rest] = operands;
    const text = hasScript ? scripts : script ? [script] : [];
    if (text.length) emit.program(withNumbers(joined(text)), "sed script", "sed");
    for (const file of hasScript ? operands : rest) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} reads it`, inPlace ? { how: "edit" } : {});
      const empties = text.length === 1 && /^(?:1,\$)?\s*d$/.test(text[0]?.value ?? "");
      if (inPlace) emit.write(file, `${call.name} -i`, empties ? { how: "truncate" } : {});
    }
    if (given.unsure && !inPlace && !call.args.every(isNoOption))
      emit.unknown(`an unresolved word may be an option of ${call.name}`);
  },
  awk({ call, given }, emit) {
    const inPlace = given.values("include").some((name) => name.value === "inplace");
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
  sedFile: (use, emit) => programFile(use, emit, "sed"),
  awkFile: (use, emit) => programFile(use, emit, "awk"),
  include: (use, emit) => (use.value?.value === "inplace" ? undefined : programFile(use, emit, "awk")),
  load: ({ value }, emit) => emit.unknown(`awk loads the extension ${(value as Arg).source}`),
};

/** These print numbers: `$((line + 1))`, `$(grep -n x f | head -1 | cut -d: -f1)`. */
const numbers = /\$\(\([\w\s+*$%-]*\)\)|\$\(grep -n[^()`]*\|\s*cut -d: -f1\)/g;

/** A script whose only computed parts are line numbers is as good as static. */
function withNumbers(text: Arg): Arg {
  if (text.value !== undefined || !/^"[^"\\]*"$/.test(text.source.replace(numbers, "1"))) return text;
  const value = text.source.replace(numbers, "1").slice(1, -1);
  return /[$`]/.test(value.replace(/\$(?=[p,]|$)/g, "")) ? text : { ...text, value, prefix: value };
}

/** Programs that print a path with a folder in front: it does not begin with a dash. */
const printsPath = /^(?:go|find|pwd|realpath|brew|which)$/;

function isNoOption(word: Arg): boolean {
  const { source, from } = word;
  if (withNumbers(word).value !== undefined) return true;
  return /^["']?\$/.test(source) && from?.length !== 0 && from?.some((name) => printsPath.test(name)) === true;
}

function programFile({ call, value }: Use, emit: Emit, language: Language): void {
  const file = value as Arg;
  if (!isStream(file)) return emit.script(file, `${call.name} -f`, language);
  if (call.stdin.kind === "text") emit.program(literal(call.stdin.text), `${call.name} -f -`, language);
  else emit.unknown(`${call.name} takes its program from its input`);
}

export const filters = tools(
  "filters",
  `
tool sed gsed ssed
  options e|expression= f|file=sedFile i|in-place=? line-length= E|r|regexp-extended n|quiet|silent s|separate
    u|unbuffered
    z|null-data I=? a posix debug sandbox follow-symlinks b|binary
  otherwise do sed
tool awk gawk mawk nawk original-awk goawk frawk
  style posix
  options f|file=awkFile E|exec=awkFile i|include=include l|load=load v|assign= F|field-separator= e|source=
    o|pretty-print=?
    p|profile=? d|dump-variables=? D|debug=? L|lint=? W= m= b|characters-as-bytes c|traditional C|copyright g|gen-pot
    h M|bignum n|non-decimal-data N|use-lc-numeric O|optimize P|posix r|re-interval s|no-optimize S|sandbox t V k|csv I
  --W=version*|help* : quiet
  also --pretty-print|profile : write --pretty-print|profile else ./awkprof.out
  also --dump-variables : write --dump-variables else ./awkvars.out
  otherwise do awk
`,
  code,
);
