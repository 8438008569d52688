// Looks through recorded sessions: reads each transcript, replays it, and adds up what was found.
// Invariant: reads only; a file of another format is counted and passed over; nothing a transcript holds makes it fail.
import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { transcriptsIn } from "../hosts/claude-code/protocol/transcript.js";
import { Findings } from "./findings.js";
import { readSession } from "./read-session.js";
import { replaySession } from "./replay-session.js";
import { replayRules } from "./replay-world.js";

export interface BacktestOptions {
  /** Transcripts or folders of them. */
  paths: readonly string[];
  userHome: string;
  /** The user's interlock.yaml, where there is one. */
  config?: { name: string; text: string };
  progress?(done: { files: number; of: number; bytes: number; ofBytes: number }): void;
}

export interface Backtest {
  findings: Findings;
  sessions: number;
  calls: number;
  /** Calls that the client, a hook or the user turned away at the time. */
  turnedAway: number;
  bytes: number;
  /** First and last time of a step; 0 where none has one. */
  from: number;
  to: number;
  skipped: { unknownFormat: string[]; failed: { file: string; why: string }[]; badLines: number };
  problems: string[];
}

export async function backtest({ paths, userHome, config, progress }: BacktestOptions): Promise<Backtest> {
  // Hundreds of functions get warm and few get hot: with V8's own value a tenth to a fifth of the time goes into
  // optimising what hardly runs again. A version of V8 that does not know the flag would say so on stderr.
  if (Number.parseInt(process.versions.v8, 10) <= 13) setFlagsFromString("--interrupt-budget=1000000");
  const rules = await replayRules(config);
  const findings = new Findings();
  const out: Backtest = {
    findings,
    sessions: 0,
    calls: 0,
    turnedAway: 0,
    bytes: 0,
    from: 0,
    to: 0,
    skipped: { unknownFormat: [], failed: [], badLines: 0 },
    problems: rules.problems,
  };
  const files = [...new Set(paths.flatMap(filesAt))]
    .map((file) => ({ file, size: sizeOf(file) }))
    .filter(({ size }) => size > 0);
  // Larger files first: a resumed session copies the one before, which then has nothing new.
  files.sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1));
  const ofBytes = files.reduce((sum, { size }) => sum + size, 0);
  const seen = new Set<string>();
  progress?.({ files: 0, of: files.length, bytes: 0, ofBytes });
  const sessions = new Set<string>();
  for (const [n, { file, size }] of files.entries()) {
    try {
      const recorded = readSession(file);
      if (!recorded) out.skipped.unknownFormat.push(file);
      else {
        out.skipped.badLines += recorded.badLines;
        const fresh = recorded.steps.filter((step) => step.kind === "call" && !seen.has(step.id)).length;
        out.calls += fresh;
        for (const step of recorded.steps) {
          if (step.time && (!out.from || step.time < out.from)) out.from = step.time;
          if (step.time > out.to) out.to = step.time;
        }
        if (fresh || !seen.has(recorded.session))
          out.turnedAway += (await replaySession(recorded, { rules, findings, seen, userHome })).refused;
        seen.add(recorded.session);
        sessions.add(recorded.session || file);
      }
    } catch (error) {
      out.skipped.failed.push({ file, why: (error instanceof Error ? error.message : String(error)).slice(0, 200) });
    }
    out.bytes += size;
    progress?.({ files: n + 1, of: files.length, bytes: out.bytes, ofBytes });
  }
  out.sessions = sessions.size;
  return out;
}

const filesAt = (path: string): string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ? transcriptsIn(path) : [path];

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
