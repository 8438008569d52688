// 256 command hooks at once against 64, per call, side by side, without a server and with one. Limit: 2, nothing
// unrecorded that was not refused. Exits 1 when one is passed.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { identify } from "../src/project/identify.js";
import { openStore } from "../src/store/index.js";
import { bareProject, runCrowd } from "../src/testing/hook-crowd.js";
import { quantile } from "./measure.js";
import { resident, script } from "./resident.js";

const rounds = Number(process.argv[2] ?? 2);
const sizes = [64, 256];
const limit = 2;
const base = mkdtempSync(join(tmpdir(), "interlock-crowd-"));
const server = await resident();

interface Round {
  perCall: number;
  slowest: number;
  unrecorded: number;
  open: number;
}

async function burst(size: number, home: string, name: string): Promise<Round> {
  const root = join(base, name, "project");
  bareProject(root);
  const start = performance.now();
  const answers = await runCrowd(size, { script, root, home });
  const perCall = (performance.now() - start) / size;
  const store = openStore({ home, id: identify(root).id });
  const recorded = [...store.records()].filter((r) => r.type === "event" || r.type === "forged-event").length;
  const unrecorded = answers.filter((a) => a.answer.includes("could not") || a.answer.includes("BLOCKED interlock/"));
  return {
    perCall,
    slowest: Math.max(...answers.map((a) => a.ms)),
    unrecorded: size - recorded,
    open: unrecorded.filter((a) => !a.denied).length,
  };
}

console.log(
  "| | ms per call | slowest s | unrecorded | of those passed | ratio | limit |\n|---|---|---|---|---|---|---|",
);
try {
  for (const how of ["no server", "served"]) {
    const all = sizes.map(() => [] as Round[]);
    for (let round = 0; round < rounds; round++)
      for (const [i, size] of sizes.entries()) {
        const own = join(base, `home-${round}-${size}`, "interlock");
        if (how === "no server") mkdirSync(own, { recursive: true, mode: 0o700 });
        all[i]!.push(await burst(size, how === "served" ? server.home : own, `${how}-${round}-${size}`));
      }
    const median = (i: number) => quantile(all[i]!.map((r) => r.perCall), 0.5); // biome-ignore format: one line
    for (const [i, size] of sizes.entries()) {
      const sum = (of: (r: Round) => number) => all[i]!.reduce((total, r) => total + of(r), 0);
      const ratio = median(i) / median(0);
      const slowest = Math.max(...all[i]!.map((r) => r.slowest)) / 1000;
      const [unrecorded, open] = [sum((r) => r.unrecorded), sum((r) => r.open)];
      console.log(
        `| ${size} at once, ${how} | ${median(i).toFixed(1)} | ${slowest.toFixed(1)} | ${unrecorded} | ${open} | ` +
          `${ratio.toFixed(2)} | ${i ? limit : ""} |`,
      );
      if (ratio > limit || open > 0) process.exitCode = 1;
    }
  }
  console.log(`\nload ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await server.end();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}
