// Which required documents, start-up steps and skills a session has read, run and used.
// Invariant: a document counts when its text was shown, a command when it succeeded itself; naming either does not
// count.

import { readsByName } from "../../../facts/effects.js";
import type { Facts } from "../../../facts/index.js";
import { wasStopped } from "../../../facts/interrupted.js";
import { after, at, failed, memory } from "../../../model/gate.js";
import { isConfiguredCall, succeededCommands } from "../command-success.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { taskMemory } from "../prompts/task-memory.js";
import { noteSkillUse, type WantedSkill, wantedSkills } from "../prompts/wanted-skills.js";
import { documentsAt, onlyStep } from "./startup-steps.js";

export interface ProgressState {
  /** Documents that were read, as the configuration names them. */
  read: string[];
  /** Ids of start-up steps whose command succeeded or cannot be run here. */
  ran: string[];
  /** How often a step's command failed, by id. */
  failed?: Record<string, number>;
  skills?: WantedSkill[];
}

export const progressMemory = memory<ProgressState>({
  id: "discipline/seen",
  on: [
    ...after("read", "write", "shell", "mcp", "skill", "agent"),
    ...failed("skill", "agent", "shell"),
    ...at("prompt"),
  ],
  state: { scope: "session", initial: { read: [], ran: [] } },
  learn({ event, facts, config, state, recall }) {
    const options = config as unknown as DisciplineOptions;
    const { skills = [] } = state.value;
    if (event.kind === "prompt") {
      const { id } = recall(taskMemory);
      const wanted = options.skills.length ? wantedSkills(facts.prompt, event.prompt!.text, options.skills, id) : [];
      const kept = skills.filter((s) => s.task === id && !wanted.some((w) => w.name === s.name));
      if (wanted.length || kept.length !== skills.length) state.update((s) => void (s.skills = [...kept, ...wanted]));
      return;
    }
    const { kind } = event.tool!;
    if ((kind === "skill" || kind === "agent") && skills.length)
      state.update((s) => {
        for (const skill of s.skills!) noteSkillUse(skill, event);
      });
    if (event.kind === "tool.failed") {
      const step = kind === "shell" ? onlyStep(options.startup.steps, facts) : undefined;
      if (step && !wasStopped(event.outcome!)) state.update((s) => noteFailure(s, step.id, event.outcome?.exitCode));
      return;
    }
    if (!event.outcome?.ok) return;
    const { steps } = options.startup;
    const wanted = [...options.documents, ...steps.flatMap((s) => s.read ?? [])];
    const read = wanted.length ? documentsAt(new Set(wanted), () => readPlaces(facts), facts) : [];
    const commands = steps.length ? succeededCommands(facts) : [];
    const ran = steps.filter(
      (s) => s.run && commands.some((c) => isConfiguredCall(c, s.run!, facts.world.project.root)),
    );
    const more = {
      read: read.filter((d) => !state.value.read.includes(d)),
      ran: ran.map((s) => s.id).filter((id) => !state.value.ran.includes(id)),
    };
    if (more.read.length || more.ran.length)
      state.update((s) => void Object.assign(s, { read: [...s.read, ...more.read], ran: [...s.ran, ...more.ran] }));
  },
});

/** A program that is not installed completes its step; other failures are counted and reported. */
function noteFailure(s: ProgressState, id: string, exit: number | undefined): void {
  if (exit === 127) s.ran = [...new Set([...s.ran, id])];
  else s.failed = { ...s.failed, [id]: (s.failed?.[id] ?? 0) + 1 };
}

/** Files whose content this call showed to the agent. */
function readPlaces(facts: Facts): string[] {
  const { tool, outcome } = facts.event;
  if (tool!.kind === "read" || tool!.kind === "write") return facts.targets.map((t) => t.path);
  const text = outcome!.text;
  if (!text.trim()) return [];
  if (tool!.kind === "mcp") return tool!.mcp && readsByName(tool!.mcp.tool) ? facts.arguments.map((a) => a.path) : [];
  if (tool!.kind !== "shell") return [];
  const named = facts.effects.flatMap((e) => (e.kind === "read" && e.path !== undefined && !e.recursive ? e.path : []));
  return named.length ? named.filter((path) => shows(facts.world.project.read(path), text)) : [];
}

const fewLines = 3;

/** Whether an output contains lines of the file, numbered or not. A file that is not text counts as shown. */
function shows(content: string | undefined, output: string): boolean {
  if (content === undefined) return true;
  const lines = new Set(content.split("\n").flatMap((l) => l.trim() || []));
  const wanted = Math.min(fewLines, lines.size);
  const shown = new Set<string>();
  for (const line of output.split("\n"))
    for (const form of [line.trim(), line.replace(/^\s*\d+[\s:|│-]+/u, "").trim()])
      if (lines.has(form) && shown.add(form).size >= wanted) return true;
  return wanted === 0;
}
