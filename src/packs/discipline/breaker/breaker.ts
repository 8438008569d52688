// The circuit breaker: after three failures in a row, or three of the same kind, changes are refused until new
// research.
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf } from "../edits.js";
import { researchMemory } from "../research/research-memory.js";
import { failuresMemory } from "./failures-memory.js";

export const breaker = gate<undefined, DisciplineOptions>({
  id: "discipline/breaker",
  title: "Circuit breaker",
  about:
    "Trips after three failed calls in a row, or three failures with the same signature within the " +
    "window. Failed calls, non-zero exit codes and failed test runs count; interrupted runs, calls the " +
    "user declined and read-only commands do not. While it is tripped, changes are refused; reading, " +
    "questions, research and test runs stay open. After new research one more try is allowed: a success " +
    "closes the breaker, a failure trips it again.",
  remedy: "Research the cause (two research calls by default), then try once. Or the user types `rb-`.",
  window: "Failures count for 30 minutes (`breaker.windowMinutes`). A tripped breaker stays tripped for the session.",
  reset: "The user types `rb-`, `rb+` or `reset breaker`; or a success after new research.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    const { tripped, half } = recall(failuresMemory);
    if (!tripped || half) return;
    const edits = [...editsOf(facts, config), ...facts.changes.filter((c) => c.kind === "commit" || c.kind === "push")];
    if (!edits.length) return;
    const missing = config.breaker.research - (recall(researchMemory).calls - tripped.calls);
    return deny({
      what: describeEdits(facts, edits),
      why: `the breaker is tripped, ${tripped.why}: ${facts
        .unmasked(tripped.failures)
        .map((f) => inert(f, 55))
        .join(" | ")}`,
      next:
        `stop changing; find the cause: ${missing} more successful research ` +
        `call${missing === 1 ? "" : "s"} (docs, web, code) allow one more try, or ask the user to type rb-`,
    });
  },
});
