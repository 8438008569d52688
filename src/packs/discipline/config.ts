// The discipline pack's settings: their schema, which of two values is the stricter one, and how they are compiled.
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { packSchema, setting } from "../../model/setting.js";
import { compileGlob } from "../../project/globs.js";
import { type DisciplineOptions, researchCategories } from "./discipline-options.js";
import { disciplineGateNames } from "./gate-names.js";
import { releaseProfiles } from "./release/release-profiles.js";
import { standardDiscipline } from "./standard-options.js";

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
const list = (doc: string, tighter: "add" | "user") =>
  v.optional(setting(v.pipe(v.array(text), v.maxLength(200)), tighter, doc));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const name = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,60}$/, "lower-case letters, digits and hyphens"));

const providers = () =>
  v.optional(
    v.strictObject({
      kinds: list("kinds of tools that count: read, search, web", "user"),
      tools: list("tools by name, * allowed", "user"),
      mcp: list("MCP servers by name, * allowed", "user"),
      commands: list("first words of shell commands", "user"),
      urls: list("hosts of fetched pages, * allowed", "user"),
    }),
  );

const step = v.pipe(
  v.strictObject({ id: name, read: v.optional(text), run: v.optional(text), when: v.optional(text) }),
  v.check((s) => (s.read === undefined) !== (s.run === undefined), "a step has either `read` or `run`"),
);
const skill = v.strictObject({
  name: text,
  words: v.pipe(v.array(text), v.minLength(1)),
  agents: v.optional(whole(0, 50)),
});
const releaseRule = v.strictObject({
  id: name,
  artifact: text,
  producers: v.array(text),
  verifiers: v.array(text),
  publishers: v.array(text),
  to: v.optional(v.array(text)),
  clearance: v.optional(v.boolean()),
});
const manifestRule = v.strictObject({
  id: name,
  file: text,
  signed: v.optional(v.array(text)),
  forbidden: v.optional(v.array(text)),
  length: v.optional(text),
  elements: v.optional(v.array(text)),
  cask: v.optional(v.boolean()),
  publishers: v.optional(v.array(text)),
});

export const schema = packSchema(disciplineGateNames, {
  research: v.optional(
    v.strictObject({
      require: v.optional(
        setting(v.array(v.picklist(researchCategories)), "add", "what must be researched before a change"),
      ),
      depth: v.optional(
        setting(
          v.picklist(["scaled", "full"]),
          ["scaled", "full"],
          "scaled: how much research depends on the size of the task; full: every task needs every category",
        ),
      ),
      docs: providers(),
      web: providers(),
      github: providers(),
      local: providers(),
      unreachableAfter: v.optional(
        setting(
          whole(1, 20),
          "higher",
          "failed attempts to reach a provider after which a category counts as out of reach",
        ),
      ),
      strict: v.optional(setting(v.boolean(), "true", "edited lines must have been read in their current form")),
      exempt: list("globs of files that need no research", "user"),
      external: list("first words of commands that need research as changes do: git push, gh pr create", "add"),
    }),
  ),
  breaker: v.optional(
    v.strictObject({
      failures: v.optional(setting(whole(2, 20), "lower", "failures in a row that trip it")),
      signature: v.optional(setting(whole(2, 20), "lower", "failures of one signature that trip it")),
      windowMinutes: v.optional(setting(whole(1, 1440), "higher", "how long a failure is counted")),
      research: v.optional(
        setting(whole(1, 10), "higher", "research calls after a trip until one more try is allowed"),
      ),
    }),
  ),
  startup: v.optional(
    v.strictObject({
      steps: v.optional(setting(v.array(step), "add", "what a session does before it changes anything")),
    }),
  ),
  documents: list("documents a session reads before its first change, if they exist", "add"),
  plan: v.optional(
    v.strictObject({
      when: v.optional(
        setting(
          v.picklist(["asked", "big-task", "task"]),
          ["asked", "big-task", "task"],
          "which tasks need an approved plan",
        ),
      ),
      execution: v.optional(
        setting(
          v.picklist(["autonomous", "phases", "supervised"]),
          ["autonomous", "phases", "supervised"],
          "how an approved plan is carried out: in one go, phase by phase, or with each change confirmed",
        ),
      ),
    }),
  ),
  loop: v.optional(
    v.strictObject({
      bigTasks: v.optional(setting(v.boolean(), "true", "big tasks need a loop with acceptance criteria")),
      maxIterations: v.optional(setting(whole(1, 200), "lower", "iterations of one loop")),
    }),
  ),
  skills: v.optional(setting(v.array(skill), "add", "skills requested by certain words in a prompt")),
  outputs: list("globs of build and install output; writing there is not an edit", "user"),
  blockedPaths: list("globs that agents may not touch; ~/ and / allowed", "add"),
  sensitiveFiles: list("globs of files whose change the user confirms once per session", "add"),
  fileSize: v.optional(
    v.strictObject({
      warn: v.optional(setting(whole(50, 100_000), "lower", "lines above which the agent is warned")),
      refuse: v.optional(setting(whole(50, 100_000), "lower", "lines above which the call is refused")),
      byExtension: v.optional(
        setting(v.record(v.string(), whole(50, 1_000_000)), "user", "other limits by file extension"),
      ),
    }),
  ),
  verify: v.optional(
    v.strictObject({
      accept: v.optional(
        setting(
          v.picklist(["checks", "tests"]),
          ["checks", "tests"],
          "whether type checks and builds are proof enough",
        ),
      ),
      commands: list("first words of more commands that verify", "user"),
      exempt: list("globs of files that need no verification", "user"),
    }),
  ),
  release: v.optional(
    v.strictObject({
      profiles: v.optional(
        setting(v.array(v.picklist(Object.keys(releaseProfiles))), "add", "shipped sets of release rules"),
      ),
      rules: v.optional(setting(v.array(releaseRule), "add", "what an artifact needs before it is published")),
      manifests: v.optional(setting(v.array(manifestRule), "add", "what a release manifest must and must not contain")),
      clearanceHours: v.optional(setting(whole(1, 72), "lower", "how long a clearance holds")),
    }),
  ),
  reminders: v.optional(
    setting(v.boolean(), "free", "remind the agent after a failure, many edits, a commit and in a long session"),
  ),
  briefing: v.optional(setting(v.boolean(), "free", "tell the agent the requirements at the start of a session")),
});

/** Typed commands and safemode work in every mode: the user asked for them explicitly. */
export const defaults: JsonObject = {
  ...(standardDiscipline as unknown as JsonObject),
  gates: { commands: "enforce", safemode: "enforce" },
};

/** Compiles globs once. A leading `/` becomes `@/`, so that an absolute glob cannot match below the project. */
export function compile(options: JsonObject): JsonObject {
  const o = options as unknown as DisciplineOptions;
  const globs = (given: readonly string[]) => given.map((g) => compileGlob(g.startsWith("/") ? `@${g}` : g));
  const chosen = o.release.profiles.map((p) => releaseProfiles[p]!);
  const compiled: DisciplineOptions = {
    ...o,
    startup: { steps: apart(o.startup.steps) },
    research: { ...o.research, exempt: globs(o.research.exempt) },
    outputs: globs(o.outputs),
    blockedPaths: globs(o.blockedPaths),
    sensitiveFiles: globs(o.sensitiveFiles),
    verify: { ...o.verify, exempt: globs(o.verify.exempt) },
    release: {
      ...o.release,
      rules: apart([...o.release.rules, ...chosen.flatMap((p) => p.rules)]),
      manifests: [...o.release.manifests, ...chosen.flatMap((p) => p.manifests)].map((m) => ({
        ...m,
        file: compileGlob(m.file),
      })),
    },
  };
  return compiled as unknown as JsonObject;
}

/** Makes ids unique: the user's and the project's steps may share one, and doing one is not doing the other. */
function apart<T extends { id: string }>(list: readonly T[]): T[] {
  const taken = new Set<string>();
  return list.map((one) => {
    let { id } = one;
    for (let n = 2; taken.has(id); n++) id = `${one.id}-${n}`;
    taken.add(id);
    return { ...one, id };
  });
}
