// Imports point one way (DESIGN 3): doors -> engine, runs -> packs -> facts -> shell, files; the store knows no pack; the shell does no I/O.
// Prints every import that points the wrong way and exits 1.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root, walk } from "./transpile.mjs";

/** The vocabulary everyone may use: types and small pure functions without a layer of their own. */
const words = [
  "engine/json",
  "engine/event",
  "engine/verdict",
  "engine/gate",
  "engine/config",
  "engine/text",
  "engine/clock",
  "engine/digest",
  "engine/mutating",
  "engine/refusals",
  "config/setting",
  "config/nearest",
  "model/hazards",
];

/** What each room may import besides itself and the words. */
const may = {
  model: [],
  shell: [],
  files: [],
  store: ["files"],
  facts: ["shell", "files"],
  packs: ["facts", "shell", "files"],
  config: ["packs", "files"],
  engine: ["facts", "files", "store", "shell"],
  hosts: ["engine", "files", "config"],
  live: ["hosts"],
  doors: ["engine", "hosts", "store", "packs", "facts", "files", "config", "live"],
  server: ["doors", "engine", "hosts", "store", "packs", "facts", "files", "config", "live"],
  cli: ["doors", "engine", "hosts", "store", "packs", "facts", "files", "config", "server", "live", "shell"],
  testing: ["doors", "engine", "hosts", "store", "packs", "facts", "files", "config", "server", "live", "shell"],
};

const io = /^(?:node:)?(?:fs|child_process|net|http|https|os|worker_threads|dgram|tls)(?:\/|$)/;
const problems = [];
const src = join(root, "src");
for (const file of walk(src, (f) => f.endsWith(".ts"))) {
  const from = relative(src, file);
  if (from.endsWith(".test.ts")) continue;
  const room = from.split("/")[0];
  if (!may[room]) problems.push(`${from}: the room ${room}/ is not in scripts/directions.mjs`);
  for (const [, typeOnly, name] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\s+(type\s)?[^"';]*?from\s+"([^"]+)"/gm,
  )) {
    if (!name.startsWith(".")) {
      if (room === "shell" && io.test(name)) problems.push(`${from}: the shell does no I/O, but imports ${name}`);
      continue;
    }
    const to = relative(src, resolve(dirname(file), name)).replace(/\.js$/, "");
    const target = to.split("/")[0];
    if (target === room || words.includes(to) || may[room]?.includes(target)) continue;
    if (typeOnly && target === "engine") continue;
    // A gate's context names the facts it gets: a type, not a dependency.
    if (typeOnly && target === "facts" && to === "facts/index") continue;
    problems.push(`${from} imports ${to}`);
  }
}
for (const p of problems) console.error(`wrong direction: ${p}`);
process.exit(problems.length ? 1 : 0);
