// Publish commands in a call, and what is missing for each.
// Invariant: reads only; a file that cannot be named, or that the same call changes, is refused.
import { basename, join, resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import type { ProgramCall } from "../../../facts/test-runners.js";
import type { Effect } from "../../../model/effect.js";
import type { Project } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import type { ReleaseRule } from "../discipline-options.js";
import { matchesName } from "../name-patterns.js";
import { artifactHash, commitAtHead } from "./artifact.js";
import { type BoundNames, matchCommand } from "./command-pattern.js";
import type { ReleaseState } from "./release-memory.js";

export function refusedPublication(
  facts: Facts,
  rules: readonly ReleaseRule[],
  state: Readonly<ReleaseState>,
  now: number,
): { what: string; why: string; next: string } | undefined {
  for (const { rule, bound, cwd, program } of publications(facts, rules)) {
    const problems = problemsOf(rule, bound, cwd, state, facts.world.project, now);
    if (bound.file !== undefined && touched(resolve(cwd, bound.file), program, facts))
      problems.unshift({
        why: "the same call changes files",
        next: "run what changes files first, then publish in a call of its own",
      });
    if (problems.length)
      return {
        what: `publish ${inert(bound.file ?? "an artifact that cannot be named", 80)}`,
        why: `rule ${rule.id}: ${problems.map((p) => p.why).join("; ")}`,
        next: problems[0]!.next,
      };
  }
  return undefined;
}

interface Publication {
  rule: ReleaseRule;
  bound: BoundNames;
  cwd: string;
  program: string;
}

/** A rule applies by the file's name or by the destination's: either can be renamed. */
function publications(facts: Facts, rules: readonly ReleaseRule[]): Publication[] {
  return (facts.shell?.commands ?? []).flatMap((command) =>
    rules.flatMap((rule) => {
      if (command.argv.some((word) => /^--dry-?run$/.test(word ?? "")) || copiesHere(command)) return [];
      const cwd = command.cwd ?? facts.event.cwd;
      const whole = rule.publishers
        .filter((p) => p.includes("{dir}"))
        .flatMap((p) => filesOf(matchCommand(p, command), cwd, rule.artifact, facts.world.project));
      if (whole.length) return whole.map((bound) => ({ rule, bound, cwd, program: command.program }));
      const found = rule.publishers.flatMap((p) =>
        p.includes("{dir}") ? [] : (matchCommand(p, command, { artifact: rule.artifact, loose: true }) ?? []),
      );
      // A URL in the place of the file means a download.
      const sent = found.filter((b) => !/^[\w-]+:/.test(b.file ?? ""));
      const bound = sent.find((b) => b.file !== undefined) ?? sent[0];
      const names = [bound?.file, bound?.to].filter((n) => n !== undefined);
      const meant = bound && (!names.length || names.some((n) => matchesName(rule.artifact, basename(n))));
      return meant ? [{ rule, bound, cwd, program: command.program }] : [];
    }),
  );
}

/** rsync between folders of this machine. */
const copiesHere = ({ program, argv }: ProgramCall): boolean =>
  program === "rsync" && argv.every((word) => word !== undefined && !word.includes(":"));

/** The artifacts in a folder that is published whole. */
function filesOf(bound: BoundNames | undefined, cwd: string, artifact: string, project: Project): BoundNames[] {
  const { dir, to } = bound ?? {};
  if (dir === undefined || /^[\w-]+:/.test(dir)) return [];
  const names = project.list(resolve(cwd, dir)).filter((name) => matchesName(artifact, name));
  return names.map((name) => ({ file: join(dir, name), ...(to !== undefined && { to }) }));
}

/** Whether the call itself may change the artifact before it publishes it. */
const touched = (path: string, program: string, facts: Facts): boolean =>
  facts.effects.some((e) =>
    e.kind === "unknown"
      ? e.program !== program && !isSettings(e, facts)
      : (e.kind === "write" || e.kind === "delete") &&
        (e.path === undefined ||
          e.path === path ||
          ((e.recursive || e.glob) === true && path.startsWith(e.path.replace(/\*.*$/, "")))),
  );

/** Settings of the user's own that are read into the shell: keys have to come from somewhere. */
const isSettings = ({ word }: Effect, { effects, world: { project, userHome } }: Facts): boolean =>
  effects.some(
    (r) =>
      r.kind === "read" &&
      (r.by === "source" || r.by === ".") &&
      r.word === word &&
      r.path !== undefined &&
      belowRoot(userHome, r.path) !== undefined &&
      belowRoot(project.root, r.path) === undefined,
  );

interface Problem {
  why: string;
  next: string;
}

function problemsOf(
  rule: ReleaseRule,
  bound: BoundNames,
  cwd: string,
  state: Readonly<ReleaseState>,
  project: Project,
  now: number,
): Problem[] {
  const out: Problem[] = [];
  const file = bound.file ?? "THE-FILE";
  const hash = bound.file === undefined ? undefined : artifactHash(resolve(cwd, bound.file));
  const record = hash === undefined ? undefined : state.artifacts[hash];
  if (bound.file === undefined)
    out.push({
      why: `it names no file ${rule.artifact}`,
      next: `name the file in full: ${inert(rule.publishers[0] ?? "", 80)}`,
    });
  else if (hash === undefined)
    out.push({ why: "the file can't be read", next: `make ${inert(file, 60)} first, or give the path where it is` });
  const fill = (pattern: string | undefined) => (pattern ?? "").replace("{file}", inert(file, 60));
  if (rule.producers.length && !record?.produced.includes(rule.id))
    out.push({ why: "not produced as it is now", next: `run: ${fill(rule.producers[0])}` });
  if (rule.verifiers.length && !record?.verified.includes(rule.id))
    out.push({ why: "not verified as it is now", next: `run: ${fill(rule.verifiers[0])}` });
  if (rule.to && (bound.to === undefined || !allowed(rule.to, bound.to)))
    out.push({
      why: `the destination ${inert(bound.to ?? "?", 60)} does not match ${rule.to.join(", ")}`,
      next: "publish to the destination the rule names",
    });
  const commit = rule.clearance ? commitAtHead(project) : undefined;
  if (rule.clearance && !state.clearances.some((c) => c.rule === rule.id && c.commit === commit && c.until > now))
    out.push({
      why: "no clearance for this commit",
      next: `ask the user to run: interlock discipline clear ${rule.id}`,
    });
  return out;
}

const allowed = (patterns: readonly string[], to: string): boolean =>
  patterns.some((p) => !p.startsWith("!") && matchesName(p, to)) &&
  !patterns.some((p) => p.startsWith("!") && matchesName(p.slice(1), to));
