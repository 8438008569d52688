// Programs the record met and no table knows: how often, in which call last, and what their calls really changed.
// Invariant: reads a bounded part of the record, runs nothing; only names that can be taught are listed.
import { probeSession } from "../../../facts/probe-session.js";
import type { Config } from "../../../model/config.js";
import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";
import type { LedgerRecord } from "../../../store/index.js";

export interface MetProgram {
  name: string;
  /** Calls that would have run it. */
  calls: number;
  /** The newest of them, as the record has it: redacted and cut. */
  example: string;
  /** Calls after which the project was compared, and those that had changed something. */
  watched: number;
  changed: number;
}

export const canBeTaught = (name: string): boolean => /^[\w+][\w.+-]{0,63}$/.test(name);

export function metPrograms(records: Iterable<LedgerRecord>): MetProgram[] {
  const met = new Map<string, MetProgram>();
  const open = new Map<string, MetProgram[]>();
  for (const { session, body } of records) {
    if (session?.startsWith(probeSession)) continue;
    const { event, tool, effects, observed } = body as JsonObject;
    if (!isObject(tool) || tool["kind"] !== "shell") continue;
    const id = `${session} ${asString(tool["id"])}`;
    if (event === "tool.before") {
      const input = isObject(tool["input"]) ? asString(tool["input"]["command"]) : undefined;
      const found = unknownNames(effects).map((name) => counted(met, name, input ?? ""));
      if (found.length && open.size < 10_000) open.set(id, found);
    } else if (isObject(observed)) {
      const changes = observed["changes"];
      for (const program of open.get(id) ?? []) {
        program.watched++;
        if (Array.isArray(changes) && changes.length) program.changed++;
      }
      open.delete(id);
    }
  }
  return [...met.values()].sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}

function unknownNames(effects: Json | undefined): string[] {
  const names = (Array.isArray(effects) ? effects : []).flatMap((effect) => {
    const name = isObject(effect) && effect["kind"] === "unknown" ? asString(effect["program"]) : undefined;
    return name !== undefined && canBeTaught(name) ? [name] : [];
  });
  return [...new Set(names)];
}

function counted(met: Map<string, MetProgram>, name: string, example: string): MetProgram {
  const program = met.get(name) ?? { name, calls: 0, example, watched: 0, changed: 0 };
  program.calls++;
  program.example = example;
  met.set(name, program);
  return program;
}

/** Whether a call of the program is still unknown: no table has it, and nobody has taught it. */
export async function isUnknownProgram(name: string, shell: Config["shell"], cwd: string): Promise<boolean> {
  const { analyse } = await import("../../../shell/index.js");
  const { effects } = analyse(name, { cwd, ...shell });
  return effects.some((effect) => effect.kind === "unknown" && effect.program === name);
}
