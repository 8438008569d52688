// Files whose effect reaches beyond the code: the user confirms a change once per file and session.

import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { after, before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { ask } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";
import { matchesPathForms } from "./path-forms.js";

export const sensitiveFiles = gate<{ confirmed: string[] }, DisciplineOptions>({
  id: "discipline/sensitive-files",
  title: "The user confirms changes to sensitive files",
  about:
    "Asks the user before the first change of a file in `sensitiveFiles` (CI workflows, container files, " +
    "signing, MCP configuration), whatever the tool. Once confirmed, further changes of that file pass.",
  remedy: "The user confirms in the host's permission dialog.",
  window: "Per file and session, from the confirmed change on.",
  reset: "A new session asks again.",
  on: [...before(), ...after("edit", "write", "notebook", "shell", "mcp")],
  onError: "pass",
  state: { scope: "session", initial: { confirmed: [] } },
  judge({ facts, config, state, event }) {
    const paths = [...editsOf(facts, config), ...writtenByServer(facts)]
      .flatMap((c) => (c.path === undefined ? [] : [{ path: c.path, shown: c.shown }]))
      .filter((c) => matchesPathForms(config.sensitiveFiles, c.path, facts) && !state.value.confirmed.includes(c.path));
    if (!paths.length) return;
    if (event.kind === "tool.after") {
      // The user was asked before the call and the call was made, so the answer was yes.
      if (event.outcome?.ok)
        state.update((s) => void (s.confirmed = [...s.confirmed, ...paths.map((c) => c.path)].slice(-100)));
      return;
    }
    return ask({
      what: `${event.tool!.name} ${inert(paths.map((c) => c.shown).join(", "), 120)}`,
      why: "this file affects more than the code (delivery, signing, containers, tools)",
      next: "the user confirms it once for this session",
    });
  },
});

/** Files an MCP tool writes, judged by the tool's name and arguments. */
const writtenByServer = ({ event, effects, world }: Facts): { path: string; shown: string }[] =>
  event.tool?.kind === "mcp"
    ? effects.flatMap(({ kind, path }) =>
        kind === "write" && path !== undefined ? [{ path, shown: belowRoot(world.project.root, path) ?? path }] : [],
      )
    : [];
