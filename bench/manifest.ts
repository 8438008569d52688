// A manifest of 10,000 small files and of large ones against `sha256sum` with two processes over the same files, in turns.
// Usage: manifest.js [megabytes of large files]; 2,048 in the nightly run, 256 otherwise.
// Exits 1 when the index takes more than 1.2 times as long, an unchanged tree more than a tenth, or a hash differs.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildManifest } from "../src/runs/manifest.js";
import type { RunManifest } from "../src/runs/schemas.js";
import { cleanEnv, quantile } from "./measure.js";

const megabytes = Number(process.argv[2] ?? (process.env["INTERLOCK_NIGHTLY"] ? 2_048 : 256));
const project = mkdtempSync(join(tmpdir(), "interlock-bench-"));

try {
  makeSmall(10_000);
  makeLarge(megabytes);
  await wait(300);
  console.log("| tree | sha256sum -P2 (ms) | index (ms) | ratio | again (ms) | ratio |\n|---|---|---|---|---|---|");
  const small = await measured("10,000 small files", "small", 5);
  const large = await measured(`${megabytes} MB in large files`, "large", megabytes > 1_000 ? 1 : 3);
  const both = {
    index: (small.index + large.index) / (small.base + large.base),
    again: (small.again + large.again) / (small.base + large.base),
  };
  console.log(`| both | ${ms(small.base + large.base)} | | ${both.index.toFixed(2)} | | ${both.again.toFixed(3)} |`);
  for (const { index, base } of [small, large]) if (index / base > 1.2) process.exitCode = 1;
  if (both.again > 0.1) process.exitCode = 1;
  console.log("limits: ratio of the index 1.2, of an unchanged tree 0.1");
} finally {
  rmSync(project, { recursive: true, force: true });
}

interface Times {
  base: number;
  index: number;
  again: number;
}

async function measured(name: string, folder: string, rounds: number): Promise<Times> {
  const times = { base: [] as number[], index: [] as number[], again: [] as number[] };
  const cacheFile = join(project, `${folder}.cache`);
  let hashes = "";
  for (let round = 0; round < rounds; round++) {
    times.base.push(await timed(() => (hashes = sha256sum(folder))));
    rmSync(cacheFile, { force: true });
    let manifest: RunManifest | undefined;
    times.index.push(await timed(async () => (manifest = await index(folder, cacheFile))));
    check(manifest!, hashes);
    times.again.push(await timed(async () => (manifest = await index(folder, cacheFile))));
    check(manifest!, hashes);
  }
  const [base, first, again] = [times.base, times.index, times.again].map((list) => quantile(list, 0.5)) as [
    number,
    number,
    number,
  ];
  console.log(
    `| ${name} | ${ms(base)} | ${ms(first)} | ${(first / base).toFixed(2)} | ${ms(again)} | ${(again / base).toFixed(3)} |`,
  );
  return { base, index: first, again };
}

function ms(n: number): string {
  return n.toFixed(0);
}

async function timed(work: () => unknown): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Two processes, each given a part of the files at a time. */
function sha256sum(folder: string): string {
  const each = folder === "small" ? 1_250 : 1;
  const command = `find ${folder} -type f -print0 | xargs -0 -P2 -n${each} sha256sum`;
  return execFileSync("sh", ["-c", command], { cwd: project, env: cleanEnv(), encoding: "utf8", maxBuffer: 1 << 26 });
}

function index(folder: string, cacheFile: string): Promise<RunManifest> {
  return buildManifest({
    project,
    metadata: {
      run_id: "20260213T091500Z-1a2b3c4d",
      kit: "tdd",
      phase: "green",
      started_at: "2026-02-13T09:15:00Z",
      finished_at: "2026-02-13T09:16:00Z",
      exit_code: 0,
      command: ["bench"],
      cwd: project,
    },
    capsulePath: null,
    paths: { tracked: [`${folder}/**`], truth: [] },
    maxFiles: 20_000,
    maxTotalBytes: 1e12,
    cacheFile,
  });
}

function check({ artifact_index }: RunManifest, hashes: string): void {
  const wanted = new Map(
    hashes
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const wrong = artifact_index.tracked.filter((f) => wanted.get(f.path) !== f.sha256);
  if (wrong.length || artifact_index.tracked.length !== wanted.size) {
    console.log(`${wrong.length} of ${artifact_index.tracked.length} hashes differ from sha256sum's`);
    process.exitCode = 1;
  }
}

/** 1 to 31 KB, as source files are. */
function makeSmall(count: number): void {
  const bytes = randomBytes(64 << 10);
  for (let i = 0; i < 100; i++) mkdirSync(join(project, "small", `d${i}`), { recursive: true });
  for (let i = 0; i < count; i++) {
    const from = (i * 13) % 30_000;
    writeFileSync(
      join(project, "small", `d${i % 100}`, `f${i}.ts`),
      bytes.subarray(from, from + 1_000 + ((i * 7_919) % 30_000)),
    );
  }
}

function makeLarge(mb: number): void {
  mkdirSync(join(project, "large"));
  const block = randomBytes(1 << 20);
  for (let file = 0; file < 8; file++) {
    const fd = openSync(join(project, "large", `l${file}.bin`), "w");
    for (let n = 0; n < mb / 8; n++) writeSync(fd, block);
    closeSync(fd);
  }
}
