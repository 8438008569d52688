// Notes for the agent that come with a prompt: what the task needs, haste words, and that the user is repeating
// themselves.
import { at, gate } from "../../../model/gate.js";
import { note, type Opinion } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { loopMemory } from "../loop/loop-memory.js";
import { planMemory } from "../plan/plan-memory.js";
import { researchMemory } from "../research/research-memory.js";
import { researchNeed, researchStatus } from "../research/research-status.js";
import { unreadDocuments } from "../session/documents.js";
import { historyMemory } from "../session/history-memory.js";
import { progressMemory } from "../session/progress-memory.js";
import { taskMemory } from "./task-memory.js";

export const promptNotes = gate<undefined, DisciplineOptions>({
  id: "discipline/prompt-notes",
  title: "Requirements are told with the prompt",
  about:
    "When a prompt is a task, tells the agent what is required before a change, what else the prompt " +
    "asked for and when it is due, and whether the user sounds frustrated or has used a haste word " +
    '("quick", "just") twice.',
  remedy: "Nothing is refused.",
  on: at("prompt"),
  onError: "pass",
  judge({ facts, event, config, recall, project }) {
    const prompt = facts.prompt;
    if (!prompt?.person || prompt.command) return;
    const out: Opinion[] = [];
    if (prompt.frustration)
      out.push(
        note(
          frustrationNote(
            prompt.frustration,
            recall(historyMemory)
              .learnings.slice(-5)
              .filter((l) => l.kind === "correction").length,
          ),
        ),
      );
    if (prompt.handsOff)
      out.push(note("This prompt asks to investigate: look and report, change nothing until the user says so."));
    if (prompt.kind !== "task" && prompt.kind !== "big-task") return out;
    const needs = needsOf();
    if (needs.length) out.push(note(`Before a change in this task: ${needs.join("; ")}.`));
    const { asks, warnedTwice } = recall(taskMemory);
    const late = asks.filter((a) => a === "commit" || a === "push" || a === "tests" || a === "docs");
    if (late.length) out.push(note(`Asked for and due before the turn ends: ${late.join(", ")}.`));
    if (warnedTwice.length)
      out.push(note(`"${warnedTwice.join('", "')}" again: steps get skipped when a task is rushed. Skip none.`));
    return out;

    function needsOf(): string[] {
      const list: string[] = [];
      const unread = unreadDocuments(config, recall(progressMemory), facts);
      if (unread.length) list.push(`read ${unread.join(", ")}`);
      const need = researchNeed(recall(taskMemory), config, { lines: 0, addsPackage: false });
      const { id } = recall(taskMemory);
      const { missing, places } = researchStatus(recall(researchMemory), id, event, config, project, need);
      const wanted = missing.map((c) => (c === "local" && places > 1 ? `${places} places of the project` : c));
      if (wanted.length) list.push(`research ${wanted.join(", ")}`);
      const { required, approved } = recall(planMemory);
      if (required && !approved) list.push("show a plan and wait for the user's pa+");
      const { big, asks } = recall(taskMemory);
      if (((big && config.loop.bigTasks) || asks.includes("loop")) && !recall(loopMemory).active)
        list.push(
          `start a loop of at most ${config.loop.maxIterations} iterations: interlock loop start "THE TASK" ` +
            '--criterion "WHAT MUST HOLD"',
        );
      for (const skill of recall(progressMemory).skills ?? [])
        if (!skill.used) list.push(`invoke the skill ${skill.name}`);
      return list;
    }
  },
});

const frustrationNote = (kind: string, corrections: number): string =>
  `The user sounds frustrated (${kind}). Read the prompt again and answer what it says before anything else.` +
  (corrections >= 3 ? " Three of the last five such notes were corrections: check your understanding first." : "");
