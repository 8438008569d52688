// The artifact provenance gate: what is published was produced and verified here, as it is now.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { refusedPublication } from "./publication.js";
import { releaseMemory as memory } from "./release-memory.js";

export const releaseProof = gate<undefined, DisciplineOptions>({
  id: "discipline/release",
  title: "Published artifacts have a provenance",
  about:
    "For each rule of `release.rules` and of the chosen profiles: refuses a publish command unless it names its file, exactly this content was recorded by the rule's producer command and by its verifier command, the destination fits, and, where the rule asks for it, a person cleared the commit at hand.",
  remedy:
    "Run the producer and the verifier on the artifact, then publish the same file. A clearance comes from a person: `interlock discipline clear <rule>`.",
  window:
    "Records are kept by content hash for the project; a clearance holds for its commit and for `release.clearanceHours`.",
  reset: "Producing the artifact anew; a new commit ends a clearance.",
  on: before("shell"),
  onError: "deny",
  judge({ facts, config, recall, now }) {
    const { rules } = config.release;
    const refused = rules.length ? refusedPublication(facts, rules, recall(memory), now) : undefined;
    return refused && deny(refused);
  },
});
