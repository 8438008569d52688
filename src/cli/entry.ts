#!/usr/bin/env node
// The entry of the shipped program (dist/interlock.cjs). A hook first asks the running server, with nothing but `fs`;
// everything else, and a hook without a server, runs the main program (dist/main.cjs).
import { interlockHome } from "../hook/folders.js";
import { askServer } from "../hook/spool-client.js";
import { readAll } from "../hook/stdio.js";
import { cacheKind, loadWithCodeCache } from "./code-cache.js";

process.getBuiltinModule ??= require; // Node before 20.16 lacks it

const argv = process.argv.slice(2);
const named = argv.indexOf("--home");
const home = interlockHome(process.env, named < 0 ? undefined : argv[named + 1]);
const { answered, input } = askServer(argv, process.env, home);
if (answered) process.exit(0);

const isHook = argv[0] === "hook";
const event = isHook ? (input ?? readEvent()) : undefined;
const program = loadWithCodeCache(home, isHook ? cacheKind(argv, event) : undefined) as typeof import("./main.js");
program.runMain(argv, event);

/** Undefined where stdin can't be read: the hook command reads it again and reports the error. */
function readEvent(): Buffer | undefined {
  try {
    return readAll();
  } catch {
    return undefined;
  }
}
