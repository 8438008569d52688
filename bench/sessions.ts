// The cost of an event in a project with few sessions and with many, in turns: over http and as a command hook without
// a server (limit 1.3); and `verify` of both, per megabyte of ledger (limit 5: here the ledger is little else than the
// sessions' state, which is compared once at the end). Usage: sessions.js [many] [few]. Exits 1 when one is passed.
import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { identify } from "../src/project/identify.js";
import { type JsonObject, openStore, type StorePlace, verify } from "../src/store/index.js";
import { cleanEnv, quantile, sideBySide } from "./measure.js";
import { askServer, event, type Resident, resident, script } from "./resident.js";

const many = Number(process.argv[2] ?? 5_000);
const few = Number(process.argv[3] ?? 20);
const rounds = Number(process.argv[4] ?? 1_000);
const limitOf = (name: string) => (name.startsWith("verify") ? 5 : 1.3);

const servers = [await resident(), await resident()] as const;
try {
  const places: StorePlace[] = [];
  for (const [i, server] of servers.entries()) places.push(await fill(server, i ? many : few));
  const rows: [name: string, few: number, many: number, unit: string][] = [await served()];
  rows.push(alone(places), verified(places));
  console.log(`| | ${few} sessions | ${many} sessions | ratio | limit |\n|---|---|---|---|---|`);
  for (const [name, a, b, unit] of rows)
    console.log(
      `| ${name} | ${a.toFixed(3)} ${unit} | ${b.toFixed(3)} ${unit} | ${(b / a).toFixed(2)} | ${limitOf(name)} |`,
    );
  if (rows.some(([name, a, b]) => b / a > limitOf(name))) process.exitCode = 1;
} finally {
  for (const server of servers) await server.end();
}

/** A session as the server records it, and then copies of it until the project has as many as wanted. */
async function fill(server: Resident, sessions: number): Promise<StorePlace> {
  const root = server.projects[0]!;
  for (let i = 0; i < 60; i++) await askServer(server.door, event(root, i));
  const place = { home: server.home, id: identify(root).id };
  const store = openStore(place);
  const own = Object.entries(store.read().state).filter(([key]) => key.includes("@project-0-0"));
  for (let from = 1; from < sessions; from += 50) {
    const numbers = Array.from({ length: Math.min(50, sessions - from) }, (_, i) => from + i);
    const slices = numbers.flatMap((n) =>
      own.map(([key, value]) => [key.replace("@project-0-0", `@session-${n}`), value]),
    );
    const seen = Object.fromEntries(numbers.map((n) => [`@session-${n}`, Date.now()]));
    store.append(() => ({
      type: "event",
      body: { event: "prompt", hostEvent: "UserPromptSubmit", cwd: root },
      patch: { ...Object.fromEntries(slices), "engine/sessions": { seen } } as JsonObject,
    }));
  }
  return place;
}

/** Milliseconds of one call, at the median. */
async function served(): Promise<[string, number, number, string]> {
  const times: [number[], number[]] = [[], []];
  for (let i = -100; i < rounds; i++)
    for (const [n, server] of i % 2 ? [...servers.entries()] : [...servers.entries()].reverse()) {
      const [ms] = await askServer(server.door, event(server.projects[0]!, 1_000 + i));
      if (i >= 0) times[n as 0 | 1].push(ms);
    }
  return ["http, median", quantile(times[0], 0.5), quantile(times[1], 0.5), "ms"];
}

function alone(places: StorePlace[]): [string, number, number, string] {
  const contenders = servers.map((server, n) => {
    const root = server.projects[0]!;
    // Another home with the same record, which no server serves.
    const home = join(server.base, "alone");
    mkdirSync(home);
    for (const part of ["interlock.yaml", "key", "marks", "projects"])
      cpSync(join(places[n]!.home, part), join(home, part), { recursive: true });
    return {
      name: String(n),
      command: process.execPath,
      args: [script, "hook", "claude-code", "--event", "PreToolUse", "--home", home],
      input: event(root, 0)[1],
      env: cleanEnv({ HOME: server.base, CLAUDE_PROJECT_DIR: root }),
      cwd: root,
    };
  });
  const [a, b] = sideBySide(contenders, 15);
  return ["command hook, median", a!.medianMs, b!.medianMs, "ms"];
}

function verified(places: StorePlace[]): [string, number, number, string] {
  const [a, b] = places.map((place) => {
    const ledger = join(place.home, "projects", place.id, "ledger");
    const size = readdirSync(ledger).reduce((sum, name) => sum + statSync(join(ledger, name)).size, 0);
    const cpu = process.cpuUsage();
    if (verify(place).verdict !== "intact") throw new Error("the record does not verify");
    const { user, system } = process.cpuUsage(cpu);
    return (user + system) / 1e3 / (size / 1e6);
  });
  return ["verify, CPU a megabyte", a!, b!, "ms"];
}
