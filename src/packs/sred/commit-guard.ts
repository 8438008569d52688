// Commits of a repository that opted in name an SR&ED project and a type of SR&ED work, or say that they are not SR&ED.
// Invariant: judged on the message as git will see it; the offered command passes when it is judged again.
import type { Facts } from "../../facts/index.js";
import { amendedCommand, amendedCommit } from "../../model/commit-call.js";
import { before, gate } from "../../model/gate.js";
import { shellQuote } from "../../model/shell-quote.js";
import { inert } from "../../model/text.js";
import { type Deny, deny } from "../../model/verdict.js";
import { withSredTrailers } from "../../sred/compose.js";
import { refusedCommitLines } from "../../sred/guard-text.js";
import { eligibility, missingLabels } from "../../sred/guidance.js";
import { hookIsInstalled } from "../../sred/hook-mark.js";
import { messageFindings } from "../../sred/message-findings.js";
import { type Suggestion, strongMatch } from "../../sred/suggestion.js";
import { sredFolder, suggestionFor, takesAll } from "./discovery-fact.js";
import { type JudgedCommit, judgedCommits } from "./judged-commits.js";
import { type SredOptions, standardSredOptions } from "./sred-options.js";

export const commitGuard = gate<undefined, SredOptions>({
  id: "sred/commit-guard",
  title: "R&D commits name their SR&ED project",
  about:
    "In a repository whose configuration enables the sred pack, a commit whose message has no valid `SRED-Type` and " +
    "`SRED-Claim` trailer is refused. Routine commits (chore, docs, style, ci, build, typo, merge, revert, fixup) " +
    "pass, and so does `SRED-Claim: none`. The refusal suggests a project from git history and gives the whole " +
    "command to run.",
  remedy: "Ask the user which SR&ED project identifier to use and run the command from the refusal.",
  on: before("shell"),
  onError: "pass",
  judge({ facts, config, now }) {
    const commits = judgedCommits(facts);
    const refused = commits.filter((commit) => !isTagged(commit));
    if (!refused.length) return;
    // What only git will know is git's to check, where our commit-msg hook is in place.
    const isLeftToHook = (c: JudgedCommit) => !c.whole && !c.call.noVerify;
    if (refused.every(isLeftToHook) && hookIsInstalled(sredFolder(facts))) return;
    const unseen = refused.find((c) => c.message === undefined || (!c.whole && c.call.unknown !== "word"));
    if (unseen) return unseenMessage(unseen);
    return refusal(facts, refused, { ...standardSredOptions, ...config }, now);
  },
});

/** Whether the message says all that is needed, or is one that needs nothing. */
export function isTagged({ message, text, whole, call }: JudgedCommit): boolean {
  if (!message) return false;
  // Git refuses a commit without a message.
  if (whole && text!.trim() === "") return true;
  if (call.how === "fixup" || call.how === "squash") return true;
  return messageFindings(message).length === 0;
}

function unseenMessage({ call }: JudgedCommit): Deny {
  const why = {
    editor: "it would be typed in an editor",
    word: "it depends on a value that is known only when the command runs",
    file: "its file can't be read before the command runs",
    input: "it comes from the output of another program",
    reused: "the commit it is taken from can't be read",
  }[call.unknown ?? "word"];
  return deny({
    what: "a commit whose message can't be read from the command",
    why: `[SRED-GUARD] ${why}, so its SRED-Type and SRED-Claim can't be checked`,
    next: "write the message to a file first, then run git commit -F message.txt; or give it in plain text with -m",
  });
}

function refusal(facts: Facts, refused: readonly JudgedCommit[], options: SredOptions, now: number): Deny {
  const first = refused[0]!;
  const suggestions = refused.map((commit) => suggestionFor(facts, commit, options, now));
  const suggestion = suggestions[0]!;
  const message = first.message!;
  const missing: ("SRED-Claim" | "SRED-Type")[] = [];
  if (!message.claims.length) missing.push("SRED-Claim");
  if (!message.types.length) missing.push("SRED-Type");
  const amended = refused.map((commit, i) => ({ call: commit.call, commit: amend(refused, commit, suggestions[i]!) }));
  const mayAsk =
    options.model && suggestion.source !== "model" && !suggestion.failure && suggestion.confidence < strongMatch;
  const whole = amendedCommand(facts.event.tool?.command ?? "", amended);
  const command = whole ?? amended[0]!.commit;
  const lines = refusedCommitLines({
    missing,
    problems: message.problems,
    suggestion,
    ...(mayAsk && { modelCommand: modelCommand(first) }),
    ...(command.length <= longestCommand && { command }),
    partOnly: whole === undefined,
    wantsBody: eligibility(first.text!, message) === "high" && missingLabels(message).length === 4,
  });
  const problem = inert(message.problems[0] ?? `Missing ${missing[0]} trailer`, 90);
  const what = missing.length ? `without ${missing.join(" and ")}` : "with a wrong SR&ED trailer";
  return deny({
    what: `commit ${what}: ${inert(message.subject, 100)}`,
    // With the subject: the refusal of another commit is not the same one again.
    why: `[SRED-GUARD] ${problem}; suggested: ${suggestion.project} for "${inert(message.subject, 80)}"`,
    next: `ask the user which SR&ED project identifier to use, then commit with SRED-Claim: ${suggestion.project}`,
    lines,
    data: { project: suggestion.project, source: suggestion.source, confidence: suggestion.confidence },
  });
}

const longestCommand = 6_000;

/** The same scope and files as the commit's, so that the gate finds the answer. */
function modelCommand({ call, message }: JudgedCommit): string {
  const all = takesAll(call) ? " --all" : "";
  return `interlock sred suggest${message?.scope ? ` --scope ${shellQuote(message.scope)}` : ""}${all}`;
}

/** The commit with the suggested trailers. In a loop one command makes several messages: then a paragraph is added. */
function amend(refused: readonly JudgedCommit[], commit: JudgedCommit, suggestion: Suggestion): string {
  const { call, text, whole } = commit;
  const { type, project } = suggestion;
  const repeated = call.at && refused.some((c) => c.call !== call && c.call.at?.from === call.at!.from);
  if (whole && !repeated) return amendedCommit(call, { whole: withSredTrailers(text!, { type, claim: project }) });
  const { types, claims } = commit.message!;
  const lines = [...(types.length ? [] : [`SRED-Type: ${type}`]), ...(claims.length ? [] : [`SRED-Claim: ${project}`])];
  return amendedCommit(call, { added: lines.join("\n") });
}
