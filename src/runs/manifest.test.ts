// Manifests: what is listed, what is only counted, hashes that are right and remembered only while they are.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { sha256 } from "../model/sha256.js";
import { temporary } from "../testing/temporary.js";
import { hashFiles } from "./hash-files.js";
import { artifactKind, buildManifest, type ManifestOptions, readManifestFile, writeManifest } from "./manifest.js";
import { trackedFiles } from "./tracked-files.js";

function project(files: Record<string, string>): string {
  const root = temporary("manifest");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const build = (root: string, more: Partial<ManifestOptions> = {}) =>
  buildManifest({
    project: root,
    metadata: {
      run_id: "20260213T091500Z-1a2b3c4d",
      kit: "tdd",
      phase: "red",
      started_at: "2026-02-13T09:15:00Z",
      finished_at: "2026-02-13T09:16:00Z",
      exit_code: 0,
      command: ["interlock", "kit", "tdd", "red"],
      cwd: root,
    },
    capsulePath: null,
    ...more,
  });

test("lists the kit's tracked files with kind, size and hash, and its truth", async () => {
  const root = project({
    "docs/a.md": "a",
    "src/b.ts": "bb",
    "tests/c.test.ts": "ccc",
    "PRD.md": "prd",
    "other/d.txt": "no",
    "src/node_modules/x.js": "no",
    "runs/r/events.jsonl": "no",
    "logs/out.log": "log",
  });
  const manifest = await build(root, { logs: [{ path: "logs/out.log" }] });
  assert.deepEqual(
    manifest.artifact_index.tracked.map((f) => `${f.path} ${f.kind} ${f.bytes}`),
    ["PRD.md markdown 3", "docs/a.md markdown 1", "src/b.ts source 2", "tests/c.test.ts source 3"],
  );
  assert.equal(manifest.artifact_index.tracked[1]?.sha256, sha256("a"));
  assert.deepEqual(manifest.truth_pointers, ["PRD.md", "docs/a.md", "tests/c.test.ts"]);
  assert.deepEqual(manifest.log_pointers, [
    { path: "logs/out.log", kind: "phase_log", hint: "interlock query-log tail logs/out.log", bytes: 3 },
  ]);
  const file = join(root, "runs", "m.json");
  writeManifest(file, manifest);
  assert.deepEqual(readManifestFile(file), { manifest, findings: [] });
  writeFileSync(file, JSON.stringify({ ...manifest, extra: true }));
  assert.match(readManifestFile(file).findings[0]!.problem, /unknown field extra/);
});

test("files beyond the limits are counted, beyond the number of files and of bytes alike", async () => {
  const files = Object.fromEntries(
    [...Array(1_000)].map((_, i) => [`docs/f${String(i).padStart(4, "0")}.md`, "x".repeat(10)]),
  );
  const root = project({ ...files, "src/big.bin": "y".repeat(50_000) });
  const few = (await build(root, { maxFiles: 30 })).artifact_index;
  assert.equal(few.tracked.length, 30);
  assert.deepEqual(few.omitted, { files: 971, bytes: 970 * 10 + 50_000 });
  const small = (await build(root, { maxFiles: 5_000, maxTotalBytes: 20_000 })).artifact_index;
  assert.equal(small.tracked.length, 1_000);
  assert.deepEqual(small.omitted, { files: 1, bytes: 50_000 });
  const truth = await build(root);
  assert.equal(truth.truth_pointers.length, 120);
  assert.equal(truth.truth_pointers_omitted, 880);
});

test("what the phase changed is listed first when not all fits", async () => {
  const root = project({ "docs/a.md": "a", "docs/b.md": "b", "docs/z.md": "z" });
  const old = new Date("2020-01-01");
  for (const name of ["a", "b"]) utimesSync(join(root, `docs/${name}.md`), old, old);
  await wait(20);
  const since = new Date().toISOString();
  await wait(20);
  writeFileSync(join(root, "docs/z.md"), "new");
  const { metadata } = await build(root);
  const { artifact_index } = await build(root, { maxFiles: 1, metadata: { ...metadata, started_at: since } });
  assert.deepEqual(
    artifact_index.tracked.map((f) => f.path),
    ["docs/z.md"],
  );
});

test("links are not followed, pipes not waited for, odd names counted", async () => {
  const root = project({ "docs/a.md": "a", "secret.md": "s", "docs/line\nbreak.md": "x" });
  symlinkSync(join(root, "secret.md"), join(root, "docs/link.md"));
  symlinkSync(root, join(root, "docs/loop"));
  execFileSync("mkfifo", [join(root, "docs/pipe.md")]);
  const { artifact_index } = await build(root);
  assert.deepEqual(
    artifact_index.tracked.map((f) => f.path),
    ["docs/a.md"],
  );
  assert.deepEqual(artifact_index.omitted, { files: 1, bytes: 1 });
});

test("remembered hashes are used while the stamp stands, and never for a file just written", async (t) => {
  const root = project({ "docs/a.md": "one", "docs/b.md": "two" });
  const cacheFile = join(root, "cache");
  await wait(250);
  // However long the next lines take, b is written after the clock stopped.
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  writeFileSync(join(root, "docs/b.md"), "TWO");
  await build(root, { cacheFile });
  const remembered = () => readFileSync(cacheFile, "latin1").match(/docs\/\w+\.md(?=\n)/g);
  assert.deepEqual(remembered(), ["docs/a.md"], "b was too fresh");
  // A planted digest shows whether the cache is used.
  const planted = readFileSync(cacheFile, "latin1").replace(sha256("one"), sha256("planted"));
  writeFileSync(cacheFile, planted, "latin1");
  const again = (await build(root, { cacheFile })).artifact_index.tracked;
  assert.equal(again[0]?.sha256, sha256("planted"));
  assert.equal(again[1]?.sha256, sha256("TWO"));
  writeFileSync(join(root, "docs/a.md"), "ONE");
  utimesSync(join(root, "docs/a.md"), new Date("2020-01-01"), new Date("2020-01-01"));
  assert.equal((await build(root, { cacheFile })).artifact_index.tracked[0]?.sha256, sha256("ONE"));
  writeFileSync(cacheFile, "garbage");
  assert.equal((await build(root, { cacheFile })).artifact_index.tracked[0]?.sha256, sha256("ONE"));
});

test("threads hash what one thread would", async () => {
  const names = [...Array(1_500)].map((_, i) => `src/d${i % 20}/f${i}.ts`);
  const root = project(Object.fromEntries(names.map((n, i) => [n, `${n} ${"z".repeat(i * 3)}`])));
  writeFileSync(join(root, "src/large.bin"), Buffer.alloc(3 << 20, 7));
  rmSync(join(root, names[7]!));
  const paths = [...names, "src/large.bin"].map((n) => join(root, n));
  const digests = await hashFiles(paths, 0);
  assert.equal(digests[7], undefined);
  paths.forEach((path, i) => {
    if (i !== 7) assert.equal(digests[i]?.sha256, sha256(readFileSync(path)), path);
  });
});

test("globs start where they are fixed", () => {
  const root = project({
    "a/b/c.lean": "",
    "x.lean": "",
    "results/r1/metrics.json": "",
    "results/r1/x.json": "",
    "runs/r/a.md": "",
  });
  const list = (...globs: string[]) => trackedFiles(root, globs).map((f) => f.path);
  assert.deepEqual(list("**/*.lean"), ["a/b/c.lean", "x.lean"]);
  assert.deepEqual(list("results/**/metrics.*"), ["results/r1/metrics.json"]);
  assert.deepEqual(list("x.lean", "nothing/**"), ["x.lean"]);
  assert.deepEqual(list("runs/*/*.md"), ["runs/r/a.md"]);
  assert.deepEqual(list("results/r1/*.json"), ["results/r1/metrics.json", "results/r1/x.json"]);
  assert.equal(artifactKind("a/B.LEAN"), "lean");
});
