// Keeps agents out of system folders (writes) and credential files (reads and writes).
// Invariant: judged by the canonical path of every effect, whatever the tool.
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { matchesPathForms } from "./path-forms.js";

const systemFolder = /^\/(?:private\/)?(?:etc|usr|bin|sbin|lib|lib64|boot|sys|proc|System|Library|opt|var)(?:\/|$)/;

export const blockedPaths = gate<undefined, DisciplineOptions>({
  id: "discipline/blocked-paths",
  title: "System folders and credential files are off limits",
  about:
    "Refuses writes and deletes in system folders, and reads and writes of credential files " +
    "(`blockedPaths`). It holds for every tool, through symbolic links and any spelling of the path.",
  remedy:
    "Use a file of the project, or an example such as `.env.example`. If this file is really needed, the " +
    "user handles it or allows this one call.",
  on: before(),
  hindsight: true,
  onError: "pass",
  judge({ facts, config }) {
    for (const { kind, path, word, glob, reason } of facts.effects) {
      if ((kind !== "read" && kind !== "write" && kind !== "delete") || path === undefined) continue;
      const real = glob ? path : facts.canonical(path).path;
      const hit = (path === real ? [path] : [path, real]).find((p) => matchesPathForms(config.blockedPaths, p, facts));
      if (hit === undefined || (kind === "read" && systemFolder.test(hit))) continue;
      return deny({
        what: `${kind} ${inert(word ?? path, 120)}`,
        why:
          `${systemFolder.test(hit) ? "it belongs to the system" : "it holds credentials"} ` + `(${inert(reason, 60)})`,
        next: "use a file of the project instead; if this one is really needed, ask the user",
      });
    }
  },
});
