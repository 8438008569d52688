// Signs that the agent only goes through the motions, reported when they show.
// Invariant: notes only; honest parallel research is not one of them.
import { after, at, gate } from "../../../model/gate.js";
import { note, type Opinion } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { loopMemory } from "../loop/loop-memory.js";
import { researchMemory } from "../research/research-memory.js";
import { workMemory } from "../verification/work-memory.js";
import { historyMemory } from "./history-memory.js";

export const gaming = gate<{ told: string[] }, DisciplineOptions>({
  id: "discipline/gaming",
  title: "Going through the motions is noticed",
  about:
    "Warns once each about: three research calls of a task that returned nothing, all acceptance criteria " +
    "ticked in one call, five self-ratings in a row that are all high and alike, and a summary of edits " +
    "that names no file, number or check.",
  remedy:
    "Nothing is refused. Research what the task needs, tick a criterion when it is met, and say what " +
    "changed, where, and how it was checked.",
  window: "Once per session and sign.",
  reset: "A new session.",
  on: [...after(), ...at("turn.end")],
  onError: "pass",
  state: { scope: "session", initial: { told: [] } },
  judge({ event, facts, recall, state }) {
    const out: Opinion[] = [];
    const tell = (sign: string, text: string) => {
      if (state.value.told.includes(sign)) return;
      state.update((s) => void s.told.push(sign));
      out.push(note(text, "both"));
    };
    if (event.kind === "tool.after") {
      const { empty } = recall(researchMemory);
      if (empty >= 3)
        tell(
          "empty research",
          `${empty} research calls of this task returned nothing. Ask something the source can ` +
            "answer; an empty result is not research.",
        );
      const ticks = (facts.shell?.commands ?? []).filter(
        (c) => /^(?:agent-)?interlock$/.test(c.program) && c.argv[0] === "loop" && c.argv[1] === "check",
      );
      const { active } = recall(loopMemory);
      const times = active?.criteria.flatMap((c) => c.at ?? []) ?? [];
      const atOnce =
        times.length > 2 && times.length === active?.criteria.length && Math.max(...times) - Math.min(...times) < 2000;
      if (active && active.criteria.length > 1 && (ticks.length >= active.criteria.length || atOnce))
        tell(
          "all ticked",
          "All acceptance criteria were ticked by one call. Tick each when it is met, with what shows it.",
        );
      return out;
    }
    const { sessions } = recall(historyMemory);
    const ratings = sessions.flatMap((s) => (s.rating === undefined ? [] : [s.rating])).slice(-5);
    if (ratings.length >= 5 && standardDeviation(ratings) < 0.8 && mean(ratings) >= 8)
      tell("ratings", `The last five self-ratings are ${ratings.join(", ")}: all high and alike. Say what fell short.`);
    if (recall(workMemory).edits && isVague(event.turn?.lastMessage ?? ""))
      tell("vague", "The summary names no file, number or check. Say what changed, where, and what was run.");
    return out;
  },
});

const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
export const standardDeviation = (list: readonly number[]): number =>
  Math.sqrt(mean(list.map((x) => (x - mean(list)) ** 2)));

const weasel = new RegExp(
  String.raw`\b(?:used (?:the )?tools|followed the process|various|etc\b|several|some changes` +
    "|made (?:some )?changes|worked on|cleaned (?:things )?up|improved things|and more|as needed" +
    "|a few (?:things|tweaks))",
  "i",
);
const specific = /[\w-]+\.[a-z]{1,5}\b|`[^`]+`|\bline \d|\b\d+ (?:tests?|files?|lines?|passed|passing)\b|\/\w+/i;

export const isVague = (message: string): boolean =>
  message.trim().length > 0 && weasel.test(message) && !specific.test(message);
