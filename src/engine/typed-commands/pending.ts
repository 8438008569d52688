// Commands typed as prompts ("interlock allow v-12 ..."): pending until the host's transcript shows that a person typed
// them.
// Invariant: a pending command does nothing by itself. A later event of its session proves it, or it ends as a
// `forged-event` in the record.
import type { Event } from "../../model/event.js";
import { at, type Memory } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import { duration } from "../overrides/grant.js";
import { sliceKey } from "../slices.js";

export interface PendingCommand {
  /** A mask of the prompt: the transcript has its words. */
  text: string;
  promptId?: string;
  at: number;
}

interface PendingState {
  open: PendingCommand[];
}

const kept = 5;

/** The host writes a prompt to the transcript only after the hook has answered, so nothing can be proved at once. */
export const pendingCommands: Memory<PendingState> = {
  id: "engine/claims",
  on: at("prompt"),
  state: { scope: "session", initial: { open: [] } },
  learn({ event, facts, state, now }) {
    const { text, machine } = event.prompt!;
    if (machine || event.agent || facts.provenance.nested) return;
    const override = overrideCommand(text);
    if (override ? "wrong" in override : !facts.claim) return;
    const command: PendingCommand = {
      text: facts.mask(text.trim()),
      at: now,
      ...(event.promptId !== undefined && { promptId: event.promptId }),
    };
    state.update((s) => void (s.open = [...s.open, command].slice(-kept)));
  },
};

export const pendingKey = (event: Event): string => sliceKey(pendingCommands.id, "session", event);

export const pendingIn = (state: JsonObject, event: Event): PendingCommand[] =>
  (state[pendingKey(event)] as unknown as PendingState | undefined)?.open ?? [];

export type OverrideCommand =
  | { do: "allow"; verdict: string; reason: string; ms: number }
  | { do: "pause"; reason: string; ms: number }
  | { do: "resume"; reason: string };

const form = new RegExp(
  [
    /^interlock (allow|pause|resume)/,
    /(?: (v-\d+))?/, // the verdict
    /(?: (?:(?:for|--for) )?(\d+[smh]))?/, // for how long
    /(?: (?:because|--reason)[: ]\s*(.+))?$/, // the reason
  ]
    .map(({ source }) => source)
    .join(""),
  "i",
);

/**
 * `interlock allow v-12 because ...`, `interlock pause 10m because ...`, `interlock resume`: only when the whole prompt
 * is this one line.
 */
export function overrideCommand(text: string): OverrideCommand | { wrong: string } | undefined {
  const line = text.trim();
  if (line.length > 500 || !/^interlock (?:allow|pause|resume)\b/i.test(line)) return undefined;
  const [, verb, verdict, time, said] = form.exec(line) ?? [];
  const reason = said?.trim().replace(/^(["'])(.+)\1$/, "$2") ?? "";
  const ms = duration(time?.toLowerCase());
  const command = verb?.toLowerCase();
  if (command === "resume" && !verdict && !time) return { do: "resume", reason: reason || "the user resumed" };
  if (ms === undefined) return { wrong: "a time is written 90s, 10m or 2h, at most 8h" };
  if (command === "allow" && verdict && reason) return { do: "allow", verdict: verdict.toLowerCase(), reason, ms };
  if (command === "pause" && !verdict && reason) return { do: "pause", reason, ms };
  return {
    wrong: "write: interlock allow v-12 because <reason>, interlock pause 10m because <reason>, or interlock resume",
  };
}
