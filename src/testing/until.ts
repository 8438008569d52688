// Waits for a condition instead of a fixed time, so that tests also pass on a busy machine.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Returns once the condition holds. Fails after the limit, which only a broken program should reach. */
export async function until(condition: () => unknown, what: string, limitMs = 60_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `waited ${limitMs / 1000} s for: ${what}`);
    await pause(10);
  }
}
