// What the three kit gates have in common: judge writes, commands and content before a call, locked files after it.
// Invariant: nothing is refused outside a phase; a fault refuses, because a phase is a promise.
import type { Facts } from "../../facts/index.js";
import type { JudgeContext } from "../../model/gate.js";
import { inert } from "../../model/text.js";
import { type Deny, deny, note, type Opinion } from "../../model/verdict.js";
import { type AllowedChanges, allowedChanges, isAllowed } from "./allowed-changes.js";
import { refusedCommand } from "./command-rules.js";
import type { KitOptions } from "./kit-options.js";
import { changedFiles, snapshotOf } from "./locked-files.js";
import { type ActivePhase, activePhases } from "./phase-memory.js";
import type { ContentRuleName, PhaseKit } from "./phase-rules.js";
import { foundChanged, type VariableLocks, variableLocks } from "./variable-locks.js";
import { isMadeBelow, refusedWrite } from "./write-rules.js";

export interface RefusedContent {
  why: string;
  next?: string;
}

/** Checks what a call makes of a file's content. */
export type ContentRule = (facts: Facts, options: KitOptions, phase: ActivePhase) => RefusedContent | undefined;

export function judgeKit(
  kit: PhaseKit,
  content: Partial<Record<ContentRuleName, ContentRule>>,
  { event, facts, config, recall, project, now }: JudgeContext<undefined, KitOptions>,
): Opinion | undefined {
  const phases = activePhases(event, recall).filter((phase) => phase.kit === kit);
  if (!phases.length) return undefined;
  if (event.kind !== "tool.before")
    return (
      afterCall(phases, project.root, config, recall(allowedChanges)) ?? sinceStart(phases, recall(variableLocks), now)
    );
  for (const phase of phases) {
    const found = judgePhase(phase, content, facts, config);
    if (found) return found;
  }
  return undefined;
}

function judgePhase(
  phase: ActivePhase,
  content: Partial<Record<ContentRuleName, ContentRule>>,
  facts: Facts,
  options: KitOptions,
): Deny | undefined {
  const { rules } = phase;
  const named = `${phase.kit} ${phase.phase}`;
  const tool = facts.event.tool!.name;
  const write = refusedWrite(facts, phase, options);
  if (write)
    return deny({
      what: `${tool}: ${write.kind} ${inert(write.shown, 120)} (${named})`,
      why: write.why,
      next: write.next,
    });
  if (phase.inherited) return undefined;
  const command = refusedCommand(rules.commands, facts);
  if (command) return deny({ ...command, what: `${inert(command.what, 140)} (${named})` });
  for (const name of rules.content ?? []) {
    const found = content[name]?.(facts, options, phase);
    if (found)
      return deny({
        what: `${tool} ${inert(facts.targets[0]?.given ?? "", 120)} (${named})`,
        why: inert(found.why, 200),
        next: found.next ?? rules.next,
      });
  }
  return undefined;
}

const listed = (paths: readonly string[]): string =>
  `${inert(paths.slice(0, 3).join(", "), 200)}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;

/** Locked files that a finished call changed all the same: told at once, and the phase can't end well with them. */
function afterCall(
  phases: readonly ActivePhase[],
  root: string,
  config: KitOptions,
  allowed: Readonly<AllowedChanges>,
): Opinion | undefined {
  for (const { record, kit, phase, rules } of phases) {
    if (!record?.snapshot) continue;
    const changed = changedFiles(root, snapshotOf(record.snapshot).files).filter(
      (below) =>
        !isMadeBelow(root, below, { kit, phase, rules, record }, config) &&
        !isAllowed(root, below, allowed.runs[record.run] ?? {}),
    );
    if (changed.length)
      return note(
        `${kit} ${phase}: locked file changed: ${listed(changed)}. The phase fails unless it is put back as it was. ` +
          "Undo it now, and do not touch it again.",
        "both",
        { locked: changed.slice(0, 20) },
      );
  }
  return undefined;
}

/** The same for a phase that only a variable names: nothing checks its end, so the agent and the person are told. */
function sinceStart(phases: readonly ActivePhase[], locks: Readonly<VariableLocks>, now: number): Opinion | undefined {
  for (const phase of phases) {
    const changed = phase.record ? [] : foundChanged(locks, phase, now);
    if (changed.length)
      return note(
        `${phase.kit} ${phase.phase}: locked file changed since the session began: ${listed(changed)}. ` +
          "If that was you, put it back as it was; if not, tell the user.",
        "both",
        { locked: changed.slice(0, 20) },
      );
  }
  return undefined;
}
