// Source files are edited with the edit tools, where the change is visible; inline programs may only read.
// Invariant: effects decide. An inline program or a redirection that writes nothing in the project passes.
import { extname } from "node:path";
import type { Facts } from "../../../facts/index.js";
import { setOf } from "../../../facts/lazy-pattern.js";
import type { ProgramCall } from "../../../facts/test-runners.js";
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";

export const inlineScripts = gate<undefined, DisciplineOptions>({
  id: "discipline/inline-scripts",
  title: "No editing of source files through the shell",
  about:
    "Refuses shell commands that write the project's source files by redirection, here-document or " +
    "in-place tools (`sed -i`, `perl -pi`, `tee`), and inline programs (`python -c`, `node -e`, a " +
    "here-document into an interpreter) whose effects change the project or cannot be determined. " +
    "Copying, moving, deleting, git, builds, scripts and make targets kept in files are not affected, nor are " +
    "images, archives and other binaries, nor inline Python and JavaScript that only loads modules and tries them.",
  remedy: "Make the change with Edit or Write. If a program must run, put it in a file and run that.",
  on: before("shell"),
  onError: "pass",
  judge({ facts, config }) {
    // To load a module runs a file, as to run a script does; the other gates judge what is not known of it.
    const edits = editsOf(facts, config).filter((c) => !c.loads);
    if (!edits.length) return;
    const command = facts.event.tool!.command ?? "";
    const inline = (facts.shell?.commands ?? []).find((c) => inlineProgram(c) && isTyped(c, command));
    if (inline && !edits.every((c) => c.path !== undefined && binaryFile.test(c.path)))
      return refuse(
        facts,
        `${inline.program} with its program on the command line ` +
          `${edits[0]!.kind === "unknown" ? "does what can't be known" : `changes ${edits[0]!.shown}`}`,
      );
    const typed = edits.find(
      (c) =>
        c.kind === "write" &&
        c.below !== undefined &&
        source.has(extname(c.below).toLowerCase()) &&
        byHand.has(c.by ?? "") &&
        facts.effects.some((e) => e.kind === "write" && e.path === c.path && command.includes(e.word ?? "")),
    );
    if (typed) return refuse(facts, `it writes the source file ${typed.shown} by ${typed.reason}`);
  },
});

const refuse = (facts: Facts, why: string) =>
  deny({
    joins: true,
    what: `Bash: ${inert(facts.event.tool!.command ?? "", 100)}`,
    why: inert(why, 200),
    next: "use Edit or Write for the file; for a program that must run, write it to a file first and run that",
  });

const evaluating: Readonly<Record<string, RegExp>> = {
  python: /^-c|^-$/,
  python3: /^-c|^-$/,
  node: /^(?:-e|--eval|-p|--print|-pe)$|^--eval=|^-$/,
  bun: /^(?:-e|--eval|-p)$/,
  deno: /^eval$/,
  ruby: /^-\w*e/,
  perl: /^-\w*[eE]$/,
  php: /^-r$/,
  lua: /^-e$/,
  osascript: /^-e$/,
  Rscript: /^-e$/,
};

function inlineProgram({ program, argv }: ProgramCall): boolean {
  const flag = evaluating[program.replace(/^python3?\.\d+$/, "python3")];
  if (!flag) return false;
  // Without arguments the program is read from standard input.
  return argv.length === 0 || argv.some((a) => a !== undefined && flag.test(a));
}

/** On this command line, not in a script, a make target or a package script that it runs. */
const isTyped = ({ program, argv }: ProgramCall, command: string): boolean =>
  command.includes(program) &&
  argv.every(
    (a) =>
      a === undefined ||
      command.includes(
        a
          .split("\n")[0]!
          .replace(/["'\\$`].*$/s, "")
          .slice(0, 40),
      ),
  );

/** Images, documents, archives and other binaries are made by programs; no edit tool writes them. */
export const binaryFile = new RegExp(
  String.raw`\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|pdf|zip|tar|tgz|gz|bz2|xz|7z|jar|whl|woff2?|ttf` +
    "|otf|mp[34]|wav|ogg|mov|webm|bin|dat|db|sqlite3?|parquet|npy|npz|pkl|pt|onnx|wasm|exe|dll|so|dylib|dmg|iso)$",
  "i",
);

const byHand = setOf("redirection tee sed perl awk gawk ruby ed ex dd sponge patch");

const source = setOf(`
  .ts .tsx .js .jsx .mjs .cjs .mts .cts .py .rb .go .rs .java .kt .kts .swift .m .mm .c .h .cc .cpp .hpp .cs .php
  .scala .ex .exs .erl .hs .ml .lua .sh .bash .zsh .vue .svelte .css .scss .sql .r .dart .zig`);
