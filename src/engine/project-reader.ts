// The project an event belongs to, read-only.
// Invariant: each file is read at most once per event, and never beyond 1 MB.
import { existsSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Project } from "../model/gate.js";
import { readBoundedText } from "../project/bounded-read.js";
import type { Repository } from "../project/identify.js";

const maxBytes = 1024 * 1024;

export function projectOf(repository: Repository): Project {
  const texts = new Map<string, string | undefined>();
  const { root, id, gitDir, commonDir } = repository;
  const at = (path: string) => resolve(root, path);
  return {
    root,
    id,
    gitDir,
    commonDir,
    read(path) {
      const full = at(path);
      if (!texts.has(full)) texts.set(full, readText(full));
      return texts.get(full);
    },
    exists(path) {
      // Not by stat: what lies below a file, or behind a ring of links, makes it throw.
      return existsSync(at(path));
    },
    list(path) {
      try {
        return readdirSync(at(path)).slice(0, 1000);
      } catch {
        // No such folder, or one that can't be read: nothing in it can be named.
        return [];
      }
    },
  };
}

function readText(path: string): string | undefined {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
    const text = readBoundedText(path, maxBytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    // Unreadable is the same as absent for a reader; gates that need proof treat absence as no proof.
    return undefined;
  }
}
