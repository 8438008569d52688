// Loads what a hook runs with V8's code cache, because compiling it takes longer than answering a hook. Node 20 has no
// `module.enableCompileCache()`. Invariant: a missing, stale or unwritable cache costs nothing but time: V8 rejects
// a cache made by another version or from another source, and the file's name holds a hash of the build.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { Script } from "node:vm";

/** Set by scripts/build.mjs. */
declare const BUILD_HASH: string;

/** Tools whose calls run functions that others don't. */
const toolKinds: Record<string, string> = { Bash: "shell", Write: "file", Edit: "file", NotebookEdit: "file" };

/** Names the cache for this kind of hook call: calls of one kind run the same functions. Only speed depends on it. */
export function cacheKind(argv: readonly string[], input: Buffer | undefined): string {
  const at = argv.indexOf("--event");
  const event = (at > 0 && argv[at + 1]) || "";
  const name = /^[A-Za-z]{1,40}$/.test(event) ? event : "other";
  // The host writes the tool's name before its input.
  const tool = /"tool_name":\s*"(\w+)"/.exec(input?.toString("latin1", 0, 4096) ?? "")?.[1] ?? "";
  return Object.hasOwn(toolKinds, tool) ? `${name}-${toolKinds[tool]}` : name;
}

/** Loads dist/hook.cjs or another program, and the parts it asks for. */
export function loadWithCodeCache(home: string, kind: string, program = "hook.cjs"): unknown {
  // Node maps stack traces to the source only for modules it loads itself.
  if ((process as { sourceMapsEnabled?: boolean }).sourceMapsEnabled) return require(`./${program}`);
  const cached: NodeJS.Require = Object.assign(
    (id: string) => (id.startsWith("./") ? loadPart(id.slice(2), home, kind, cached) : require(id)),
    require,
  );
  return loadPart(program, home, kind, cached);
}

const loaded = new Map<string, { exports: object }>();

function loadPart(name: string, home: string, kind: string, requires: NodeJS.Require): unknown {
  const known = loaded.get(name);
  if (known) return known.exports;
  const file = `${__dirname}/${name}`;
  const folder = `${home}/cache`;
  const cache = `${folder}/${BUILD_HASH}-${process.platform}-${process.arch}-${process.version}-${name}-${kind}`;
  const cachedData = cacheIn(cache);
  const source = `(function(exports,require,module){${readFileSync(file, "utf8")}\n})`;
  const script = new Script(source, { filename: file, cachedData });
  // The first event ever has no key yet. It also compiles the configuration, which later events don't.
  if ((!cachedData || script.cachedDataRejected) && existsSync(`${home}/key`))
    process.on("exit", () => save(script, folder, cache));
  const module = { exports: {} };
  loaded.set(name, module);
  script.runInThisContext()(module.exports, requires, module);
  return module.exports;
}

/** Undefined where there is none, or none that can be read: a hook works without. */
function cacheIn(file: string): Buffer | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the functions compiled so far, and removes the caches of other builds. */
function save(script: Script, folder: string, cache: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder))
      if (!name.startsWith(BUILD_HASH)) rmSync(`${folder}/${name}`, { recursive: true, force: true });
    const draft = `${cache}.${process.pid}`;
    writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: "wx" });
    renameSync(draft, cache);
  } catch {
    // A folder that can't be written: the next call compiles again.
  }
}
