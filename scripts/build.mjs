// Builds dist/. esbuild splits the program into ESM chunks; each becomes a CommonJS function; chunks that hook calls need together are put in one file,
// where each still starts on its own; the rest are files of their own. scripts/loader.cjs, the program's entry, loads them with V8's code cache. Why so: esbuild splits ESM only, Node 20 starts
// CommonJS a quarter of its own start sooner, and compiling what a hook call runs costs it more than everything it does.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Script } from "node:vm";
import { lazyEntries, lazyIndexes } from "./lazy.mjs";
import { root } from "./transpile.mjs";

const entry = "interlock.cjs";
/** Files of several chunks, by the source they start from. Another file costs a call more than what it does not use of this one. */
const files = {
  "core.js": ["src/cli/main.ts", "src/cli/hook.ts", "src/packs/guard/index.ts", "src/packs/discipline/index.ts"],
  "shell.js": [
    "src/shell/index.ts",
    ...["files", "git", "harmless", "npm", "readers", "search", "shells", "wrappers"].map(
      (name) => `src/shell/tools/${name}.ts`,
    ),
  ],
  "languages.js": ["src/shell/languages/"],
  "tools.js": ["src/shell/tools/"],
};

export async function build(out = join(root, "dist")) {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: { interlock: join(root, "src/cli/main.ts"), ...lazyEntries() },
    plugins: [lazyIndexes(esbuild)],
    absWorkingDir: root,
    outdir: out,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    define: { INTERLOCK_VERSION: JSON.stringify(version) },
    logLevel: "error",
  });
  const chunks = new Map(outputFiles.map((file) => [basename(file.path), asFunction(file.text)]));
  const meta = new Map(Object.entries(metafile.outputs).map(([path, o]) => [basename(path), o]));
  refuseCycles(meta);
  const placed = new Map();
  const parts = new Map();
  for (const [file, sources] of Object.entries(files)) {
    const starts = [...meta].filter(([, o]) => sources.some((source) => o.entryPoint?.startsWith(source)));
    const names = [
      ...reach(
        starts.map(([name]) => name),
        meta,
      ),
    ].filter((name) => !placed.has(name));
    for (const name of names) placed.set(name, file);
    parts.set(file, link(chunks, names));
  }
  const elsewhere = [...placed].filter(([, file]) => file !== "core.js").map(([name, file]) => [`./${name}`, file]);
  parts.set("core.js", `[${parts.get("core.js")},${JSON.stringify(Object.fromEntries(elsewhere))}]`);
  for (const name of chunks.keys())
    if (!placed.has(name)) parts.set(name.replace(/\.cjs$/, ".js"), link(chunks, [name]));

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const build = createHash("sha256");
  for (const [name, code] of parts) {
    writeFileSync(join(out, name), code);
    build.update(name).update(code);
  }
  const loader = readFileSync(join(root, "scripts/loader.cjs"), "utf8").replaceAll(
    "BUILD",
    build.digest("hex").slice(0, 16),
  );
  const { outputFiles: whole } = await esbuild.build({
    stdin: { contents: loader, resolveDir: join(root, "scripts") },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    logLevel: "error",
  });
  writeFileSync(join(out, entry), `#!/usr/bin/env node\n${whole[0].text}`);
  chmodSync(join(out, entry), 0o755);
  const verifier = join(root, "scripts/verify-ledger.mjs");
  if (existsSync(verifier)) copyFileSync(verifier, join(out, "verify-ledger.mjs"));
}

/** A chunk takes what it imports when it starts: of two that import each other one would take nothing. */
function refuseCycles(meta) {
  const done = new Set();
  const visit = (name, above) => {
    if (above.includes(name)) throw new Error(`chunks import each other: ${[...above, name].join(" -> ")}`);
    if (done.has(name)) return;
    for (const i of meta.get(name).imports)
      if (i.kind === "import-statement" && !i.external) visit(basename(i.path), [...above, name]);
    done.add(name);
  };
  for (const name of meta.keys()) visit(name, []);
}

/** The chunks reached from these by static imports. */
function reach(names, meta) {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const i of meta.get(name).imports) if (i.kind === "import-statement" && !i.external) visit(basename(i.path));
  };
  names.forEach(visit);
  return seen;
}

/**
 * A chunk as esbuild writes it (imports between its modules, one list of exports last) as a function that gets `require` and fills `exports`.
 * Imports become plain variables: esbuild's own conversion makes each use of one a call of a getter, which a process that lives 30 ms feels.
 */
function asFunction(text) {
  const required = [];
  const code = text
    .replace(/^#!.*\n/, "")
    .replace(statement, (_, whole, all, names, from) => {
      required.push(variables(from, names?.split(",").filter(Boolean) ?? [], whole, all));
      return "";
    })
    .replace(/(?<=^|[;}\n])export default (?=[\w$]+\(\);\s*$)/, "exports.default=")
    .replace(/(?<=^|[;}\n])export\{([^}]*)\};\s*$/, (_, list) =>
      list.split(",").reduce((sum, one) => {
        const [own, name = own] = one.split(" as ");
        return `${sum}exports.${name}=${own};`;
      }, ""),
    )
    .replace(/\bimport\(("(?:\.\/[\w-]+\.cjs|node:[\w/]+)")\)/g, "Promise.resolve().then(()=>require($1))");
  const result = `function(require,module,exports){"use strict";${required.join("")}${code}\n}`;
  new Script(`(${result})`); // throws where a chunk is not written as esbuild used to
  return result;
}

/** import a,{b as c}from"x"; import*as d from"x"; import"x"; */
const statement =
  /(?<=^|[;}\n])import(?: ?([\w$]+)(?=,| from))?,?(?:\*as ([\w$]+))?(?:\{([^}]*)\})?(?: ?from ?)?"((?:\.\/[\w-]+\.cjs)|(?:node:[\w/]+))";/g;

/** The default of one of our chunks is a member, of one of Node's modules the module. */
function variables(from, names, whole, all) {
  const required = `require(${JSON.stringify(from)})`;
  const list = whole ? [...names, `default as ${whole}`] : names;
  if (from.startsWith("./")) {
    const members = list.map((one) => one.replace(" as ", ":"));
    return (
      (all ? `var ${all}=${required};` : "") +
      (members.length ? `var{${members}}=${required};` : all ? "" : `${required};`)
    );
  }
  const modules = list.filter((one) => one.startsWith("default as ")).map((one) => one.slice("default as ".length));
  if (all) modules.push(all);
  const members = list.filter((one) => !one.startsWith("default as ")).map((one) => one.replace(" as ", ":"));
  return [...modules, ...(members.length ? [`{${members}}`] : [])].map((one) => `var ${one}=${required};`).join("");
}

/** A table of chunks, none of them started. */
function link(chunks, names) {
  const table = names.map((name) => `${JSON.stringify(`./${name}`)}:${chunks.get(name)}`);
  return `({${table.join(",\n")}})`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) await build();
