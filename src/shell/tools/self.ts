// Interlock's own command line, as an agent may call it.
// Invariant: what loosens the guard or speaks for a person is a proven by-pass; looking and explaining is quiet.

import type { ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { asksHelp, executes } from "./table.js";

const privileged = /^(allow|pause|uninstall|off|restore|recover|down|seal|consent|trust|reset|init|hook|serve|up)$/;
const proven = /^(allow|pause|uninstall|off|restore|recover)$/;

const interlock: ToolFamily = {
  names: ["interlock", "agent-interlock"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const [verb] = parse(call.args, syntax("scope= config= cwd= json reason= for=")).operands;
    if (!verb) return;
    if (verb.value === undefined) {
      executes(call, emit, "interlock with an unresolved sub-command");
      return emit.hazard(
        { class: "verification-skip", level: 3, id: "interlock-unresolved" },
        "the sub-command of interlock is not static",
      );
    }
    executes(call, emit, `interlock ${verb.value}`);
    if (verb.value === "init" && call.args.some((arg) => arg.value === "--dry-run")) return;
    if (privileged.test(verb.value))
      emit.hazard(
        { class: "verification-skip", level: proven.test(verb.value) ? 3 : 2, id: `interlock-${verb.value}` },
        `interlock ${verb.value} is for people`,
      );
  },
};

export const self = [interlock];
