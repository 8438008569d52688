// Builds dist/ with plain esbuild: the small entry (interlock.cjs), what a hook without a server runs (hook.cjs), parts
// that few hooks need (shell.cjs and others) and all other commands (main.cjs). V8's code cache makes compiled
// functions cheap to load, but every function of a file costs, called or not: a hook gets a file without commands.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./transpile.mjs";

export async function build(out = join(root, "dist")) {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const common = {
    absWorkingDir: root,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    // Some packages' CommonJS form can't be bundled, such as jsonc-parser's.
    mainFields: ["module", "main"],
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    legalComments: "none",
    // Makes esbuild write /.../u and String.raw as strings, in which it escapes what is not ASCII.
    supported: { "regexp-sticky-and-unicode-flags": false, "template-literal": false, "dynamic-import": false },
    logLevel: "error",
    outdir: out,
    outExtension: { ".js": ".cjs" },
  };
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const define = { INTERLOCK_VERSION: JSON.stringify(version) };
  await esbuild.build({
    ...common,
    define,
    entryPoints: { ...programs, ...parts },
    plugins: [partsApart, compactSpecs],
  });
  const hash = createHash("sha256");
  for (const name of ["hook", "statusline", ...Object.keys(parts)]) {
    const text = readFileSync(join(out, `${name}.cjs`), "utf8");
    warnOfSlowText(name, text);
    hash.update(text);
  }
  await esbuild.build({
    ...common,
    entryPoints: { interlock: "src/cli/entry.ts" },
    external: ["./main.cjs", "./hook.cjs", "./statusline.cjs", "./unjudged.cjs"],
    define: { BUILD_HASH: JSON.stringify(hash.digest("hex").slice(0, 16)) },
  });
  // The Claude Agent SDK is an ES module that users install themselves: its process is one too.
  await esbuild.build({
    ...common,
    format: "esm",
    supported: {},
    entryPoints: { "sred-model": "src/sred/model/model-child.ts" },
    outExtension: { ".js": ".mjs" },
  });
  await buildPages(esbuild, join(out, "web"));
  chmodSync(join(out, "interlock.cjs"), 0o755);
  for (const name of ["verify-ledger.mjs", "verify-sred.mjs"])
    copyFileSync(join(root, "scripts", name), join(out, name));
}

/** The dashboard's pages: files of their own for the browser, so that its policy can forbid inline scripts. */
async function buildPages(esbuild, out) {
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [
      { in: "web/main.tsx", out: "app" },
      { in: "web/style.css", out: "app" },
    ],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    logLevel: "error",
    outdir: out,
  });
  for (const name of ["index.html", "icon.svg"]) copyFileSync(join(root, "web", name), join(out, name));
}

/** What few hook calls need, by the `import()` that loads it: each is a file of its own.
 * Pure functions and data only, and no default export: "type": "module" makes esbuild read that as Node does. */
const parts = {
  shell: "src/shell/index.ts",
  prompt: "src/facts/prompts/prompt.ts",
  compile: "src/config/compile.ts",
  lifecycle: "src/packs/lifecycle/index.ts",
  kits: "src/packs/kits/index.ts",
  sred: "src/packs/sred/index.ts",
  intent: "src/packs/intent/index.ts",
  intents: "src/intents/document.ts",
  before: "src/trace/before-images.ts",
  trace: "src/trace/record-change.ts",
  rules: "src/packs/rules/index.ts",
  yaml: "src/facts/yaml-text.ts",
  archives: "src/facts/archive-disk-reader.ts",
  "lost-files": "src/facts/lost-files.ts",
  "loses-nothing": "src/facts/loses-nothing.ts",
  "keep-work": "src/packs/guard/destructive/keep-work.ts",
  retention: "src/engine/erase-everywhere.ts",
  notes: "src/engine/record-notes.ts",
  "put-back": "src/hosts/claude-code/install/put-back.ts",
};

/** Files of their own that no hook loads. */
const programs = {
  hook: "src/cli/hook-main.ts",
  main: "src/cli/main.ts",
  mcp: "src/mcp/mcp-server.ts",
  statusline: "src/cli/statusline-main.ts",
  unjudged: "src/hook/unjudged.ts",
};

const partsApart = {
  name: "parts-apart",
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = relative(root, join(resolveDir, path)).replace(/\.js$/, ".ts");
      const files = { ...programs, ...parts };
      const part = Object.keys(files).find((name) => files[name] === source);
      return part && { path: `./${part}.cjs`, external: true };
    });
  },
};

/** Tool descriptions without comments, each rule in one line, and word lists in one: a hook pays for every byte. */
const compactSpecs = {
  name: "compact-specs",
  setup(build) {
    const inOneLine = (text) => text.replace(/\s+/g, " ");
    build.onLoad({ filter: /[\\/]src[\\/](?:shell|model|facts|packs|project|store)[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replace(/(?<=\b(?:nameList|wordSet)\(\s*)`[^`$\\]*`|`[^`$\\]*`(?=\s*\.split\(\s*\/\\s\+\/)/g, inOneLine)
        // What a gate is about is for its page in docs/; `scripts/generate.mjs` reads it from the source.
        .replace(/^ {2}about:(?:\s*(?:"(?:[^"\\\n]|\\.)*"|`[^`$]*`)(?:\s*\+)?)+,\n/gm, "")
        .replace(/^ {2}`\n[^]*?^`,$/gm, (text) => text.replace(/^ *# .*\n/gm, "").replace(/\n {4}(?=\S)/g, " ")),
    }));
  },
};

/** Node decodes a file that is not pure ASCII so slowly that a hook without a server takes a third longer. */
function warnOfSlowText(name, text) {
  const found = text.match(/.{0,30}[^\0-\x7f].{0,30}/g) ?? [];
  if (!found.length) return;
  console.error(`dist/${name}.cjs is not ASCII in ${found.length} places; write strings, or patterns with the flag u:`);
  for (const one of found.slice(0, 3)) console.error(`  ${one}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
