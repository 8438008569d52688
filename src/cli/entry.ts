#!/usr/bin/env node
// The entry of the shipped program (dist/interlock.cjs). A hook first asks the running server, with nothing but `fs`;
// without a server it runs dist/hook.cjs. The status line runs dist/statusline.cjs, every other command dist/main.cjs.
import { interlockHome } from "../hook/folders.js";
import { askServer } from "../hook/spool-client.js";
import { readAll } from "../hook/stdio.js";
import { cacheKind, loadWithCodeCache } from "./code-cache.js";

process.getBuiltinModule ??= require; // Node before 20.16 lacks it

const argv = process.argv.slice(2);
if (argv[0] === "hook") hook();
else if (argv[0] === "statusline" && argv[1] === "--chain") statusLine();
else (require("./main.cjs") as typeof import("./main.js")).runMain(argv);

function hook(): void {
  const named = argv.indexOf("--home");
  const home = interlockHome(process.env, named < 0 ? undefined : argv[named + 1]);
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

/** Undefined where stdin can't be read: the hook command reads it again and reports the error. */
function readEvent(): Buffer | undefined {
  try {
    return readAll();
  } catch {
    return undefined;
  }
}
