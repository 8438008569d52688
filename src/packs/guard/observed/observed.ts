// Looks at the tree around every call that may change it, so that what it did can be compared with what it said.
// Invariant: a call proved to change nothing costs nothing; the looking never decides, the gates that guard places do.
import { type Act, before, gate } from "../../../model/gate.js";
import { mutating } from "../../../model/mutating.js";
import { watchFile } from "../../../project/watch-folder.js";

export const observed = gate({
  id: "guard/observed",
  title: "What a call did is compared with what it said",
  about:
    "Takes a bounded look at the work tree and at protected files before every shell, script, MCP or unknown call that may change something, and compares afterwards. Each changed path goes in the record as an observed effect; a change of a protected or locked place that nobody predicted is reported as tampering, with a copy to restore.",
  remedy: "Nothing is refused here; `interlock restore <verdict>` puts back what was found changed.",
  on: before("shell", "script", "mcp", "unknown"),
  onError: "pass",
  judge({ facts, act, event }) {
    if (event.tool?.id && mutating(facts.effects)) act("watch", { protected: facts.protected.existing() });
  },
});

export const watch: Act = async (params, { event, project, folder }) => {
  const { startWatch } = await import("../../../project/tree-watch.js");
  const file = watchFile(folder, event.session, event.tool!.id!);
  const { cost, truncated } = await startWatch(file, project.root, params["protected"] as string[]);
  return { ...cost, ...(truncated && { truncated: truncated.why }) };
};
