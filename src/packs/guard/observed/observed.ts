// Takes a snapshot of the tree around every call that may change it, to compare what it did with what was predicted.
// Invariant: a call proved to change nothing costs nothing; this gate refuses nothing itself.
import type { Facts } from "../../../facts/index.js";
import { runnerOf } from "../../../facts/test-runners.js";
import { knownTreeStatus } from "../../../facts/work-tree.js";
import { type Act, before, gate } from "../../../model/gate.js";
import { mutating } from "../../../model/mutating.js";
import type { StatusLook } from "../../../project/tree-status.js";
import { watchFile } from "../../../project/watch-folder.js";

export const observed = gate({
  id: "guard/observed",
  title: "What a call changed is compared with what was predicted",
  about:
    "Takes a bounded snapshot of the work tree and of protected files before every shell, script, MCP or unknown " +
    "call that may change something, and compares afterwards. Each changed path goes in the record as an observed " +
    "effect. A change of a protected or locked place that was not predicted by its exact path is reported as " +
    "tampering, with a copy to restore. Interlock's own entries in the agent's settings are put back.",
  remedy: "Nothing is refused here; `interlock restore <verdict>` puts back what was changed.",
  on: before("shell", "script", "mcp", "unknown"),
  onError: "pass",
  judge({ facts, act, event }) {
    if (event.tool?.id && mayChange(facts)) {
      const { protected: places } = facts;
      act("watch", {
        protected: places.existing(),
        program: places.program(),
        status: knownTreeStatus(facts) as never,
      });
    }
  },
});

/**
 * What `make` or `npm run` start is not listed; what `xargs` or `env` start is listed under its own name. A run of the
 * tests is the most frequent call of all and is not looked at.
 */
function mayChange({ effects, shell }: Facts): boolean {
  if (mutating(effects)) return true;
  const tests = new Set(shell?.commands.filter((c) => runnerOf(c)).map((c) => c.program));
  return effects.some(
    (e) => e.kind === "exec" && !tests.has(e.program ?? "") && !effects.some((o) => o.by === e.program),
  );
}

export const watch: Act = async (params, { event, project, folder }) => {
  const { startWatch } = await import("../../../project/tree-watch.js");
  const file = watchFile(folder, event.session, event.tool!.id!);
  const { cost, truncated } = await startWatch(file, project.root, {
    protectedFiles: params["protected"] as string[],
    program: params["program"] as string[],
    status: params["status"] as StatusLook | undefined,
  });
  return { ...cost, ...(truncated && { truncated: truncated.why }) };
};
