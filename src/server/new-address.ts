// Making the server's address: a port, a secret and a socket of its own, written where the next server finds them.
// Invariant: the file is its owner's alone; nothing that another user made is taken for ours.
import { createHash, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Door, doorFile, makeFolder, serverFolder } from "../hook/server-address.js";
import { replaceFile } from "../project/replace-file.js";

/** A socket's path has room for about 100 bytes; a deeper home gets a folder of its own below the temporary one. */
function socketPath(home: string): string {
  const name = createHash("sha256").update(home).digest("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\interlock-${name}`;
  const path = join(serverFolder(home), "socket");
  if (Buffer.byteLength(path) <= 100) return path;
  const folder = join(tmpdir(), `interlock-${process.getuid?.() ?? 0}-${name}`);
  return join(isAnothers(folder) ? `${folder}-${randomBytes(8).toString("hex")}` : folder, "socket");
}

/** Anybody can make a folder of that name first. */
function isAnothers(folder: string): boolean {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  return there !== undefined && (!there.isDirectory() || there.uid !== process.getuid?.());
}

/** Not written yet. The port lies below those systems hand out by themselves, so that no chance listener ever sits on a registered address. */
export const draftDoor = (home: string): Door => ({
  port: 20_000 + (randomBytes(2).readUInt16BE() % 12_000),
  token: randomBytes(32).toString("base64url"),
  socket: socketPath(home),
  idleMinutes: 0,
});

export function writeDoor(home: string, door: Door): void {
  makeFolder(serverFolder(home));
  replaceFile(doorFile(home), `${JSON.stringify(door, null, 2)}\n`, 0o600);
}
