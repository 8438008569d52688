// Editors driven from the command line, and patch: they change the files they name.
// Invariant: an editor without a script waits for a person and writes what it names; scripted commands that run
// programs are unknown or shell text.

import type { Arg, Emit } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { cut, isStream, literal } from "../spec/options.js";

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

/** What ImageMagick draws by itself, and what it takes as the text to draw. */
const drawn = /^(xc|canvas|gradient|radial-gradient|plasma|pattern|hald|logo|rose|wizard|granite|netscape|null|info)$/i;
const drawnText = /^(label|caption|pango)$/i;

const code: Code = {
  exCommand({ call, value }, emit) {
    if (value?.value === undefined) emit.unknown(`${call.name} command is not static`);
    else exCommands(value.value, emit, call.name);
  },
  vimScript({ call, value }, emit) {
    if (!/^(NONE|NORC|DEFAULTS)$/.test(value?.value ?? "")) emit.script(value as Arg, `${call.name} runs it`, "other");
  },
  vim({ call, given }, emit) {
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
  ed({ call, given }, emit) {
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
  /** "NAME=PATH" or a path alone. */
  pluginProgram({ value }, emit) {
    const at = (value?.value ?? "").indexOf("=");
    if (value) emit.run([cut(value, at + 1)], "protoc runs the plug-in");
  },
  /** The last word is written, the others are read; "text:FILE" and "label:@FILE" name files too. */
  image({ call, rest }, emit) {
    for (const [index, word] of rest.entries()) {
      const [mark = "", format] = /^([a-z][\w-]+):@?/i.exec(word.value ?? word.prefix) ?? [];
      const file = cut(word, mark.length);
      if (isStream(file) || /^https?$/i.test(format ?? "") || drawn.test(format ?? "")) continue;
      if (index === rest.length - 1) emit.write(file, `${call.name} writes it`);
      else if (!drawnText.test(format ?? "") || mark.endsWith("@")) emit.read(file, `${call.name} reads it`);
    }
  },
  lisp: ({ value }, emit) => emit.program(value as Arg, "emacs runs Lisp", "loose"),
  /** What it changes stands in its input. */
  patch({ call, given }, emit) {
    const [original, file] = given.operands;
    const input = given.value("input") ?? file;
    if (file && !isStream(file)) emit.read(file, "patch input");
    if (original && !given.has("output")) return emit.write(original, "patch changes it");
    if (given.has("output")) return;
    const touched =
      call.stdin.kind === "text" ? patched(call.stdin.text, Number(given.value("strip")?.value ?? "-1")) : [];
    const source = input ?? (call.stdin.kind === "file" ? call.stdin.path : undefined);
    const text = source ? emit.projectFile(source) : undefined;
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

export const editors = tools(
  "editors",
  `
tool vim vi nvim ex view gvim vimdiff rvim
  style plus
  options c=exCommand cmd=exCommand +=exCommand S=vimScript u=vimScript U= i= w=write W=write T= t= o=? O=? p=? headless
    e E s R M n r L d y Z b l N X A H D V=? startuptime=write listen= server= remote remote-send= remote-expr=
    servername= clean noplugin embed es q= nofork f g v
  otherwise do vim
tool ed red ged
  options p|prompt= G|traditional s|quiet|silent E r l|loose-exit-status
  otherwise do ed
tool emacs emacsclient
  options eval=lisp execute=lisp script= l|load= f|funcall= q|no-init-file Q|quick a|alternate-editor= u|user= e batch
    nw tty c|create-frame n|no-wait s|socket-name= d|display= T= directory= L= insert=read kill no-site-file
    debug-init
  also --load|funcall|script|e : unknown "runs Lisp"
  otherwise write rest
tool nano pico micro joe mg kak hx helix
  options s|speller=shell T= r= Y= l v|view w m i E B R c o= f= e= p= n u k
  --view : read rest
  otherwise write rest
# They open a window for a person; nothing is written by the call itself.
tool code code-insiders codium cursor windsurf subl mate gedit kate zed idea pycharm webstorm goland
tool lazygit gitui tig gitk sourcetree
  options install-extension= uninstall-extension= add-mcp= d|diff m|merge g|goto= user-data-dir= extensions-dir=
    profile= a|add w|wait n|new-window r|reuse-window list-extensions locate-shell-integration-path= log= s|status
    verbose
  --install-extension|add-mcp : exec "opens a window", !editor-extension
  otherwise exec "opens a window"
tool patch gpatch
  options p|strip= i|input=read o|output=write d|directory= r|reject-file= B|prefix= z|suffix= D|ifdef= F|fuzz=
    V|version-control= Y|basename-prefix= g|get= R|reverse b|backup s|quiet|silent f|force t|batch N|forward
    E|remove-empty-files u|unified c e n l|ignore-whitespace T Z binary verbose posix merge=? no-backup-if-mismatch
    read-only=
  dry dry-run C|check
  otherwise do patch
tool logrotate
  options s|state=write l|log=write m|mail=program f|force v|verbose d|debug
  otherwise read rest
tool gettext xgettext msgfmt msgmerge
  options o|output|output-file=write d|default-domain|domain= p|output-dir= k|keyword=? L|language= f|files-from=read
    D|directory= C from-code= j|join-existing x|exclude-file=read c|add-comments=? a n s F U|update N q v e E h w|width=
    l|locale= backup= package-name= package-version= copyright-holder= msgid-bugs-address= check statistics
  otherwise read rest
tool m4 cpp
  options o=write D= I= U= s P E M MM MF=write include=read imacros=read x= std= W= f= t= l= L= R=read F=write g
  otherwise read rest
tool envsubst
  options v|variables
  otherwise quiet
tool protoc flatc thrift
  options I|proto_path= o|descriptor_set_out=write:all python_out=write:all go_out=write:all js_out=write:all
    cpp_out=write:all java_out=write:all out=write:all ts_out=write:all go-grpc_out=write:all grpc_out=write:all
    csharp_out=write:all ruby_out=write:all php_out=write:all kotlin_out=write:all swift_out=write:all pyi_out=write:all
    plugin=pluginProgram go_opt= go-grpc_opt= ts_opt= include_imports include_source_info descriptor_set_in=read gen= r
    v experimental_allow_proto3_optional
  otherwise read rest
tool pandoc
  options o|output=write F|filter=program L|lua-filter=program template=read H|include-in-header=read
    B|include-before-body=read A|include-after-body=read c|css= f|from|r|read= t|to|w|write= V|variable= M|metadata=
    metadata-file=read bibliography=read csl=read reference-doc=read pdf-engine=program resource-path=
    extract-media=write:all data-dir= d|defaults=read highlight-style= s|standalone toc toc-depth= N|number-sections
    self-contained embed-resources shift-heading-level-by= wrap= columns= C|citeproc mathjax=? katex=? log=write
    abbreviations=read syntax-definition=read
  otherwise read rest
# What ImageMagick reads and writes depends on settings between its words: the last is written.
tool convert magick cwebp
  style one-dash
  options o=write resize= quality= format= density= background= gravity= crop= geometry= size= fill= font= pointsize=
    annotate= draw= rotate= q= preset= depth= colorspace= extent= border= bordercolor= type= compress= define= set=
    delay= loop= alpha= strip flatten append auto-orient trim negate quiet verbose
  @cwebp : read rest
  identify : read rest
  mogrify : write rest
  otherwise do image
tool mogrify
  style one-dash
  options resize= quality= format= density= background= gravity= crop= path= extent= fill= rotate= depth= colorspace=
    strip trim auto-orient define= thumbnail= sampling-factor= interlace= verbose quiet
  otherwise write rest
`,
  code,
);
