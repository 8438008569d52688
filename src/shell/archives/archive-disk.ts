// What archives need of the disk, and what the analysis asks of archives: both are injected.
// Invariant: types and bounds only; whoever implements the disk opens regular files alone and never throws.
import type { Arg, Emit } from "../analyze/tool.js";

/** Bytes of an archive, by their place in it. */
export interface ByteSource {
  readonly size: number;
  /** Fewer bytes than asked for where the file ends. */
  read(from: number, length: number): Uint8Array;
}

export interface FileState {
  size: number;
  /** Seconds since 1970. */
  modified: number;
  folder: boolean;
}

export interface ArchiveDisk {
  /** Calls `use` with the file's bytes; undefined where there is no regular file that may be read. */
  withBytes<T>(path: string, use: (source: ByteSource) => T): T | undefined;
  /** As much as these bytes yield; undefined where they are damaged or yield more than `most` bytes. */
  inflate(bytes: Uint8Array, form: "gzip" | "raw", most: number): Uint8Array | undefined;
  /** The file, folder or link at a path; undefined where there is nothing. */
  stateOf(path: string): FileState | undefined;
  /** The files `git archive` would put in; undefined where git does not say. */
  treeFiles(folder: string, tree: string, paths: readonly string[]): readonly ArchiveEntry[] | undefined;
}

export interface ArchiveEntry {
  /** As the archive names it. */
  name: string;
  kind: "file" | "folder" | "symlink" | "hardlink";
  /** Where a link leads, as the archive says. */
  link?: string;
  size?: number;
  /** Seconds since 1970. */
  modified?: number;
}

export interface ArchiveListing {
  entries: readonly ArchiveEntry[];
  /** Why there may be more than these entries; undefined when they are all. */
  unlisted?: string;
}

export interface Extraction {
  program: string;
  /** The folder entries go to. */
  target: Arg;
  /** Names or patterns of the entries that are extracted; without them all are. */
  members?: readonly Arg[];
  /** Patterns of entries that are not, by a whole path or the end of one. */
  excludes?: readonly Arg[];
  /** Where an entry lands, relative to the target or absolute; none when it is left out. */
  placesOf(name: string): readonly string[];
  /** Files that exist stay as they are. */
  keepsOld?: boolean;
  /** Files that exist are replaced without a question. */
  replaces?: boolean;
  /** Folders in the way of an entry are removed with all they hold. */
  clearsFolders?: boolean;
}

/** What the analysis asks of archives; a part of its own, loaded for commands that may extract something. */
export interface Archives extends Pick<ArchiveDisk, "stateOf" | "treeFiles"> {
  /** With the number of bytes that were read for it; undefined where there is no archive. */
  list(path: string, options?: { ignoreZeros?: boolean }): { listing: ArchiveListing; bytes: number } | undefined;
  /** Emits what comes out of it; false where that can't be said entry by entry. */
  extract(listing: ArchiveListing, extraction: Extraction, emit: Emit): boolean;
}

/** How much of one archive is looked at. */
export const archiveBounds = {
  entries: 20_000,
  /** Looks at an uncompressed archive, a window of bytes each. */
  windows: 4_000,
  packed: 4 << 20,
  unpacked: 32 << 20,
  directory: 4 << 20,
  links: 64,
};
