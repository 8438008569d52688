// Programs that make, copy, move, link and remove files.
// Invariant: sources and destinations keep their roles in every spelling (-t dir, -T, last operand, options after operands).

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { cut, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { asksHelp, families, isStream } from "./table.js";

/** Flags of cp, mv and ln. */
const common =
  "n|no-clobber f|force i|interactive v|verbose u|update=? T|no-target-directory Z strip-trailing-slashes debug";
const backup = "S|suffix= backup=?";

/** "dir/" and "file": where a source lands when the destination may be a directory, both are possible. */
function destinations(target: Arg, sources: readonly Arg[], into: boolean): Arg[] {
  const inside = sources.map((source) => (source.value ? join(target, source.value) : somewhereIn(target)));
  if (into || sources.length > 1) return inside;
  return target.value?.endsWith("/") || target.value === "." || target.value === ".." ? inside : [target];
}

/** A name that is not known, in a directory that is. */
const somewhereIn = (directory: Arg): Arg => ({
  source: directory.source,
  prefix: directory.value === undefined ? directory.prefix : `${directory.value.replace(/\/+$/, "")}/`,
});

function join(directory: Arg, source: string): Arg {
  const name = source.replace(/\/+$/, "").split("/").at(-1) || ".";
  const add = (text: string) => `${text.replace(/\/+$/, "")}/${name}`;
  return {
    source: add(directory.source),
    value: directory.value === undefined ? undefined : directory.value === "/" ? `/${name}` : add(directory.value),
    prefix: directory.prefix,
    ...(/[*?[]/.test(name) && { glob: true }),
  };
}

/** The usual shape of cp, mv, ln, install: sources, then a destination unless -t names it. */
function transfer(given: Parsed): { sources: Arg[]; target?: Arg; into: boolean } {
  const directory = given.value("target-directory");
  if (directory) return { sources: given.operands, target: directory, into: true };
  return { sources: given.operands.slice(0, -1), target: given.operands.at(-1), into: false };
}

const cp: ToolFamily = {
  names: ["cp", "gcp", "ditto", "xcp", "copy"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        `${backup} ${common} t|target-directory= r|R|recursive a|archive no-preserve= preserve=? reflink=? sparse= context=?
        p d c X l|link s|symbolic-link x|one-file-system H L|dereference P|no-dereference attributes-only parents`,
      ),
    );
    const { sources, target, into } = transfer(given);
    const extra = given.has("recursive", "archive") || call.name === "ditto" ? { recursive: true } : {};
    if (!target) return;
    for (const source of sources) emit.read(source, `${call.name} source`, extra);
    for (const path of destinations(target, sources, into)) emit.write(path, `${call.name} destination`, extra);
    if (sources.length === 0) emit.read(target, `${call.name} source`, extra);
  },
};

const mv: ToolFamily = {
  names: ["mv", "gmv"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax(`${backup} ${common} t|target-directory= exchange h`));
    const { sources, target, into } = transfer(given);
    if (!target) return;
    for (const source of sources) {
      emit.read(source, "mv source");
      if (target.value === "/dev/null")
        emit.delete(source, "mv to /dev/null destroys it", {
          recursive: true,
          hazard: { class: "mass-delete", level: 3, id: "mv-to-null" },
        });
      else emit.delete(source, "mv takes it away", { recursive: true, how: "move" });
    }
    for (const path of destinations(target, sources, into)) emit.write(path, "mv destination", { recursive: true });
  },
};

const ln: ToolFamily = {
  names: ["ln", "gln", "link"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(`${backup} ${common} t|target-directory= s|symbolic r|relative h n|no-dereference L P d F`),
    );
    const { sources, target, into } = transfer(given);
    if (!target) return;
    // A link is another name of its source: whatever the link shows, the source shows.
    for (const source of sources) emit.read(source, `${call.name} makes another name for it`, { how: "link" });
    if (sources.length === 0) return emit.write(join(literal("."), target.value ?? "?"), `${call.name} makes a link`);
    for (const path of destinations(target, sources, into)) emit.write(path, `${call.name} makes a link`);
  },
};

const install: ToolFamily = {
  names: ["install", "ginstall"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(`${backup} t|target-directory= d|directory D m|mode= o|owner= g|group= strip-program= context=?`),
    );
    for (const program of given.values("strip-program")) emit.run([program], "install --strip-program");
    if (given.has("directory")) {
      for (const path of given.operands) emit.write(path, "install makes a directory");
      return;
    }
    const { sources, target, into } = transfer(given);
    if (!target) return;
    for (const source of sources) emit.read(source, "install source");
    for (const path of destinations(target, sources, into)) emit.write(path, "install destination");
  },
};

const rm: ToolFamily = {
  names: ["rm", "grm", "srm", "trash", "trash-put", "rmtrash", "rip", "gio-trash", "rimraf", "del-cli"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("r|R|recursive f|force d|dir interactive=? no-preserve-root preserve-root=? one-file-system"),
    );
    const recursive = given.has("recursive") || /^(rmtrash|trash.*|rimraf|del-cli)$/.test(call.name);
    removes(given.operands, call, emit, recursive);
    if (given.unsure && given.operands.length === 0) emit.unknown(`${call.name} of an unresolved word`);
  },
};

function removes(targets: readonly Arg[], call: Invocation, emit: Emit, recursive: boolean): void {
  for (const target of targets)
    emit.delete(target, `${call.name} ${target.source}`, {
      ...(recursive && { recursive: true }),
      // What is in the trash can be taken out again.
      ...(/^(trash|trash-put|rmtrash|rip|gio-trash)$/.test(call.name) && { how: "trash" }),
    });
}

const shred: ToolFamily = {
  names: ["shred", "gshred", "wipe", "scrub"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("n|iterations= s|size= random-source= u remove=? z|zero r R"));
    const recursive = call.name === "wipe" && given.has("r", "R");
    for (const target of given.operands)
      if (/^\/dev\/(?!null|shm)/.test(target.value ?? ""))
        emit.write(target, `${call.name} overwrites a device`, {
          hazard: { class: "disk", level: 3, id: "device-overwrite" },
        });
      else
        emit.delete(target, `${call.name} destroys the content`, {
          ...(recursive && { recursive }),
          // Overwritten on purpose, so that nothing can bring it back.
          ...(!/^\/(tmp|var\/tmp|dev\/shm)\//.test(emit.resolve(target) ?? "") && {
            hazard: { class: "mass-delete", level: 3, id: "shred" } as const,
          }),
        });
  },
};

const tee: ToolFamily = {
  names: ["tee", "gtee", "sponge", "pee"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("a|append i p output-error=?"));
    for (const target of given.operands) {
      if (call.name === "pee") emit.shell(target, "pee runs it");
      else if (!isStream(target)) emit.write(target, `${call.name} ${target.source}`);
    }
  },
};

const simple = families([
  { names: "touch gtouch", options: { "r|reference=": "none" }, takes: "d|date= t= time= A=", operands: "write" },
  { names: "mkdir gmkdir md", takes: "m|mode= context=?", operands: "write" },
  { names: "mkfifo mknod", takes: "m|mode=", operands: ["write", "none"] },
  { names: "rmdir unlink grmdir", operands: "delete" },
  {
    names: "truncate gtruncate",
    options: { "r|reference=": "none" },
    takes: "s|size=",
    operands: "write",
    how: "truncate",
  },
  { names: "fallocate", takes: "l|length= o|offset=", operands: "write" },
  { names: "mkisofs genisoimage", options: { "o=": "write" }, style: { oneDash: true } },
  { names: "dos2unix unix2dos mac2unix", takes: "c|convmode= i|info=?", operands: "write" },
  { names: "rename.ul", operands: ["none", "none", "write"] },
]);

/** split PREFIXaa, PREFIXab, ...: the prefix stands for what is written; --filter runs a command per part. */
const split: ToolFamily = {
  names: ["split", "gsplit"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "a|suffix-length= b|bytes= C|line-bytes= l|lines= n|number= t|separator= additional-suffix= filter= numeric-suffixes=? hex-suffixes=?",
      ),
    );
    const [source, prefix] = given.operands;
    if (source && !isStream(source)) emit.read(source, "split input");
    for (const filter of given.values("filter")) emit.shell(filter, "split --filter");
    if (!given.has("filter")) emit.write(glob(prefix ?? literal("x")), "split output", { glob: true });
  },
};

const csplit: ToolFamily = {
  names: ["csplit", "gcsplit"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("b|suffix-format= f|prefix= n|digits= k|keep-files s|quiet z|elide-empty-files"),
    );
    const [source] = given.operands;
    if (source && !isStream(source)) emit.read(source, "csplit input");
    emit.write(glob(given.value("prefix") ?? literal("xx")), "csplit output", { glob: true });
  },
};

const glob = (prefix: Arg): Arg => ({
  ...prefix,
  value: prefix.value === undefined ? undefined : `${prefix.value}*`,
  glob: true,
});

const mktemp: ToolFamily = {
  names: ["mktemp", "gmktemp"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("d|directory u|dry-run t p= tmpdir=? suffix= q"));
    if (given.has("dry-run")) return;
    const template = given.operands[0];
    const inTemp = !template || given.has("t", "p", "tmpdir");
    const directory = given.value("p", "tmpdir") ?? literal("/tmp");
    emit.write(inTemp ? join(directory, template?.value ?? "tmp.XXXXXXXXXX") : template, "mktemp makes it");
  },
};

/** Perl's rename takes an expression, the other takes two strings; both move the files named. */
const rename: ToolFamily = {
  names: ["rename", "prename", "file-rename", "mmv", "qmv", "vidir"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("e=  n|nono|no-act|dry-run f|force v"));
    if (given.has("dry-run")) return;
    const files = given.has("e") ? given.operands : given.operands.slice(1);
    for (const file of files) emit.write(file, `${call.name} renames it`);
    if (files.length === 0) emit.unknown(`${call.name} takes its files from elsewhere`);
  },
};

const dd: ToolFamily = {
  names: ["dd", "gdd", "dcfldd", "dc3dd"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    for (const arg of call.args) {
      const text = arg.value ?? arg.prefix;
      if (text.startsWith("if=") && !isStream(cut(arg, 3))) emit.read(cut(arg, 3), `${call.name} if=`);
      if (!/^(of|wipe|ofs)=/.test(text)) continue;
      const target = cut(arg, text.indexOf("=") + 1);
      const device = /^\/dev\/(?!null|zero|stdout|stderr|tty|fd\/|shm\/)/.test(target.value ?? target.prefix);
      if (isStream(target)) continue;
      emit.write(target, `${call.name} of=`, device ? { hazard: { class: "disk", level: 3, id: "dd-device" } } : {});
    }
  },
};

export const files = [cp, mv, ln, install, rm, shred, tee, split, csplit, mktemp, rename, dd, ...simple];
