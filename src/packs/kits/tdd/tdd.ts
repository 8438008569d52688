// Test-driven development, phase by phase: tests first, then code, then order; tests stay what they were.
// Invariant: judged by paths and effects, for file tools and shell alike.

import { belowRoot } from "../../../facts/changes.js";
import { type Effect, isPathEffect, type PathEffect } from "../../../model/effect.js";
import { after, before, failed, gate } from "../../../model/gate.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { matchCompiled } from "../../../project/globs.js";
import { type ContentRule, judgeKit } from "../kit-gate.js";
import type { KitOptions } from "../kit-options.js";
import { phaseEnv } from "../phase-memory.js";
import { weakerEdit } from "./test-strength.js";

export const tddPhases = gate<undefined, KitOptions>({
  id: "kits/tdd",
  title: "Each phase of test-driven development writes only what is its own",
  about:
    "In red only tests and fixtures may be written. In green tests, fixtures and test settings are locked and the " +
    "package's test scripts stay. In refactor no test may be dropped, skipped or weakened. In breadcrumbs only " +
    "CLAUDE.md, AGENTS.md, LAST_TOUCH.md and README.md files may be written. The phase comes from the record of " +
    "`interlock kit tdd <phase>`, or from `TDD_PHASE`, which can only add rules. Locked files are hashed when the " +
    "phase starts and compared after each shell call and at its end.",
  remedy: "Do what the phase is for; what belongs to another phase goes into the capsule as the next action.",
  on: [...before(), ...after("shell", "script", "mcp", "unknown"), ...failed("shell", "script", "mcp", "unknown")],
  hindsight: true,
  onError: "deny",
  env: phaseEnv,
  judge: (context) => judgeKit("tdd", { "tests-kept": testsKept, "test-scripts-kept": testScriptsKept }, context),
});

const testsKept: ContentRule = (facts, options) => {
  const { edit, effects } = facts;
  const isTest = (path: string) => {
    const below = belowRoot(facts.world.project.root, facts.canonical(path).path);
    return below !== undefined && matchCompiled(options.places.tests, below);
  };
  if (edit && isTest(edit.path)) {
    if (edit.after === undefined) return undefined;
    const weaker = weakerEdit(edit.before ?? "", edit.after);
    return weaker === undefined ? undefined : { why: `this leaves ${weaker}` };
  }
  for (const effect of effects) {
    if (!isPathEffect(effect) || effect.path === undefined || effect.glob) continue;
    if (effect.kind === "delete" && isTest(effect.path) && !isMoved(effect, effects, isTest))
      return { why: `this deletes the test file ${effect.word ?? effect.path}` };
    if (
      effect.kind === "write" &&
      effect.how === undefined &&
      facts.shell &&
      isTest(effect.path) &&
      !moves(effects, isTest)
    )
      return { why: "a test file written by a command can't be compared", next: "change it with Edit or Write" };
  }
  return undefined;
};

const moves = (effects: readonly Effect[], isTest: (path: string) => boolean): boolean =>
  effects.some((e) => e.kind === "delete" && e.how === "move" && e.path !== undefined && isTest(e.path));

/** `mv` and `git mv`: the test goes on under another name. */
const isMoved = (gone: PathEffect, effects: readonly Effect[], isTest: (path: string) => boolean): boolean =>
  (gone.how === "move" || gone.how === "git") &&
  effects.some((e) => e.kind === "write" && e.path !== undefined && e.by === gone.by && isTest(e.path));

/** The scripts that run tests may not be turned into something that always passes. */
const testScriptsKept: ContentRule = ({ edit, shell }) => {
  if (shell?.commands.some((c) => c.program === "npm" && c.argv[0] === "pkg" && /scripts/.test(c.argv.join(" "))))
    return { why: "the scripts of package.json stay as they are in this phase" };
  if (!edit || edit.after === undefined) return undefined;
  const name = edit.path.slice(edit.path.lastIndexOf("/") + 1);
  const [old, now] = [runnerSettings(name, edit.before ?? ""), runnerSettings(name, edit.after)];
  if (old === now) return undefined;
  const what = name === "package.json" ? "the test scripts of package.json" : `the test settings in ${name}`;
  return { why: `${what} stay as they are in this phase` };
};

/** Files that hold the test runner's settings beside others. */
export const settingsFiles: readonly string[] = ["package.json", "pyproject.toml", "setup.cfg"];

/** The part of such a file that says how tests are run; "" for any other. */
export function runnerSettings(name: string, text: string): string {
  if (name === "package.json") return JSON.stringify([testScripts(text), runnerKeys(text)]);
  if (name !== "pyproject.toml" && name !== "setup.cfg") return "";
  const sections = text.match(/^\[tool[.:](?:pytest|coverage)[^\]]*\][^]*?(?=^\[|$(?![^]))/gm) ?? [];
  return sections.map((section) => section.trim()).join("\n");
}

function runnerKeys(text: string): JsonObject {
  try {
    const all = JSON.parse(text) as JsonObject;
    return Object.fromEntries(["jest", "mocha", "ava", "tap"].flatMap((key) => (key in all ? [[key, all[key]!]] : [])));
  } catch {
    return {}; // not JSON: whatever runs it will say so
  }
}

/** The scripts of a package.json whose name begins with "test" or "pretest". */
function testScripts(text: string): Record<string, string> {
  try {
    const found = (JSON.parse(text) as { scripts?: unknown }).scripts;
    if (!isObject(found as never)) return {};
    return Object.fromEntries(
      Object.entries(found as Record<string, string>)
        .filter(([name]) => /^(?:pre|post)?test/.test(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  } catch {
    return {}; // not JSON: whatever runs it will say so
  }
}
