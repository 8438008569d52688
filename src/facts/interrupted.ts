// Whether a call was ended from outside: out of time, killed, interrupted.
// Invariant: says nothing about how the call would have ended.
import type { Outcome } from "../model/event.js";

/** timeout(1), and the signals people, watchdogs and the kernel end processes with. */
const signals = new Set([124, 129, 130, 137, 143, -1, -2, -9, -15]);
const phrases =
  "Command timed out|Command was (?:aborted|killed|terminated)|Timed out after|The operation timed out" +
  "|Cancelled: parallel tool call";
const words = new RegExp(`^(?:<tool_use_error>)?(?:(?:Error:? )?(?:Exit code -?\\d+\\s+)?)?(?:${phrases})\\b`, "i");

export function wasStopped({ ok, exitCode, text, response }: Outcome): boolean {
  if (exitCode !== undefined && signals.has(exitCode)) return true;
  const fields = typeof response === "object" && response !== null && !Array.isArray(response) ? response : {};
  return fields["timedOutAfterMs"] !== undefined || (!ok && words.test(text.slice(0, 200)));
}
