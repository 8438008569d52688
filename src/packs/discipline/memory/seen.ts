// What a session has read, run and used of the things it must: documents, start-up steps, skills.
// Invariant: a document is known by its own path, a command by its success; naming either does nothing.
import { after, at, failed, memory } from "../../../engine/gate.js";
import { belowRoot } from "../../../facts/changes.js";
import { startsWith } from "../names.js";
import type { Options } from "../options.js";
import { task } from "./task.js";

export interface SeenState {
  /** Paths below the root that were read. */
  read: string[];
  /** Ids of start-up steps whose command succeeded. */
  ran: string[];
  skill?: { name: string; task: string; used: boolean; agents: number; wanted: number; tries: number };
}

export const seen = memory<SeenState>({
  id: "discipline/seen",
  on: [...after("read", "shell", "skill", "agent"), ...failed("skill"), ...at("prompt")],
  state: { scope: "session", initial: { read: [], ran: [] } },
  learn({ event, facts, config, state, project, recall }) {
    const options = config as unknown as Options;
    if (event.kind === "prompt") {
      const wanted = facts.prompt?.person ? skillFor(event.prompt!.text, options) : undefined;
      const { id } = recall(task);
      if (wanted)
        state.update(
          (s) =>
            void (s.skill = {
              name: wanted.name,
              task: id,
              used: false,
              agents: 0,
              wanted: wanted.agents ?? 0,
              tries: 0,
            }),
        );
      else if (state.value.skill && state.value.skill.task !== id) state.update((s) => void delete s.skill);
      return;
    }
    const { tool } = event;
    const { skill } = state.value;
    if (tool!.kind === "skill" && skill && sameSkill(tool!.skill, skill.name)) {
      const used = event.kind === "tool.after" && event.outcome?.ok !== false;
      state.update((s) => void (used ? (s.skill!.used = true) : s.skill!.tries++));
    }
    if (event.kind === "tool.failed" || !event.outcome?.ok) return;
    if (tool!.kind === "agent" && skill) state.update((s) => void s.skill!.agents++);
    const wanted = new Set([
      ...options.documents,
      ...options.startup.steps.flatMap((s) => (s.read === undefined ? [] : [s.read])),
    ]);
    const read = readHere(facts, project.root).filter((path) => wanted.has(path) && !state.value.read.includes(path));
    const commands = tool!.kind === "shell" && !tool!.background ? (facts.shell?.commands ?? []) : [];
    const ran = options.startup.steps
      .filter(
        (s) => s.run !== undefined && !state.value.ran.includes(s.id) && commands.some((c) => startsWith(c, s.run!)),
      )
      .map((s) => s.id);
    if (read.length || ran.length)
      state.update((s) => void Object.assign(s, { read: [...s.read, ...read], ran: [...s.ran, ...ran] }));
  },
});

function readHere(facts: Parameters<typeof seen.learn>[0]["facts"], root: string): string[] {
  const { tool, outcome } = facts.event;
  if (tool!.kind === "read") return facts.targets.flatMap((t) => belowRoot(root, t.path) ?? []);
  if (tool!.kind !== "shell" || !outcome?.text.trim()) return [];
  return facts.effects.flatMap((e) =>
    e.kind === "read" && e.path !== undefined && !e.recursive ? (belowRoot(root, e.path) ?? []) : [],
  );
}

const skillFor = (text: string, { skills }: Options) => {
  const words = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return skills.find((s) =>
    s.words.some((w) =>
      words.includes(
        ` ${w
          .toLowerCase()
          .replace(/[^\p{L}\p{N}]+/gu, " ")
          .trim()} `,
      ),
    ),
  );
};

const sameSkill = (given: string | undefined, name: string): boolean => {
  const bare = given?.trim().replace(/^\//, "").split(/\s/)[0]?.toLowerCase();
  return bare === name.toLowerCase() || bare?.split(":").at(-1) === name.toLowerCase();
};
