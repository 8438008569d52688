// Editors driven from the command line, and patch: they change the files they name.
// Invariant: an editor without a script waits for a person and writes what it names; scripted commands that run programs are unknown or shell text.

import type { Emit, ToolFamily } from "../analyze/tool.js";
import { cut, literal, parse, syntax } from "../spec/options.js";
import { asksHelp, executes, families, isStream } from "./table.js";

/** Ex commands: w file, r file, !cmd, w !cmd, r !cmd, s///, source file. */
function exCommands(script: string, emit: Emit, by: string): void {
  for (const line of script.split(/\n|(?<!\\)\|(?!\|)/)) {
    const command = line
      .replace(/^[\s:%\d,.$'+\-<>a-z]*?(?=(?:sil\w*!?\s+)*(?:!|w|r|so|sav|py|lua|perl|ruby|terminal|call|s\/))/, "")
      .trim();
    const shell = /^(?:silent!?\s+)?(?:(?:w(?:rite)?\s+|r(?:ead)?\s*))?!\s*(.+)$/.exec(command)?.[1];
    const write = /^(?:w(?:rite|q)?|x(?:it)?|sav(?:eas)?)!?\s+(?:>>\s*)?([^!\s].*)$/.exec(command)?.[1];
    const read = /^r(?:ead)?\s+([^!\s].*)$/.exec(command)?.[1];
    const source = /^so(?:urce)?!?\s+(.+)$/.exec(command)?.[1];
    if (shell) emit.shell(literal(shell), `${by} runs it`);
    else if (write) emit.write(literal(write.trim()), `${by} writes it`);
    else if (read) emit.read(literal(read.trim()), `${by} reads it`);
    else if (source) emit.unknown(`${by} runs the script ${source.trim()}`);
    else if (
      /^(?:py(?:thon)?3?|lua|perl|ruby|terminal|ter|call\s+system|call\s+writefile|call\s+delete)\b/.test(command)
    )
      emit.program(literal(command), `${by} runs ${command.slice(0, 40)}`, "loose");
    else if (/\b(?:system|systemlist|writefile|delete|job_start)\s*\(/.test(command))
      emit.program(literal(command), `${by} evaluates ${command.slice(0, 40)}`, "loose");
  }
}

const vim: ToolFamily = {
  names: ["vim", "vi", "nvim", "ex", "view", "gvim", "vimdiff", "rvim", "neovim"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("c= cmd= S= u= U= i= w= W= T= t= o=? O=? p=? headless", { plus: true }));
    for (const script of given.values("c", "cmd", "+")) {
      if (script.value === undefined) emit.unknown(`${call.name} command is not static`);
      else exCommands(script.value, emit, call.name);
    }
    for (const file of given.values("S", "u"))
      if (!/^(NONE|NORC|DEFAULTS)$/.test(file.value ?? "")) emit.script(file, `${call.name} runs it`, "other");
    for (const file of given.values("w", "W")) emit.write(file, `${call.name} writes it`);
    if (given.has("s") && !given.has("e", "E") && call.name !== "ex")
      emit.unknown(`${call.name} -s replays keys from a file`);
    if (call.name === "ex" && call.stdin.kind === "text") exCommands(call.stdin.text, emit, call.name);
    else if (call.name === "ex" && call.stdin.kind !== "inherit") emit.unknown("ex takes commands from its input");
    const scripts = given.values("c", "+").map((script) => script.value ?? "w");
    const leaves =
      scripts.length > 0 && scripts.every((script) => /^(?:set? [\w=]+|%?p(?:rint)?|=|qa?!?|cq!?)$/.test(script));
    const readonly =
      call.name === "view" || given.has("R", "M") || (leaves && scripts.some((script) => script.includes("q")));
    for (const file of given.operands) {
      if (isStream(file)) continue;
      emit.read(file, `${call.name} opens it`);
      if (!readonly) emit.write(file, `${call.name} edits it`);
    }
  },
};

const ed: ToolFamily = {
  names: ["ed", "red", "ged"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("p|prompt= G|traditional s|quiet|silent"));
    // Without w nothing of what it does to the text is kept.
    const keeps = call.stdin.kind !== "text" || /^[\d,$.%+-]*(?:g\/.*\/)?[wWx]/m.test(call.stdin.text);
    for (const file of given.operands) {
      if ((file.value ?? "").startsWith("!")) emit.shell(cut(file, 1), "ed !command");
      else {
        emit.read(file, "ed opens it");
        if (keeps) emit.write(file, "ed edits it");
      }
    }
    if (call.stdin.kind === "text") exCommands(call.stdin.text, emit, "ed");
    else if (call.stdin.kind !== "inherit") emit.unknown("ed takes commands from its input");
  },
};

const emacs: ToolFamily = {
  names: ["emacs", "emacsclient"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("script= eval= execute= l|load= f|funcall= q Q a|alternate-editor= u= e"));
    for (const lisp of given.values("eval", "execute")) emit.program(lisp, "emacs runs Lisp", "loose");
    if (given.has("load", "funcall", "script", "e")) emit.unknown("emacs runs Lisp");
    for (const file of given.operands) emit.write(file, "emacs edits it");
  },
};

const plain = families([
  {
    names: "nano pico micro joe mg kak hx helix",
    options: { "s|speller=": "shell" },
    takes: "T= r= Y=",
    operands: "write",
  },
  { names: "logrotate", options: { "s|state=": "write", "l|log=": "write" } },
  { names: "gettext xgettext msgfmt msgmerge", options: { "o|output=": "write", "o|output-file=": "write" } },
  { names: "m4 cpp", options: { "o=": "write" }, takes: "D= I= U=" },
  { names: "envsubst", operands: "none" },
  {
    names: "protoc flatc thrift",
    takes: "I|proto_path=",
    options: {
      "o|descriptor_set_out=": "write",
      "python_out=": "write",
      "go_out=": "write",
      "js_out=": "write",
      "cpp_out=": "write",
      "java_out=": "write",
      "out=": "write",
    },
  },
  {
    names: "pandoc",
    options: {
      "o|output=": "write",
      "F|filter=": "program",
      "lua-filter=": "program",
      "template=": "read",
      "H=": "read",
      "c|css=": "none",
    },
    takes: "f|from|read= t|to|write= V|variable= M|metadata=",
  },
  { names: "convert magick mogrify cwebp", operands: "write" },
]);

/** They open a window for a person; nothing is written by the call itself. */
const windows: ToolFamily = {
  names: [
    "code",
    "code-insiders",
    "codium",
    "cursor",
    "windsurf",
    "subl",
    "mate",
    "gedit",
    "kate",
    "zed",
    "idea",
    "pycharm",
    "webstorm",
    "goland",
    "lazygit",
    "gitui",
    "tig",
    "gitk",
    "sourcetree",
  ],
  lower(call, emit) {
    if (asksHelp(call)) return;
    executes(call, emit, `${call.name} opens a window`);
    const given = parse(
      call.args,
      syntax("install-extension= uninstall-extension= add-mcp= diff merge g|goto= user-data-dir="),
    );
    if (given.has("install-extension", "add-mcp"))
      emit.hazard({ class: "remote-code", level: 1, id: "editor-extension" }, `${call.name} installs an extension`);
  },
};

const patch: ToolFamily = {
  names: ["patch", "gpatch"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "p|strip= i|input= o|output= d|directory= r|reject-file= B|prefix= z|suffix= D|ifdef= F|fuzz= V|version-control= Y= g= dry-run C|check R|reverse",
      ),
    );
    const [original, file] = given.operands;
    const input = given.value("input") ?? file;
    if (input && !isStream(input)) emit.read(input, "patch input");
    if (given.has("dry-run", "check")) return;
    const output = given.value("output") ?? original;
    if (output) return emit.write(output, "patch changes it");
    const touched =
      call.stdin.kind === "text" ? patched(call.stdin.text, Number(given.value("strip")?.value ?? "-1")) : [];
    const text = input ? emit.projectFile(input) : undefined;
    const paths = touched.length ? touched : text ? patched(text, Number(given.value("strip")?.value ?? "-1")) : [];
    const base = given.value("directory");
    for (const path of paths) emit.write(literal(base?.value ? `${base.value}/${path}` : path), "patch changes it");
    if (paths.length === 0)
      emit.write(base ?? literal("."), "patch changes files its input names", { recursive: true, glob: true });
  },
};

function patched(text: string, strip: number): string[] {
  const paths = new Set<string>();
  for (const [, path] of text.matchAll(/^(?:\+\+\+|---|\*\*\*) ([^\t\n]+)/gm)) {
    if (path === "/dev/null" || /^\d+,\d+/.test(path!)) continue;
    const parts = path!.trim().split("/");
    paths.add(strip < 0 ? parts.at(-1)! : parts.slice(Math.min(strip, parts.length - 1)).join("/"));
  }
  return [...paths];
}

export const editors = [vim, ed, emacs, windows, patch, ...plain];
