// Only artifacts that were produced and verified here, with exactly this content, are published.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { refusedPublication } from "./publication.js";
import { releaseMemory as memory } from "./release-memory.js";

export const releaseProof = gate<undefined, DisciplineOptions>({
  id: "discipline/release",
  title: "Published artifacts have a provenance",
  about:
    "For each rule in `release.rules` and in the chosen profiles, refuses a publish command unless it " +
    "names its file, the rule's producer and verifier commands were seen to succeed on exactly this " +
    "content, the destination matches, and a person has cleared the current commit where the rule " +
    "requires it.",
  remedy:
    "Run the producer and the verifier on the artifact, then publish the same file. A person gives a " +
    "clearance with `interlock discipline clear <rule>`.",
  window:
    "Artifacts are recorded by content hash, per project. A clearance holds for its commit and for " +
    "`release.clearanceHours`.",
  reset: "Producing the artifact again; a new commit ends a clearance.",
  on: before("shell"),
  onError: "deny",
  judge({ facts, config, recall, now }) {
    const { rules } = config.release;
    const refused = rules.length ? refusedPublication(facts, rules, recall(memory), now) : undefined;
    return refused && deny(refused);
  },
});
