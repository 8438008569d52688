// Builds dist/ with plain esbuild: the main program as one CommonJS file, and the small entry that loads it.
// Why one file: with V8's code cache a function that isn't called costs next to nothing, but every file does. Modules
// behind an `import()` still run only when they are wanted.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
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
    // Makes esbuild write /…/u as new RegExp("…", "u"), where it can escape characters outside ASCII.
    supported: { "regexp-sticky-and-unicode-flags": false },
    logLevel: "error",
    outdir: out,
    outExtension: { ".js": ".cjs" },
  };
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await esbuild.build({
    ...common,
    entryPoints: { main: "src/cli/main.ts" },
    define: { INTERLOCK_VERSION: JSON.stringify(version) },
  });
  const main = readFileSync(join(out, "main.cjs"), "utf8");
  warnOfSlowText(main);
  await esbuild.build({
    ...common,
    entryPoints: { interlock: "src/cli/entry.ts" },
    define: { MAIN_HASH: JSON.stringify(createHash("sha256").update(main).digest("hex").slice(0, 16)) },
  });
  chmodSync(join(out, "interlock.cjs"), 0o755);
  copyFileSync(join(root, "scripts/verify-ledger.mjs"), join(out, "verify-ledger.mjs"));
}

/** Node decodes a file that is not pure ASCII so slowly that a hook without a server takes a third longer. */
function warnOfSlowText(text) {
  const found = text.match(/.{0,30}[^\0-\x7f].{0,30}/g) ?? [];
  if (!found.length) return;
  console.error(`dist/main.cjs is not ASCII in ${found.length} places; write strings, or patterns with the flag u:`);
  for (const one of found.slice(0, 3)) console.error(`  ${one}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
