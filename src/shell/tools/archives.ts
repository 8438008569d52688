// Archives: tar in all its spellings, cpio, ar, zip, 7z.
// Invariant: members put in are reads, what comes out is a write of the target tree, every option that runs a program
// runs it.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import type { ArchiveListing, Extraction } from "../archives/archive-disk.js";
import { type Code, tools } from "../spec/interpret.js";
import { cut, isStream, literal, type Parsed, parse, syntax } from "../spec/options.js";
import { archiveOnInput, below, escapes, extracts, intoFolder, withoutEscape } from "./extraction.js";
import { remoteHost } from "./sync.js";

const tarOptions = [
  "A|concatenate|catenate c|create d|compare|diff delete r|append t|list test-label u|update x|get|extract",
  "f|file= C|directory= T|files-from= X|exclude-from= exclude= I|compress-program|use-compress-program=",
  "to-command= checkpoint=? checkpoint-action= F|new-volume-script|info-script= rsh-command= rmt-command=",
  "g|listed-incremental= N|newer|after-date= newer-mtime= b|blocking-factor= H|format= K|starting-file=",
  "L|tape-length= V|label= k|keep-old-files O|to-stdout p P S W|verify z|gzip|gunzip j|bzip2 J|xz Z|compress",
  "a|auto-compress v|verbose w m h|dereference o l transform|xform= strip-components= owner= group= mode=",
  "mtime= one-top-level=? index-file= volno-file= suffix= backup=? remove-files sort= pax-option=",
  "quoting-style= totals=? no-recursion wildcards overwrite unlink-first recursive-unlink zstd lzma lzip lzop",
  "lz4 0 1 2 3 4 5 6 7 force-local i|ignore-zeros n|seek R|block-number B|read-full-records G|incremental U",
  "keep-newer-files skip-old-files no-overwrite-dir preserve-permissions same-permissions same-owner",
  "no-same-owner no-same-permissions numeric-owner absolute-names anchored ignore-case no-anchored",
  "ignore-failed-read delay-directory-restore full-time show-transformed-names xattrs acls selinux exclude-vcs",
  "exclude-caches exclude-backups exclude-vcs-ignores null verbatim-files-from occurrence=? record-size=",
  "atime-preserve=? clamp-mtime sparse-version= hole-detection= checkpoint-dots interactive multi-volume M",
  "no-auto-compress no-xattrs no-mac-metadata disable-copyfile options=",
].join(" ");

const jarOptions = [
  "c|create x|extract t|list u|update i|generate-index= d|describe-module validate f|file= C= e|main-class=",
  "m|manifest= M|no-manifest v|verbose 0|no-compress P k|keep-old-files n|normalize module-version= hash-modules=",
  "p|module-path= release= dir= date= h|help version",
].join(" ");

const code: Code = {
  /** Reads its words anew: `tar xzf a.tgz` and TAR_OPTIONS are options too. */
  tar({ call }, emit) {
    const given = parse([...fromEnvironment(call), ...traditional(call.args)], syntax(tarOptions));
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
    const listing = host === undefined ? listed(call, given, archive, emit) : undefined;
    const plan = listing && tarExtraction(call, given, archive);
    if (extracts(listing, plan, emit)) return;
    extracted(given.value("one-top-level") ?? given.value("directory") ?? literal("."), given, emit);
  },
  dumpSection({ value }, emit) {
    const at = (value?.value ?? "").indexOf("=");
    if (value && at >= 0) emit.write(cut(value, at + 1), "objcopy --dump-section");
  },
  zip({ call, given }, emit) {
    // -TT is one option of two letters, which short options cannot say.
    const at = call.args.findIndex((arg) => arg.value === "-TT");
    if (at >= 0 && call.args[at + 1]) emit.shell(call.args[at + 1]!, "zip -TT runs it");
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
  /** Named members land below the target; without names the whole tree may change. */
  unpack({ call, given, rest: [archive, ...names] }, emit) {
    if (!archive) return;
    emit.read(archive, `${call.name} reads the archive`);
    const target = given.value("d", "output-directory") ?? literal(".");
    const plan: Extraction = {
      program: call.name,
      target,
      members: names,
      keepsOld: given.has("n"),
      // Asked whether to replace a file, it takes the end of its input for a no.
      replaces: given.has("o") || call.stdin.kind !== "inherit",
      placesOf: (name) => [zipPlace(name, given.has("j"))],
    };
    if (call.name !== "unar" && extracts(emit.archive?.(archive), plan, emit)) return;
    if (names.length === 0 || names.some((name) => name.glob)) return intoFolder({ program: call.name, target }, emit);
    for (const name of names) emit.write(below(target, name), `${call.name} extracts it`);
  },
  /** Java's own zip; its options may stand in one word as tar's do. */
  jar({ call }, emit) {
    const given = parse(traditional(call.args, /[fme]/), syntax(jarOptions));
    const archive = given.value("file");
    const target = given.value("dir") ?? literal(".");
    if (given.has("create", "update")) {
      if (archive) emit.write(archive, "jar writes the archive");
      for (const manifest of given.values("manifest")) emit.read(manifest, "jar takes the manifest from it");
      return members(given, (member) => emit.read(member, "jar puts it in", { recursive: true }), "C");
    }
    if (archive) emit.read(archive, "jar reads the archive");
    if (!given.has("extract")) return;
    const plan: Extraction = {
      program: "jar",
      target,
      members: given.operands,
      keepsOld: given.has("keep-old-files"),
      replaces: true,
      placesOf: (name) => [given.has("P") ? name : zipPlace(name, false)],
    };
    if (!archive || !extracts(emit.archive?.(archive), plan, emit)) intoFolder(plan, emit);
  },
  /** Its options have their argument attached: -oDIR. */
  sevenZip({ call, given }, emit) {
    const [verb, archive, ...files] = given.operands;
    if (!archive) return;
    const outputs = call.args.flatMap((arg) => (/^-o./.test(arg.value ?? arg.prefix) ? [cut(arg, 2)] : []));
    switch (verb?.value) {
      case "x":
      case "e":
        emit.read(archive, `${call.name} reads the archive`);
        if (call.args.some((arg) => arg.value === "-so")) return;
        return sevenZipExtracts(call, verb.value === "e", archive, outputs[0], files, emit);
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

function sevenZipExtracts(
  call: Invocation,
  flat: boolean,
  archive: Arg,
  output: Arg | undefined,
  files: readonly Arg[],
  emit: Emit,
): void {
  const last = call.name.includes("rar") && files.at(-1)?.value?.endsWith("/") ? files.at(-1)! : undefined;
  const target = output ?? last ?? literal(".");
  const has = (...words: string[]) => call.args.some((arg) => words.includes(arg.value ?? ""));
  const plan: Extraction = {
    program: call.name,
    target,
    members: files,
    keepsOld: has("-aos"),
    replaces: has("-y", "-aoa") || call.stdin.kind !== "inherit",
    placesOf: (name) => [zipPlace(name, flat)],
  };
  // Of a packed tar it takes the tar alone.
  const isTar = /\.(?:t?gz|t[bx]z2?|bz2|xz|zst)$/i.test(archive.value ?? "");
  if (last || isTar || has("-spf", "-snl") || !extracts(emit.archive?.(archive), plan, emit)) intoFolder(plan, emit);
}

/** `..` and slashes in front are left out; some archives of Windows have backslashes. */
function zipPlace(name: string, flat: boolean): string {
  const parts = name.split(/[/\\]/).filter((part) => part !== "" && part !== "." && part !== "..");
  return flat ? (parts.at(-1) ?? "") : parts.join("/");
}

/** `tar xzf a.tgz`: the first word is a bundle of options; those with arguments take the next words in turn. */
function traditional(args: readonly Arg[], takesWord = /[bCfFgHIKLNsTVX]/): Arg[] {
  const [first, ...rest] = args;
  const bundle = first?.value ?? "";
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(bundle) || !/[Acdrtux]/.test(bundle)) return [...args];
  const out: Arg[] = [];
  let next = 0;
  for (const letter of bundle) {
    out.push(literal(`-${letter}`));
    if (takesWord.test(letter) && rest[next]) out.push(rest[next++]!);
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
      hazard: hazard("archive-and-run"),
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
function members(given: Parsed, each: (member: Arg) => void, folder = "directory"): void {
  let base: Arg | undefined;
  for (const item of given.order) {
    if ("option" in item) {
      if (item.option.name === folder) base = item.option.value;
      continue;
    }
    each(below(base, item.operand));
  }
}

function listed(call: Invocation, given: Parsed, archive: Arg | undefined, emit: Emit): ArchiveListing | undefined {
  const options = { ignoreZeros: given.has("ignore-zeros") };
  return archive && !isStream(archive) ? emit.archive?.(archive, options) : archiveOnInput(call, emit, options);
}

/** Where tar puts entries; undefined where its options make that unknown. */
function tarExtraction(call: Invocation, given: Parsed, archive: Arg | undefined): Extraction | undefined {
  const strip = Number(given.value("strip-components")?.value ?? 0);
  // What is left out by rules that are not followed here counts as extracted.
  const plainly = !given.has("anchored", "ignore-case");
  const excludes = given.values("exclude").filter((pattern) => plainly && !/[[\\]/.test(pattern.value ?? "["));
  const target = given.value("directory") ?? literal(".");
  if (!Number.isInteger(strip) || given.unsure) return undefined;
  if (given.has("xform", "files-from", "starting-file", "info-script", "multi-volume", "M")) return undefined;
  const top = topFolder(given, archive);
  const absolute = given.has("P", "absolute-names");
  const land = (name: string): string[] => {
    const parts = name.split("/").filter(Boolean);
    const slash = absolute && name.startsWith("/") && strip === 0 ? "/" : "";
    const rest = slash + parts.slice(strip).join("/");
    if (parts.length <= strip) return [];
    return [top && !slash && parts[strip] !== top ? `${top}/${rest}` : rest];
  };
  return {
    program: call.name,
    target,
    members: given.operands,
    excludes,
    keepsOld: given.has("keep-old-files", "skip-old-files"),
    replaces: true,
    clearsFolders: given.has("recursive-unlink"),
    placesOf(name) {
      if (absolute) return land(name);
      // GNU tar cuts the way out off, others refuse the entry; a program of the same name may follow it.
      return escapes(name) ? [...land(withoutEscape(name)), name] : land(withoutEscape(name));
    },
  };
}

/** --one-top-level names a folder, or takes the archive's own name without its endings. */
function topFolder(given: Parsed, archive: Arg | undefined): string | undefined {
  if (!given.has("one-top-level")) return undefined;
  const named = given.value("one-top-level")?.value;
  return named ?? (archive?.value ?? "").replace(/^.*\//, "").replace(/\.(?:tar(?:\.\w+)?|t[gbx]z2?|tzst)$/, "");
}

/** Named members land below the target; without names the whole tree may change. */
function extracted(target: Arg, given: Parsed, emit: Emit): void {
  const names = given.has("strip-components", "xform", "wildcards") ? [] : given.operands;
  // Whole folders go before those of the archive take their place.
  const inside: Arg = { source: target.source, prefix: `${target.value ?? target.prefix}/` };
  if (given.has("recursive-unlink")) emit.delete(inside, "tar --recursive-unlink", { recursive: true });
  if (names.length === 0) return emit.write(target, "tar extracts into it", { recursive: true, glob: true });
  for (const name of names) emit.write(below(target, name), "tar extracts it", { recursive: true });
}

export const archives = tools(
  "archives",
  `
tool tar gtar bsdtar star ustar
  options ${tarOptions}
  otherwise do tar
tool cpio
  options o|create i|extract p|pass-through F|file= I= O= D|directory= E|pattern-file=read H|format= R|owner= M|message=
    C|io-size= f|nonmatching rsh-command=shell t|list to-stdout d|make-directories m|preserve-modification-time
    u|unconditional v|verbose 0|null a A|append b B c k l L|dereference n r|rename s S V|dot absolute-filenames
    no-absolute-filenames quiet sparse force-local no-preserve-owner only-verify-crc reproducible device-independent
  --list|to-stdout : read --file|I
  --create : write --file|O
  --pass-through : write last all "copies into it"
  --extract : read --file|I, write --directory else . all "extracts"
  otherwise quiet
tool pax
  options r w f= s= x= b= o= p= a c d i k l n t u v z j E= G= T= U= B= D H L P X Y Z
  --r --w : read others tree, write last tree
  --w : write --f, read rest tree
  --r : read --f, write . all "extracts"
  otherwise read --f
tool ar gcc-ar llvm-ar
  options plugin= target= output= X= c u v S D U V a b i N f T l o P O
  --x : read 1, write 2+ else . tree "extracts it"
  --r|q : write 1, read 2+
  --d|m|s : write 1
  --t|p : read 1
  *r*|*q* : write 1, read 2+
  *d*|*m*|*s* : write 1
  *x* : read 1, write 2+ else . tree "extracts it"
  *t*|*p* : read 1
  otherwise unknown
tool ranlib
  options t D U plugin=
  otherwise write rest
tool strip
  options o= s|strip-all g|S|d|strip-debug strip-unneeded strip-dwo p|preserve-dates R|remove-section= N|strip-symbol=
    K|keep-symbol= x|discard-all X|discard-locals v|verbose w|wildcard I|input-target= O|output-target= F|target=
    only-keep-debug D U u r keep-section= keep-file-symbols M= T=
  --o : read rest, write --o
  otherwise read rest, write rest
tool objcopy
  options I|input-target= O|output-target= F|target= B|binary-architecture= R|remove-section= N|strip-symbol=
    K|keep-symbol= j|only-section= add-section= update-section= dump-section=dumpSection S|strip-all g|strip-debug x X
    v|verbose D U p add-gnu-debuglink=read only-keep-debug strip-unneeded rename-section= set-section-flags=
    change-addresses= gap-fill= pad-to= set-start= redefine-sym= prefix-symbols= prefix-sections= L|localize-symbol=
    G|keep-global-symbol= W= w globalize-symbol= srec-len= b|byte= i= interleave= compress-debug-sections=?
    decompress-debug-sections plugin=
  #2+ : read 1, write 2
  otherwise read 1, write 1
tool zip zipcloak zipnote zipsplit
  options b|temp-path= i|include= x|exclude= O|output-file= P|password= n|suffixes= s|split-size= t|from-date= tt= TT
    unzip-command=shell Z= ws ll ds= r|recurse-paths m|move d|delete T|test u|update f|freshen @ q|quiet j|junk-paths
    R|recurse-patterns y|symlinks e|encrypt 0 1 2 3 4 5 6 7 8 9 v|verbose l k A D|no-dir-entries X|no-extra
    o|latest-time g|grow F FF|fixfix c z w
  otherwise do zip
tool unzip funzip bsdunzip
  options d= x= P|password= l t z v Z p c f o n q j a b u C D K L U V W X Y M
  --l|t|z|v|Z|p|c : read first
  otherwise do unpack
tool jar
  options ${jarOptions}
  otherwise do jar
tool unar
  options o|output-directory= p|password= e|encoding= E= f|force-overwrite r|force-rename s|force-skip d|force-directory
    D|no-directory i|indexes q|quiet nr|no-recursion t|copy-time k=
  otherwise do unpack
tool 7z 7za 7zr 7zz p7zip rar unrar
  options o=? p=? m=? t=? x=? i=? w=? y s a b d e f h l n r u v
  otherwise do sevenZip
`,
  code,
);
