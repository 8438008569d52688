// Reminds a team that commits without code review.
import { after, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { phaseContextOf } from "./gate-context.js";

export const reviewReminder = gate({
  id: "lifecycle/review-reminder",
  title: "Code review for teams",
  about:
    "After a commit, reminds the agent and the user when code review is not enabled and the team has more " +
    "than one member. Refuses nothing.",
  remedy: "Set code_review.enabled in .isdlc/state.json.",
  on: after("shell"),
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  judge(context) {
    if (!context.facts.shell?.commits.length) return;
    const review = phaseContextOf(context)?.file?.code_review;
    if (!review || review.enabled === true || (review.team_size ?? 1) <= 1) return;
    return note(
      `lifecycle/review-reminder: the team has ${review.team_size} members and code review is not ` +
        "enabled (code_review.enabled in .isdlc/state.json).",
      "both",
    );
  },
});
