// rsync and its kin: copies between trees and machines, with deletion as an option.
// Invariant: a remote side is a network effect (upload when it is the destination); --delete makes the destination a delete.

import type { Arg, ToolFamily } from "../analyze/tool.js";
import { cut, parse, syntax } from "../spec/options.js";
import { asksHelp } from "./table.js";

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

const rsync: ToolFamily = {
  names: ["rsync", "grsync", "openrsync"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "e|rsh= rsync-path= files-from= exclude-from= include-from= exclude= include= f|filter= password-file= log-file= write-batch= only-write-batch= read-batch= T|temp-dir= partial-dir= backup-dir= compare-dest= copy-dest= link-dest= suffix= B|block-size= M|remote-option= chmod= chown= bwlimit= max-size= min-size= max-delete= timeout= contimeout= port= out-format= info= debug= modify-window= compress-level= skip-compress= sockopts= address= protocol= usermap= groupmap= checksum-choice= early-input= " +
          "n|dry-run list-only r|recursive a|archive delete del|delete-during delete-before delete-after delete-delay delete-excluded delete-missing-args remove-source-files remove-sent-files R",
      ),
    );
    for (const shell of given.values("rsh")) emit.shell(shell, "rsync -e");
    for (const file of given.values("files-from", "exclude-from", "include-from", "password-file", "read-batch"))
      if (file.value !== "-") emit.read(file, "rsync takes a list from it");
    for (const file of given.values("log-file", "write-batch", "only-write-batch")) emit.write(file, "rsync writes it");
    const dry = given.has("dry-run", "list-only");
    const many = given.operands.length > 1;
    const target = many ? given.operands.at(-1) : undefined;
    const sources = many ? given.operands.slice(0, -1) : given.operands;
    const recursive = given.has("recursive", "archive") ? { recursive: true } : {};
    for (const source of sources) {
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
    const deletes = given.options.some((option) => /^del(ete.*)?$/.test(option.name));
    if (host === undefined) emit.write(target, "rsync destination", recursive);
    if (!deletes) return;
    if (host === undefined)
      emit.delete(target, "rsync --delete", {
        recursive: true,
        hazard: { class: "mass-delete", level: 2, id: "rsync-delete" },
      });
    else emit.hazard({ class: "mass-delete", level: 2, id: "rsync-delete" }, "rsync --delete on another machine");
  },
};

const cloudRemote = /^[\w.-]+:/;

const rclone: ToolFamily = {
  names: ["rclone"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "n|dry-run config= include= exclude= filter= filter-from= files-from= transfers= checkers= bwlimit= log-file= max-age= min-age= backup-dir= P i|interactive",
      ),
    );
    const [verb, ...paths] = given.operands;
    const name = verb?.value ?? "";
    const remote = (word: Arg | undefined) =>
      word !== undefined && (cloudRemote.test(word.value ?? word.prefix) || word.value === undefined);
    if (name === "config") {
      if (/^(show|dump|reveal)$/.test(paths[0]?.value ?? ""))
        emit.hazard({ class: "credential-read", level: 2, id: "rclone-config" }, "rclone shows its stored credentials");
      return;
    }
    const to = paths[1];
    if (/^(copy|copyto|sync|move|moveto|bisync|rcat)$/.test(name)) {
      const from = paths[0];
      if (name === "rcat" || (to && remote(to)))
        emit.effect({
          kind: "network",
          program: "rclone",
          host: (to ?? from)?.value,
          upload: true,
          reason: `rclone ${name}`,
        });
      else emit.effect({ kind: "network", program: "rclone", host: from?.value, reason: `rclone ${name}` });
      if (from && !remote(from)) emit.read(from, `rclone ${name} source`, { recursive: true });
      if (given.has("dry-run")) return;
      if (to && !remote(to)) emit.write(to, `rclone ${name} destination`, { recursive: true });
      if (from && !remote(from) && name.startsWith("move"))
        emit.delete(from, `rclone ${name} takes it away`, { recursive: true });
    } else emit.effect({ kind: "network", program: "rclone", host: paths[0]?.value, reason: `rclone ${name}` });
    if (given.has("dry-run")) return;
    const level = name === "purge" || name === "delete" ? 3 : 2;
    if (/^(sync|bisync|delete|deletefile|purge|rmdir|rmdirs|cleanup|dedupe)$/.test(name))
      emit.hazard({ class: "infrastructure", level, id: `rclone-${name}` }, `rclone ${name} deletes at the remote`);
  },
};

/** "file" without the part before "=" or "@": used by upload options. */
export const afterMark = (word: Arg, mark: string): Arg | undefined => {
  const at = (word.value ?? word.prefix).indexOf(mark);
  return at < 0 ? undefined : cut(word, at + mark.length);
};

export const syncTools = [rsync, rclone];
