// Research, phase by phase: a spec is frozen before it is run, results are not touched once they are there.
// Invariant: judged by the path that is written, never by what a text mentions.
import { join } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import { after, before, failed, gate } from "../../../model/gate.js";
import { readBoundedText } from "../../../project/bounded-read.js";
import { matchCompiled } from "../../../project/globs.js";
import { type ContentRule, judgeKit } from "../kit-gate.js";
import type { KitOptions } from "../kit-options.js";
import { phaseEnv } from "../phase-memory.js";
import { analysisFindings, handoffFindings, metricsFindings } from "./research-documents.js";

export const researchPhases = gate<undefined, KitOptions>({
  id: "kits/research",
  title: "Each phase of an experiment writes only what is its own",
  about:
    "Survey takes notes. Frame writes the spec. Run writes code and its own folder of results; specs, earlier " +
    "results and RESEARCH_LOG.md are locked. Read writes analysis.md, RESEARCH_LOG.md, QUESTIONS.md and HANDOFF.md " +
    "and runs nothing again. Log writes the log, synthesize SYNTHESIS.md only. metrics.json, analysis.md and " +
    "HANDOFF.md must keep their form. The phase comes from the record of `interlock kit research <phase>`, or from " +
    "`EXP_PHASE`, which can only add rules.",
  remedy: "Do what the phase is for; what belongs to another phase goes into the capsule as the next action.",
  on: [...before(), ...after("shell", "script", "mcp", "unknown"), ...failed("shell", "script", "mcp", "unknown")],
  hindsight: true,
  onError: "deny",
  env: phaseEnv,
  judge: (context) => judgeKit("research", { "research-documents": researchDocuments }, context),
});

/** A document written as a whole must keep its contract; one that is edited is checked when the phase ends. */
const researchDocuments: ContentRule = (facts, options, { results }) => {
  const { edit, event } = facts;
  if (!edit || event.tool?.kind !== "write" || edit.after === undefined) return undefined;
  const below = belowRoot(facts.world.project.root, facts.canonical(edit.path).path);
  if (below === undefined) return undefined;
  const [problem] = documentFindings(below, edit.after, options, metricsFor(facts.world.project.root, below, results));
  return problem === undefined
    ? undefined
    : { why: `${below}: ${problem}`, next: "write it in the form the kit asks for" };
};

/** The metrics.json an analysis is about: beside it, else that of the run's own results. */
export function metricsFor(root: string, below: string, results: string | undefined): string | undefined {
  const beside = below.includes("/") ? below.slice(0, below.lastIndexOf("/")) : undefined;
  for (const folder of [beside, results]) {
    if (folder === undefined) continue;
    try {
      return readBoundedText(join(root, folder, "metrics.json"), metricsBytes);
    } catch {
      // not there: the next place, or nothing to compare with
    }
  }
  return undefined;
}

const metricsBytes = 4 << 20;

/** What is wrong with a research document, by its path. `metrics`: the figures an analysis is about. */
export function documentFindings(below: string, text: string, options: KitOptions, metrics?: string): string[] {
  if (/(?:^|\/)metrics\.json$/.test(below) && matchCompiled(options.places.results, below))
    return metricsFindings(text);
  if (/(?:^|\/)HANDOFF\.md$/.test(below)) return handoffFindings(text);
  if (matchCompiled(options.places.analysis, below)) return analysisFindings(text, metrics);
  return [];
}
