// States and calls that several tables share.
import { run as lifecycleCommand } from "../../src/cli/commands/lifecycle.js";
import type { JsonObject } from "../../src/model/json.js";
import { catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { type FrameworkProject, workflowAt } from "./project.js";

export const phases = (phase: string, record: JsonObject): JsonObject => ({
  [phase]: { status: "in_progress", ...record },
});
export const tested = (t: JsonObject, more: JsonObject = {}) =>
  workflowAt(
    "06-implementation",
    {},
    phases("06-implementation", { iteration_requirements: { test_iteration: t }, ...more }),
  );
export const inDesign = { state: workflowAt("04-design") };
export const inTests = { state: workflowAt("06-implementation") };
export const done =
  (type: string, result: string | JsonObject = "done", more: JsonObject = {}) =>
  (p: FrameworkProject) =>
    p.after("Task", { subagent_type: type, prompt: "x", description: "the work", ...more }, result);
export const menuText = "[A] Adjust [R] Refine [C] Continue [S] Save [X] Exit\nYour choice:";

/** The constitutional check of a phase of the feature workflow, by command and without its output. */
export async function checkConstitution(p: FrameworkProject, phase: string): Promise<void> {
  const articles = needsOf(catalogueOf(), "feature", phase)!.constitution!.articles.join(",");
  await lifecycleHere(p, "validate", "--articles", articles);
}

/** The command without a process of its own: what it prints as JSON. */
export async function lifecycleHere(p: FrameworkProject, ...args: string[]): Promise<JsonObject> {
  const { log, error } = console;
  const said: string[] = [];
  console.log = (text: string) => void said.push(text);
  console.error = () => undefined;
  try {
    await lifecycleCommand([...args, "--json", "--cwd", p.root, "--home", p.home]);
  } finally {
    Object.assign(console, { log, error });
  }
  return JSON.parse(said.join("\n")) as JsonObject;
}
