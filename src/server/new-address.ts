// Makes the server's address: a port, a token and a socket, written where the next server finds them.
// Invariant: the address file belongs to its owner alone; a folder that another user made is never taken for ours.
import { createHash, randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressFile, makeFolder, type ServerAddress, serverFolder } from "../hook/server-address.js";
import { acceptsConnections } from "../hook/start-server.js";
import { replaceFile } from "../project/replace-file.js";

/** Below the ports that systems hand out by themselves, so that no chance listener sits on a registered address. */
const ports = { first: 20_000, count: 12_000 };

const digestOf = (home: string): Buffer => createHash("sha256").update(home).digest();

/** A socket path may have about 100 bytes; a deeper home gets a folder below the temporary one. */
function socketPath(home: string): string {
  const name = digestOf(home).toString("hex").slice(0, 16);
  if (process.platform === "win32") return `\\\\.\\pipe\\interlock-${name}`;
  const path = join(serverFolder(home), "socket");
  if (Buffer.byteLength(path) <= 100) return path;
  const folder = join(tmpdir(), `interlock-${process.getuid?.() ?? 0}-${name}`);
  return join(belongsToAnother(folder) ? `${folder}-${randomBytes(8).toString("hex")}` : folder, "socket");
}

/** Anybody can create a folder of that name first. */
function belongsToAnother(folder: string): boolean {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  return there !== undefined && (!there.isDirectory() || there.uid !== process.getuid?.());
}

/** A fresh address with a random port; not written yet. */
export const draftAddress = (home: string): ServerAddress => ({
  port: ports.first + (randomBytes(2).readUInt16BE() % ports.count),
  token: randomBytes(32).toString("base64url"),
  socket: socketPath(home),
  idleMinutes: 0,
});

/**
 * The address a home without one would get. Its port follows from the home, so `init --dry-run` shows the port that
 * `init` takes; a port somebody listens on is passed over. Not written yet.
 */
export async function proposeAddress(home: string): Promise<ServerAddress> {
  const start = digestOf(home).readUInt32BE() % ports.count;
  for (let i = 0; i < 20; i++) {
    const port = ports.first + ((start + i) % ports.count);
    if (!(await acceptsConnections({ port }, 0))) return { ...draftAddress(home), port };
  }
  return draftAddress(home);
}

export function writeAddress(home: string, door: ServerAddress): void {
  makeFolder(serverFolder(home));
  replaceFile(addressFile(home), `${JSON.stringify(door, null, 2)}\n`, 0o600);
}
