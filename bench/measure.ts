// Measures commands side by side: every round runs each command once, in a shuffled order, so that load hits all alike.
// Reports ratios to the first command: of the medians, and of the tenth percentiles (what a quiet machine would show).
import { spawnSync } from "node:child_process";

export interface Contender {
  name: string;
  command: string;
  args: string[];
  input?: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

export interface Measured {
  name: string;
  medianMs: number;
  p99Ms: number;
  ratio: number;
  quietRatio: number;
}

/** Without NODE_EXTRA_CA_CERTS, which would triple Node's start and flatter every ratio. */
export const cleanEnv = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  ...more,
});

export function sideBySide(contenders: readonly Contender[], rounds: number): Measured[] {
  const times = contenders.map(() => [] as number[]);
  for (let round = -2; round < rounds; round++) {
    for (const i of shuffled(contenders.length)) {
      const { name, command, args, input, env, cwd } = contenders[i]!;
      const start = process.hrtime.bigint();
      const run = spawnSync(command, args, { input: input ?? "", env: env ?? cleanEnv(), cwd, maxBuffer: 1 << 26 });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (run.status !== 0) throw new Error(`${name} failed: ${run.stderr}`);
      if (round >= 0) times[i]!.push(ms);
    }
  }
  const base = times[0]!;
  return contenders.map(({ name }, i) => ({
    name,
    medianMs: quantile(times[i]!, 0.5),
    p99Ms: quantile(times[i]!, 0.99),
    ratio: quantile(times[i]!, 0.5) / quantile(base, 0.5),
    quietRatio: quantile(times[i]!, 0.1) / quantile(base, 0.1),
  }));
}

export function printRows(rows: readonly Measured[], limitOf: (name: string) => number | undefined): void {
  console.log("| | median ms | p99 ms | ratio | ratio when quiet | limit |\n|---|---|---|---|---|---|");
  for (const r of rows) {
    const figures = [r.medianMs.toFixed(1), r.p99Ms.toFixed(1), r.ratio.toFixed(2), r.quietRatio.toFixed(2)];
    console.log(`| ${r.name} | ${figures.join(" | ")} | ${limitOf(r.name) ?? ""} |`);
  }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
}

function shuffled(n: number): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
