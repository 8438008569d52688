// The dashboard: first paint and scrolling on 100,000 events as ratios to an empty page, and what ten open pages cost
// the hooks (limit 1.1 at the median, in turns). Exits 1 when that limit is passed.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { ordinaryEvents, writeLedgerLines } from "../src/testing/ledger-lines.js";
import { cleanEnv, quantile } from "./measure.js";
import { askServer, event, resident } from "./resident.js";

const rounds = Number(process.argv[2] ?? 400);
const limit = 1.1;
const clients = (await import(pathToFileURL(join(process.cwd(), "scripts/clients.mjs")).href)) as {
  chromiumBinary(): string | undefined;
};
const executablePath = clients.chromiumBinary();
if (!executablePath) {
  console.error("Chromium is not installed: node scripts/clients.mjs chromium");
  process.exit(1);
}
const place = mkdtempSync(join(tmpdir(), "interlock-bench-dashboard-"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const children: ChildProcess[] = [];
try {
  mkdirSync(join(place, "home"));
  const empty = await opened("empty", 2);
  const full = await opened("full", 100_000);
  console.log("| | empty | 100,000 events | ratio |\n|---|---|---|---|");
  for (const [name, measure] of [
    ["first paint of a page (ms)", firstPaint],
    ["frame while scrolling, 90th percentile (ms)", scrolling],
  ] as const) {
    const [a, b] = [await measure(empty), await measure(full)];
    console.log(`| ${name} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(b / a).toFixed(2)} |`);
  }
  await hookLatency();
} finally {
  await browser.close();
  for (const child of children) child.kill();
  rmSync(place, { recursive: true, force: true });
}

interface Open {
  context: BrowserContext;
  base: string;
}

/** A dashboard on a ledger of this many events, read to its end. */
async function opened(name: string, events: number): Promise<Open> {
  const folder = writeLedgerLines(join(place, name), ordinaryEvents(events));
  const start = performance.now();
  const link = await linkOf(["--file", folder], place, join(place, "home"));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator(".lane").first().waitFor({ timeout: 120_000 });
  console.log(`${name}: ${events} events, read and shown after ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await page.close();
  return { context, base: link.replace(/#.*/, "") };
}

async function linkOf(args: string[], cwd: string, home: string, env: Record<string, string> = {}): Promise<string> {
  const words = [join(process.cwd(), "dist/interlock.cjs"), "dashboard", "--no-open", ...args];
  const child = spawn(process.execPath, words, { cwd, env: cleanEnv({ HOME: home, ...env }), stdio: "pipe" });
  children.push(child);
  let out = "";
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      out += text;
      if (out.includes("\n")) resolve(out.trim());
    });
    child.on("exit", (code) => reject(new Error(`the dashboard ended with ${code}`)));
  });
}

/** From the request to the first figure of the page, the median of five. */
async function firstPaint({ context, base }: Open): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(`${base}#/sessions`);
    await page.locator(".lead strong").waitFor();
    times.push(performance.now() - start);
    await page.close();
  }
  return quantile(times, 0.5);
}

/** Scrolls the list of records for sixty frames; the 90th percentile of frames. */
async function scrolling({ context, base }: Open): Promise<number> {
  const page: Page = await context.newPage();
  await page.goto(`${base}#/record`);
  await page.locator(".virtual li").first().waitFor();
  const frames = (await page.evaluate(`new Promise((resolve) => {
    const list = document.querySelector(".virtual");
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      list.scrollTop += 300;
      if (frames.length < 60) requestAnimationFrame(step);
      else resolve(frames.slice(1));
    };
    requestAnimationFrame(step);
  })`)) as number[];
  await page.close();
  return quantile(frames, 0.9);
}

/** Served decisions without a page and with ten pages open on the same project, in turns of fifty. */
async function hookLatency(): Promise<void> {
  const server = await resident();
  const context = await browser.newContext();
  try {
    const root = server.projects[0]!;
    const link = await linkOf([], root, join(place, "home"), { INTERLOCK_HOME: server.home });
    const first = await context.newPage();
    await first.goto(link);
    const times: [number[], number[]] = [[], []];
    const pages: Page[] = [];
    let n = 0;
    for (let turn = 0; turn * 50 < rounds * 2; turn++) {
      const open = turn % 2;
      while (open && pages.length < 9) {
        const page = await context.newPage();
        await page.goto(link.replace(/#.*/, "#/sessions"));
        pages.push(page);
      }
      if (!open) for (const page of pages.splice(0)) await page.close();
      if (open) await first.goto(link.replace(/#.*/, "#/gates"));
      else await first.goto("about:blank");
      for (let i = 0; i < 50; i++) {
        const [ms] = await askServer(server.door, event(root, n++));
        if (turn > 1) times[open]!.push(ms);
      }
    }
    const [without, within] = times.map((list) => quantile(list, 0.5)) as [number, number];
    const quiet = quantile(times[1], 0.1) / quantile(times[0], 0.1);
    const ratio = within / without;
    console.log(
      `hooks with ten open pages: ${ratio.toFixed(2)} at the median (limit ${limit}), quiet ${quiet.toFixed(2)}`,
    );
    if (ratio > limit) process.exitCode = 1;
  } finally {
    await context.close();
    await server.end();
  }
}
