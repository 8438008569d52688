// Plays recorded sessions of Claude Code from the folder INTERLOCK_REPLAY names; without it there is nothing to play.
// A file <prefix>.files.json beside them holds files of the project that sessions with this prefix worked in.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Agent } from "../agent.js";
import { type Played, playSteps } from "./player.js";
import { readRecording } from "./recording.js";

const folder = process.env["INTERLOCK_REPLAY"];

test("recorded sessions meet few refusals", { skip: folder ? false : "INTERLOCK_REPLAY is not set" }, async () => {
  const names = readdirSync(folder!).filter((n) => n.endsWith(".jsonl"));
  const all: (Played & { name: string })[] = [];
  for (const name of names) {
    const shared = join(folder!, `${name.replace(/-[^-]*$/, "")}.files.json`);
    const files = existsSync(shared) ? (JSON.parse(readFileSync(shared, "utf8")) as Record<string, string>) : {};
    const a = new Agent({ files });
    try {
      const { steps, files: shown } = readRecording(join(folder!, name), a.root, a.home);
      for (const [path, text] of Object.entries(shown))
        if (path.startsWith(`${a.root}/`) && !existsSync(path)) a.put(path.slice(a.root.length + 1), text);
      await a.start();
      all.push({ name, ...(await playSteps(a, steps)) });
    } finally {
      a.close();
    }
  }
  const sum = (of: (p: Played) => number) => all.reduce((n, p) => n + of(p), 0);
  const calls = sum((p) => p.calls);
  const ends = sum((p) => p.ends);
  const gates: Record<string, number> = {};
  for (const r of all.flatMap((p) => [...p.refusedCalls, ...p.refusedEnds])) gates[r.gate] = (gates[r.gate] ?? 0) + 1;
  const figures = {
    sessions: all.length,
    calls,
    ends,
    steps: sum((p) => p.steps),
    /** Steps, and calls that had to be made a second time. */
    extra: sum((p) => p.steps + p.again),
    refusedCalls: sum((p) => p.refusedCalls.length),
    repeated: sum((p) => p.refusedCalls.filter((r) => r.row === 2).length),
    refusedEnds: sum((p) => p.refusedEnds.filter((r) => r.row === 1).length),
    refusedThoughTested: sum((p) => p.refusedEnds.filter((r) => r.tested).length),
    asked: sum((p) => p.asked.length),
    gates,
  };
  console.log(JSON.stringify(figures));
  if (process.env["INTERLOCK_REPLAY_OUT"])
    writeFileSync(process.env["INTERLOCK_REPLAY_OUT"], all.map((p) => JSON.stringify(p)).join("\n"));
  assert.ok(figures.extra <= calls * 0.02, `${figures.extra} extra calls of ${calls}`);
  assert.ok(figures.refusedEnds <= ends * 0.03, `${figures.refusedEnds} refused ends of ${ends}`);
  assert.equal(figures.refusedThoughTested, 0);
});
