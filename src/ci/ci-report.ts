// What `interlock ci` found in a range of commits: one result per check, each finding with its remedy.
// Invariant: what this clone can't show is `not-checkable` or `partly`, never `passed`.
import type { GitCommit } from "../sred/read-commits.js";
import type { CommitRange } from "./commit-range.js";

export const ciChecks = ["checkpoints", "coverage", "intents", "sred", "validators"] as const;
export type CiCheckName = (typeof ciChecks)[number];

/** `partly`: what could be checked is fine, `notCheckable` says what could not. */
export type CiState = "passed" | "partly" | "failed" | "not-checkable" | "not-used";

export interface CiFinding {
  /** Such as `intents/out-of-scope`; also the rule's id in SARIF. */
  rule: string;
  /** A warning does not fail the check unless --require names it. */
  level: "error" | "warning";
  message: string;
  next: string;
  commit?: string;
  file?: string;
  line?: number;
}

export interface CiCheck {
  name: CiCheckName;
  state: CiState;
  summary: string;
  notCheckable: string[];
  findings: CiFinding[];
}

export interface CiReport {
  range: CommitRange;
  commits: number;
  /** The clone is shallow and ends inside the range. */
  incomplete: boolean;
  checks: CiCheck[];
}

/** What every check looks at. */
export interface CiInput {
  root: string;
  /** Names the repository in our store. */
  id: string;
  /** Of this work tree. */
  gitDir: string;
  /** Interlock's folder on this machine, and the project's in it. */
  home: string;
  folder: string;
  /** Whether this machine has a record of the project. */
  hasRecord: boolean;
  /** The agent's calls without a record, by its transcripts; undefined where there are none to compare. */
  uncoveredCalls(): { calls: number; missing: readonly { time: string; what: string }[] } | undefined;
  range: CommitRange;
  /** Oldest first; merges have no files. */
  commits: readonly GitCommit[];
}

/** What a check hands back; `used` false: the repository does not use the feature. */
export interface CheckResult {
  used?: boolean;
  /** Whether anything at all was checked. */
  checked: boolean;
  summary: string;
  notCheckable?: string[];
  findings?: CiFinding[];
}

export function ciCheck(name: CiCheckName, result: CheckResult, required: boolean): CiCheck {
  const { used = true, checked, summary, notCheckable = [], findings: found = [] } = result;
  const findings = [...found];
  if (required && (!used || !checked))
    findings.push({
      rule: `${name}/required`,
      level: "error",
      message: `--require ${name}: ${used ? "it can't be checked here" : "the repository does not use it"}`,
      next: notCheckable[0] ?? summary,
    });
  const failing = findings.filter(({ level }) => required || level === "error");
  const state = failing.length
    ? "failed"
    : !used
      ? "not-used"
      : !checked
        ? "not-checkable"
        : notCheckable.length
          ? "partly"
          : "passed";
  return {
    name,
    state,
    summary,
    notCheckable,
    findings: required ? findings.map((f) => ({ ...f, level: "error" as const })) : findings,
  };
}

export const ciFailed = ({ checks, incomplete }: CiReport): boolean =>
  incomplete || checks.some(({ state }) => state === "failed");

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const shortHash = (hash: string): string => hash.slice(0, 12);
