// interlock status: the grade, what is enforced, what happened lately, and the one thing to look at first.
// Invariant: at most ten lines without --all; "all quiet" only where calls are judged and nothing is wrong.
import { overridesOf } from "../../engine/overrides/grant.js";
import { lastRetention } from "../../engine/retention-due.js";
import { type Coverage, coverage, describeCall, inWords, recentRecords } from "../../health/coverage.js";
import { type Grade, gradeOf } from "../../health/grade.js";
import { type PackState, packStates } from "../../health/pack-state.js";
import type { Opened } from "../../hook/open-project.js";
import {
  describePortConflict,
  type PortConflict,
  portConflictOn,
  portConflictRepair,
} from "../../hook/port-conflict.js";
import { readAddress, serverPid } from "../../hook/server-address.js";
import { keptDown } from "../../hook/start-policy.js";
import { type Config, standardRetention } from "../../model/config.js";
import type { JsonObject } from "../../model/json.js";
import { counted } from "../../model/text.js";
import { registry } from "../../packs/registry.js";
import type { Snapshot } from "../../store/types.js";
import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { ago, bold, clock, dim, green, red, shown, yellow } from "../lib/paint.js";
import { type RecentDigest, recentDigest } from "../lib/recent.js";
import { stateWithWords } from "../lib/state-write.js";
import { wrapLine } from "../lib/wrap.js";

export const usage = `Usage: interlock status [--all] [--json]

  --all   every line: each pack and hook, all faults and recent refusals; without it, at most ten
`;

/** Everything `status` looks at; it writes nothing. */
interface Status {
  opened: Opened;
  snapshot: Snapshot;
  seen: RecentDigest;
  grade: Grade;
  /** What the packs that are on say. */
  states: PackState[];
  covered: Coverage;
  /** Another program on the server's port. */
  portConflict: PortConflict | undefined;
  pid: number | undefined;
  /** Needed for http hooks; null where none are registered. */
  server: "up" | "down" | "silent" | null;
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { all: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  const status = await look(await openHere(values));
  const { opened, snapshot, seen, grade, states, covered, portConflict, server } = status;
  const next = nextStep(status);
  if (values.json) {
    const { config, problems, loosened, hash } = opened.settings;
    printJson({
      project: opened.repository.root,
      grade,
      condition: snapshot.condition,
      config: { hash, problems, loosened },
      packs: packRows(config),
      packStates: states,
      ...seen,
      overrides: overridesOf(snapshot.state as JsonObject),
      retention: { ...standardRetention, ...opened.settings.config.retention, checked: lastRetention(opened.folder) },
      coverage: covered,
      portConflict: portConflict ?? null,
      server,
      next: next ?? null,
    });
  } else {
    for (const line of linesOf(status, next, Boolean(values.all))) console.log(line);
  }
  return exitCode(status);
}

async function look(opened: Opened): Promise<Status> {
  const snapshot = { ...opened.store.read(), state: stateWithWords(opened.store) };
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
    states: await packStates(opened, snapshot.state as JsonObject),
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
  const { opened, snapshot, grade, seen, covered, portConflict, server } = status;
  if (isDamaged(status)) return 'interlock verify says what happened; interlock recover --reason "..." goes on';
  if (!grade.installed) return "interlock init";
  if (opened.settings.problems.length) return "interlock config check";
  if (server === "down") return "interlock up";
  if (seen.faults.length || portConflict || server === "silent" || covered.missing.length) return "interlock doctor";
  if (grade.problems.length) return "interlock doctor --fix";
  if (isPaused(snapshot)) return "interlock resume";
  if (status.states.some(({ problem }) => problem)) return "interlock doctor";
  const last = seen.blocks.at(-1);
  if (last && Date.now() - Date.parse(last.time) < 86_400_000) return `interlock why ${last.id}`;
  return seen.last ? undefined : "start your agent in this project; the first event shows here";
}

const isPaused = ({ state }: Snapshot): boolean => (overridesOf(state as JsonObject).pause?.until ?? 0) > Date.now();

const most = 10;

/** What is wrong comes first, then what is enforced, then what happened. */
function linesOf(status: Status, next: string | undefined, all: boolean): string[] {
  const { opened, snapshot, seen, grade } = status;
  const since = seen.last ? `last event ${ago(Date.now() - Date.parse(seen.last.time))}` : "no event yet";
  const parts = [
    ...(grade.installed ? [since] : []),
    ...(seen.events ? [eventsLine(status)] : []),
    ...(all ? [counted(snapshot.seq, "record"), `configuration ${opened.settings.hash}`] : []),
  ];
  const head = [bold(headline(grade)), ...parts].join(" · ");
  const last = next ? `next: ${next}` : green("all quiet");
  const wrong = [...serverLines(status), ...troubleLines(status, all), ...coverageLines(status.covered, all)];
  const body = [...wrong, ...packLines(status, all), ...stateLines(status, all)];
  const retention = grade.installed ? [retentionLine(opened)] : [];
  if (all)
    return [head, dim(`  ${opened.repository.root}`), ...body, ...retention, ...blockLines(status, 5), last].map(
      wrapped,
    );
  const room = most - height(wrapped(head)) - height(wrapped(last));
  const used = body.reduce((sum, line) => sum + height(wrapped(line)), 0);
  const recent = blockLines(status, Math.max(1, Math.min(3, room - used - 1)));
  const lines = [...body, ...recent].map(wrapped);
  const kept = firstThatFit(lines, room);
  const more = lines.length - kept.length;
  const rest = more ? [dim(`  and more: interlock status --all`)] : [];
  return [wrapped(head), ...kept, ...rest, wrapped(last)];
}

function headline({ installed, name }: Grade): string {
  if (!installed) return "Interlock is not installed here: no call is judged";
  return `Interlock ${name === "observe" ? "only records" : "is on"} (grade ${name})`;
}

/** Our own probes are in the record, and are no events of the agent. */
function eventsLine({ seen: { events }, snapshot }: Status): string {
  const older = snapshot.seq > recentRecords;
  return older ? `${events} events in the last ${recentRecords} records` : counted(events, "event");
}

const height = (lines: string): number => lines.split("\n").length;

/** Whole entries only; where some are left out, a line is kept free to say so. */
function firstThatFit(entries: readonly string[], room: number): string[] {
  const total = entries.reduce((sum, entry) => sum + height(entry), 0);
  let left = total <= room ? room : room - 1;
  return entries.filter((entry) => (left -= height(entry)) >= 0);
}

/** What is erased by itself, and when that was last done. */
function retentionLine({ settings, folder }: Opened): string {
  const { texts, work } = { ...standardRetention, ...settings.config.retention };
  const last = lastRetention(folder);
  const after = (days: number) => (days > 0 ? `after ${days} days` : "never");
  const when = last === undefined ? "not due yet" : `last checked ${ago(Date.now() - last)}`;
  return dim(`  texts are erased ${after(texts)}, kept work ${after(work)}; ${when} (interlock erase)`);
}

const wrapped = (line: string): string => wrapLine(line, 14);

/** One line per pack, or two for all of them. */
function packLines({ opened, seen, grade }: Status, all: boolean): string[] {
  const rows = packRows(opened.settings.config);
  if (!all) {
    const idle = registry.filter((pack) => pack.concerns && !pack.concerns(opened)).map((pack) => pack.id);
    const named = (modes: string[]) =>
      rows
        .filter((row) => row.enabled && modes.includes(row.mode) && !idle.includes(row.id))
        .map((row) => `${row.id}${counts(seen, row.id)}`);
    const off = rows.filter((row) => !row.enabled && row.id !== "rules").map((row) => row.id);
    const row = (name: string, list: string[]) => (list.length ? [`  ${name.padEnd(11)} ${list.join(", ")}`] : []);
    if (!grade.installed)
      return row("after init", [
        ...named(["enforce"]).map((id) => `${id} enforced`),
        ...named(["observe", "warn"]).map((id) => `${id} observed`),
      ]);
    return [
      ...row("enforced", named(["enforce"])),
      ...row("observed", named(["observe", "warn"])),
      ...row("off", off).map(dim),
      firedLine(grade, seen),
    ];
  }
  const lines = rows.map(({ id, enabled, mode, gates }) => {
    const exceptions = gates.length ? dim(` (${gates.join(", ")})`) : "";
    return `  ${id.padEnd(11)} ${enabled ? mode : dim("off")}${exceptions}${counts(seen, id)}`;
  });
  return [...lines, ...(grade.installed ? [`  ${"hooks".padEnd(11)} ${provenLine(grade, seen.fired)}`] : [])];
}

function firedLine({ events }: Grade, { fired }: RecentDigest): string {
  const fires = events.filter((event) => fired[event]).length;
  return `  ${"hooks".padEnd(11)} ${fires} of ${events.length} registered hooks have fired`;
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
  const said = [refused && `${refused} refused`, would && `${would} would have been refused`].filter(Boolean);
  return said.length ? ` (${said.join(", ")})` : "";
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

function coverageLines(covered: Coverage, all: boolean): string[] {
  const { calls, missing } = covered;
  const shownCalls = missing.slice(all ? -5 : -2);
  return [
    ...(calls ? [`  ${"coverage".padEnd(11)} ${(missing.length ? red : green)(inWords(covered))}`] : []),
    ...shownCalls.map((call) => red(`    no record: ${shown(describeCall(call), 160)}`)),
    ...(missing.length > shownCalls.length
      ? [dim(`    and ${missing.length - shownCalls.length} before: interlock status --json lists them all`)]
      : []),
  ];
}

function serverLines({ opened, grade, server, pid, portConflict }: Status): string[] {
  const silent = `the server (process ${pid}) does not answer: Claude Code refuses every call meanwhile`;
  const conflict = portConflict && `IMPOSTOR: ${describePortConflict(portConflict)} (${portConflictRepair})`;
  return [
    ...(server === "down" ? [red(`  ${downLine(keptDown(opened.home, process.env))}`)] : []),
    ...(server === "silent" ? [red(`  ${silent}`)] : []),
    ...(conflict ? [red(`  ${conflict}`)] : []),
    ...grade.problems.map((problem) => red(`  no hook runs: ${problem}`)),
  ];
}

/** Why it is down decides who starts it again. */
function downLine(kept: string | undefined): string {
  if (!kept)
    return "the server is down: Claude Code refuses every call until interlock up, the next prompt or the next session";
  const bySession = kept.includes("down") && !kept.includes("--stay");
  const until = bySession ? "interlock up or the next session" : "interlock up";
  return `the server ${kept}: Claude Code refuses every call until ${until}`;
}

function stateLines({ snapshot, states }: Status, all: boolean): string[] {
  const state = snapshot.state as JsonObject;
  // The guard's preset is no news.
  const said = states.filter(({ pack, says, problem }) => problem || (says && (all || pack !== "guard")));
  const open = overridesOf(state).open.filter((each) => each.expires > Date.now());
  return [
    ...said.map(({ pack, says, problem }) =>
      problem ? yellow(`  ${pack}: ${problem.what} (${problem.fix})`) : dim(`  ${pack}: ${says}`),
    ),
    ...open
      .slice(all ? 0 : -1)
      .map(({ verdict, expires, reason }) =>
        yellow(`  ${verdict} may pass once until ${clock(expires)}: ${shown(reason)}`),
      ),
  ];
}

function troubleLines({ opened, snapshot, seen }: Status, all: boolean): string[] {
  const { problems, loosened } = opened.settings;
  const { pause } = overridesOf(snapshot.state as JsonObject);
  const few = all ? 3 : 1;
  const cut = seen.cut.at(-1);
  const cuts = counted(seen.cut.length, "time");
  return [
    ...(pause && isPaused(snapshot)
      ? [yellow(`  PAUSED until ${clock(pause.until)}: ${shown(pause.reason)} (interlock resume)`)]
      : []),
    ...snapshot.condition.findings.map(({ level, what }) =>
      (level === "tampering" ? red : yellow)(`  ${level}: ${what}`),
    ),
    ...problems.map((problem) => red(`  configuration: ${problem} (the last good one stays in force)`)),
    ...loosened.map(({ path }) => yellow(`  the project would loosen ${path}; ignored (interlock trust)`)),
    ...seen.faults
      .slice(-few)
      .map((fault) =>
        yellow(`  fault of ${fault.gate} ${ago(Date.now() - Date.parse(fault.time))}: ${shown(fault.message)}`),
      ),
    ...(cut ? [yellow(`  the look at the work tree was cut ${cuts}, last for ${cut.id}: ${shown(cut.why)}`)] : []),
  ];
}

function blockLines({ seen: { blocks } }: Status, few: number): string[] {
  if (!blocks.length) return [];
  const lines = blocks
    .slice(-few)
    .map(
      ({ id, gate, what, time: at }) =>
        `    ${id}  ${gate}  ${shown(what, 90)}  ${dim(ago(Date.now() - Date.parse(at)))}`,
    );
  return [`  refused lately${blocks.length > few ? ` (${blocks.length}, the last ${few})` : ""}:`, ...lines];
}
