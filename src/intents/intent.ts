// An intent: a declared purpose with the files it may change, as `.orchestration/active_intents.yaml` holds it.
// Invariant: plain JSON, globs already compiled; nothing here reads the disk.

import { orchestrationFolder } from "../model/orchestration.js";

export const intentStatuses = ["PENDING", "IN_PROGRESS", "BLOCKED", "COMPLETED", "ARCHIVED"] as const;
export type IntentStatus = (typeof intentStatuses)[number];

export const intentsFile = `${orchestrationFolder}/active_intents.yaml`;
/** Either place counts; both are read. */
export const ignoreFiles = [".intentignore", `${orchestrationFolder}/.intentignore`] as const;

export interface AcceptanceCriterion {
  text: string;
  met: boolean;
  evidence?: string;
}

export interface Intent {
  id: string;
  name: string;
  status: IntentStatus;
  /** `owned_scope` as written. */
  scope: string[];
  /** The same, compiled for matching. */
  globs: string[];
  /** `scope: any`: every file but the control files. */
  anyScope?: true;
  constraints: string[];
  criteria: AcceptanceCriterion[];
  /** Only a person takes it up. */
  approval?: "person";
  parent?: string;
  /** `exclusive: false`: other intents may change its files too. */
  shared?: true;
  version?: number;
  tags?: string[];
  specs?: { type: string; ref: string }[];
}

/** Why the file does not count, and where. */
export interface IntentProblem {
  line?: number;
  what: string;
  fix: string;
}

/** The file after checking: either intents or the reason why there are none. */
export interface IntentSet {
  intents: Intent[];
  problem?: IntentProblem;
}

export const intentIdPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

export const findIntent = (set: IntentSet, id: string): Intent | undefined => set.intents.find((i) => i.id === id);

/** The intent and those above it, nearest first. A ring of parents ends where it closes. */
export function lineOf(set: IntentSet, intent: Intent): Intent[] {
  const line: Intent[] = [];
  for (let at: Intent | undefined = intent; at && !line.includes(at); ) {
    line.push(at);
    at = at.parent === undefined ? undefined : findIntent(set, at.parent);
  }
  return line;
}

export const openCriteria = (intent: Intent): { number: number; text: string }[] =>
  intent.criteria.flatMap((c, i) => (c.met ? [] : [{ number: i + 1, text: c.text }]));

/** Why an intent can't be worked on now; undefined where it can be selected. */
export function unselectable(intent: Intent, approval: "agent" | "person", by: "agent" | "person"): string | undefined {
  if (intent.status === "IN_PROGRESS") return undefined;
  if (intent.status === "PENDING") {
    if (by === "person" || (approval !== "person" && intent.approval !== "person")) return undefined;
    return `it is PENDING and a person takes it up: interlock intent approve ${intent.id}`;
  }
  if (intent.status === "BLOCKED") return `it is BLOCKED; a person reopens it: interlock intent approve ${intent.id}`;
  return `it is ${intent.status}, and that is final; add a new intent with parent_intent: ${intent.id}`;
}
