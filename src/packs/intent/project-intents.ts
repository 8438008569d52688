// The intents of a project as gates see them, with .intentignore.
// Invariant: a file that can't be read or parsed is a problem with its place and its fix, never an empty list.

import { markIntentsUsed, preparedIntents, prepareIntents } from "../../intents/compiled-intents.js";
import { type IntentSet, ignoreFiles, intentsFile } from "../../intents/intent.js";
import { type IgnoreRules, readIgnoreFile } from "../../intents/scope-patterns.js";
import type { Preparation, Project } from "../../model/gate.js";
import { handshakeTool } from "./own-tools.js";

type Editor = typeof import("../../intents/document.js");
let editor: Editor | undefined;

export async function prepareIntentPack({ event, project, folder, sign }: Preparation): Promise<void> {
  markIntentsUsed(folder);
  const text = project.read(intentsFile);
  if (text !== undefined) await prepareIntents(text, folder, sign);
  if (!editor && event.kind === "tool.after" && handshakeTool(event))
    editor = await import("../../intents/document.js");
}

/** The YAML editor; loaded only for events that end a call of our own tools. */
export function intentEditor(): Editor {
  if (!editor) throw new Error("the editor of active_intents.yaml was not loaded");
  return editor;
}

export function projectIntents(project: Project): IntentSet {
  const text = project.read(intentsFile);
  if (text !== undefined) return preparedIntents(text);
  const there = project.exists(intentsFile);
  return {
    intents: [],
    problem: there
      ? { what: "the file can't be read as text", fix: "ask the user to repair it" }
      : { what: "the file does not exist", fix: 'ask the user to run: interlock intent add "<what for>"' },
  };
}

export function ignoreRulesOf(project: Project): IgnoreRules & { file?: string } {
  const all: IgnoreRules & { file?: string } = { paths: [], lines: [], intents: [] };
  for (const file of ignoreFiles) {
    const text = project.read(file);
    if (text === undefined) {
      if (project.exists(file)) Object.assign(all, { problem: { line: 1, what: "it can't be read" }, file });
      continue;
    }
    const rules = readIgnoreFile(text);
    all.paths.push(...rules.paths);
    all.lines.push(...rules.lines);
    all.intents.push(...rules.intents);
    if (rules.problem && !all.problem) Object.assign(all, { problem: rules.problem, file });
  }
  return all;
}
