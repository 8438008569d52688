// The sred pack: commits of repositories that opted in carry an SR&ED project identifier and a type of SR&ED work.
import { pack } from "../../model/gate.js";
import { commitGuard } from "./commit-guard.js";
import { commitLink, recordLink } from "./commit-link.js";
import { guidance } from "./guidance-notes.js";

export const sredPack = pack({
  id: "sred",
  title: "SR&ED",
  gates: [commitGuard, guidance, commitLink],
  acts: { "sred-link": recordLink },
});
