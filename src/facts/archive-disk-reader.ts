// The disk as the analysis of archives sees it.
// Invariant: only regular files are read, nothing is waited for, and what fails is absent.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { zlib } from "../project/node-builtins.js";
import { askGitList } from "../project/run-git.js";
import type { ArchiveEntry, Archives } from "../shell/archives/archive-disk.js";
import { archivesOn } from "../shell/archives/index.js";

export { replacedTogether } from "./replaced-files.js";

/** What archives lie there, and what they hold. */
export const archivesOnDisk: Archives = archivesOn({
  withBytes(path, use) {
    let fd: number | undefined;
    try {
      fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stat = fstatSync(fd);
      if (!stat.isFile()) return undefined;
      const file = fd;
      return use({
        size: stat.size,
        read(from, length) {
          const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - from)));
          return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
        },
      });
    } catch {
      return undefined; // absent, or not ours to read
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  },

  inflate(bytes, form, most) {
    // A beginning yields what it holds.
    const options = { maxOutputLength: most, finishFlush: zlib().constants.Z_SYNC_FLUSH };
    try {
      return form === "gzip" ? zlib().gunzipSync(bytes, options) : zlib().inflateRawSync(bytes, options);
    } catch {
      return undefined; // damaged, or more than may be held
    }
  },

  stateOf(path) {
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat && { size: stat.size, modified: stat.mtimeMs / 1000, folder: stat.isDirectory() };
    } catch {
      return undefined; // a file stands where a folder should
    }
  },

  treeFiles(folder, tree, paths) {
    if (tree.startsWith("-")) return undefined;
    const lines = askGitList(folder, ["ls-tree", "-r", "-z", tree, "--", ...paths], { ms: 1_500, maxBytes: 8 << 20 });
    return lines?.map((line): ArchiveEntry => {
      const name = line.slice(line.indexOf("\t") + 1);
      return { name, kind: line.startsWith("120000 ") ? "symlink" : "file" };
    });
  },
});
