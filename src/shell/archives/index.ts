// Archives for the analysis, on top of a disk: a part of its own, for commands that may extract something.
// Invariant: pure over the disk it is given; reading one archive is bounded.
import type { ArchiveDisk, Archives } from "./archive-disk.js";
import { extract } from "./extract.js";
import { listArchive } from "./list-archive.js";

export const archivesOn = (disk: ArchiveDisk): Archives => ({
  stateOf: disk.stateOf,
  treeFiles: disk.treeFiles,
  extract,
  list: (path, options) =>
    disk.withBytes(path, (source) => {
      let bytes = 0;
      const read = (from: number, length: number) => {
        const piece = source.read(from, length);
        bytes += piece.length;
        return piece;
      };
      const listing = listArchive({ size: source.size, read }, disk.inflate, options);
      return listing && { listing, bytes };
    }),
});
