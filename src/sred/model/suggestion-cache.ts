// Answers of the model, kept for five minutes per repository, scope and staged content.
// Invariant: an answer is used only for the very content it was given for; no repository gets another one's.
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../model/sha256.js";
import { readBoundedText } from "../../project/bounded-read.js";
import { replaceFile } from "../../project/replace-file.js";
import type { ModelAnswer } from "../suggestion.js";
import { parseKept } from "./kept-answer.js";

export const answerLife = 5 * 60_000;

export interface AnswerKey {
  /** The repository's id. */
  repository: string;
  scope: string | undefined;
  /** Staged paths with the hashes of their content. */
  staged: readonly string[];
}

export const answerKey = ({ repository, scope, staged }: AnswerKey): string =>
  sha256(JSON.stringify([repository, scope ?? null, [...staged].sort()])).slice(0, 32);

const folderIn = (folder: string): string => join(folder, "sred", "suggestions");

export function keptAnswer(folder: string, key: string, now: number): ModelAnswer | undefined {
  try {
    const kept = parseKept(readBoundedText(join(folderIn(folder), `${key}.json`), 64 << 10));
    return kept && kept.at <= now && now - kept.at < answerLife ? kept.answer : undefined;
  } catch {
    return undefined; // none was asked for this content
  }
}

export function keepAnswer(folder: string, key: string, answer: ModelAnswer, now: number): void {
  const place = folderIn(folder);
  mkdirSync(place, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(place).slice(0, 500)) {
    const file = join(place, name);
    if (now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now) > answerLife) rmSync(file, { force: true });
  }
  replaceFile(join(place, `${key}.json`), JSON.stringify({ at: now, answer }), 0o600);
}
