// Nobody edits the guard: agent settings, hooks, Interlock's own files and what starts programs behind the user's back.
// Invariant: judged on canonical paths, existing or not, before every other gate; the project's configuration can't loosen it.
import { before, gate } from "../../engine/gate.js";
import { inert } from "../../engine/text.js";
import { deny } from "../../engine/verdict.js";
import type { Facts } from "../../facts/index.js";
import { canonicalPath } from "../../files/canonical.js";
import type { Operation, ProtectedEntry } from "../../files/protected.js";
import type { Effect } from "../../shell/effects.js";

const operations: Partial<Record<Effect["kind"], Operation>> = { read: "read", write: "write", delete: "delete" };

export const selfProtect = gate({
  id: "guard/self-protect",
  title: "The agent does not change what governs it",
  about:
    "Refuses writing, replacing, deleting or linking agent settings in every scope, Interlock's own files, other agents' hook configurations, `.git/hooks`, `.mcp.json` and shell start-up files, by any tool and any spelling of the path. Interlock's key can't be read either.",
  remedy: "Ask the user to make the change; it is theirs to make.",
  on: before(),
  onError: "deny",
  protecting: true,
  judge({ facts, event }) {
    for (const target of facts.targets) {
      if (target.rejected) return refuse(event.tool!.name, target.given, `the path ${target.rejected}`, false);
    }
    for (const effect of facts.effects) {
      const found = protectedBy(facts, effect);
      if (found)
        return refuse(
          effect.kind,
          effect.word ?? effect.path ?? "",
          `${found.place} is protected: ${found.why}`,
          found.kind !== "interlock",
        );
    }
  },
});

function protectedBy(facts: Facts, effect: Effect): ProtectedEntry | undefined {
  const operation = operations[effect.kind];
  if (!operation || effect.path === undefined) return undefined;
  if (effect.glob) return facts.protected.asGlob(effect.path, operation);
  const path = canonicalPath(effect.path, facts.event.cwd);
  return facts.protected.as(path, operation);
}

const refuse = (verb: string, path: string, why: string, overridable: boolean) =>
  deny({
    what: `${verb} ${inert(path, 110)}`,
    why,
    next: "leave it as it is and go on; if the change is needed, ask the user to make it",
    overridable,
  });
