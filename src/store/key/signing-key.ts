// The signing key: 32 random bytes in `<home>/key`, readable by its owner alone, made once.
// Invariant: a key is never made while anything signed by an earlier one is in the same home: that is tampering, not a
// first start.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { asFault } from "../fault.js";
import {
  claimName,
  closeQuietly,
  type Io,
  listDir,
  openMaking,
  readOr,
  removeIfThere,
  type Stamp,
  sameStamp,
  statOr,
  writeAll,
} from "../io.js";
import type { SigningKey } from "../ledger/frame.js";
import type { Finding } from "../types.js";
import { keyFromKeyring, keyringLine } from "./keyring.js";

export const keyPath = (home: string): string => `${home}/key`;

export const nameKey = (bytes: Buffer): SigningKey => ({
  id: createHash("sha256").update("interlock-key\n").update(bytes).digest("hex").slice(0, 16),
  bytes,
});

/** The key on disk; "bad" when the file is not a key. */
export function readKey(io: Io, home: string): SigningKey | "bad" | undefined {
  const text = readOr(io, keyPath(home))?.toString("latin1");
  if (text === undefined) return undefined;
  const elsewhere = keyringLine.exec(text)?.[1];
  if (elsewhere) return keyFromKeyring(home, elsewhere);
  return /^[0-9a-f]{64}\n$/.test(text) ? nameKey(Buffer.from(text.slice(0, 64), "hex")) : "bad";
}

export interface KnownKey {
  key: SigningKey | "bad" | undefined;
  findings: Finding[];
  stamp: Stamp | undefined;
}

/** The key and what is to be said of it; not read again while its file is the same. */
export function recallKey(io: Io, home: string, known: KnownKey | undefined): KnownKey {
  const stat = statOr(io, keyPath(home));
  if (stat && known?.stamp && sameStamp(known.stamp, stat)) return known;
  return { key: readKey(io, home), findings: keyFindings(home, stat?.mode ?? 0), stamp: stat };
}

/** A key that others may read vouches for less. */
function keyFindings(home: string, mode: number): Finding[] {
  const path = keyPath(home);
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  const what = `The signing key ${path} can be read by other users.`;
  return [{ kind: "key-exposed", level: "degraded", what, remedy: `chmod 600 ${path}` }];
}

/**
 * True when something signed is in this home but no key. Checks the key last: another process may just have made it.
 */
export function keyLost(io: Io, home: string): boolean {
  return homeUsed(io, home) && readKey(io, home) === undefined;
}

function homeUsed(io: Io, home: string): boolean {
  if (listDir(io, join(home, "marks")).length > 0) return true;
  const projects = join(home, "projects");
  return listDir(io, projects).some((id) =>
    listDir(io, join(projects, id)).some((name) => name === "ledger" || name.startsWith("state.")),
  );
}

/** Makes the key. If another process was first, its key is the key. Whole or absent: written aside, then linked. */
export function makeKey(io: Io, home: string): SigningKey {
  const path = keyPath(home);
  const bytes = randomBytes(32);
  const aside = `${path}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const fd = openMaking(io, aside, "wx");
    try {
      writeAll(io, fd, Buffer.from(`${bytes.toString("hex")}\n`), aside);
      io.fsyncSync(fd);
    } finally {
      closeQuietly(io, fd);
    }
    claimName(io, aside, path);
  } catch (error) {
    throw asFault(error, "make the key", path);
  } finally {
    removeIfThere(io, aside);
  }
  const made = readKey(io, home);
  if (made === undefined || made === "bad") throw asFault(new Error("the key vanished"), "read", path);
  return made;
}
