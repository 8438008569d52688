// The signing key in the operating system's keyring instead of a file, for users who asked for it.
// Invariant: `<home>/key` then holds only the key's name; a locked or missing keyring is a fault, never a reason to
// make a new key.
import type * as ChildProcess from "node:child_process";
import { StoreFault } from "../fault.js";
import { type Io, replaceStoreFile } from "../io.js";
import type { SigningKey } from "../ledger/frame.js";
import { keyPath, nameKey, readKey } from "./signing-key.js";

/** What the key file says when the key lies elsewhere. */
export const keyringLine = /^keyring ([0-9a-f]{16})\n$/;

interface Keyring {
  look: (home: string) => [command: string, args: string[]];
  keep: (home: string, secret: string) => [command: string, args: string[], input: string];
}

const keyrings: Partial<Record<NodeJS.Platform, Keyring>> = {
  linux: {
    look: (home) => ["secret-tool", ["lookup", "service", "interlock", "home", home]],
    keep: (home, secret) => [
      "secret-tool",
      ["store", "--label=Interlock signing key", "service", "interlock", "home", home],
      secret,
    ],
  },
  darwin: {
    look: (home) => ["security", ["find-generic-password", "-s", "interlock", "-a", home, "-w"]],
    // through standard input: arguments can be read by every process of the machine
    keep: (home, secret) => [
      "security",
      ["-i"],
      `add-generic-password -U -s interlock -a ${JSON.stringify(home)} -w ${secret}\n`,
    ],
  },
};

const held = new Map<string, SigningKey>();

export function keyFromKeyring(home: string, name: string): SigningKey {
  const cached = held.get(`${home}\n${name}`);
  if (cached) return cached;
  const text = run(keyring().look(home)).trim();
  const key = /^[0-9a-f]{64}$/.test(text) ? nameKey(Buffer.from(text, "hex")) : undefined;
  if (key?.id !== name)
    throw new StoreFault(
      "key-missing",
      `The operating system's keyring does not hold the signing key ${name} of ${home}.`,
      "Unlock the keyring of this session, or put the key back from a backup; " +
        "`interlock recover --reason <text>` goes on with a new one.",
    );
  held.set(`${home}\n${name}`, key);
  return key;
}

/** Moves the key of this home from its file into the keyring; the file keeps its name. */
export function moveToKeyring(io: Io, home: string): SigningKey {
  const key = readKey(io, home);
  if (!key || key === "bad")
    throw new StoreFault("key-missing", `There is no signing key in ${home} yet.`, "Let one event be recorded first.");
  const secret = key.bytes.toString("hex");
  run(keyring().keep(home, secret));
  held.clear();
  keyFromKeyring(home, key.id);
  replaceStoreFile(io, keyPath(home), Buffer.from(`keyring ${key.id}\n`), "keyring", true);
  return key;
}

/** Back into the file. The keyring's copy stays: nobody else can use it, and a second copy is a backup. */
export function moveToFile(io: Io, home: string): SigningKey {
  const key = readKey(io, home);
  if (!key || key === "bad")
    throw new StoreFault("key-missing", `There is no signing key in ${home}.`, "Put it back from a backup.");
  replaceStoreFile(io, keyPath(home), Buffer.from(`${key.bytes.toString("hex")}\n`), "keyring", true);
  return key;
}

function keyring(): Keyring {
  const found = keyrings[process.platform];
  if (found) return found;
  throw unavailable(`Interlock knows no keyring on ${process.platform}`);
}

function run([command, args, input]: [string, string[], string?]): string {
  // loaded only here: a hook whose key lies in a file does not pay for it
  const load = (process as { getBuiltinModule?: (id: string) => typeof ChildProcess }).getBuiltinModule;
  if (!load) throw unavailable("The keyring needs Node 20.16 or newer");
  const { status, stdout, error } = load("node:child_process").spawnSync(command, args, {
    input: input ?? "",
    encoding: "utf8",
    timeout: 5_000,
    windowsHide: true,
  });
  if (status === 0) return stdout;
  throw unavailable(`${command} did not answer${error ? ` (${error.message})` : ""}`);
}

const unavailable = (why: string): StoreFault =>
  new StoreFault(
    "key-missing",
    `The operating system's keyring cannot be used: ${why}.`,
    "Unlock the keyring (Linux: install libsecret-tools for `secret-tool`), or keep the key in its file.",
  );
