// Builds dist/. esbuild splits the program into ESM chunks; each becomes a CommonJS function; chunks that hook calls need together are put in one file,
// where each still starts on its own; the rest are files of their own. scripts/loader.cjs, the program's entry, loads them with V8's code cache. Why so: esbuild splits ESM only, Node 20 starts
// CommonJS a quarter of its own start sooner, and compiling what a hook call runs costs it more than everything it does.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Script } from "node:vm";
import { lateEntries, lateModules } from "./late.mjs";
import { lazyEntries, lazyIndexes, packGroups, requireLater } from "./lazy.mjs";
import { privateNames } from "./private-names.mjs";
import { root } from "./transpile.mjs";

const entry = "interlock.cjs";
/** Files of several chunks, by the sources they start from (a folder ends in "/"). Another file costs a call more than what it does not use of this one. */
const filesOf = (groups) => {
  const listeners = (pack, ...when) =>
    groups.filter((g) => g.pack === pack && when.includes(g.when)).map((g) => `pack:${g.name}`);
  return {
    "core.js": [
      "src/cli/main.ts",
      "src/cli/hook.ts",
      ...["guard", "discipline"].flatMap((pack) => [
        `src/packs/${pack}/index.ts`,
        ...listeners(pack, "before", "program"),
      ]),
    ],
    "after.js": ["late:late-outcome", ...["guard", "discipline"].flatMap((pack) => listeners(pack, "other"))],
    "prompt.js": ["src/facts/prompt.ts"],
    "outcome.js": ["src/facts/outcome.ts"],
    "lifecycle.js": ["src/packs/lifecycle/index.ts", ...listeners("lifecycle", "before", "program", "other")],
    "shell.js": ["src/shell/index.ts", ...toolsOf("readers", "harmless")],
    "git.js": toolsOf("git"),
    "search.js": toolsOf("search"),
    "files.js": toolsOf("files"),
    "npm.js": toolsOf("npm"),
    "wrappers.js": toolsOf("wrappers", "shells"),
    "record.js": ["late:late-record"],
    "syntax.js": ["late:late-syntax"],
    "builtins.js": ["late:late-builtins"],
    "places.js": ["late:late-places"],
    "work.js": ["late:late-work"],
    "git-changes.js": ["late:late-git"],
    "claims.js": ["claims:claims"],
    "languages.js": ["src/shell/languages/"],
    "tools.js": ["src/shell/tools/"],
  };
};
/** What always starts together, by the sources it starts from. */
const together = {
  "core.cjs": ["src/cli/main.ts", "src/cli/hook.ts", "src/packs/guard/index.ts", "src/packs/discipline/index.ts"],
  "shell.cjs": ["src/shell/index.ts"],
};
const smallEsm = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  minify: true,
  legalComments: "none",
  logLevel: "error",
};
const toolsOf = (...names) => names.map((name) => `src/shell/tools/${name}.ts`);
const startsFrom = (source, entryPoint) =>
  source.endsWith("/") ? entryPoint?.startsWith(source) : entryPoint === source;

export async function build(out = join(root, "dist")) {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const define = { INTERLOCK_VERSION: JSON.stringify(version) };
  const groups = await packGroups(esbuild, define);
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: { interlock: join(root, "src/cli/main.ts"), ...lazyEntries(groups), ...lateEntries() },
    plugins: [await lateModules(esbuild, define), lazyIndexes(esbuild, groups)],
    absWorkingDir: root,
    outdir: out,
    ...smallEsm,
    splitting: true,
    write: false,
    metafile: true,
    outExtension: { ".js": ".cjs" },
    chunkNames: "[name]-[hash]",
    define,
    mangleProps: privateNames(),
  });
  const meta = new Map(Object.entries(metafile.outputs).map(([path, o]) => [basename(path), o]));
  const texts = new Map(outputFiles.map((file) => [basename(file.path), file.text]));
  const fused = await fuse(esbuild, texts, meta);
  const chunks = new Map([...texts].map(([name, text]) => [name, asFunction(text, fused)]));
  for (const [name, into] of fused) if (meta.has(name)) chunks.set(name, standIn(into, meta.get(name).exports));
  refuseCycles(meta);
  const placed = new Map();
  const parts = new Map();
  for (const [file, sources] of Object.entries(filesOf(groups))) {
    const starts = [...meta].filter(([, o]) => sources.some((source) => startsFrom(source, o.entryPoint)));
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

/**
 * Chunks that always start together become one: every border between chunks is code that runs at each start.
 * Returns where what they exported is found now: chunk -> { name, suffix } of the one it went into.
 */
async function fuse(esbuild, texts, meta) {
  const fused = new Map();
  for (const [name, sources] of Object.entries(together)) {
    const starts = [...meta].filter(([, o]) => sources.includes(o.entryPoint)).map(([start]) => start);
    const members = [...reach(starts, meta)].filter((member) => texts.has(member));
    for (const [i, member] of members.entries()) fused.set(member, { name, suffix: `$${i}` });
    const wanted = wantedFrom(members, texts, meta);
    const { outputFiles } = await esbuild.build({
      stdin: { contents: members.map((member) => reexport(member, wanted.get(member), fused)).join("\n") },
      plugins: [fromMemory(texts, members)],
      ...smallEsm,
      write: false,
    });
    const outside = members.flatMap((m) => meta.get(m).imports.filter((i) => !members.includes(basename(i.path))));
    meta.set(name, { imports: outside });
    for (const member of members) texts.delete(member);
    texts.set(name, outputFiles[0].text);
  }
  for (const [name, o] of meta) {
    if (texts.has(name)) o.imports = o.imports.map((i) => (i.kind === "import-statement" ? moved(i, fused) : i));
    else if (o.entryPoint) o.imports = [moved({ path: name, kind: "import-statement" }, fused)];
    else meta.delete(name);
  }
  return fused;
}

const moved = (i, fused) => ({ ...i, path: fused.get(basename(i.path))?.name ?? i.path });

/** What others take from these chunks by name; all of one that is asked for on demand. */
function wantedFrom(members, texts, meta) {
  const wanted = new Map(members.map((m) => [m, new Set(meta.get(m).entryPoint ? meta.get(m).exports : [])]));
  for (const [name, text] of texts) {
    if (members.includes(name)) continue;
    for (const [, whole, , names, from] of text.matchAll(statement)) {
      const of = wanted.get(basename(from));
      if (of && whole) of.add("default");
      for (const one of (of && names?.split(",").filter(Boolean)) ?? []) of.add(one.split(" as ")[0]);
    }
  }
  return wanted;
}

function reexport(member, names, fused) {
  const list = [...names].map((one) => `${one} as ${one}${fused.get(member).suffix}`);
  return `import "./${member}";${list.length ? `export { ${list.join(", ")} } from "./${member}";` : ""}`;
}

const fromMemory = (texts, members) => ({
  name: "from-memory",
  setup(build) {
    build.onResolve({ filter: /^\.\/.*\.cjs$/ }, ({ path, kind }) =>
      kind === "import-statement" && members.includes(basename(path))
        ? { path: basename(path), namespace: "memory" }
        : { path, external: true },
    );
    build.onLoad({ filter: /./, namespace: "memory" }, ({ path }) => ({ contents: texts.get(path), loader: "js" }));
  },
});

/** A chunk that went into another, by its own name: for who asks for it on demand. */
function standIn({ name, suffix }, exports) {
  const list = exports.map((one) => `exports.${one}=all.${one}${suffix};`);
  return `function(require,module,exports){var all=require("./${name}");${list.join("")}}`;
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
function asFunction(text, fused) {
  const required = [];
  const code = text
    .replace(/^#!.*\n/, "")
    .replace(statement, (_, whole, all, names, from) => {
      required.push(variables(from, names?.split(",").filter(Boolean) ?? [], whole, all, fused.get(basename(from))));
      return "";
    })
    .replace(/(?<=^|[;}\n])export default (?=[\w$]+\(\);\s*$)/, "exports.default=")
    .replace(/(?<=^|[;}\n])export\{([^}]*)\};\s*$/, (_, list) =>
      list.split(",").reduce((sum, one) => {
        const [own, name = own] = one.split(" as ");
        return `${sum}exports.${name}=${own};`;
      }, ""),
    )
    .replace(/\bimport\(("(?:\.\/[\w-]+\.cjs|node:[\w/]+)")\)/g, "Promise.resolve().then(()=>require($1))")
    .replaceAll(requireLater, "require");
  const result = `function(require,module,exports){"use strict";${required.join("")}${code}\n}`;
  new Script(`(${result})`); // throws where a chunk is not written as esbuild used to
  return result;
}

/** import a,{b as c}from"x"; import*as d from"x"; import"x"; */
const statement =
  /(?<=^|[;}\n])import(?: ?([\w$]+)(?=,| from))?,?(?:\*as ([\w$]+))?(?:\{([^}]*)\})?(?: ?from ?)?"((?:\.\/[\w-]+\.cjs)|(?:node:[\w/]+))";/g;

/** The default of one of our chunks is a member, of one of Node's modules the module. */
function variables(from, names, whole, all, into) {
  const required = `require(${JSON.stringify(from)})`;
  const list = whole ? [...names, `default as ${whole}`] : names;
  if (into) {
    if (all) throw new Error(`a chunk takes all of ${from}, which is part of another`);
    if (!list.length) return `require("./${into.name}");`;
    const members = list.map((one) => one.split(" as ")).map(([name, own = name]) => `${name}${into.suffix}:${own}`);
    return `var{${members}}=require("./${into.name}");`;
  }
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
