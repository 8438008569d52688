// What a program seems to do, from evidence, and the rule that would say so.
// Invariant: the graver reading wins, silence proves nothing, and nothing is proposed for a program that may delete or
// run other programs: one word can't say when.
import { stringify } from "yaml";
import type { TaughtEffect } from "../../../model/taught.js";
import type { MetProgram } from "./met-programs.js";
import type { ProgramEvidence } from "./program-evidence.js";

export interface Proposal {
  /** Undefined: a person has to say it. */
  effect?: TaughtEffect;
  /** For people: "seems to ...". */
  seems: string;
}

/** Whole words; a star stands for any ending. */
const sign = (words: string): RegExp =>
  new RegExp(`\\b(?:${words.trim().split(/\s+/).join("|").replaceAll("*", "\\w*").replaceAll("_", "[- ]")})\\b`, "i");

const signs = {
  delete: sign("delet* remov* purg* destroy* wipe wipes eras* uninstall* prune prunes clean"),
  run: sign("exec execut* eval spawn* run_command run_a_command runs_a_command shell_command run_program run_script"),
  network: sign(`http https url urls upload* download* publish* push pull deploy* fetch* sync* remote server servers api
    token login proxy webhook send release`),
  write: sign(`write writes writing written output save saves creat* install* updat* edit edits modif* overwrit*
    in_place fix format generat* init rename move copy replac* build compil* append`),
  read: sign(`print* show* list* display* search* find* count* read* view* check* lint* report* inspect* query analyze*
    analyse* status diff* compar* validat* describe* summar*`),
};

export function propose(
  program: Pick<MetProgram, "watched" | "changed">,
  evidence: readonly ProgramEvidence[],
): Proposal {
  const found = (kind: keyof typeof signs): string | undefined => {
    for (const { source, text } of evidence) {
      const word = signs[kind].exec(text)?.[0];
      if (word !== undefined) return `"${word}" in ${source}`;
    }
    return undefined;
  };
  const graver = found("delete") ?? found("run");
  if (graver) return { seems: `may delete or run other programs (${graver}); one word can't say when` };
  const network = found("network");
  if (network) return { effect: "network", seems: `seems to talk to a service (${network})` };
  if (program.changed)
    return { effect: "write", seems: `${program.changed} of its calls changed files of the project` };
  const write = found("write");
  if (write) return { effect: "write", seems: `seems to write files (${write})` };
  const read = found("read");
  if (read) return { effect: "read", seems: `seems only to read (${read}, and no word of writing)` };
  return { seems: evidence.length ? "the evidence has no word that tells" : "no evidence was found" };
}

/** As it would stand in interlock.yaml. */
export const ruleText = (name: string, effect: TaughtEffect): string =>
  stringify({ shell: { programs: { [name]: effect } } });
