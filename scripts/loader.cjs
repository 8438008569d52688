#!/usr/bin/env node
"use strict";
// The program's entry: a hook asks the running server first; everything else is left to the main program.
process.getBuiltinModule ??= require;
const { argv, env } = process;
const named = argv.indexOf("--home");
const home =
  (named > 0 && argv[named + 1]) ||
  env.INTERLOCK_HOME ||
  `${env.XDG_STATE_HOME || `${env.HOME || env.USERPROFILE || "."}/.local/state`}/interlock`;
const { asked } = require("../src/hook/spool-client.ts");
if (asked(argv.slice(2), env, home)) process.exit(0);
import("./main.mjs");
