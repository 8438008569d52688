#!/usr/bin/env node
// The entry of the shipped program (dist/interlock.cjs). A hook first asks the running server, with nothing but `fs`;
// without a server it runs dist/hook.cjs. The status line runs dist/statusline.cjs, every other command dist/main.cjs.
import { interlockHome } from "../hook/folders.js";
import { askServer } from "../hook/spool-client.js";
import { readAll, writeWhole } from "../hook/stdio.js";
import { waitForTurn } from "../hook/turn.js";
import { limits } from "../model/limits.js";
import { cacheKind, loadWithCodeCache } from "./code-cache.js";

process.getBuiltinModule ??= require; // Node before 20.16 lacks it

const argv = process.argv.slice(2);
if (argv[0] === "hook") hook();
else if (argv[0] === "statusline" && argv[1] === "--chain") statusLine();
else (require("./main.cjs") as typeof import("./main.js")).runMain(argv);

function hook(): void {
  const named = argv.indexOf("--home");
  const home = interlockHome(process.env, named < 0 ? undefined : argv[named + 1]);
  // Inside an adopted hook there is no queue: the hook around it is at work already.
  const turn = process.env["INTERLOCK_REENTRY"] === undefined ? waitForTurn(home, turnLimit()) : undefined;
  if (turn?.crowd !== undefined) return turnAway(turn.crowd, home);
  if (turn) process.on("exit", turn.end);
  const { answered, input } = askServer(argv, process.env, home);
  if (answered) process.exit(0);
  const event = input ?? readEvent();
  const program = loadWithCodeCache(home, cacheKind(argv, event)) as typeof import("./hook-main.js");
  program.runHook(argv.slice(1), event, input !== undefined);
}

function statusLine(): void {
  const named = argv.indexOf("--home");
  const home = interlockHome(process.env, named < 0 ? undefined : argv[named + 1]);
  const program = loadWithCodeCache(home, "line", "statusline.cjs") as typeof import("./statusline-main.js");
  program.runStatusLine(argv[2], home);
}

/** Enough time to judge and record must be left when its turn comes. */
function turnLimit(): number {
  return (argv.includes("--alone") ? limits.turnAlone : limits.turn) - process.uptime() * 1_000;
}

/** Too late to judge: refuses what can be refused, without loading what judges. The next one to write says so. */
function turnAway(crowd: number, home: string): void {
  const { unjudged, noteUnjudged } = require("./unjudged.cjs") as typeof import("../hook/unjudged.js");
  const event = argv[argv.indexOf("--event") + 1] ?? "PreToolUse";
  writeWhole(unjudged(event, `${crowd} hooks that came earlier are still at work`, "interlock/timeout"));
  const input = readEvent();
  if (input) noteUnjudged(home, event, input);
  process.exit(0);
}

/** Undefined where stdin can't be read: the hook command reads it again and reports the error. */
function readEvent(): Buffer | undefined {
  try {
    return readAll();
  } catch {
    return undefined;
  }
}
