// interlock run: what happened in a run and where the truth is, from its id alone. Reads only.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readCapsule } from "../../runs/capsule.js";
import { readManifestFile } from "../../runs/manifest.js";
import { listRuns } from "../../runs/run.js";
import type { RunEvent } from "../../runs/schemas.js";
import { filesOf, newestOf, type RunNode, type RunStatus, replayOf, summaryOf, treeOf } from "../../runs/story.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { countOption, namedRun, runRecordsHere, runsProjectRoot } from "../lib/runs-here.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock run <command> [<id>] [--json]

  list [--limit <n>]      the newest runs (20)
  show <id>               one run: what, when, how it ended, its files
  tree [<id>]             the runs it led to, with the heads of their capsules; without an id, all of them
  capsule <id>            its newest capsule, checked
  manifest <id>           its newest manifest: counts and pointers; with --json all of it
  replay <id>             the story in order, with that of the runs below it
  restore <id>            write its run.json anew from the signed record

An id may be shortened, or be "last". Lineage comes from signed records: a run.json that
differs from its record is marked "altered", one without a record "unsigned".

Examples:
  interlock run show last
  interlock run tree 20260213T091500Z-1a2b3c4d
`;

const commands = ["list", "show", "tree", "capsule", "manifest", "replay", "restore"] as const;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { limit: "text", json: "flag", cwd: "text" }, usage, "words");
  const [command, ...rest] = words;
  if (command === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (!(commands as readonly string[]).includes(command))
    throw unknownWord("unknown command", command, commands, usage);
  atMost(rest, command === "list" ? 0 : 1, usage);
  const project = runsProjectRoot(values);
  const json = values.json === true;
  if (command === "list") return list(project, countOption("limit", values.limit, usage) ?? 20, json);
  if (command === "tree" && rest[0] === undefined) return forest(project, json);
  const id = namedRun(project, rest[0], usage);
  switch (command) {
    case "show":
      return show(project, id, json);
    case "tree":
      return tree([treeOf(project, id, runRecordsHere(project))], json);
    case "capsule":
      return capsule(project, id, json);
    case "manifest":
      return manifest(project, id, json);
    case "restore":
      return restore(project, id, json);
    default:
      return replay(project, id, json);
  }
}

const painted = (status: RunStatus | string): string =>
  (status === "ok" ? green : status === "failed" || status === "ended without a result" ? red : yellow)(status);

const mark = ({ doubt }: { doubt?: string }): string => (doubt ? red(`  ${doubt}`) : "");

async function list(project: string, limit: number, json: boolean): Promise<number> {
  const { ids, runs } = await withProgress("reading the runs", () => {
    const ids = listRuns(project);
    const records = runRecordsHere(project);
    return { ids, runs: ids.slice(0, limit).map((id) => summaryOf(project, id, records)) };
  });
  if (json) printJson({ runs, total: ids.length });
  else if (!runs.length) say("No runs yet. Start one: interlock kit <tdd|research|math> <phase>");
  else
    for (const r of runs) {
      const parent = r.parent_run_id ? dim(`  of ${r.parent_run_id}`) : "";
      say(`${r.run_id}  ${painted(r.status)}  ${r.action} ${shown(r.args.join(" "), 60)}${parent}${mark(r)}`);
    }
  if (!json && ids.length > limit) say(dim(`and ${ids.length - limit} older; see them with --limit ${ids.length}`));
  return 0;
}

function show(project: string, id: string, json: boolean): number {
  const records = runRecordsHere(project);
  const summary = summaryOf(project, id, records);
  const files = filesOf(project, id);
  const record = records.read(id);
  const doubt = records.doubt?.(id);
  if (json) {
    printJson({ run: summary, record: record ?? null, doubt: doubt ?? null, files });
    return doubt ? 1 : 0;
  }
  say(bold(`${summary.action} ${shown(summary.args.join(" "), 120)}`));
  say(`  ${painted(summary.status)}${summary.exit_code === undefined ? "" : `, exit code ${summary.exit_code}`}`);
  say(`  from ${summary.started_at ?? "?"}${summary.finished_at ? ` to ${summary.finished_at}` : ""}`);
  if (summary.parent_run_id)
    say(`  asked for by ${summary.parent_run_id}${summary.request_id ? ` in ${summary.request_id}` : ""}`);
  if (doubt) say(`  ${red(`${doubt.kind}: ${doubt.what}`)}\n    ${doubt.remedy}`);
  else if (!record) say(red(`  its record is missing or damaged: runs/${id}/run.json`));
  for (const [folder, found] of Object.entries(files))
    for (const f of found) say(`  ${folder.slice(0, -1).padEnd(8)}  ${shown(f.path, 200)}  ${dim(`${f.bytes} bytes`)}`);
  return doubt ? 1 : 0;
}

function restore(project: string, id: string, json: boolean): number {
  const restored = runRecordsHere(project).restore?.(id) === true;
  if (json) printJson({ run_id: id, restored });
  else if (restored) say(`runs/${id}/run.json is as it was signed`);
  else sayError(`interlock: run ${id} has no signed record to restore from. Start a new one: interlock kit`);
  return restored ? 0 : 1;
}

function forest(project: string, json: boolean): number {
  const records = runRecordsHere(project);
  const roots = listRuns(project).filter((id) => !summaryOf(project, id, records).parent_run_id);
  if (!roots.length && !json) say("No runs yet.");
  return tree(
    roots.reverse().map((id) => treeOf(project, id, records)),
    json,
  );
}

function tree(nodes: RunNode[], json: boolean): number {
  if (json) printJson({ runs: nodes });
  else for (const node of nodes) printNode(node, "");
  return 0;
}

function printNode(node: RunNode, indent: string): void {
  const ended = `${painted(node.status)}  ${dim(node.run_id)}${mark(node)}`;
  say(`${indent}${bold(node.action)} ${shown(node.args.join(" "), 60)}  ${ended}`);
  for (const line of node.capsule) say(`${indent}  ${dim(shown(line, 110))}`);
  for (const handoff of node.handoffs) {
    const reason = handoff.reason ? `  ${shown(handoff.reason, 80)}` : "";
    say(`${indent}  -> ${handoff.request_id}  ${painted(handoff.status)}${reason}`);
    if (handoff.child) printNode(handoff.child, `${indent}     `);
  }
}

function capsule(project: string, id: string, json: boolean): number {
  const path = newestOf(project, id, "capsules");
  if (!path) return none("capsule", id, json);
  const { text, findings, madeByInterlock } = readCapsule(join(project, path));
  if (json) printJson({ path, text, findings, made_by_interlock: madeByInterlock });
  else {
    process.stdout.write(
      `${text
        .split("\n")
        .slice(0, 40)
        .map((line) => shown(line, 400))
        .join("\n")
        .trimEnd()}\n`,
    );
    for (const f of findings) sayError(`${path}:${f.line}: ${f.problem}\n  ${f.remedy}`);
  }
  return findings.length ? 1 : 0;
}

function none(what: string, id: string, json: boolean): number {
  if (json) printJson({ path: null });
  else sayError(`interlock: run ${id} has no ${what}. What it did: interlock run replay ${id}`);
  return 1;
}

function manifest(project: string, id: string, json: boolean): number {
  const path = newestOf(project, id, "manifests");
  if (!path) return none("manifest", id, json);
  const { manifest: found, findings } = readManifestFile(join(project, path));
  if (json) printJson({ path, manifest: found ?? null, findings });
  else if (found) {
    const { tracked, omitted } = found.artifact_index;
    say(bold(path));
    say(`  ${tracked.length} files listed, ${omitted.files} more (${omitted.bytes} bytes) beyond the limits`);
    for (const p of found.truth_pointers.slice(0, 20)) say(`  truth  ${shown(p, 200)}`);
    if (found.truth_pointers.length > 20) say(dim(`  and ${found.truth_pointers.length - 20} more, see --json`));
    for (const log of found.log_pointers) {
      const gone = existsSync(join(project, log.path)) ? "" : red(" is gone");
      say(`  log    ${shown(log.path, 200)}${gone}\n         ${shown(log.hint, 200)}`);
    }
  }
  for (const f of findings) sayError(`${path}: ${f.problem}\n  ${f.remedy}`);
  return findings.length ? 1 : 0;
}

function replay(project: string, id: string, json: boolean): number {
  const { lines, damaged } = replayOf(project, id, runRecordsHere(project));
  if (json)
    printJson({ run_id: id, damaged, events: lines.map(({ depth, run_id, event }) => ({ depth, ...event, run_id })) });
  else for (const { depth, event } of lines) say(`${dim(event.ts)}  ${"  ".repeat(depth)}${told(event)}`);
  if (!json && damaged) say(yellow(`${damaged} damaged line${damaged === 1 ? "" : "s"} left out`));
  return 0;
}

function told(event: RunEvent): string {
  const parts = [bold(event.event)];
  if (event.kit) parts.push(event.phase ? `${event.kit}.${event.phase}` : event.kit);
  if (event.request_id) parts.push(event.request_id);
  if (event.child_run_id) parts.push(`-> ${event.child_run_id}`);
  if (event.status) parts.push(painted(event.status));
  if (event.gate) parts.push(shown(event.gate, 60));
  if (event.exit_code !== undefined) parts.push(`exit code ${event.exit_code}`);
  if (event.reason) parts.push(shown(event.reason, 160));
  for (const path of Object.values(event.pointers ?? {})) parts.push(dim(shown(path, 160)));
  return parts.join("  ");
}
