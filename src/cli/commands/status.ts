// interlock status: the grade, what is enforced, what happened lately, and the most useful next action.
import { overridesOf } from "../../engine/overrides/grant.js";
import { type Coverage, coverage, describeCall, inWords, recentRecords } from "../../health/coverage.js";
import { type Grade, gradeOf } from "../../health/grade.js";
import type { Opened } from "../../hook/open-project.js";
import {
  describePortConflict,
  type PortConflict,
  portConflictOn,
  portConflictRepair,
} from "../../hook/port-conflict.js";
import { readAddress, serverPid } from "../../hook/server-address.js";
import { keptDown } from "../../hook/start-policy.js";
import type { Config } from "../../model/config.js";
import type { JsonObject } from "../../model/json.js";
import { disciplineStatusLine } from "../../packs/discipline/state-reports.js";
import type { Snapshot } from "../../store/types.js";
import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { ago, bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { type RecentDigest, recentDigest } from "../lib/recent.js";

export const usage = "Usage: interlock status [--json]\n";

/** Everything `status` looks at; it writes nothing. */
interface Status {
  opened: Opened;
  snapshot: Snapshot;
  seen: RecentDigest;
  grade: Grade;
  covered: Coverage;
  /** Another program on the server's port. */
  portConflict: PortConflict | undefined;
  pid: number | undefined;
  /** Needed for http hooks; null where none are registered. */
  server: "up" | "down" | "silent" | null;
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage);
  const status = await look(await openHere(values));
  const { opened, snapshot, seen, grade, covered, portConflict, server } = status;
  const next = nextStep(status);
  if (values.json) {
    const { config, problems, loosened, hash } = opened.settings;
    printJson({
      project: opened.repository.root,
      grade,
      condition: snapshot.condition,
      config: { hash, problems, loosened },
      packs: packRows(config),
      ...seen,
      overrides: overridesOf(snapshot.state as JsonObject),
      coverage: covered,
      portConflict: portConflict ?? null,
      server,
      next: next ?? null,
    });
  } else {
    showGates(status);
    showCoverage(covered);
    showServer(status);
    showState(status);
    showTrouble(status);
    console.log(next ? `next: ${next}` : green("all quiet"));
  }
  return exitCode(status);
}

async function look(opened: Opened): Promise<Status> {
  const snapshot = opened.store.read();
  const grade = gradeOf(opened, process.env);
  const portConflict = await portConflictOn(opened.home, 0);
  const pid = serverPid(opened.home);
  const serverState = async () => {
    if (!grade.http) return null;
    if (pid === undefined) return portConflict ? "up" : "down";
    return (await answersAbout(opened.home)) ? "up" : "silent";
  };
  return {
    opened,
    snapshot,
    seen: recentDigest(opened.store, snapshot.seq),
    grade,
    covered: coverage(opened, Math.max(1, snapshot.seq - recentRecords)),
    portConflict,
    pid,
    server: await serverState(),
  };
}

async function answersAbout(home: string): Promise<boolean> {
  const { aboutServer } = await import("../../server/client.js");
  const door = readAddress(home);
  return door !== undefined && (await aboutServer(door.socket)) !== undefined;
}

const isDamaged = ({ snapshot: { condition } }: Status): boolean => condition.tampered || condition.locked;
const serverFails = ({ server }: Status): boolean => server === "down" || server === "silent";

function exitCode(status: Status): number {
  if (isDamaged(status)) return 4;
  const { opened, snapshot, grade, seen, covered, portConflict } = status;
  const degraded =
    snapshot.condition.degraded ||
    opened.settings.problems.length > 0 ||
    !grade.installed ||
    seen.faults.length > 0 ||
    covered.missing.length > 0 ||
    portConflict !== undefined ||
    serverFails(status);
  return degraded ? 5 : 0;
}

function nextStep(status: Status): string | undefined {
  const { opened, grade, seen, covered, portConflict, server } = status;
  if (isDamaged(status)) return 'interlock verify says what happened; interlock recover --reason "..." goes on';
  if (!grade.installed) return "interlock init";
  if (opened.settings.problems.length) return "interlock config check";
  if (server === "down") return "interlock up";
  if (seen.faults.length || portConflict || server === "silent" || covered.missing.length) return "interlock doctor";
  return seen.last ? undefined : "start your agent in this project; the first event shows here";
}

function showGates({ opened, snapshot, seen, grade }: Status): void {
  const { config, hash } = opened.settings;
  const since = seen.last ? `last event ${ago(Date.now() - Date.parse(seen.last.time))}` : "no event yet";
  const parts = [grade.installed ? since : "not installed here", `${snapshot.seq} records`, `configuration ${hash}`];
  console.log(`${bold(`Interlock ${grade.name}`)} · ${parts.join(" · ")}`);
  console.log(dim(`  ${opened.repository.root}`));
  for (const { id, enabled, mode, gates } of packRows(config)) {
    const exceptions = gates.length ? dim(` (${gates.join(", ")})`) : "";
    console.log(`  ${id.padEnd(11)} ${enabled ? mode : dim("off")}${exceptions}${counts(seen, id)}`);
  }
  if (grade.installed) console.log(`  ${"proved".padEnd(11)} ${provenLine(grade, seen.fired)}`);
}

const packRows = (config: Config) =>
  Object.entries(config.packs).map(([id, p]) => ({
    id,
    enabled: p.enabled,
    mode: p.mode,
    gates: Object.entries(p.gates).map(([g, m]) => `${g}: ${m}`),
  }));

function counts({ byGate }: RecentDigest, pack: string): string {
  const rows = Object.entries(byGate).flatMap(([gate, row]) => (gate.startsWith(`${pack}/`) ? [row] : []));
  const refused = rows.reduce((sum, row) => sum + row.refused, 0);
  const would = rows.reduce((sum, row) => sum + row.would, 0);
  return `${refused ? `  ${refused} refused` : ""}${would ? `  ${would} would be refused` : ""}`;
}

/** Which registered hooks have fired: when last and in which session. */
function provenLine({ events }: Grade, fired: RecentDigest["fired"]): string {
  const silent = events.filter((event) => !fired[event]);
  const latest = events.flatMap((event) => {
    const last = fired[event];
    return last ? [`${event} ${ago(Date.now() - Date.parse(last.time))} (${shown(last.session ?? "?", 8)})`] : [];
  });
  const never = silent.length ? dim(`${latest.length ? "; " : ""}not yet: ${silent.join(", ")}`) : "";
  return `${latest.length} of ${events.length} registered hooks have fired: ${latest.join(", ")}${never}`;
}

function showCoverage(covered: Coverage): void {
  const { calls, missing } = covered;
  if (calls) console.log(`  ${"coverage".padEnd(11)} ${(missing.length ? red : green)(inWords(covered))}`);
  for (const call of missing.slice(-5)) console.log(red(`    no record: ${shown(describeCall(call), 160)}`));
  if (missing.length > 5)
    console.log(dim(`    and ${missing.length - 5} before: interlock status --json lists them all`));
}

function showServer({ opened, server, pid, portConflict }: Status): void {
  if (server === "down") console.log(red(`  ${downLine(keptDown(opened.home, process.env))}`));
  if (server === "silent")
    console.log(red(`  the server (process ${pid}) does not answer: Claude Code refuses every call meanwhile`));
  if (portConflict) console.log(red(`  IMPOSTOR: ${describePortConflict(portConflict)} (${portConflictRepair})`));
}

/** Why it is down decides who starts it again. */
function downLine(kept: string | undefined): string {
  if (!kept)
    return "the server is down: Claude Code refuses every call until interlock up, the next prompt or the next session";
  const bySession = kept.includes("down") && !kept.includes("--stay");
  const until = bySession ? "interlock up or the next session" : "interlock up";
  return `the server ${kept}: Claude Code refuses every call until ${until}`;
}

function showState({ snapshot }: Status): void {
  const state = snapshot.state as JsonObject;
  const discipline = disciplineStatusLine(state, Date.now());
  if (discipline) console.log(dim(`  discipline: ${discipline}`));
  const { pause, open } = overridesOf(state);
  const time = (at: number) => new Date(at).toLocaleTimeString();
  if (pause && pause.until > Date.now())
    console.log(yellow(`  PAUSED until ${time(pause.until)}: ${shown(pause.reason)} (interlock resume)`));
  for (const { verdict, expires, reason } of open.filter((each) => each.expires > Date.now()))
    console.log(yellow(`  ${verdict} may pass once until ${time(expires)}: ${shown(reason)}`));
}

function showTrouble({ opened, snapshot, seen }: Status): void {
  const { problems, loosened } = opened.settings;
  for (const { level, what } of snapshot.condition.findings)
    console.log((level === "tampering" ? red : yellow)(`  ${level}: ${what}`));
  for (const problem of problems) console.log(red(`  configuration: ${problem} (the last good one stays in force)`));
  for (const { path } of loosened) console.log(yellow(`  the project would loosen ${path}; ignored (interlock trust)`));
  for (const { gate, time, message } of seen.faults.slice(-3))
    console.log(yellow(`  fault of ${gate} ${ago(Date.now() - Date.parse(time))}: ${shown(message)}`));
  const cut = seen.cut.at(-1);
  if (cut)
    console.log(
      yellow(`  the look at the work tree was cut ${seen.cut.length} times, last for ${cut.id}: ${shown(cut.why)}`),
    );
  if (seen.blocks.length) console.log("  refused lately:");
  for (const { id, gate, what, time } of seen.blocks.slice(-5))
    console.log(`    ${id}  ${gate}  ${shown(what, 90)}  ${dim(ago(Date.now() - Date.parse(time)))}`);
}
