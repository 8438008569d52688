// The property names only the shell parser's own code uses, for esbuild to shorten: an eighth of the parser's text.
// Invariant: a name that is part of its public types, stands in a text, belongs to the language or occurs anywhere else in what is bundled is left alone.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, walk } from "./transpile.mjs";

const parser = join(root, "node_modules/unbash/dist");
const others = ["valibot", "yaml", "re2js", "picomatch"].map((name) => join(root, "node_modules", name));
const builtins = [
  Object,
  Array,
  String,
  Map,
  Set,
  WeakMap,
  RegExp,
  Number,
  Symbol,
  Math,
  JSON,
  Promise,
  Error,
  Reflect,
];

/** A pattern that matches exactly these names. */
export function privateNames() {
  const texts = readdirSync(parser).filter((file) => file.endsWith(".js"));
  const text = texts.map((file) => readFileSync(join(parser, file), "utf8")).join("\n");
  const taken = new Set([
    ...wordsOf(readFileSync(join(parser, "types.d.ts"), "utf8")),
    ...[...text.matchAll(/["'`]([\w$]+)["'`]/g)].map(([, word]) => word),
    ...[...builtins, ...builtins.map((one) => one.prototype ?? {}), globalThis].flatMap(Object.getOwnPropertyNames),
  ]);
  for (const folder of [join(root, "src"), ...others])
    for (const file of walk(folder, (path) => /\.[mc]?[jt]s$/.test(path)))
      for (const word of wordsOf(readFileSync(file, "utf8"))) taken.add(word);
  const names = new Set([...text.matchAll(/\.([A-Za-z_$][\w$]{2,})/g)].map(([, name]) => name));
  const own = [...names].filter((name) => !taken.has(name));
  if (!own.length) throw new Error("node_modules/unbash: none of its names is its own; has its layout changed?");
  return new RegExp(`^(?:${own.map((name) => name.replaceAll("$", "\\$")).join("|")})$`);
}

const wordsOf = (text) => text.match(/[\w$]+/g) ?? [];
