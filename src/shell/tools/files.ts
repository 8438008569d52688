// Programs that make, copy, move, link and remove files.
// Invariant: sources and destinations keep their roles in every spelling (-t dir, -T, last operand, options after
// operands).
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { landing, placedIn, type Transfer, transferOf } from "../spec/landing.js";
import { cut, isStream, literal, type Parsed } from "../spec/options.js";

/** Options of cp, mv, ln and install. */
const common = `t|target-directory= S|suffix= backup=? f|force i|interactive v|verbose u|update=? T|no-target-directory
    Z|context=? strip-trailing-slashes debug`;

/** A file of settings outside of what is served or shared. */
const settingsFile =
  /^(?!.*(?:^|\/)(?:public|static|dist|www|htdocs|tmp|srv|mnt|media|Volumes)\/)(?:.*\/)?\.env(?:\.[\w.-]+)?$/;

/** `mv notes.md notes.old.md`: one file gets another name where it lies. */
function isRename(transfer: ReturnType<typeof transferOf>, emit: Emit): boolean {
  const [source, ...more] = transfer.sources.map((word) => (word.glob ? undefined : emit.resolve(word)));
  const target = transfer.target && emit.resolve(transfer.target);
  if (source === undefined || target === undefined || more.length || !/[^/]\.\w{1,6}$/.test(source)) return false;
  const folder = (path: string) => path.slice(0, path.lastIndexOf("/"));
  return folder(source) === folder(target) && /\.\w{1,8}$/.test(target);
}

/** What takes the place of a file, unless an option keeps the old one. */
function copyOf(given: Parsed, { sources }: Transfer, at: number, emit: Emit): { copyOf?: string } {
  const source = sources[at];
  if (!source || source.glob || given.has("no-clobber", "interactive", "backup", "b", "suffix", "exchange")) return {};
  const path = emit.resolve(source);
  if (path === undefined) return {};
  return { copyOf: /\/\.$|^\.$/.test(source.value ?? "") ? `${path}/.` : path };
}

const code: Code = {
  move({ given, rest }, emit) {
    const transfer = transferOf(given, rest);
    const destroys = transfer.target?.value === "/dev/null";
    for (const source of transfer.sources) {
      emit.read(source, "mv source");
      if (destroys)
        emit.delete(source, "mv to /dev/null destroys it", { recursive: true, hazard: hazard("mv-to-null") });
      else
        emit.delete(source, "mv takes it away", {
          recursive: true,
          how: "move",
          ...(isRename(transfer, emit) && { beside: true }),
        });
    }
    if (destroys) return;
    for (const [at, path] of landing(transfer).entries())
      emit.write(path, "mv destination", { recursive: true, ...copyOf(given, transfer, at, emit) });
  },
  linkOver({ given, rest }, emit) {
    const transfer = transferOf(given, rest);
    for (const [at, path] of landing(transfer).entries())
      emit.write(path, "ln -f destination", copyOf(given, transfer, at, emit));
  },
  copyTree({ call, given, rest }, emit) {
    const transfer = transferOf(given, rest);
    for (const source of transfer.sources) emit.read(source, `${call.name} source`, { recursive: true });
    for (const [at, path] of landing(transfer).entries())
      emit.write(path, `${call.name} destination`, { recursive: true, ...copyOf(given, transfer, at, emit) });
  },
  /** A copy of nothing empties the file. */
  copy({ call, given, rest }, emit) {
    const transfer = transferOf(given, rest);
    const empties = transfer.sources.some((source) => source.value === "/dev/null");
    const targets = landing(transfer);
    // The copy has such a name again, so that whoever wants to see it is refused there.
    const kept = targets.length > 0 && targets.every(({ value }) => settingsFile.test(value ?? ""));
    for (const source of transfer.sources) {
      const hidden = kept && settingsFile.test(source.value ?? "");
      emit.read(source, `${call.name} source`, hidden ? { how: "use" } : {});
    }
    for (const [at, path] of targets.entries())
      emit.write(path, `${call.name} destination`, empties ? { how: "truncate" } : copyOf(given, transfer, at, emit));
  },
  /** Overwritten on purpose, so that nothing can bring it back; what lies in /tmp was never kept. */
  shred({ call, given }, emit) {
    const recursive = call.name === "wipe" && given.has("r", "R") ? { recursive: true } : {};
    for (const target of given.operands) {
      if (/^\/dev\/(?!null|shm)/.test(target.value ?? "")) {
        emit.write(target, `${call.name} overwrites a device`, { hazard: hazard("device-overwrite") });
        continue;
      }
      const passing = /^\/(tmp|var\/tmp|dev\/shm)\//.test(emit.resolve(target) ?? "");
      emit.delete(target, `${call.name} destroys the content`, {
        ...recursive,
        ...(!passing && { hazard: hazard("shred") }),
      });
    }
  },
  npkill({ given }, emit) {
    const place = given.value("directory") ?? literal(".");
    const target = given.value("target")?.value ?? "node_modules";
    const outside = /^(\/|~|\.\.)/.test(place.value ?? "/");
    const found: Arg = { ...literal(`${place.value ?? ""}/**/${target}`), source: place.source, glob: true };
    const grave = { hazard: hazard("delete-outside-project") };
    emit.delete(found, "npkill deletes every such folder", { recursive: true, ...(outside && grave) });
  },
  /** Without input, what is left of the files is nothing. */
  tee({ call, rest }, emit) {
    const { stdin } = call;
    const nothing =
      stdin.kind === "file" ? stdin.path.value === "/dev/null" : stdin.kind === "text" && stdin.text.trim() === "";
    for (const file of rest) emit.write(file, "tee writes it", nothing ? { how: "truncate" } : {});
  },
  /** PREFIXaa, PREFIXab, ... are written. */
  parts({ call, given }, emit) {
    const [source, second] = given.operands;
    const prefix = call.name.endsWith("csplit") ? (given.value("prefix") ?? literal("xx")) : (second ?? literal("x"));
    if (source && !isStream(source)) emit.read(source, `${call.name} input`);
    if (given.has("filter")) return;
    const value = prefix.value === undefined ? undefined : `${prefix.value}*`;
    emit.write({ ...prefix, value, glob: true }, `${call.name} output`, { glob: true });
  },
  mktemp({ given }, emit) {
    const template = given.operands[0];
    const directory = given.value("p", "tmpdir") ?? literal("/tmp");
    const inTemp = !template || given.has("t", "p", "tmpdir");
    const place = inTemp ? placedIn(directory, { value: template?.value ?? "tmp.XXXXXXXXXX" }) : template;
    emit.write(place, "mktemp makes it");
  },
  /** Perl's rename takes an expression, the other takes two strings; both move the files named. */
  rename({ call, given }, emit) {
    const files = given.has("e") ? given.operands : given.operands.slice(1);
    for (const file of files) emit.write(file, `${call.name} renames it`);
    if (files.length === 0) emit.unknown(`${call.name} takes its files from elsewhere`);
  },
  /** if=FILE of=FILE: words instead of options. */
  dd({ call }, emit) {
    const empties = call.args.some((arg) => /^if=\/dev\/(?:null|zero|u?random)$/.test(arg.value ?? ""));
    for (const arg of call.args) {
      const [, key] = /^(if|of|ofs|wipe)=/.exec(arg.value ?? arg.prefix) ?? [];
      const file: Arg | undefined = key ? cut(arg, key.length + 1) : undefined;
      if (!file || isStream(file)) continue;
      if (key === "if") emit.read(file, `${call.name} if=`);
      else {
        // Images and files of random bytes are made this way.
        const image = /\.(?:img|bin|iso|raw|dat|swap|qcow2)$|(?:^|\/)swapfile$/.test(file.value ?? "");
        const device = /^\/dev\/(?!null|zero|stdout|stderr|tty|fd\/|shm\/)/.test(file.value ?? file.prefix);
        emit.write(file, `${call.name} of=`, {
          ...(device && { hazard: hazard("dd-device") }),
          ...(empties && !device && !image && { how: "truncate" as const }),
        });
      }
    }
  },
};

export const files = tools(
  "files",
  `
tool cp gcp ditto xcp copy
  options ${common} r|R|recursive a|archive no-preserve= preserve=? reflink=? sparse= p d c X l|link s|symbolic-link
    n|no-clobber x|one-file-system H L|dereference P|no-dereference attributes-only parents b arch= norsrc noextattr
    noqtn
  #1 !--target-directory : read rest
  --recursive|archive or @ditto : do copyTree
  otherwise do copy
tool mv gmv
  options ${common} exchange h n|no-clobber b no-copy
  otherwise do move
# A link is another name of its source: whatever the link shows, the source shows.
tool ln gln link
  options ${common} s|symbolic r|relative h n|no-dereference L|logical P|physical d|directory F w b
  --force : read sources link "makes another name for it", do linkOver
  otherwise read sources link "makes another name for it", write landing
tool install ginstall
  options t|target-directory= S|suffix= backup=? d|directory D m|mode= o|owner= g|group= strip-program=program context=?
    c C p s v b T|no-target-directory Z preserve-context compare
  --directory : write rest
  otherwise do copy
tool rm grm srm
  options r|R|recursive f|force d|dir i I interactive=? no-preserve-root preserve-root=? one-file-system v|verbose P W x
    s m z
  #0 ~? : unknown "an unresolved word may be what it removes"
  --recursive : delete rest tree
  otherwise delete rest
tool rimraf del-cli
  options g|glob no-glob f|force preserve-root no-preserve-root impl= tmp= max-retries= retry-delay= backoff= i v
  dry dry-run
  otherwise delete rest tree
# Every folder of that name below a place.
tool npkill
  options d|directory= t|target= D|delete-all y x|exclude-hidden-directories E|exclude= e|hide-errors gb s|sort=
    c|bg-color= f|full nu|no-check-update p|profiles=?
  dry dry-run
  --delete-all : do npkill
  otherwise read . tree
# What is in the trash can be taken out again.
tool trash trash-put rmtrash rip
  options r|R|recursive f|force d|directory i interactive=? v|verbose graveyard= u|unbury=? s|seance inspect trash-dir=
    l e y F
  --l|seance|unbury : quiet
  @rip : delete rest trash
  otherwise delete rest tree trash
tool shred gshred wipe scrub
  options n|iterations= s|size= random-source= u remove=? z|zero r R f|force v|verbose x|exact p= b= d|dirent= D= S X q
    Q=
  otherwise do shred
tool tee gtee sponge
  options a|append i|ignore-interrupts p output-error=?
  --append : write rest append
  < : do tee
  otherwise write rest
tool pee
  options ignore-sigpipe no-ignore-sigpipe ignore-write-errors no-ignore-write-errors
  otherwise shell rest
tool touch gtouch
  options r|reference= d|date= t= time= A= a c|no-create m f h|no-dereference
  otherwise write rest
tool mkdir gmkdir md
  options m|mode= context=? p|parents v|verbose Z
  otherwise write rest
tool mkfifo mknod
  options m|mode= Z context=?
  otherwise write first
tool rmdir unlink grmdir
  options p|parents v|verbose ignore-fail-on-non-empty
  otherwise delete rest
tool truncate gtruncate
  options s|size= r|reference= c|no-create o|io-blocks
  otherwise write rest truncate
tool fallocate
  options l|length= o|offset= c|collapse-range d|dig-holes i|insert-range n|keep-size p|punch-hole v|verbose x|posix
    z|zero-range
  otherwise write rest
tool mkisofs genisoimage
  style one-dash
  options o|output=write V|volid= A= P= p= b|eltorito-boot= c|eltorito-catalog= m|exclude= x= graft-points iso-level=
    boot-load-size= J|joliet R|rock r|rational-rock l f|follow-links v|verbose quiet no-emul-boot boot-info-table udf T
    input-charset=
  otherwise read rest tree
tool dos2unix unix2dos mac2unix
  options c|convmode= i|info=? k|keepdate n|newfile o|oldfile q|quiet f|force s|safe b|keep-bom m|add-bom r|remove-bom
    O|to-stdout
  --info|to-stdout : read rest
  --newfile : read others, write last
  otherwise write rest
tool rename.ul
  options v|verbose s|symlink a|all l|last o|no-overwrite i|interactive
  dry n|no-act
  otherwise write 3+
tool split gsplit
  options a|suffix-length= b|bytes= C|line-bytes= l|lines= n|number= t|separator= additional-suffix= filter=shell d x e
    numeric-suffixes=? hex-suffixes=? elide-empty-files u|unbuffered verbose
  otherwise do parts
tool csplit gcsplit
  options b|suffix-format= f|prefix= n|digits= k|keep-files s|q|quiet|silent z|elide-empty-files suppress-matched
  otherwise do parts
tool mktemp gmktemp
  options d|directory t p= tmpdir=? suffix= q|quiet
  dry u|dry-run
  otherwise do mktemp
tool rename prename file-rename mmv qmv vidir
  options e= f|force v|verbose i|interactive d 0|null
  dry n|nono|no-act|dry-run
  otherwise do rename
tool dd gdd dcfldd dc3dd
  otherwise do dd
`,
  code,
);
