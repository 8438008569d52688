// Plays `interlock kit` for tests of the pump: the spec file says what the phase does. Leaves its environment in the
// run's artifacts.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runRecordsHere } from "../../src/cli/lib/runs-here.js";
import type { KitName } from "../../src/runs/actions.js";
import { capsuleFor, writeCapsule } from "../../src/runs/capsule.js";
import { buildManifest, writeManifest } from "../../src/runs/manifest.js";
import { createRun, type NewEvent } from "../../src/runs/run.js";

export interface Script {
  write?: Record<string, string>;
  events?: NewEvent[];
  exit?: number;
  sleepMs?: number;
  /** Starts a process that outlives the phase unless its group is ended; it writes this file after a second. */
  linger?: string;
  print?: string;
  /** Where it writes its process id. */
  pid?: string;
  silent?: boolean;
}

const args = process.argv.slice(2);
const option = (name: string) => args[args.indexOf(`--${name}`) + 1]!;
const [kit, phase, ...rest] = args.slice(args.indexOf("--request") + 2) as [KitName, string, ...string[]];
const project = process.cwd();
const script = JSON.parse(readFileSync(join(project, rest[0]!), "utf8")) as Script;
const start = {
  kit,
  phase,
  args: rest,
  runId: option("run-id"),
  parentRunId: option("parent-run-id"),
  requestId: option("request"),
};
// Signed only where the test names a home: never in the user's own.
const run = process.env["INTERLOCK_HOME"]
  ? createRun(project, start, runRecordsHere(project))
  : createRun(project, start);
writeFileSync(run.file("artifacts", "env.json"), JSON.stringify(process.env));
console.log(script.print ?? "");
if (script.pid) writeFileSync(join(project, script.pid), String(process.pid));
if (script.linger) {
  const late = JSON.stringify(join(project, script.linger));
  const code = `setTimeout(() => require("fs").writeFileSync(${late}, "x"), 1000)`;
  spawn(process.execPath, ["-e", code], { stdio: "ignore" }).unref();
}
for (const [path, text] of Object.entries(script.write ?? {})) {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}
if (script.sleepMs) await wait(script.sleepMs);
for (const event of script.events ?? []) run.append(event);
const exitCode = script.exit ?? 0;
if (!script.silent) {
  const name = `${kit}_${phase}`;
  const facts = { kit, phase, goal: rest[0]!, exitCode, changed: Object.keys(script.write ?? {}), pointers: [] };
  writeCapsule(run.file("capsules", `${name}.md`), capsuleFor(script.print ?? "", facts));
  const manifest = await buildManifest({
    project,
    metadata: {
      run_id: run.id,
      kit,
      phase,
      started_at: run.record.started_at,
      finished_at: new Date().toISOString(),
      exit_code: exitCode,
      command: ["fake-kit"],
      cwd: project,
    },
    capsulePath: run.pointer("capsules", `${name}.md`),
    logs: [{ path: run.pointer("logs", "pump.log") }],
  });
  writeManifest(run.file("manifests", `${name}.json`), manifest);
  const pointers = {
    capsule: run.pointer("capsules", `${name}.md`),
    manifest: run.pointer("manifests", `${name}.json`),
  };
  run.append({ event: "run_finished", kit, phase, exit_code: exitCode, pointers });
}
process.exit(exitCode);
