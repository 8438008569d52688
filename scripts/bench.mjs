// `npm run bench [-- name ...]`: runs the benchmarks in bench/. Each prints a table and exits 1 when over a limit.
import { spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { build } from "./build.mjs";
import { root, transpile, walk } from "./transpile.mjs";

await transpile();
await build();
const wanted = process.argv.slice(2);
const names = [...walk(join(root, "bench"), (f) => f.endsWith(".ts"))]
  .map((f) => basename(f, ".ts"))
  .filter((n) => !["measure", "resident", "turns"].includes(n) && !n.endsWith(".test"))
  .filter((n) => !wanted.length || wanted.includes(n))
  .sort();
if (!names.length) {
  console.error(`no benchmark named ${wanted.join(", ")}`);
  process.exit(2);
}
const env = { ...process.env };
delete env.NODE_EXTRA_CA_CERTS;
let failed = 0;
for (const name of names) {
  console.log(`\n## ${name}\n`);
  const { status } = spawnSync(process.execPath, [join(root, "build", "bench", `${name}.js`)], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  if (status !== 0) failed++;
}
console.log(
  failed
    ? `\n${failed} of ${names.length} benchmarks passed a limit`
    : `\nall ${names.length} benchmarks within their limits`,
);
process.exit(failed ? 1 : 0);
