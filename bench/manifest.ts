// A manifest of 10,000 small files and of large ones against `sha256sum` with two processes over the same files, in
// turns.
// Usage: manifest.js [megabytes of large files]; 2,048 in the nightly run, 256 otherwise.
// Exits 1 when the index takes more than 1.2 times as long, an unchanged tree more than a tenth, or a hash differs.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
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
  console.log("| tree | sha256sum -P2 (ms) | index (ms) | ratio | of CPU | again (ms) | ratio | of CPU |");
  console.log("|---|---|---|---|---|---|---|---|");
  const small = await measured("10,000 small files", "small", 5);
  const large = await measured(`${megabytes} MB in large files`, "large", megabytes > 1_000 ? 1 : 3);
  const base = small.base + large.base;
  const [first, again] = [(small.index + large.index) / base, (small.again + large.again) / base];
  console.log(
    `both together: index ${first.toFixed(2)}, again ${again.toFixed(3)}; limits 1.2 (each and both) and 0.1 (both)`,
  );
  console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`);
  if (again > 0.1 || [small, large].some((t) => t.index / t.base > 1.2)) process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}

interface Times {
  base: number;
  index: number;
  again: number;
}

interface Spent {
  wall: number;
  cpu: number;
}

async function measured(name: string, folder: string, rounds: number): Promise<Times> {
  const spent = { base: [] as Spent[], index: [] as Spent[], again: [] as Spent[] };
  const cacheFile = join(project, `${folder}.cache`);
  for (let round = 0; round < rounds; round++) {
    const { hashes, ...base } = sha256sum(folder);
    spent.base.push(base);
    rmSync(cacheFile, { force: true });
    for (const part of ["index", "again"] as const) spent[part].push(await timed(folder, cacheFile, hashes));
  }
  const of = (part: keyof Times, what: keyof Spent) =>
    quantile(
      spent[part].map((s) => s[what]),
      0.5,
    );
  const cells = (part: "index" | "again") => [
    ms(of(part, "wall")),
    (of(part, "wall") / of("base", "wall")).toFixed(3),
    (of(part, "cpu") / of("base", "cpu")).toFixed(3),
  ];
  console.log(`| ${[name, ms(of("base", "wall")), ...cells("index"), ...cells("again")].join(" | ")} |`);
  return { base: of("base", "wall"), index: of("index", "wall"), again: of("again", "wall") };
}

function ms(n: number): string {
  return n.toFixed(0);
}

async function timed(folder: string, cacheFile: string, hashes: string): Promise<Spent> {
  const start = process.hrtime.bigint();
  const before = process.cpuUsage();
  const manifest = await index(folder, cacheFile);
  const { user, system } = process.cpuUsage(before);
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  check(manifest, hashes);
  return { wall, cpu: (user + system) / 1e3 };
}

/** Two processes, each given a part of the files at a time; the shell tells what they cost. */
function sha256sum(folder: string): Spent & { hashes: string } {
  const each = folder === "small" ? 1_250 : 1;
  const command = `find ${folder} -type f -print0 | xargs -0 -P2 -n${each} sha256sum; times >&2`;
  const start = process.hrtime.bigint();
  const run = spawnSync("sh", ["-c", command], { cwd: project, env: cleanEnv(), encoding: "utf8", maxBuffer: 1 << 26 });
  const wall = Number(process.hrtime.bigint() - start) / 1e6;
  const seconds = [...run.stderr.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return { wall, cpu: 1e3 * seconds.reduce((a, b) => a + b, 0), hashes: run.stdout };
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
