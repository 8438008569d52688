// The configuration as the engine uses it: already read, checked, layered and compiled to plain JSON.
// Invariant: every gate has exactly one mode here; `off` can come only from the user's own file.
import type { Gate } from "./gate.js";
import type { JsonObject } from "./json.js";
import type { TaughtEffect } from "./taught.js";
import type { Mode } from "./verdict.js";

export interface PackConfig {
  enabled: boolean;
  mode: Mode;
  /** By the gate's name without its pack: "self-protect". */
  gates: Record<string, Mode | "off">;
  options: JsonObject;
}

/** A hook of the project that runs under Interlock; made by `interlock init`. */
export interface AdoptedHook {
  event: string;
  matcher?: string;
  command: string;
  args?: string[];
  shell?: string;
  timeout?: number;
  source?: string;
}

export interface Config {
  version: 1;
  packs: Record<string, PackConfig>;
  /** "server" or "server/tool" -> what it does. */
  mcp: Record<string, "read" | "write" | "exec">;
  shell: { wrappers: string[]; programs?: Record<string, TaughtEffect> };
  adopt: AdoptedHook[];
  trace: boolean;
  /** How long one event may be judged. */
  deadlineMs: number;
  /** How often the end of one turn may be refused before it is let through with a note. */
  maxStopBlocks: number;
  /** After how many days texts (prompts, outputs, commands) and kept work are erased; 0: never. */
  retention?: Retention;
}

export interface Retention {
  texts: number;
  work: number;
}

export const standardRetention: Retention = { texts: 90, work: 14 };

export function modeOf(config: Config, pack: string, gate: Gate): Mode | "off" {
  const settings = config.packs[pack];
  if (!settings?.enabled) return "off";
  return settings.gates[gate.id.slice(gate.id.indexOf("/") + 1)] ?? settings.mode;
}
