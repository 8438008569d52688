// Checks names and line length: no exported name and no file name in src twice for different things, no line of code
// or comment longer than 120 characters. Prints each problem, then their number per folder; exits 1 when there is one.
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { root, walk } from "./transpile.mjs";

/** What every command module, and every pack's config module, has to export. */
const sharedExports = new Set(["run", "usage", "schema", "defaults", "compile"]);
/** A command's file has the command's name, whatever else is called so. */
const commandFolder = join(root, "src/cli/commands/");
const sharedFiles = new Set(["index.ts", "config.ts", "index.test.ts", "config.test.ts"]);
const longest = 120;

const problems = [];
const report = (file, text) => problems.push({ file: relative(root, file), text });
const isSource = (file) => /\.(?:tsx?|mjs|cjs)$/.test(file) && !file.includes("/fixtures/");
const files = ["src", "scripts", "bench", "test", "workers", "web"].flatMap((area) => [
  ...walk(join(root, area), isSource),
]);

for (const file of files)
  for (const [i, line] of readFileSync(file, "utf8").split("\n").entries())
    if (line.length > longest && !isUnbreakable(line)) report(file, `line ${i + 1} has ${line.length} characters`);

const fileOf = new Map();
const exportOf = new Map();
for (const file of files.filter((f) => f.startsWith(join(root, "src/")))) {
  const name = basename(file);
  if (!sharedFiles.has(name) && !file.startsWith(commandFolder)) reportTwice(fileOf, name, file, "the file name");
  if (file.endsWith(".test.ts")) continue;
  for (const exported of new Set(exportsOf(readFileSync(file, "utf8"))))
    if (!sharedExports.has(exported)) reportTwice(exportOf, exported, file, "the exported name");
}

for (const { file, text } of problems) console.error(`${file}: ${text}`);
const counts = {};
for (const folder of problems.map(folderOf).sort()) counts[folder] = (counts[folder] ?? 0) + 1;
for (const [folder, count] of Object.entries(counts)) console.error(`${String(count).padStart(5)} in ${folder}`);
process.exit(problems.length ? 1 : 0);

/** What a module declares with `export`; a re-export names the same thing again. A type and its value may share one. */
function exportsOf(text) {
  const declaration =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|type|interface|enum) (\w+)/gm;
  return [...text.matchAll(declaration)].map(([, name]) => name);
}

function reportTwice(owners, name, file, what) {
  const owner = owners.get(name);
  if (owner) report(file, `${what} ${name} is also in ${relative(root, owner)}`);
  else owners.set(name, file);
}

/** A single word, such as an address or a digest, with at most an indent and a comment sign in front. */
function isUnbreakable(line) {
  return /^\s*(?:\/\/ |\* )?\S+$/.test(line);
}

function folderOf({ file }) {
  return file
    .split("/")
    .slice(0, file.startsWith("src/") ? 2 : 1)
    .join("/");
}
