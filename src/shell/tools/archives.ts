// Archives: tar in all its spellings, cpio, ar, zip, 7z.
// Invariant: members put in are reads, what comes out is a write of the target tree, every option that runs a program runs it.

import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { cut, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { remoteHost } from "./sync.js";
import { asksHelp, isStream } from "./table.js";

const tarSyntax = syntax(
  "A|concatenate|catenate c|create d|compare|diff delete r|append t|list test-label u|update x|get|extract f|file= C|directory= T|files-from= X|exclude-from= exclude= I|compress-program|use-compress-program= to-command= checkpoint=? checkpoint-action= F|new-volume-script|info-script= rsh-command= rmt-command= " +
    "g|listed-incremental= N|newer|after-date= newer-mtime= b|blocking-factor= H|format= K|starting-file= L|tape-length= V|label= k|keep-old-files O|to-stdout p P S W|verify z|gzip|gunzip j|bzip2 J|xz Z|compress a|auto-compress v|verbose w m h|dereference o l s|transform|xform= strip-components= owner= group= mode= mtime= one-top-level=? index-file= volno-file= suffix= backup=? remove-files sort= pax-option= quoting-style= totals=? no-recursion wildcards overwrite unlink-first recursive-unlink zstd lzma lzip lzop lz4 0 1 2 3 4 5 6 7",
);

const tar: ToolFamily = {
  names: ["tar", "gtar", "bsdtar", "star", "ustar"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse([...fromEnvironment(call), ...traditional(call.args)], tarSyntax);
    runs(given, emit);
    for (const list of given.values("files-from", "exclude-from"))
      if (!isStream(list)) emit.read(list, "tar takes names from it");
    for (const file of given.values("listed-incremental", "index-file", "volno-file"))
      emit.write(file, "tar keeps notes in it");
    const archive = given.value("file") ?? call.env["TAPE"];
    const host = archive && !given.has("force-local") ? remoteHost(archive) : undefined;
    if (given.has("create", "append", "update", "catenate")) {
      if (host !== undefined)
        emit.effect({
          kind: "network",
          program: "tar",
          host,
          upload: true,
          reason: "the archive lies on another machine",
        });
      else if (archive && !isStream(archive)) emit.write(archive, "tar writes the archive");
      members(given, (member) =>
        emit.read(member, "tar puts it into the archive", given.has("no-recursion") ? {} : { recursive: true }),
      );
      if (given.has("remove-files"))
        members(given, (member) => emit.delete(member, "tar --remove-files", { recursive: true }));
      return;
    }
    if (host !== undefined)
      emit.effect({ kind: "network", program: "tar", host, reason: "the archive lies on another machine" });
    else if (archive && !isStream(archive)) emit.read(archive, "tar reads the archive");
    if (given.has("delete") && archive) return emit.write(archive, "tar --delete");
    if (given.has("list", "diff", "test-label") || given.has("to-stdout", "to-command")) return;
    if (!given.has("extract"))
      return given.unsure ? emit.unknown("an unresolved word may be an option of tar") : undefined;
    extracted(given.value("one-top-level") ?? given.value("directory") ?? literal("."), given, emit);
  },
};

/** `tar xzf a.tgz`: the first word is a bundle of options; those with arguments take the next words in turn. */
function traditional(args: readonly Arg[]): Arg[] {
  const [first, ...rest] = args;
  const bundle = first?.value ?? "";
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(bundle) || !/[Acdrtux]/.test(bundle)) return [...args];
  const out: Arg[] = [];
  let next = 0;
  for (const letter of bundle) {
    out.push(literal(`-${letter}`));
    if (/[bCfFgHIKLNsTVX]/.test(letter) && rest[next]) out.push(rest[next++]!);
  }
  return [...out, ...rest.slice(next)];
}

function fromEnvironment(call: Invocation): Arg[] {
  const options = call.env["TAR_OPTIONS"]?.value;
  return options ? options.split(/\s+/).filter(Boolean).map(literal) : [];
}

const bareShell = /^(\S*\/)?(ba|da|z|k|a)?sh$/;

function runs(given: Parsed, emit: Emit): void {
  // A shell without a text of its own runs what the archive holds.
  const runners = given.values("use-compress-program", "to-command", "info-script", "checkpoint-action");
  if (runners.some((runner) => bareShell.test(runner.value?.replace(/^exec=/, "") ?? "")))
    emit.unknown("a shell runs what comes out of the archive", {
      hazard: { class: "remote-code", level: 3, id: "archive-and-run" },
    });
  for (const program of given.values("use-compress-program")) emit.shell(program, "tar filters through it");
  for (const text of given.values("to-command")) emit.shell(text, "tar --to-command");
  for (const script of given.values("info-script")) emit.shell(script, "tar runs it between volumes");
  for (const program of given.values("rsh-command", "rmt-command"))
    emit.shell(program, "tar uses it to reach another machine");
  for (const action of given.values("checkpoint-action")) {
    if (action.value === undefined) emit.unknown("tar --checkpoint-action is not static");
    else if (action.value.startsWith("exec=")) emit.shell(cut(action, 5), "tar --checkpoint-action");
  }
}

/** Members are named relative to the last -C before them. */
function members(given: Parsed, each: (member: Arg) => void): void {
  let base: Arg | undefined;
  for (const item of given.order) {
    if ("option" in item) {
      if (item.option.name === "directory") base = item.option.value;
      continue;
    }
    each(below(base, item.operand));
  }
}

function below(base: Arg | undefined, member: Arg): Arg {
  if (!base || member.value?.startsWith("/")) return member;
  const known = base.value !== undefined && member.value !== undefined;
  return {
    ...member,
    value: known ? `${base.value}/${member.value}` : undefined,
    prefix: known ? `${base.value}/${member.value}` : base.prefix,
  };
}

/** Named members land below the target; without names the whole tree may change. */
function extracted(target: Arg, given: Parsed, emit: Emit): void {
  const names = given.has("strip-components", "transform", "wildcards") ? [] : given.operands;
  if (names.length === 0) return emit.write(target, "tar extracts into it", { recursive: true, glob: true });
  for (const name of names) emit.write(below(target, name), "tar extracts it", { recursive: true });
}

const cpio: ToolFamily = {
  names: ["cpio", "pax"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "o|create i|extract p|pass-through r w F|file= I= O= D|directory= E|pattern-file= H|format= R|owner= M= C= f= s= x= rsh-command= t|list to-stdout",
      ),
    );
    const archive = given.value("file", "I", "O", "f");
    const creates = given.has("create", "O") || (call.name === "pax" && given.has("w") && !given.has("r"));
    if (archive) (creates ? emit.write : emit.read)(archive, `${call.name} archive`);
    if (given.has("list", "to-stdout")) return;
    if (given.has("pass-through"))
      for (const target of given.operands.slice(-1))
        emit.write(target, `${call.name} copies into it`, { recursive: true, glob: true });
    else if (given.has("extract") || (call.name === "pax" && given.has("r")))
      emit.write(given.value("directory") ?? literal("."), `${call.name} extracts`, { recursive: true, glob: true });
    for (const shell of given.values("rsh-command")) emit.shell(shell, "cpio --rsh-command");
  },
};

const ar: ToolFamily = {
  names: ["ar", "gcc-ar", "llvm-ar", "ranlib", "strip", "objcopy"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax("o|output= plugin= target= I= O= R= N= K= only-section= j= add-section= update-section= dump-section="),
    );
    const [operation, archive, ...files] = given.operands;
    if (call.name === "ranlib") {
      for (const file of given.operands) emit.write(file, "ranlib updates it");
      return;
    }
    if (call.name === "strip" || call.name === "objcopy") {
      const [input, output] = given.operands;
      const target = given.value("output") ?? output ?? input;
      if (input) emit.read(input, `${call.name} reads it`);
      if (target) emit.write(target, `${call.name} writes it`);
      for (const section of given.values("dump-section")) {
        const at = (section.value ?? "").indexOf("=");
        if (at >= 0) emit.write(cut(section, at + 1), "objcopy --dump-section");
      }
      return;
    }
    const letters = (operation?.value ?? "").replace(/^-/, "");
    if (!archive) return;
    if (/[dmqrs]/.test(letters)) emit.write(archive, "ar changes the archive");
    else emit.read(archive, "ar reads the archive");
    if (/[qr]/.test(letters)) for (const file of files) emit.read(file, "ar puts it in");
    if (letters.includes("x"))
      for (const file of files.length ? files : [literal(".")])
        emit.write(file, "ar extracts it", files.length ? {} : { recursive: true });
  },
};

const zip: ToolFamily = {
  names: ["zip", "zipcloak", "zipnote", "zipsplit"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "b|temp-path= i|include= x|exclude= O|output-file= P|password= n|suffixes= s|split-size= t|from-date= tt= TT|unzip-command= Z= ws ll ds= r|recurse-paths m|move d|delete T|test u|update f|freshen @ q",
      ),
    );
    // -TT is one option of two letters, which short options cannot say.
    const at = call.args.findIndex((arg) => arg.value === "-TT");
    if (at >= 0 && call.args[at + 1]) emit.shell(call.args[at + 1]!, "zip -TT runs it");
    for (const command of given.values("unzip-command")) emit.shell(command, "zip --unzip-command");
    const [archive, ...rest] = given.operands.filter((arg) => arg !== call.args[at + 1] || at < 0);
    const target = given.value("output-file") ?? archive;
    if (!target) return;
    if (!isStream(target)) emit.write(target, "zip writes the archive");
    if (given.has("delete")) return;
    for (const member of rest) {
      if (isStream(member)) continue;
      emit.read(member, "zip puts it in", given.has("recurse-paths") ? { recursive: true } : {});
      if (given.has("move")) emit.delete(member, "zip -m takes it away", { recursive: true });
    }
  },
};

const unzip: ToolFamily = {
  names: ["unzip", "unar", "funzip", "bsdunzip"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(call.args, syntax("d|o|output-directory= x= P|password= p e|encoding= D"));
    const forUnzip = call.name === "unar" ? given : parse(call.args, syntax("d= x= P= l t z v Z p c f o n q"));
    const [archive, ...names] = forUnzip.operands;
    if (archive) emit.read(archive, `${call.name} reads the archive`);
    if (!archive || forUnzip.has("l", "t", "z", "v", "Z", "p", "c")) return;
    const target = forUnzip.value("d", "output-directory") ?? literal(".");
    if (names.length === 0 || names.some((name) => name.glob))
      return emit.write(target, `${call.name} extracts into it`, { recursive: true, glob: true });
    for (const name of names) emit.write(below(target, name), `${call.name} extracts it`);
  },
};

const sevenZip: ToolFamily = {
  names: ["7z", "7za", "7zr", "7zz", "p7zip", "rar", "unrar"],
  lower(call, emit) {
    const given = parse(call.args, syntax("o=? p=? m=? t=? x=? i=? w=? y sdel so si"));
    const [verb, archive, ...files] = given.operands;
    if (!archive) return;
    const outputs = call.args.flatMap((arg) => (/^-o./.test(arg.value ?? arg.prefix) ? [cut(arg, 2)] : []));
    switch (verb?.value) {
      case "x":
      case "e":
        emit.read(archive, `${call.name} reads the archive`);
        if (call.args.some((arg) => arg.value === "-so")) return;
        return emit.write(
          outputs[0] ??
            (call.name.includes("rar") && files.at(-1)?.value?.endsWith("/") ? files.at(-1)! : literal(".")),
          `${call.name} extracts into it`,
          { recursive: true, glob: true },
        );
      case "a":
      case "u":
      case "d":
      case "rn":
        emit.write(archive, `${call.name} changes the archive`);
        if (verb.value === "a" || verb.value === "u")
          for (const file of files) {
            emit.read(file, `${call.name} puts it in`, { recursive: true });
            if (call.args.some((arg) => arg.value === "-sdel")) emit.delete(file, "7z -sdel", { recursive: true });
          }
        return;
      default:
        emit.read(archive, `${call.name} reads the archive`);
    }
  },
};

export const archives = [tar, cpio, ar, zip, unzip, sevenZip];
