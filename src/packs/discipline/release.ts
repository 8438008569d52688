// The artifact provenance gate: what is published was produced and verified here, as it is now.
import { basename, resolve } from "node:path";
import { before, gate, type Project } from "../../engine/gate.js";
import { inert } from "../../engine/text.js";
import { deny } from "../../engine/verdict.js";
import type { Facts } from "../../facts/index.js";
import { artifactHash, type Bound, headCommit, matchCommand } from "./artifact.js";
import { release as memory, type ReleaseState } from "./memory/release.js";
import { like } from "./names.js";
import type { Options, ReleaseRule } from "./options.js";

export const release = gate<undefined, Options>({
  id: "discipline/release",
  title: "Published artifacts have a provenance",
  about:
    "For each rule of `release.rules` and of the chosen profiles: refuses a publish command unless exactly this content was recorded by the rule's producer command and by its verifier command, the destination fits, and, where the rule asks for it, a person cleared the commit at hand.",
  remedy:
    "Run the producer and the verifier on the artifact, then publish the same file. A clearance comes from a person: `interlock discipline clear <rule>`.",
  window:
    "Records are kept by content hash for the project; a clearance holds for its commit and for `release.clearanceHours`.",
  reset: "Producing the artifact anew; a new commit ends a clearance.",
  on: before("shell"),
  onError: "deny",
  judge({ facts, config, recall, project, now }) {
    for (const { rule, bound, cwd } of publications(facts, config)) {
      const problems = problemsOf(rule, bound, cwd, recall(memory), project, now);
      if (!problems.length) continue;
      return deny({
        what: `publish ${inert(bound.file ?? "an artifact that can't be named", 80)}`,
        why: `rule ${rule.id}: ${problems.map((p) => p.why).join("; ")}`,
        next: problems[0]!.next,
      });
    }
  },
});

function publications(
  facts: Facts,
  { release: { rules } }: Options,
): { rule: ReleaseRule; bound: Bound; cwd: string }[] {
  return (facts.shell?.commands ?? []).flatMap((command) =>
    rules.flatMap((rule) =>
      rule.publishers.flatMap((pattern) => {
        const bound = matchCommand(pattern, command, rule.artifact);
        const meant = bound && (bound.file === undefined || like(rule.artifact, basename(bound.file)));
        return meant ? [{ rule, bound, cwd: command.cwd ?? facts.event.cwd }] : [];
      }),
    ),
  );
}

interface Problem {
  why: string;
  next: string;
}

function problemsOf(
  rule: ReleaseRule,
  bound: Bound,
  cwd: string,
  state: Readonly<ReleaseState>,
  project: Project,
  now: number,
): Problem[] {
  const out: Problem[] = [];
  const file = bound.file ?? "<file>";
  const hash = bound.file === undefined ? undefined : artifactHash(resolve(cwd, bound.file));
  const record = hash === undefined ? undefined : state.artifacts[hash];
  if (hash === undefined) out.push({ why: "the file can't be read", next: "name an existing file in full" });
  const fill = (pattern: string | undefined) => (pattern ?? "").replace("{file}", inert(file, 60));
  if (rule.producers.length && !record?.produced.includes(rule.id))
    out.push({ why: "not produced as it is now", next: `run: ${fill(rule.producers[0])}` });
  if (rule.verifiers.length && !record?.verified.includes(rule.id))
    out.push({ why: "not verified as it is now", next: `run: ${fill(rule.verifiers[0])}` });
  if (rule.to && (bound.to === undefined || !allowed(rule.to, bound.to)))
    out.push({
      why: `the destination ${inert(bound.to ?? "?", 60)} does not fit ${rule.to.join(", ")}`,
      next: "publish to the destination the rule names",
    });
  const commit = rule.clearance ? headCommit(project) : undefined;
  if (rule.clearance && !state.clearances.some((c) => c.rule === rule.id && c.commit === commit && c.until > now))
    out.push({
      why: "no clearance for this commit",
      next: `ask the user to run: interlock discipline clear ${rule.id}`,
    });
  return out;
}

const allowed = (patterns: readonly string[], to: string): boolean =>
  patterns.some((p) => !p.startsWith("!") && like(p, to)) &&
  !patterns.some((p) => p.startsWith("!") && like(p.slice(1), to));
