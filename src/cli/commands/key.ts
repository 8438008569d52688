// interlock key: shows where the signing key is, and moves it between its file and the system's keyring.

import { readFileSync } from "node:fs";
import { realIo } from "../../store/io.js";
import { moveToFile, moveToKeyring } from "../../store/key/keyring.js";
import { keyPath, readKey } from "../../store/key/signing-key.js";
import { parseOptions } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { say } from "../lib/wrap.js";

export const usage = "Usage: interlock key [--keyring | --file] [--json]\n";

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    { keyring: "flag", file: "flag", json: "flag", cwd: "text", home: "text" },
    usage,
  );
  const { store } = await openHere(values);
  const { home } = store.place;
  if ((values.keyring || values.file) && person(values.json, "script") === undefined) return 1;
  if (values.keyring) moveToKeyring(realIo, home);
  if (values.file) moveToFile(realIo, home);
  const key = readKey(realIo, home);
  const name = key && key !== "bad" ? key.id : undefined;
  const where = name && readFileSync(keyPath(home), "latin1").startsWith("keyring") ? "keyring" : "file";
  if (values.json) printJson({ key: name ?? null, where: name ? where : null });
  else if (!name) say(`No signing key in ${home} yet; the first recorded event makes one.`);
  else say(`Key ${name} lies in ${where === "keyring" ? "the operating system's keyring" : keyPath(home)}.`);
  return 0;
}
