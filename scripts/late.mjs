// Modules that most hook calls never call into: who imports one gets functions that load it when they are first called.
// Invariant: only modules that export functions, plain values and tables of functions that are asked with `get` can be late; anything else is refused while building.
import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./transpile.mjs";

/** What is loaded together -> the modules, from the project's root. */
const late = {
  // Damage, recovery, keyrings, kept texts, a person's overrides, ends of processes.
  "late-record": [
    ...[
      "verify",
      "repair",
      "survey",
      "sweep",
      "keyring",
      "powercut",
      "recover",
      "quarantine",
      "reading",
      "texts",
      "seal",
    ].map((name) => `src/store/${name}.ts`),
    "src/engine/grant.ts",
    "src/files/residence.ts",
    "src/packs/guard/ending.ts",
    "src/config/nearest.ts",
  ],
  // The places nobody but the user changes: asked about for files that a call names, which most commands do not.
  "late-places": ["src/files/protected.ts", "src/files/protected-files.ts"],
  // Releases, lost work, weakened tests, research that failed.
  "late-work": [
    ...["artifact", "pattern", "publication", "manifest", "unsound", "skills"].map(
      (name) => `src/packs/discipline/${name}.ts`,
    ),
    "src/packs/discipline/test-changes.ts",
    "src/packs/discipline/memory/attempts.ts",
    "src/facts/loss.ts",
    "src/files/git.ts",
  ],
  "late-outcome": ["src/hosts/claude-code/outcome.ts"],
  // What few commands hold: arithmetic, $'...', ${a//b}, {a,b}, variables that run programs, endless loops.
  "late-syntax": [
    "node_modules/unbash/dist/arithmetic.js",
    "node_modules/unbash/dist/ansi-c.js",
    ...["parameters", "environment", "braces", "endless"].map((name) => `src/shell/${name}.ts`),
  ],
  "late-builtins": ["src/shell/builtins.ts"],
  "late-git": ["src/shell/tools/git/tree.ts", "src/shell/tools/git/commits.ts"],
};

export const lateEntries = () => Object.fromEntries(Object.keys(late).map((name) => [name, `late:${name}`]));

export async function lateModules(esbuild, define) {
  const groupOf = new Map(Object.entries(late).flatMap(([name, list]) => list.map((one) => [fileOf(one), name])));
  const exported = new Map();
  for (const path of groupOf.keys()) exported.set(path, await exportsOf(esbuild, path, define));
  return {
    name: "late-modules",
    setup(build) {
      build.onResolve({ filter: /^late:/ }, ({ path }) => ({ path: path.slice("late:".length), namespace: "late" }));
      build.onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
        contents: allOf(late[path], exported),
        resolveDir: root,
      }));
      build.onResolve({ filter: /^\.\.?\/.*\.js$/, namespace: "file" }, ({ path, importer, kind }) => {
        if (kind !== "import-statement") return undefined;
        const wanted = resolve(dirname(importer), path);
        const file = [wanted, wanted.replace(/\.js$/, ".ts")].find((one) => groupOf.has(one));
        // Those of one group know each other.
        if (!file || groupOf.get(importer) === groupOf.get(file)) return undefined;
        return { path: file, namespace: "late-module" };
      });
      build.onLoad({ filter: /./, namespace: "late-module" }, ({ path }) => ({
        contents: exported
          .get(path)
          .map(({ name, value }) => standIn(name, value, groupOf.get(path)))
          .join("\n"),
      }));
      build.onResolve({ filter: /^\.\/late-[\w-]+\.cjs$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

async function exportsOf(esbuild, path, define) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    define,
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
  return Object.entries(module).map(([name, value]) => {
    const isPlain =
      typeof value === "function"
        ? !/^class\b/.test(String(value))
        : !isObject(value) || value instanceof RegExp || value instanceof Map;
    if (!isPlain)
      throw new Error(`${relative(root, path)} cannot be late: ${name} is more than a function or a plain value`);
    return { name, value };
  });
}

/** As esbuild names it: a folder of packages may be a link. */
const fileOf = (path) => realpathSync(join(root, path));

const isObject = (value) => typeof value === "object" && value !== null;

function standIn(name, value, group) {
  if (typeof value === "function")
    return `export const ${name} = (...given) => require("./${group}.cjs").${name}(...given);`;
  if (value instanceof Map) {
    const names = JSON.stringify(` ${[...value.keys()].join(" ")} `);
    const found = `require("./${group}.cjs").${name}.get(one)`;
    return `export const ${name} = { get: (one) => (!one.includes(" ") && ${names}.includes(\` \${one} \`) ? ${found} : undefined) };`;
  }
  return `export const ${name} = ${value instanceof RegExp ? String(value) : JSON.stringify(value)};`;
}

function allOf(list, exported) {
  const names = list.flatMap((path) => exported.get(fileOf(path)).map(({ name }) => name));
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new Error(`two late modules of one group export ${twice}`);
  return list
    .map((path) => {
      const own = exported.get(fileOf(path)).filter(({ value }) => typeof value === "function" || value instanceof Map);
      return `export { ${own.map(({ name }) => name).join(", ")} } from "./${path}";`;
    })
    .join("\n");
}
