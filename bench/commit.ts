// What a commit costs: `append()` on a 10 KB state, against one bare append and close of the same bytes, in turns.
// Prints CPU and wall time per commit and their ratio; with `strace` also the system calls. No limit: it informs.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonObject, openStore, type Store } from "../src/store/index.js";
import { quantile } from "./measure.js";

const rounds = Number(process.argv[2] ?? 2_000);
const folder = mkdtempSync(join(tmpdir(), "interlock-commit-"));
const place = { home: join(folder, "home"), id: "p1" };

/** Slices such as packs keep them: about 10 KB. */
const slices = (): JsonObject =>
  Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `pack/slice-${n}@session`,
      { at: 1_790_000_000_000 + n, seen: Array.from({ length: 6 }, (_, m) => `src/some/file-${n}-${m}.ts`) },
    ]),
  );

const draft = (n: number) => ({
  type: "event",
  host: "claude-code",
  session: "bench",
  ids: [`v-${n}`],
  body: {
    event: "tool.before",
    hostEvent: "PreToolUse",
    cwd: "/home/user/project",
    tool: {
      id: `toolu_${n}`,
      kind: "write",
      name: "Write",
      input: { file_path: "src/a.ts", content: "const a = 1;\n".repeat(30) },
    },
    effects: [{ kind: "write", path: "/home/user/project/src/a.ts" }],
    verdict: { id: `v-${n}`, outcome: "pass" },
  },
  patch: { "engine/calls@bench": { open: { [`c:toolu_${n}`]: { at: n }, [`c:toolu_${n - 8}`]: null } } },
});

function commit(store: Store, n: number): void {
  store.read();
  store.append(() => draft(n));
}

try {
  const store = openStore(place);
  store.append(() => ({ type: "event", body: {}, patch: slices() }));
  if (process.argv[3] === "once") {
    for (let n = 0; n < rounds; n++) commit(store, n);
  } else {
    report(store);
    calls();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(store: Store): void {
  const line = Buffer.from(`${JSON.stringify(draft(1))}${"x".repeat(400)}\n`);
  const times: [number[], number[]] = [[], []];
  const used = [0, 0];
  for (let n = -300; n < rounds; n++) {
    const steps = [() => append(line), () => commit(store, n)];
    for (const [i, step] of steps.entries()) {
      const cpu = process.cpuUsage();
      const start = process.hrtime.bigint();
      step();
      if (n < 0) continue;
      times[i as 0 | 1].push(Number(process.hrtime.bigint() - start) / 1e6);
      const { user, system } = process.cpuUsage(cpu);
      used[i]! += (user + system) / 1e3;
    }
  }
  console.log("| | CPU ms | p10 ms | median ms | p99 ms |\n|---|---|---|---|---|");
  for (const [i, name] of ["bare append and close", "read() and append()"].entries()) {
    const figures = [used[i]! / rounds, ...[0.1, 0.5, 0.99].map((q) => quantile(times[i as 0 | 1], q))];
    console.log(`| ${name} | ${figures.map((ms) => ms.toFixed(3)).join(" | ")} |`);
  }
  const ratio = (q: number) => (quantile(times[1], q) / quantile(times[0], q)).toFixed(1);
  console.log(`ratio at the median ${ratio(0.5)}, when quiet ${ratio(0.1)}`);
}

function append(bytes: Buffer): void {
  const fd = openSync(join(folder, "bare"), "a");
  writeSync(fd, bytes);
  closeSync(fd);
}

/** System calls of one more commit: a run of 200 less a run of 100. */
function calls(): void {
  const count = (n: number) => {
    const args = ["-f", "-c", process.execPath, fileURLToPath(import.meta.url), String(n), "once"];
    const { stderr, error } = spawnSync("strace", args, { encoding: "utf8" });
    if (error) return undefined;
    const rows = [...stderr.matchAll(/^\s+[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/gm)];
    return new Map(rows.map(([, calls, name]) => [name!, Number(calls)]));
  };
  const few = count(100);
  const many = few && count(200);
  if (!many) return console.log("system calls: no strace here");
  const each = [...many]
    .map(([name, n]) => [name, (n - (few.get(name) ?? 0)) / 100] as const)
    .filter(([, n]) => n >= 0.5);
  const total = each.reduce((sum, [, n]) => sum + n, 0);
  console.log(
    `system calls a commit: ${total.toFixed(0)} (${each.map(([name, n]) => `${name} ${n.toFixed(1)}`).join(", ")})`,
  );
}
