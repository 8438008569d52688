"use strict";
// The program's entry: loads the parts of dist/ with V8's code cache, kept in Interlock's own folder per build and Node version.
// A missing, foreign or unwritable cache costs time and nothing else: V8 rejects what was not made by this very version from this very source.
const fs = require("node:fs");
const vm = require("node:vm");
process.getBuiltinModule ??= require;
const { platform, arch, version, argv, env } = process;
const named = argv.indexOf("--home");
const home =
  (named > 0 && argv[named + 1]) ||
  env.INTERLOCK_HOME ||
  `${env.XDG_STATE_HOME || `${env.HOME || env.USERPROFILE || "."}/.local/state`}/interlock`;
// A hook asks the running server before anything of the rest is read.
const { asked, sortOf } = require("../src/doors/caller.ts");
if (asked(argv.slice(2), env, home)) process.exit(0);
const folder = `${home}/cache`;
// Each sort of call has its own: reading code that only others run would cost it more than the space does.
const sort = sortOf(argv.slice(2));
const cacheOf = (part) => `${folder}/BUILD-${platform}-${arch}-${version}-${sort}-${part}`;
const scripts = new Map();
let stale = false;
/** Before the first event ever there is no key; what that one runs is not what all others run, so its code is not kept. */
let key;
const used = () => (key ??= fs.existsSync(`${home}/key`));

function load(part) {
  let cachedData;
  try {
    cachedData = fs.readFileSync(cacheOf(part));
  } catch {
    stale ||= used();
  }
  const filename = `${__dirname}/${part}`;
  const script = new vm.Script(fs.readFileSync(filename, "utf8"), { filename, cachedData });
  if (script.cachedDataRejected) stale = true;
  scripts.set(part, script);
  return script.runInThisContext();
}

const [chunks, parts] = load("core.js");
const modules = {};
const get = (name) => {
  const known = modules[name];
  if (known) return known.exports;
  if (name[0] !== ".") return require(name);
  if (!chunks[name]) Object.assign(chunks, load(parts[name] || `${name.slice(2, -4)}.js`));
  const module = (modules[name] = { exports: {} });
  chunks[name](get, module, module.exports);
  return module.exports;
};

/** Writes the code compiled so far, for the next start. Only where Interlock's folder is there already. */
const save = () => {
  if (!fs.existsSync(home)) return;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const old of fs.readdirSync(folder))
      if (!old.startsWith("BUILD-")) fs.rmSync(`${folder}/${old}`, { force: true });
    for (const [part, script] of scripts) {
      const aside = `${cacheOf(part)}.${process.pid}`;
      fs.writeFileSync(aside, script.createCachedData(), { mode: 0o600, flag: "wx" });
      fs.renameSync(aside, cacheOf(part));
    }
  } catch {
    // A read-only folder: the next start compiles again.
  }
};
globalThis[Symbol.for("interlock.saveCode")] = save;
/** Reads all that may be asked for later without waiting. For a process that stays: the files may be another version's by then. */
globalThis[Symbol.for("interlock.loadCode")] = () => {
  for (const part of new Set(Object.values(parts))) if (!scripts.has(part)) Object.assign(chunks, load(part));
};
process.on("exit", () => stale && argv[2] === "hook" && save());
get("./interlock.cjs");
