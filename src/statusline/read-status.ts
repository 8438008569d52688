// What the status line shows, read from the record's newest state, the ledger's tail and the settings.
// Invariant: reads only, bounded; no process is started but one short `git log` for each new HEAD.
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { overridesOf } from "../engine/overrides/grant.js";
import { gradeOf } from "../health/grade.js";
import type { Env } from "../hook/folders.js";
import { type Opened, open } from "../hook/open-project.js";
import { serverPid } from "../hook/server-address.js";
import { currentPhase } from "../model/current-phase.js";
import { isObject, type JsonObject } from "../model/json.js";
import { replaceFile } from "../project/replace-file.js";
import { askGit } from "../project/run-git.js";
import { realIo } from "../store/io.js";
import { layout, segmentPath, segments } from "../store/layout.js";
import { checkpointTrailer } from "../store/verify/checkpoints.js";
import type { LineFacts } from "./status-line.js";

export interface Asked {
  cwd: string;
  session?: string;
  home?: string;
  env: Env;
}

export async function lineFacts({ cwd, session, home, env }: Asked, now = Date.now()): Promise<LineFacts> {
  const opened = await open(cwd, { env, home });
  const { state, condition } = opened.store.read();
  const grade = gradeOf(opened, env);
  const at = (id: string): JsonObject => {
    const value = (state as JsonObject)[session === undefined ? id : `${id}@${session}`];
    return isObject(value) ? value : {};
  };
  const pause = overridesOf(state as JsonObject).pause?.until ?? 0;
  const phase = currentPhase(state as JsonObject, session ?? "");
  const anchored = anchoredAt(opened);
  return {
    grade: grade.name,
    ...alarmOf(opened, condition.tampered || condition.locked, grade),
    ...(pause > now && { pausedFor: pause - now }),
    ...disciplineParts(opened, at),
    ...intentOf(at, state as JsonObject),
    ...(phase && { phase }),
    blocked: session === undefined ? 0 : blockedIn(opened, session),
    ...(anchored !== undefined && { anchorAge: now - anchored }),
  };
}

function alarmOf(
  { home, settings }: Opened,
  isDamaged: boolean,
  { installed, problems, http }: ReturnType<typeof gradeOf>,
): { alarm?: string } {
  if (isDamaged) return { alarm: "RECORD DAMAGED" };
  if (!installed) return { alarm: "not installed here" };
  if (problems.length) return { alarm: "HOOKS OFF" };
  if (http && serverPid(home) === undefined) return { alarm: "SERVER DOWN" };
  return settings.problems.length ? { alarm: "configuration broken" } : {};
}

const categories = 4;

function disciplineParts({ settings }: Opened, at: (id: string) => JsonObject): Partial<LineFacts> {
  const pack = settings.config.packs["discipline"];
  if (!pack?.enabled) return {};
  const parts: Partial<LineFacts> = {};
  const { marks } = at("discipline/researched") as { marks?: Record<string, object> };
  if (marks) parts.research = { done: Object.keys(marks["main"] ?? {}).length, of: categories };
  const { required, shown, approved } = at("discipline/planned") as Record<string, boolean>;
  if (required && !approved) parts.plan = shown ? "shown" : "required";
  const {
    row = {},
    tripped,
    half,
  } = at("discipline/failures") as {
    row?: Record<string, number>;
    tripped?: object;
    half?: boolean;
  };
  const { breaker } = pack.options as { breaker?: { failures?: number } };
  parts.breaker = { failures: row["main"] ?? 0, of: breaker?.failures ?? 3, tripped: Boolean(tripped && !half) };
  return parts;
}

/** The newest selection counts: the session's, or a person's for all of them. */
function intentOf(at: (id: string) => JsonObject, state: JsonObject): { intent?: string } {
  const own = at("intent/selection") as { id?: string; at?: number };
  const all = (state["intent/project-selection"] ?? {}) as { id?: string; at?: number };
  const { id } = (own.at ?? 0) >= (all.at ?? 0) ? own : all;
  return typeof id === "string" ? { intent: id } : {};
}

const tailBytes = 512 * 1024;

/** Refusals of the session among the newest records. */
function blockedIn({ store }: Opened, session: string): number {
  const at = layout(store.place);
  const last = segments(realIo, at).at(-1);
  if (last === undefined) return 0;
  const named = `"session":${JSON.stringify(session)}`;
  return tail(segmentPath(at, last))
    .split("\n")
    .filter((line) => line.includes('"outcome":"deny"') && line.includes(named)).length;
}

function tail(path: string): string {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(fd);
  }
}

/** Of the newest of the last commits that carries a checkpoint; kept until HEAD moves. */
function anchoredAt({ folder, repository: { root, gitDir } }: Opened): number | undefined {
  const head = gitDir && headOf(gitDir);
  if (!head) return undefined;
  const file = join(folder, "statusline.json");
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as { head?: string; anchored?: number };
    if (kept.head === head) return kept.anchored;
  } catch {
    // not kept yet
  }
  const format = `--format=%ct %(trailers:key=${checkpointTrailer},valueonly,separator=%x20)`;
  const log = askGit(root, ["log", "-100", "--no-show-signature", format], { ms: 150 })?.toString("utf8");
  if (log === undefined) return undefined;
  const seconds = /^(\d+) \S/m.exec(log)?.[1];
  const anchored = seconds === undefined ? undefined : Number(seconds) * 1000;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(file, JSON.stringify({ head, anchored }), 0o600);
  } catch {
    // asked again next time
  }
  return anchored;
}

/** What HEAD says and when it last moved: no process is started. */
function headOf(gitDir: string): string | undefined {
  try {
    const log = tail(join(gitDir, "logs", "HEAD"));
    return log.trimEnd().split("\n").at(-1)?.split(" ")[1];
  } catch {
    return undefined; // no commit yet, or no reflog
  }
}
