// What only shows with several processes or in the built form: events appended side by side, hashing threads in a
// minified bundle.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sha256 } from "../../src/model/sha256.js";
import { readEvents } from "../../src/runs/run.js";
import { temporary } from "../../src/testing/temporary.js";
import { runsProject } from "./story.js";

test("four processes append to one run: every line whole, each process's in order", async () => {
  const p = runsProject();
  const run = p.run();
  const program = fileURLToPath(new URL("append.js", import.meta.url));
  const count = 400;
  const names = ["a", "b", "c", "d"];
  await Promise.all(
    names.map(
      (name) =>
        new Promise<void>((done) => {
          const child = spawn(process.execPath, [program, p.root, run.id, name, String(count)], { stdio: "inherit" });
          child.once("exit", () => done());
        }),
    ),
  );
  const { events, damaged } = readEvents(p.root, run.id);
  assert.deepEqual(damaged, []);
  for (const name of names) {
    const own = events.filter((e) => e.data?.["name"] === name).map((e) => e.data?.["i"]);
    assert.deepEqual(
      own,
      [...Array(count)].map((_, i) => i),
    );
  }
});

test("hashing threads work in a minified bundle, as in dist", async () => {
  const folder = temporary("bundle");
  mkdirSync(join(folder, "files"));
  const paths = [...Array(1_200)].map((_, i) => join(folder, "files", `f${i}`));
  paths.forEach((path, i) => {
    writeFileSync(path, `${i}`);
  });
  writeFileSync(join(folder, "files", "large"), Buffer.alloc(2_500_000, 1));
  paths.push(join(folder, "files", "large"));
  const entry = fileURLToPath(new URL("../../src/runs/hash-files.js", import.meta.url));
  const code = `import { FileHasher } from ${JSON.stringify(entry)};
const hasher = new FileHasher();
hasher.start();
const digests = await hasher.hash(${JSON.stringify(paths)}, 0);
hasher.close();
console.log(JSON.stringify(digests.map((d) => d?.sha256)));`;
  const outfile = join(folder, "bundle.mjs");
  const stdin = { contents: code, resolveDir: folder };
  await build({ stdin, bundle: true, minify: true, platform: "node", format: "esm", target: "node20", outfile });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8", maxBuffer: 1 << 24 });
  const digests = JSON.parse(stdout || `"${stderr}"`) as string[];
  assert.equal(digests.at(-1), sha256(Buffer.alloc(2_500_000, 1)));
  assert.deepEqual(
    digests.slice(0, -1),
    paths.slice(0, -1).map((_, i) => sha256(`${i}`)),
  );
});
