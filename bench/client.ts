// What a user feels: ordinary calls of the real Claude Code with Interlock over http, against an http hook that answers
// `{}` at once. Two sessions take turns call by call. Limit: 1.15 at the median. Exits 1 when it is passed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { readAddress } from "../src/hook/server-address.js";
import { type ClaudeOptions, runClaude } from "../src/live/claude.js";
import type { Between, ModelStep } from "../src/live/model.js";
import { installed } from "../test/clients/installed.js";
import { bash, binary, call, type Workplace, workplace } from "../test/clients/workplace.js";
import { quantile } from "./measure.js";
import { Turns } from "./turns.js";

const limit = 1.15;
const calls = Number(process.argv[2] ?? 40);
const warmUp = 4;

if (!binary) {
  console.log("Claude Code is not installed: node scripts/clients.mjs install; nothing was measured");
  process.exit(process.env["CI"] === "true" ? 1 : 0);
}

const cleanUps: (() => unknown)[] = [];
const context = { after: (cleanUp: () => unknown) => cleanUps.unshift(cleanUp) } as unknown as TestContext;
try {
  const governed = installed(context, "", { door: "http" });
  const bare = workplace(context);
  const port = await answerEmpty();
  const turns = new Turns(2);
  const [empty, interlock] = await Promise.all([
    session(turns, 0, bare, { ports: [port], settings: sameEvents(governed, port) }),
    session(turns, 1, governed, { ports: [readAddress(join(governed.home, ".local/state/interlock"))!.port] }),
  ]);
  console.log("| | p10 ms | median ms | p99 ms |\n|---|---|---|---|");
  for (const [name, times] of [
    ["http hook that answers {}", empty],
    ["Interlock over http", interlock],
  ] as const)
    console.log(`| ${name} | ${[0.1, 0.5, 0.99].map((q) => quantile(times, q).toFixed(1)).join(" | ")} |`);
  const ratio = (q: number) => quantile(interlock, q) / quantile(empty, q);
  console.log(`ratio at the median ${ratio(0.5).toFixed(2)} (limit ${limit}), when quiet ${ratio(0.1).toFixed(2)}`);
  if (ratio(0.5) > limit) process.exitCode = 1;
} finally {
  for (const cleanUp of cleanUps) await cleanUp();
}

/** Milliseconds of each call: from the model's answer that asks for it to the request that reports its result. */
async function session(turns: Turns, arm: number, place: Workplace, more: Partial<ClaudeOptions>): Promise<number[]> {
  const steps = Array.from({ length: warmUp + calls }, (_, i) => step(place, i));
  const times: number[] = [];
  let start: bigint | undefined;
  const between: Between = async ({ marker, step }) => {
    if (marker !== "main") return;
    if (start !== undefined) times.push(Number(process.hrtime.bigint() - start) / 1e6);
    await turns.next(arm, step >= steps.length);
    start = process.hrtime.bigint();
  };
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps }],
    between,
    timeoutMs: 300_000,
    ...more,
  });
  turns.leave(arm);
  if (run.exitCode !== 0 || times.length < steps.length)
    throw new Error(`the session ended after ${times.length} calls: ${run.stderr}`);
  const failed = run.told.filter((each) => each.isError);
  if (failed.length) throw new Error(`${failed.length} calls failed, the first with: ${failed[0]!.text}`);
  return times.slice(warmUp, warmUp + calls);
}

function step(place: Workplace, i: number): ModelStep {
  const file = place.path(`src/file-${i >> 2}.ts`);
  if (i % 4 === 0) return call("Write", { file_path: file, content: `export const a = ${i};\n`.repeat(20) });
  if (i % 4 === 1) return call("Read", { file_path: file });
  return bash(i % 4 === 2 ? "ls src | head -5" : `grep -c export src/file-${i >> 2}.ts`);
}

/** Hooks for the events that Interlock gets over http, all sent to the bare server. */
function sameEvents(place: Workplace, port: number): Record<string, unknown> {
  const own = JSON.parse(readFileSync(place.path(".claude/settings.local.json"), "utf8")) as {
    hooks: Record<string, { hooks: { type: string }[] }[]>;
  };
  const events = Object.keys(own.hooks).filter((event) =>
    own.hooks[event]!.some((group) => group.hooks.some(({ type }) => type === "http")),
  );
  if (!events.includes("PreToolUse")) throw new Error(`init registered no http hook: ${Object.keys(own.hooks)}`);
  const hooks = [{ hooks: [{ type: "http", url: `http://127.0.0.1:${port}/`, timeout: 30 }] }];
  return { hooks: Object.fromEntries(events.map((event) => [event, hooks])) };
}

async function answerEmpty(): Promise<number> {
  const file = join(process.cwd(), "test/clients/fixtures/http-hook.mjs");
  const server = spawn(process.execPath, [file, "0", "agreeable"], { stdio: ["ignore", "pipe", "inherit"] });
  cleanUps.unshift(() => server.kill());
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  return Number(line);
}
