// Builds dist/ with plain esbuild: the program as ES modules split at its `import()`s, and a small CommonJS entry in front of it.
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

export async function build(out = join(root, "dist")) {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const common = {
    bundle: true,
    platform: "node",
    target: "node20",
    // jsonc-parser's CommonJS form cannot be bundled: it requires its parts through a parameter.
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    logLevel: "error",
    define: { INTERLOCK_VERSION: JSON.stringify(version) },
  };
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await esbuild.build({
    ...common,
    entryPoints: { main: join(root, "src/cli/main.ts") },
    format: "esm",
    splitting: true,
    outdir: out,
    outExtension: { ".js": ".mjs" },
    // The yaml package is CommonJS and asks for node:process.
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    chunkNames: "[name]-[hash]",
  });
  await esbuild.build({
    ...common,
    entryPoints: { interlock: join(root, "scripts/loader.cjs") },
    format: "cjs",
    external: ["./main.mjs"],
    outdir: out,
    outExtension: { ".js": ".cjs" },
  });
  chmodSync(join(out, "interlock.cjs"), 0o755);
}

if (process.argv[1] === new URL(import.meta.url).pathname) await build();
