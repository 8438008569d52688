// What reading an archive needs of the disk, injected: bytes of a file, decompression, the state of a file, a git tree.
// Invariant: types and bounds only; whoever implements them opens regular files alone and never throws.

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

/** How much of one archive is looked at. */
export const archiveBounds = {
  entries: 20_000,
  /** Looks at an uncompressed archive, a window of bytes each. */
  windows: 4_000,
  packed: 2 << 20,
  unpacked: 16 << 20,
  directory: 4 << 20,
  links: 64,
};
