// Records which commit carries which SR&ED claim, with its patch-id, so that a rewritten commit can be found again.
// Invariant: watches only; what it records was read from git after the commit was made.
import type { Act } from "../../model/gate.js";
import { after, gate } from "../../model/gate.js";
import { linkOf } from "../../sred/patch-links.js";
import { judgedCommits } from "./judged-commits.js";

export const commitLink = gate({
  id: "sred/commit-link",
  title: "Claims of commits are recorded with their patch-id",
  about:
    "After a commit it writes the commit's hash, its patch-id, its SR&ED project identifiers and types to the " +
    "record. `interlock sred relink` finds rewritten commits by it. Refuses nothing.",
  remedy: "Nothing is refused.",
  on: after("shell"),
  onError: "pass",
  judge({ facts, act }) {
    const roots = new Set(judgedCommits(facts).map((c) => c.root));
    for (const root of roots) act("sred-link", { root });
  },
});

export const recordLink: Act = ({ root }) => {
  const link = linkOf(String(root), "HEAD");
  return link?.claims.length ? { link: { ...link } } : undefined;
};
