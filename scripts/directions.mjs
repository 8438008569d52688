// Imports point one way (DESIGN 3). Prints every import that points the wrong way and exits 1.
// The store knows no pack, the shell does no I/O, the model imports nothing.
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root, walk } from "./transpile.mjs";

/** What each room may import besides itself and the model. */
const lower = ["project", "shell", "facts", "intents", "packs", "config", "store", "engine", "runs", "trace", "sred"];
const upper = [
  ...lower,
  "hosts",
  "live",
  "person",
  "hook",
  "server",
  "health",
  "mcp",
  "report",
  "look",
  "ci",
  "statusline",
  "telemetry",
  "dashboard",
];
const may = {
  model: [],
  shell: [],
  project: [],
  store: ["project"],
  facts: ["shell", "project"],
  intents: ["project", "trace"],
  sred: ["facts", "shell", "project", "store"],
  packs: ["facts", "shell", "project", "intents", "trace", "sred"],
  runs: ["facts", "project", "store"],
  trace: ["facts", "project", "store"],
  config: ["packs", "project"],
  engine: ["facts", "project", "store", "shell"],
  report: ["config", "project"],
  telemetry: ["project", "store"],
  ci: ["config", "intents", "project", "runs", "sred", "store", "trace"],
  hosts: ["engine", "project", "config"],
  live: ["hosts"],
  look: ["engine", "facts", "packs", "config", "store", "shell", "project", "hosts"],
  person: ["engine", "project", "hook"],
  hook: [...lower, "hosts", "live"],
  server: [...lower, "hosts", "live", "person", "hook"],
  mcp: [...lower, "hosts", "live", "hook"],
  health: [...lower, "hosts", "live", "person", "hook", "server"],
  statusline: [...lower, "hosts", "hook", "health"],
  dashboard: [...lower, "hosts", "live", "hook", "health"],
  cli: upper,
  testing: upper,
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
    if (target === room || target === "model" || may[room]?.includes(target)) continue;
    if (typeOnly && target === "engine") continue;
    // A gate's context names the facts it gets: a type, not a dependency.
    if (typeOnly && to === "facts/index") continue;
    problems.push(`${from} imports ${to}`);
  }
}
for (const p of problems) console.error(`wrong direction: ${p}`);
process.exit(problems.length ? 1 : 0);
