// The calls that passed and have not ended: what a result must belong to.
// Invariant: kept per session, at most two hundred; the result of a call that never passed is not believed.
import { existsSync } from "node:fs";
import type { Facts } from "../../facts/index.js";
import type { Event } from "../../model/event.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { backgroundFile, watchFile, watchFolder } from "../../project/watch-folder.js";
import type { Judgement } from "../judge.js";
import { sliceKey } from "../slices.js";

export interface OpenCall {
  at: number;
  tool: string;
  /** Gates a person lifted for this call. */
  lifted?: string[];
  /** The files a file tool writes, so that other calls are not blamed for them. */
  paths?: string[];
}

export interface CallState {
  open: Record<string, OpenCall>;
  /** File tools' calls that ended while others were open. */
  recent?: { to: number; paths: string[] }[];
}

const id = "engine/calls";
const spec = { scope: "session" as const, initial: { open: {} } as CallState };
const most = 200;
const recentMost = 10;

const keyOf = (event: Event): string | undefined => event.tool?.id && `c:${event.tool.id.slice(0, 100)}`;

export function callsOf(state: JsonObject, event: Event): CallState | undefined {
  const value = state[sliceKey(id, "session", event)];
  return isObject(value) ? (value as unknown as CallState) : undefined;
}

export const openCall = (state: JsonObject, event: Event): OpenCall | undefined =>
  callsOf(state, event)?.open[keyOf(event) ?? ""];

/** The event ends a watched call, or a watched call runs in the background. */
export function isWatched(folder: string, { kind, session, tool }: Event): boolean {
  const ends = kind === "tool.after" || kind === "tool.failed";
  if (!(ends || kind === "turn.end" || kind === "prompt") || !existsSync(watchFolder(folder, session))) return false;
  if (ends && tool?.id && existsSync(watchFile(folder, session, tool.id))) return true;
  return existsSync(backgroundFile(folder, session));
}

/** A result whose call never passed, in a session whose calls we saw. */
export function unannounced(state: JsonObject | undefined, event: Event): boolean {
  if (event.kind !== "tool.after" && event.kind !== "tool.failed") return false;
  const key = keyOf(event);
  const calls = state && callsOf(state, event);
  return key !== undefined && calls !== undefined && calls.open[key] === undefined;
}

/** Adds a call that passes, removes one that ended. */
export function updateOpenCalls(facts: Facts, judgement: Judgement, refused: boolean, now: number): void {
  const { event } = facts;
  const key = keyOf(event);
  if (key === undefined || !judgement.slices) return;
  const state = judgement.slices.slice(id, spec);
  if (event.kind === "tool.before") {
    const lifted = judgement.opinions.filter((j) => j.lifted).map((j) => j.gate);
    const paths = facts.targets.filter((t) => t.op === "write").map((t) => t.path);
    const call: OpenCall = {
      at: now,
      tool: event.tool!.name.slice(0, 80),
      ...(lifted.length && { lifted }),
      ...(paths.length && { paths }),
    };
    const open = refused
      ? Object.entries(state.value.open)
      : [...Object.entries(state.value.open), [key, call] as const];
    state.replace({ ...state.value, open: Object.fromEntries(open.slice(-most)) });
  } else if (event.kind === "tool.after" || event.kind === "tool.failed") {
    const { [key]: ended, ...open } = state.value.open;
    if (!ended) return;
    const { recent = [] } = state.value;
    const { paths } = ended;
    state.replace(
      paths ? { open, recent: [...recent, { to: now, paths }].slice(-recentMost) } : { ...state.value, open },
    );
  }
}
