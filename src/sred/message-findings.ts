// What is wrong with a message in a repository that asks for SR&ED trailers. The gate and the check agree by it.
import { isMadeByGit, type SredMessage } from "./message.js";

/** Empty for a message that is tagged, routine, made by git, or said not to be SR&ED. */
export function messageFindings(message: SredMessage): string[] {
  if (isMadeByGit(message.subject)) return [];
  if (message.problems.length) return message.problems;
  if (message.routine || message.notSred) return [];
  return [
    ...(message.claim === undefined ? ["Missing SRED-Claim trailer: the SR&ED project identifier"] : []),
    ...(message.type === undefined ? ["Missing SRED-Type trailer: the type of SR&ED work"] : []),
  ];
}
