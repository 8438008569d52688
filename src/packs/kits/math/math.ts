// Mathematics in Lean, phase by phase: statements are fixed before proofs, and nothing is assumed on the way.
// Invariant: declarations are compared as parsed, comments and strings aside; the audit may write about anything.
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { isPathEffect } from "../../../model/effect.js";
import { after, before, failed, gate } from "../../../model/gate.js";
import { matchCompiled } from "../../../project/globs.js";
import { type ContentRule, judgeKit, type RefusedContent } from "../kit-gate.js";
import type { KitOptions } from "../kit-options.js";
import { phaseEnv } from "../phase-memory.js";
import { leanFacts, newAxiom, provedDeclaration, restated } from "./lean-source.js";

export const mathPhases = gate<undefined, KitOptions>({
  id: "kits/math",
  title: "Each phase of a Lean construction writes only what is its own",
  about:
    "Survey only reads. Specify and construct write no Lean. Formalize states with `sorry` as every proof; specs are " +
    "locked. Prove keeps every name and statement and adds no `sorry`; polish keeps proofs as well. Audit writes " +
    "CONSTRUCTION_LOG.md and REVISION.md, whatever their content. `axiom`, `unsafe`, `native_decide` and `admit` " +
    "outside comments and strings, and `lake clean`, are refused. The phase comes from the record of `interlock kit " +
    "math <phase>`, or from `MATH_PHASE`, which can only add rules.",
  remedy: "Do what the phase is for; a statement that can't be proved goes to REVISION.md.",
  on: [...before(), ...after("shell", "script", "mcp", "unknown"), ...failed("shell", "script", "mcp", "unknown")],
  hindsight: true,
  onError: "deny",
  env: phaseEnv,
  judge: (context) =>
    judgeKit(
      "math",
      {
        "no-new-axioms": noNewAxioms,
        "sorry-bodies": sorryBodies,
        "same-declarations": sameDeclarations,
        "same-proofs": sameProofs,
        "append-only-domain": appendOnlyDomain,
      },
      context,
    ),
});

const belowOf = (facts: Facts, path: string): string | undefined =>
  belowRoot(facts.world.project.root, facts.canonical(path).path);

const noNewAxioms: ContentRule = ({ edit }) => {
  if (!edit?.path.endsWith(".lean")) return undefined;
  const word = newAxiom(edit.before ?? "", edit.after ?? edit.added);
  return word === undefined ? undefined : { why: `"${word}" takes for granted what is to be proved` };
};

/** Lean that a command writes can't be compared beforehand. */
function writtenByCommand(facts: Facts, options: KitOptions): RefusedContent | undefined {
  const kind = facts.event.tool?.kind;
  if (!facts.shell && kind !== "mcp" && kind !== "script" && kind !== "unknown") return undefined;
  const written = facts.effects.some((effect) => {
    if (!isPathEffect(effect) || effect.kind === "read" || effect.path === undefined) return false;
    const below = effect.glob ? belowRoot(facts.world.project.root, effect.path) : belowOf(facts, effect.path);
    return (
      below !== undefined &&
      matchCompiled(options.places.lean, below) &&
      !matchCompiled(options.places.leanScratch, below)
    );
  });
  return written
    ? { why: "Lean written by a command can't be compared", next: "change the file with Edit or Write" }
    : undefined;
}

/** The edit of a Lean file of the project, scratch files aside. */
function leanEdit(facts: Facts, options: KitOptions): { before: string; after: string } | undefined {
  const { edit } = facts;
  if (!edit?.path.endsWith(".lean") || edit.after === undefined) return undefined;
  const below = belowOf(facts, edit.path);
  if (below === undefined || matchCompiled(options.places.leanScratch, below)) return undefined;
  return { before: edit.before ?? "", after: edit.after };
}

const sorryBodies: ContentRule = (facts, options) => {
  const command = writtenByCommand(facts, options);
  if (command) return command;
  const edit = leanEdit(facts, options);
  const proved = edit && provedDeclaration(edit.after, edit.before);
  return proved === undefined ? undefined : { why: `${proved} has a proof; in formalize every proof is \`sorry\`` };
};

const sameDeclarations: ContentRule = (facts, options) => {
  const command = writtenByCommand(facts, options);
  if (command) return command;
  const edit = leanEdit(facts, options);
  if (!edit) return undefined;
  const [old, now] = [leanFacts(edit.before), leanFacts(edit.after)];
  const changed = restated(old.statements, now.statements);
  if (changed) return { why: changed };
  return now.sorries > old.sorries ? { why: `${now.sorries - old.sorries} more \`sorry\` than before` } : undefined;
};

const sameProofs: ContentRule = (facts, options) => {
  const edit = leanEdit(facts, options);
  const changed = edit && restated(leanFacts(edit.before).proofs, leanFacts(edit.after).proofs);
  return changed === undefined ? undefined : { why: `the proof of ${changed}` };
};

const appendOnlyDomain: ContentRule = (facts, options) => {
  const { edit } = facts;
  const below = edit && belowOf(facts, edit.path);
  if (below === undefined || !matchCompiled(options.places.domain, below)) return undefined;
  const kept = (edit!.before ?? "").trimEnd();
  return edit!.after === undefined || edit!.after.startsWith(kept)
    ? undefined
    : { why: "DOMAIN_CONTEXT.md is only added to in prove", next: "append what does not apply at its end" };
};
