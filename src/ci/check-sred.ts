// SR&ED trailers of the range, by the same rules as the gate and `interlock sred check`; merges are left out.

import { readSredMessage } from "../sred/message.js";
import { messageFindings } from "../sred/message-findings.js";
import { type CheckResult, type CiInput, plural } from "./ci-report.js";

/** `isEnabled`: the committed interlock.yaml enables the pack. Without it, commits that carry trailers are checked. */
export function checkSred({ commits }: CiInput, isEnabled: boolean): CheckResult {
  const read = commits
    .filter(({ parents, message }) => parents.length < 2 && message.trim() !== "")
    .map(({ hash, message }) => ({ hash, message: readSredMessage(message) }));
  const tagged = read.filter(({ message }) => message.claims.length || message.types.length || message.notSred);
  if (!isEnabled && !tagged.length)
    return { used: false, checked: false, summary: "interlock.yaml does not enable the pack sred" };
  const judged = isEnabled ? read : tagged;
  return {
    checked: true,
    summary: `${tagged.length} of ${plural(read.length, "commit")} say what they are to SR&ED`,
    findings: judged.flatMap(({ hash, message }) =>
      messageFindings(message).map((problem) => ({
        rule: "sred/trailers",
        level: "error" as const,
        message: problem,
        next: "amend the message: SRED-Type and SRED-Claim, or SRED-Claim: none (see: interlock sred suggest)",
        commit: hash,
      })),
    ),
  };
}
