// The texts of refused commits, with the terms the seed fixed: "SR&ED project identifier", "type of SR&ED work",
// "Routine maintenance does NOT qualify". Invariant: each ends with what to run, after asking the user.
import { inert } from "../model/text.js";
import { heraTemplate } from "./guidance.js";
import { failureLines } from "./scope-fallback.js";
import { type Suggestion, strongMatch, weakMatch } from "./suggestion.js";

export interface RefusedCommit {
  /** What of the message is missing or wrong; [SRED-GUARD] stands in front of the first. */
  missing: ("SRED-Claim" | "SRED-Type")[];
  problems: readonly string[];
  suggestion: Suggestion;
  /** The whole command with the suggested trailers; undefined where it can't be written out. */
  command?: string;
  /** Only the commit itself is in `command`, not what stands around it. */
  partOnly?: boolean;
  /** The history does not decide and a model may be asked: the command that asks it. */
  modelCommand?: string;
  /** The words of the message speak for SR&ED work without a record of it. */
  wantsBody: boolean;
}

export function refusedCommitLines(refused: RefusedCommit): string[] {
  const { missing, problems, suggestion, command, partOnly, modelCommand, wantsBody } = refused;
  const { project, type, typeReason } = suggestion;
  const failure = failureOf(suggestion);
  const lines = problems.map((problem) => `[SRED-GUARD] ${inert(problem, 200)}.`);
  if (missing.includes("SRED-Claim")) {
    if (failure) lines.push(...failureLines(failure, project, suggestion.alternatives));
    else lines.push("[SRED-GUARD] Missing SRED-Claim trailer.", ...claimLines(suggestion));
  } else if (missing.length && !problems.length) lines.push("[SRED-GUARD] Missing SRED-Type trailer.");
  if (missing.includes("SRED-Type")) lines.push(`The type of SR&ED work may be ${type} (${inert(typeReason, 80)}).`);
  if (modelCommand) lines.push(`The history does not decide. To ask a model first, run: ${modelCommand}`);
  lines.push(
    "Suggestions are machine-made: please ask the user (AskUserQuestion) which SR&ED project identifier to use, " +
      "then run" +
      (command === undefined
        ? " the commit with these lines as its last paragraph:"
        : partOnly
          ? " this commit:"
          : ":"),
    command ?? `SRED-Type: ${type}\nSRED-Claim: ${project}`,
    "Routine maintenance does NOT qualify: a commit that is not SR&ED says SRED-Claim: none.",
  );
  if (wantsBody)
    lines.push(`For the evidence, give the body these lines (FAILED counts too): ${heraTemplate.join(" | ")}`);
  return lines;
}

const failureOf = ({ failure }: Suggestion) =>
  failure === "OFFLINE" || failure === "NO_HISTORY" ? undefined : failure;

/** Examples A, B and C of the seed. */
function claimLines({
  project,
  alternatives,
  reasoning,
  confidence,
  isNew,
  source,
  failure,
  cut,
}: Suggestion): string[] {
  const format = "Format: PROJECT[-VARIANT] (e.g., MYPROJECT, MYPROJECT-VARIANT)";
  if (failure)
    return ["(Discovery unavailable)", `Suggested: SRED-Claim: ${project}`, format, "Add trailer and retry."];
  const part = cut ? " Only a part of the history was read in time." : "";
  if (confidence < weakMatch || source === "scope")
    return [
      "No existing project matches. Options:",
      ...[project, ...alternatives].map(
        (name, i) => `  ${i + 1}. SRED-Claim: ${name}  (${i === 0 && isNew ? "NEW" : "from history"})`,
      ),
      `Reasoning: ${inert(reasoning, 200)}${part}`,
      ...(alternatives.length ? [] : [format]),
      "Add your chosen SRED-Claim and retry.",
    ];
  const sure = confidence >= strongMatch ? "high" : "medium";
  return [
    `Suggested: SRED-Claim: ${project}`,
    ...(alternatives.length ? [`Alternatives: ${alternatives.join(", ")}`] : []),
    `Reasoning: ${inert(reasoning, 200)}${part} (${sure} confidence, from ${source})`,
    "Add this trailer to your commit message and retry.",
  ];
}
