// What a look finds: cases, grouped by the question they answer.
// Invariant: a case names the place in the transcript it comes from, and its texts are redacted, inert and short.
import { inert } from "../model/text.js";
import { redact } from "../store/redact/redact.js";

export interface LookCase {
  file: string;
  line: number;
  session: string;
  /** Present for a sub-agent's call. */
  agent?: string;
  /** Milliseconds; 0 where the transcript has no time. */
  time: number;
  /** The call or message, as one line. */
  what: string;
  why: string;
  /** How often it came again in the same turn, this time included. */
  times: number;
  /** Why this may be a false alarm. */
  doubt?: string;
  /** huge-read: about how many tokens. */
  tokens?: number;
}

export interface FindingGroup {
  /** "unread-edit", or a gate's id. */
  id: string;
  title: string;
  cases: LookCase[];
}

/** What people ask about first, in the order it is shown. */
export const incidentTitles = {
  "unread-edit": "edits to files the agent had not read",
  "error-loop": "loops: the same error three times or more",
  "main-commit": "commits made directly on main",
  "unproved-claim": '"tests pass" without a passing run since the edit',
  "outside-delete": "deletes outside the project",
  "huge-read": "results of 10,000 tokens or more",
} as const;
export type IncidentKind = keyof typeof incidentTitles;

export class Findings {
  readonly incidents = new Map<string, FindingGroup>(
    Object.entries(incidentTitles).map(([id, title]) => [id, { id, title, cases: [] }]),
  );
  readonly gates = new Map<string, FindingGroup>();

  incident(kind: IncidentKind, found: LookCase): LookCase {
    this.incidents.get(kind)!.cases.push(found);
    return found;
  }

  refusal(gate: string, title: string, found: LookCase): LookCase {
    let group = this.gates.get(gate);
    if (!group) this.gates.set(gate, (group = { id: gate, title, cases: [] }));
    group.cases.push(found);
    return found;
  }
}

/** Secrets go before the text is cut: half a secret is no longer known as one. */
export const shownText = (text: string, max = 160): string =>
  inert(redact(text.slice(0, 20_000)).text.replace(/\s+/g, " ").trim(), max);

export const sure = (cases: readonly LookCase[]): LookCase[] => cases.filter((c) => c.doubt === undefined);
export const doubtfulCases = (cases: readonly LookCase[]): LookCase[] => cases.filter((c) => c.doubt !== undefined);
