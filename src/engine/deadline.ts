// The time limit of a call, and the refusals that name why it was not judged in time.
import { builtInDeny } from "../model/refusal.js";
import type { Judged } from "../model/verdict.js";

/** When somebody else gives up on this call, and what to do with an event that is judged after that. */
export interface Deadline {
  /** Monotonic milliseconds. */
  at: number;
  /** `refuse`: record it as refused, which is the answer it got. `record`: the event cannot be refused, record it as
   * judged. `withdraw`: write nothing, the caller decides and records by itself. */
  late: "refuse" | "record" | "withdraw";
  /** Whether the one who waits has gone away already. */
  gone?: (() => boolean) | undefined;
}

export const tooLate: Judged = {
  gate: "interlock/timeout",
  mode: "enforce",
  opinion: builtInDeny("interlock/timeout", "judging it took longer than its time limit"),
};

export const tooCrowded: Judged = {
  gate: "interlock/timeout",
  mode: "enforce",
  opinion: builtInDeny("interlock/timeout", "other processes held the record until its time was over"),
};

export const clientGone: Judged = {
  gate: "interlock/timeout",
  mode: "enforce",
  opinion: builtInDeny(
    "interlock/timeout",
    "the agent closed the connection before the answer and did not make the call",
  ),
};
