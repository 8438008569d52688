// interlock status: grade, what is enforced, what happened lately, and the single most useful next action.

import { overridesOf } from "../../engine/overrides/grant.js";
import { coverage, describeCall, inWords, recentRecords } from "../../health/coverage.js";
import { type engineEnforces, type Grade, gradeOf } from "../../health/grade.js";
import { describeStranger, repairOfStranger, strangerOn } from "../../hook/port-conflict.js";
import { readDoor, serverPid } from "../../hook/server-address.js";
import { keptDown } from "../../hook/start-policy.js";
import type { JsonObject } from "../../model/json.js";
import { standingLine } from "../../packs/discipline/report.js";
import { options } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { ago, bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { digest } from "../lib/recent.js";

export const usage = "Usage: interlock status [--json]\n";

export async function run(args: string[]): Promise<number> {
  const { values } = options(args, { json: "flag", cwd: "text", home: "text" }, usage);
  const opened = await openHere(values);
  const snapshot = opened.store.read();
  const { condition } = snapshot;
  const seen = digest(opened.store, snapshot.seq);
  const grade = gradeOf(opened, process.env);
  const covered = coverage(opened, Math.max(1, snapshot.seq - recentRecords));
  const { config, problems, loosened, hash } = opened.settings;
  const stranger = await strangerOn(opened.home, 0);
  const pid = serverPid(opened.home);
  const down = grade.http && !stranger && pid === undefined;
  const mute = grade.http && pid !== undefined && !(await answersAbout(opened.home));
  const code =
    condition.tampered || condition.locked
      ? 4
      : condition.degraded ||
          problems.length ||
          !grade.installed ||
          seen.faults.length ||
          covered.missing.length ||
          stranger ||
          down ||
          mute
        ? 5
        : 0;
  const next = nextStep(
    condition.tampered || condition.locked,
    grade.installed,
    problems.length > 0,
    seen.last === undefined,
    down,
    seen.faults.length > 0 || stranger !== undefined || mute,
    covered.missing.length > 0,
  );
  if (values.json) {
    printJson({
      project: opened.repository.root,
      grade,
      condition,
      config: { hash, problems, loosened },
      packs: packRows(config),
      ...seen,
      overrides: overridesOf(snapshot.state as JsonObject),
      coverage: covered,
      stranger: stranger ?? null,
      server: grade.http ? (down ? "down" : mute ? "silent" : "up") : null,
      next: next ?? null,
    });
    return code;
  }
  const since = seen.last ? `last event ${ago(Date.now() - Date.parse(seen.last.time))}` : "no event yet";
  console.log(
    `${bold(`Interlock ${grade.name}`)} · ${grade.installed ? since : "not installed here"} · ${snapshot.seq} records · configuration ${hash}`,
  );
  console.log(dim(`  ${opened.repository.root}`));
  for (const row of packRows(config))
    console.log(
      `  ${row.id.padEnd(11)} ${row.enabled ? row.mode : dim("off")}${row.gates.length ? dim(` (${row.gates.join(", ")})`) : ""}${counts(seen, row.id)}`,
    );
  if (grade.installed) console.log(`  ${"proved".padEnd(11)} ${provenLine(grade, seen.fired)}`);
  if (covered.calls)
    console.log(`  ${"coverage".padEnd(11)} ${(covered.missing.length ? red : green)(inWords(covered))}`);
  for (const call of covered.missing.slice(-5)) console.log(red(`    no record: ${shown(describeCall(call), 160)}`));
  if (covered.missing.length > 5)
    console.log(dim(`    and ${covered.missing.length - 5} before: interlock status --json lists them all`));
  if (down) console.log(red(`  ${downLine(keptDown(opened.home, process.env))}`));
  if (mute) console.log(red(`  the server (process ${pid}) does not answer: Claude Code refuses every call meanwhile`));
  if (stranger) console.log(red(`  IMPOSTOR: ${describeStranger(stranger)} (${repairOfStranger})`));
  const standing = standingLine(snapshot.state as JsonObject, Date.now());
  if (standing) console.log(dim(`  discipline: ${standing}`));
  const lifted = overridesOf(snapshot.state as JsonObject);
  if (lifted.pause && lifted.pause.until > Date.now())
    console.log(
      yellow(
        `  PAUSED until ${new Date(lifted.pause.until).toLocaleTimeString()}: ${shown(lifted.pause.reason)} (interlock resume)`,
      ),
    );
  for (const o of lifted.open.filter((each) => each.expires > Date.now()))
    console.log(
      yellow(`  ${o.verdict} may pass once until ${new Date(o.expires).toLocaleTimeString()}: ${shown(o.reason)}`),
    );
  for (const finding of condition.findings)
    console.log((finding.level === "tampering" ? red : yellow)(`  ${finding.level}: ${finding.what}`));
  for (const problem of problems) console.log(red(`  configuration: ${problem} (the last good one stays in force)`));
  for (const l of loosened) console.log(yellow(`  the project would loosen ${l.path}; ignored (interlock trust)`));
  for (const f of seen.faults.slice(-3))
    console.log(yellow(`  fault of ${f.gate} ${ago(Date.now() - Date.parse(f.time))}: ${shown(f.message)}`));
  if (seen.blocks.length) console.log("  refused lately:");
  for (const b of seen.blocks.slice(-5))
    console.log(`    ${b.id}  ${b.gate}  ${shown(b.what, 90)}  ${dim(ago(Date.now() - Date.parse(b.time)))}`);
  console.log(next ? `next: ${next}` : green("all quiet"));
  return code;
}

async function answersAbout(home: string): Promise<boolean> {
  const { aboutServer } = await import("../../server/client.js");
  const door = readDoor(home);
  return door !== undefined && (await aboutServer(door.socket)) !== undefined;
}

/** Why it is down decides who brings it up again. */
function downLine(kept: string | undefined): string {
  const until =
    kept?.includes("down") && !kept.includes("--stay") ? "interlock up or the next session" : "interlock up";
  return kept
    ? `the server ${kept}: Claude Code refuses every call until ${until}`
    : "the server is down: Claude Code refuses every call until interlock up, the next prompt or the next session";
}

const packRows = (config: Parameters<typeof engineEnforces>[0]) =>
  Object.entries(config.packs).map(([id, p]) => ({
    id,
    enabled: p.enabled,
    mode: p.mode,
    gates: Object.entries(p.gates).map(([g, m]) => `${g}: ${m}`),
  }));

function counts(seen: ReturnType<typeof digest>, pack: string): string {
  let refused = 0;
  let would = 0;
  for (const [gate, row] of Object.entries(seen.byGate)) {
    if (!gate.startsWith(`${pack}/`)) continue;
    refused += row.refused;
    would += row.would;
  }
  return `${refused ? `  ${refused} refused` : ""}${would ? `  ${would} would be refused` : ""}`;
}

function nextStep(
  damaged: boolean,
  installed: boolean,
  broken: boolean,
  silent: boolean,
  down: boolean,
  faulty: boolean,
  gaps: boolean,
): string | undefined {
  if (damaged) return 'interlock verify tells what happened; interlock recover --reason "..." goes on';
  if (!installed) return "interlock init";
  if (broken) return "interlock config check";
  if (down) return "interlock up";
  if (faulty || gaps) return "interlock doctor";
  return silent ? "start your agent in this project; the first event shows here" : undefined;
}

/** What has fired, against what is registered: the last time and in which session. */
function provenLine({ events }: Grade, fired: ReturnType<typeof digest>["fired"]): string {
  const silent = events.filter((event) => !fired[event]);
  const latest = events
    .filter((event) => fired[event])
    .map(
      (event) =>
        `${event} ${ago(Date.now() - Date.parse(fired[event]!.time))} (${shown(fired[event]!.session ?? "?", 8)})`,
    );
  const never = silent.length ? dim(`${latest.length ? "; " : ""}not yet: ${silent.join(", ")}`) : "";
  return `${latest.length} of ${events.length} registered hooks have fired: ${latest.join(", ")}${never}`;
}
