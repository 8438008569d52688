// Tells the agent at the start of a session what is required and what earlier sessions learned.
import { at, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { safemodeMemory } from "../prompts/safemode-memory.js";
import { testCommand } from "../verification/test-command.js";
import { unreadDocuments } from "./documents.js";
import { type HistoryState, historyMemory } from "./history-memory.js";
import { progressMemory } from "./progress-memory.js";
import { statsLines } from "./session-stats.js";
import { openSteps } from "./startup.js";

export const sessionBriefing = gate<undefined, DisciplineOptions>({
  id: "discipline/session",
  title: "Session briefing and summary",
  about:
    "At the start of a session, tells the agent what the gates will ask for and how to satisfy them, what " +
    "went wrong in earlier sessions, and which MCP servers did not answer. At the end, sums the session " +
    "up for the user.",
  remedy: "Nothing is refused. `briefing: false` turns it off.",
  on: at("session.start", "session.end"),
  onError: "pass",
  judge({ event, facts, config, recall, project }) {
    if (event.kind === "session.end") return farewell(recall(historyMemory), event.session);
    if (!config.briefing) return;
    const steps = openSteps(config.startup.steps, recall(progressMemory), facts).map((s) =>
      s.read !== undefined ? `read ${s.read}` : `run ${s.run} on its own`,
    );
    const docs = unreadDocuments(config, recall(progressMemory), facts).map((d) => `read ${d}`);
    const first = [...steps, ...docs];
    const down = Object.entries(recall(historyMemory).servers)
      .filter(([, h]) => h.failed >= 2 && !h.ok)
      .map(([name]) => name);
    const lines = [
      "Interlock is on. How work goes here:",
      ...(recall(safemodeMemory).on ? ["- Safemode is on: nothing may be changed until the user types s-."] : []),
      ...(first.length ? [`- First: ${first.join("; ")}.`] : []),
      ...(config.research.depth === "full"
        ? [
            "- Before the first change of a task: one successful research call each for " +
              `${config.research.require.join(", ")}. Parallel calls are fine.`,
          ]
        : [
            "- Before the first change: look at three places of the project. A big task, a new package or a new " +
              "version needs an outside source too: documentation, the web or other people's code.",
          ]),
      "- The shell overwrites no source file that was not read. Big tasks need `interlock loop start`.",
      "- Before you end a turn with edited code: run " +
        `${testCommand(project) ?? config.verify.commands[0] ?? "the tests"} on its own, so that its exit ` +
        "code shows.",
      "- Three failures in a row stop changes: research the cause, then try once.",
      ...(down.length ? [`- MCP servers that did not answer: ${inert(down.join(", "), 100)}.`] : []),
      ...lessons(facts.unmasked(recall(historyMemory))),
    ];
    return note(lines.join("\n"));
  },
});

function farewell(past: Readonly<HistoryState>, id: string) {
  const own = past.sessions.find((s) => s.session === id);
  return own && note(statsLines(own).join("\n"), "person");
}

/** What to do better, from the statistics of earlier sessions. */
export function lessons({ sessions, learnings }: Readonly<HistoryState>): string[] {
  const out: string[] = [];
  const weak = new Map<string, number>();
  for (const s of sessions.slice(-5))
    for (const [gate, n] of Object.entries(s.gates)) weak.set(gate, (weak.get(gate) ?? 0) + n);
  const worst = [...weak]
    .filter(([, n]) => n >= 2)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3);
  if (worst.length)
    out.push(`- Refused most in the last sessions: ${worst.map(([gate, n]) => `${gate} (${n})`).join(", ")}.`);
  const last = sessions.at(-1);
  if (last?.unverified)
    out.push(`- The last session ended with ${last.unverified} unverified file${last.unverified === 1 ? "" : "s"}.`);
  const scores = sessions.map((s) => s.score);
  if (scores.length >= 6) {
    const mean = (l: number[]) => l.reduce((a, b) => a + b, 0) / l.length;
    const change = mean(scores.slice(-3)) - mean(scores.slice(0, 3));
    if (Math.abs(change) > 1)
      out.push(`- Sessions run ${change > 0 ? "more smoothly" : "less smoothly"} than they did.`);
  }
  const said = learnings.slice(-2).map((l) => `"${inert(l.text, 80)}"`);
  if (said.length) out.push(`- The user had to say: ${said.join("; ")}.`);
  return out;
}
