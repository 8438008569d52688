// rsync and its kin: copies between trees and machines, with deletion as an option.
// Invariant: a remote side is a network effect (upload when it is the destination); --delete makes the destination a
// delete.
import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { cut } from "../spec/options.js";

/** "host:path", "user@host:path", "rsync://host/path"; not a Windows drive, not "./a:b". */
export function remoteHost(word: Arg): string | undefined {
  const text = word.value ?? word.prefix;
  const url = /^(?:rsync|ssh|sftp|scp):\/\/([^/]*)/.exec(text);
  if (url) return url[1];
  const match = /^((?:[^@/:\s]+@)?(?:\[[^\]]+\]|[^/:\s]+)):/.exec(text);
  if (match) return match[1];
  return word.value === undefined && /:/.test(word.source) && !text.startsWith("/") && !text.startsWith(".")
    ? word.source.split(":")[0]
    : undefined;
}

/** "file" without the part before "=" or "@": used by upload options. */
export const afterMark = (word: Arg, mark: string): Arg | undefined => {
  const at = (word.value ?? word.prefix).indexOf(mark);
  return at < 0 ? undefined : cut(word, at + mark.length);
};

const isCloudPath = (word: Arg) => word.value === undefined || /^[\w.-]+:/.test(word.value);

const code: Code = {
  rsync({ given, rest }, emit) {
    const dry = given.has("dry-run", "list-only");
    const many = rest.length > 1;
    const target = many ? rest.at(-1) : undefined;
    const recursive = given.has("recursive", "archive") ? { recursive: true } : {};
    for (const source of many ? rest.slice(0, -1) : rest) {
      const host = remoteHost(source);
      if (host !== undefined)
        emit.effect({ kind: "network", program: "rsync", host, reason: "rsync from another machine" });
      else emit.read(source, "rsync source", recursive);
      if (given.has("remove-source-files", "remove-sent-files") && host === undefined && !dry)
        emit.delete(source, "rsync --remove-source-files", { recursive: true });
    }
    if (!target) return;
    const host = remoteHost(target);
    if (host !== undefined)
      emit.effect({ kind: "network", program: "rsync", host, upload: true, reason: "rsync to another machine" });
    if (dry) return;
    if (host === undefined) emit.write(target, "rsync destination", recursive);
    if (!given.options.some((option) => /^del(ete.*)?$/.test(option.name))) return;
    if (host === undefined) emit.delete(target, "rsync --delete", { recursive: true, hazard: hazard("rsync-delete") });
    else emit.hazard(hazard("rsync-delete"), "rsync --delete on another machine");
  },
  /** rclone copies between places of this machine and of remotes ("name:path"). */
  transfer({ given, path: [verb], rest: [from, to] }, emit) {
    const upload = verb === "rcat" || (to !== undefined && isCloudPath(to));
    const host = (upload ? (to ?? from) : from)?.value;
    emit.effect({ kind: "network", program: "rclone", host, ...(upload && { upload }), reason: `rclone ${verb}` });
    if (from && !isCloudPath(from)) emit.read(from, `rclone ${verb} source`, { recursive: true });
    if (given.has("dry-run")) return;
    if (to && !isCloudPath(to)) emit.write(to, `rclone ${verb} destination`, { recursive: true });
    if (from && !isCloudPath(from) && verb?.startsWith("move"))
      emit.delete(from, `rclone ${verb} takes it away`, { recursive: true });
  },
};

export const syncTools = tools(
  "sync",
  `
tool rsync grsync openrsync
  options e|rsh=shell rsync-path= files-from=read exclude-from=read include-from=read password-file=read read-batch=read
    log-file=write write-batch=write only-write-batch=write exclude= include= f|filter= T|temp-dir= partial-dir=
    backup-dir= compare-dest= copy-dest= link-dest= suffix= B|block-size= M|remote-option= chmod= chown= bwlimit=
    max-size= min-size= max-delete= timeout= contimeout= port= out-format= info= debug= modify-window= compress-level=
    skip-compress= sockopts= address= protocol= usermap= groupmap= checksum-choice= early-input= log-file-format= iconv=
    stop-after= stop-at= n|dry-run list-only r|recursive a|archive delete del|delete-during delete-before delete-after
    delete-delay delete-excluded delete-missing-args remove-source-files remove-sent-files R|relative v|verbose q|quiet
    c|checksum z|compress P|partial progress h|human-readable u|update l|links L|copy-links k K H|hard-links p|perms E
    o|owner g|group D|devices t|times O J S|sparse W|whole-file x|one-file-system b|backup i|itemize-changes stats
    C|cvs-exclude F y|fuzzy m|prune-empty-dirs ignore-existing existing ignore-errors force inplace append append-verify
    numeric-ids safe-links copy-unsafe-links A X U N mkpath size-only d|dirs I|ignore-times 0|from0 s|secluded-args 4 6
    8 no-perms no-owner no-group no-times super fake-super
  otherwise do rsync
tool rclone
  options config= include= exclude= filter= filter-from=read files-from=read include-from=read exclude-from=read
    transfers= checkers= bwlimit= log-file=write log-level= max-age= min-age= max-size= min-size= max-depth= backup-dir=
    compare-dest= copy-dest= stats= retries= low-level-retries= timeout= contimeout= tpslimit= buffer-size=
    password-command=shell n|dry-run P|progress i|interactive v|verbose q|quiet c|checksum u|update fast-list recursive
    R ignore-existing size-only immutable drive-shared-with-me vfs-cache-mode= daemon addr= user= pass= max-delete=
    max-transfer= cutoff-mode= order-by= delete-excluded delete-after delete-before delete-during track-renames
    no-traverse metadata M l links L copy-links
  config show|dump|reveal : !rclone-config
  config|version|listremotes|obscure|completion|genautocomplete|selfupdate : quiet
  sync|bisync !--dry-run : do transfer, !remote-storage-delete({path})
  copy|copyto|move|moveto|rcat|sync|bisync : do transfer
  delete|purge !--dry-run : network first, !remote-storage-delete-all({path})
  deletefile|rmdir|rmdirs|cleanup|dedupe !--dry-run : network first, !remote-storage-delete({path})
  delete|purge|deletefile|rmdir|rmdirs|cleanup|dedupe : network first
  ls|lsl|lsd|lsf|lsjson|size|check|cryptcheck|checksum|cat|tree|md5sum|sha1sum|hashsum|about|link|mkdir|touch : network
    first
  backend|mount|serve|ncdu|test|settier|copyurl|archive|cryptdecode|gitannex|rc|rcd|nfsmount : network first
  otherwise unknown
`,
  code,
);
