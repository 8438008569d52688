// Writes a ledger of any length for tests and benchmarks: chained lines as the store writes them, in segments.
// Invariant: every line is whole and follows from the one before; the key is a test's own.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../model/json.js";
import { encodeLine, genesis } from "../store/ledger/frame.js";

export interface PlainRecord {
  at: number;
  type?: string;
  session: string;
  agent?: string;
  body: JsonObject;
  patch?: JsonObject;
  ids?: string[];
}

const perSegment = 10_000;

/** Returns the folder to look at. */
export function writeLedgerLines(folder: string, records: Iterable<PlainRecord>): string {
  const ledger = join(folder, "ledger");
  mkdirSync(ledger, { recursive: true });
  const key = { id: "00000000testkey0", bytes: Buffer.alloc(32, 7) };
  let [seq, prev, lines] = [0, genesis("test"), [] as Buffer[]];
  const flush = () => {
    const name = String(Math.ceil(seq / perSegment)).padStart(8, "0");
    writeFileSync(join(ledger, `${name}.jsonl`), Buffer.concat(lines));
    lines = [];
  };
  for (const { at, type = "event", ...rest } of records) {
    const fixed = { v: 2, pid: 1, boot: "test", mono: String(++seq), host: "claude-code", key: key.id };
    const line = encodeLine(key, "test", { ...fixed, ...rest, seq, type, prev, time: new Date(at).toISOString() });
    prev = line.hash;
    lines.push(line.line);
    if (seq % perSegment === 0) flush();
  }
  if (lines.length) flush();
  return folder;
}

/** Sessions of an ordinary kind: two agents, a prompt each 50 calls, refusals, overrides and notes among the calls. */
export function* ordinaryEvents(count: number, start = Date.parse("2026-01-05T08:00:00Z")): Generator<PlainRecord> {
  const tools = ["Bash", "Read", "Edit", "Write", "Grep"];
  const perSession = Math.max(500, Math.ceil(count / 3));
  for (let i = 0; i < count; i += 2) {
    const session = `session-${Math.floor(i / perSession)}`;
    const at = start + i * 700 + Math.floor(i / perSession) * 3600_000;
    const agent = i % 14 === 0 ? { agent: "explorer" } : {};
    const base = { cwd: "/project", digest: "0".repeat(64), ms: 3 + ((i * 7919) % 60) };
    if (i % 100 === 0) {
      const text = `Please do step ${i / 100} of the plan`;
      const verdict = { id: `v-${i + 1}`, outcome: "pass" };
      yield {
        at,
        session,
        body: { ...base, event: "prompt", hostEvent: "UserPromptSubmit", prompt: { text }, verdict },
      };
      yield { at: at + 5, session, body: { ...base, event: "turn.end", hostEvent: "Stop", verdict } };
      continue;
    }
    const name = tools[i % tools.length]!;
    const input =
      name === "Bash" ? { command: `npm test -- --part ${i}` } : { file_path: `/project/src/file-${i % 97}.ts` };
    const tool = { name, kind: name.toLowerCase(), id: `toolu_${i}`, input };
    const opinion = {
      gate: i % 3 ? "guard/destructive" : "discipline/research",
      kind: "deny",
      mode: "enforce",
      what: `${name} ${i}`,
      why: "it was not researched",
      next: "read the file first",
    };
    const [refused, lifted] = [i % 34 === 0, i % 410 === 0];
    const opinions = refused ? [{ ...opinion, ...(lifted && { lifted: "override of v-1 by a person: tried" }) }] : [];
    const outcome = refused && !lifted ? "deny" : "pass";
    const verdict = { id: `v-${i + 1}`, outcome, ...(outcome === "deny" && { gate: opinion.gate, text: "BLOCKED" }) };
    const before = { ...base, event: "tool.before", hostEvent: "PreToolUse", tool, verdict };
    yield { at, session, ...agent, ids: [`v-${i + 1}`], body: opinions.length ? { ...before, opinions } : before };
    const after = { ...base, event: "tool.after", hostEvent: "PostToolUse", tool, outcome: { ok: true, text: "ok" } };
    yield { at: at + 300, session, ...agent, body: { ...after, verdict: { id: `v-${i + 2}`, outcome: "pass" } } };
  }
}
