// Transpiles src/, test/ and bench/ one to one into build/ so that plain `node` can run them.
// Only files newer than their output are compiled; outputs without a source are removed.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export function* walk(dir, keep = () => true) {
  if (!existsSync(dir)) return;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) yield* walk(path, keep);
    else if (entry.isFile() && keep(path)) yield path;
  }
}

const stale = (from, to) => !existsSync(to) || statSync(to).mtimeMs < statSync(from).mtimeMs;

export async function transpile(out = join(root, "build")) {
  const esbuild = await import("esbuild");
  const entries = [];
  const wanted = new Set();
  for (const area of ["src", "test", "bench", "workers"]) {
    for (const file of walk(join(root, area))) {
      const rel = relative(root, file);
      if (/\.tsx?$/.test(file)) {
        const to = join(out, rel.replace(/\.tsx?$/, ".js"));
        wanted.add(to).add(`${to}.map`);
        if (stale(file, to)) entries.push(file);
      } else {
        const to = join(out, rel);
        wanted.add(to);
        if (stale(file, to)) {
          mkdirSync(dirname(to), { recursive: true });
          cpSync(file, to);
        }
      }
    }
  }
  for (const file of walk(out)) if (!wanted.has(file)) rmSync(file);
  if (entries.length) {
    await esbuild.build({
      entryPoints: entries,
      outdir: out,
      outbase: root,
      format: "esm",
      platform: "node",
      target: "node20",
      sourcemap: true,
      logLevel: "error",
    });
  }
  return entries.length;
}
