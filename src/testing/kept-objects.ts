// Every object that the repository of kept work has of its own, inflated: what a search for kept texts must look at.
// Invariant: reads only; borrowed objects are the project's and are left out.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

/** `store`: a bare repository. Each with the file that holds it. */
export function keptObjects(store: string): [path: string, bytes: Buffer][] {
  const folder = join(store, "objects");
  if (!existsSync(folder)) return [];
  const loose = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .flatMap((name) => readdirSync(join(folder, name)).map((rest) => join(folder, name, rest)))
    .map((path): [string, Buffer] => [path, inflateSync(readFileSync(path))]);
  const packs = readdirSync(join(folder, "pack"))
    .filter((name) => name.endsWith(".pack"))
    .map((name) => join(folder, "pack", name));
  const packed = packs.flatMap((path) =>
    execFileSync("git", ["verify-pack", "-v", path], { encoding: "utf8" })
      .split("\n")
      .flatMap((line) => /^([0-9a-f]{40}) (commit|tree|blob|tag) /.exec(line) ?? [])
      .filter((part) => /^[0-9a-f]{40}$/.test(part))
      .map((id): [string, Buffer] => [
        path,
        execFileSync("git", ["--git-dir", store, "cat-file", "--batch"], { input: `${id}\n` }),
      ]),
  );
  return [...loose, ...packed];
}
