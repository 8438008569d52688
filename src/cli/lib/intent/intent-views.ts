// Intents for people: lists, one intent, the map, requests.
// Invariant: text from files is shown inert.
import type { HistoryEntry } from "../../../intents/context-block.js";
import { type Intent, type IntentSet, lineOf, openCriteria } from "../../../intents/intent.js";
import type { ScopeRequest } from "../../../packs/intent/requests-memory.js";
import type { Selection } from "../../../packs/intent/selection-memory.js";
import { ago, bold, dim, green, red, shown, yellow } from "../paint.js";

const statusPaint: Record<Intent["status"], (text: string) => string> = {
  PENDING: yellow,
  IN_PROGRESS: green,
  BLOCKED: red,
  COMPLETED: dim,
  ARCHIVED: dim,
};

export function intentLines(set: IntentSet, selections: Readonly<Record<string, Selection>>): string[] {
  const width = Math.max(8, ...set.intents.map((i) => i.id.length));
  return set.intents.map((i) => {
    const open = openCriteria(i).length;
    const sessions = Object.entries(selections).filter(([, s]) => s.id === i.id);
    const who = sessions.map(([session]) => (session === "all" ? "all sessions" : session.slice(0, 12)));
    const scope = i.anyScope ? "any file" : i.scope.length ? i.scope.slice(0, 3).join(" ") : red("empty scope");
    const criteria = open ? [`${open} open criteria`] : [];
    const by = who.length ? [`selected by ${who.join(", ")}`] : [];
    return [
      `${i.id.padEnd(width)}  ${statusPaint[i.status](i.status.padEnd(11))}  ${shown(i.name, 60)}`,
      dim(`  ${[shown(scope, 60), ...criteria, ...by].join(", ")}`),
    ].join("\n");
  });
}

export function intentDetails(set: IntentSet, intent: Intent, history: readonly HistoryEntry[]): string[] {
  const row = (name: string, texts: readonly string[]) =>
    texts.length ? [bold(name), ...texts.map((text) => `  ${shown(text, 200)}`)] : [];
  return [
    `${bold(intent.id)} ${shown(intent.name, 200)}  ${statusPaint[intent.status](intent.status)}`,
    ...row(
      "Scope",
      intent.anyScope ? ["any file but the control files"] : intent.scope.length ? intent.scope : ["nothing"],
    ),
    ...row("Constraints", [...new Set(lineOf(set, intent).flatMap((i) => i.constraints))]),
    ...row(
      "Acceptance criteria",
      intent.criteria.map(
        (c, i) => `${i + 1}. [${c.met ? "x" : " "}] ${c.text}${c.evidence ? ` (${c.evidence})` : ""}`,
      ),
    ),
    ...row(
      "Related",
      (intent.specs ?? []).map((s) => `${s.type}: ${s.ref}`),
    ),
    ...row(
      "Below",
      set.intents.filter((i) => i.parent === intent.id).map((i) => `${i.id} ${i.status}`),
    ),
    ...row("Last changes", history.map(historyLine)),
  ];
}

export const historyLine = ({ at, file, lines, class: kind, present }: HistoryEntry): string =>
  `${at}  ${file}${lines ? `:${lines}` : ""}  ${kind ?? ""}${present === false ? "  changed since" : ""}`;

export const requestLine = ({ id, intent, paths, reason, at, decided, by }: ScopeRequest, now: number): string => {
  const status = decided ? dim(`${decided} by ${by ?? "?"}`) : yellow("open");
  const wanted = `${intent} wants ${shown(paths.join(", "), 100)}`;
  return `${id}  ${status}  ${wanted}  ${dim(ago(now - at))}\n  ${shown(reason, 200)}`;
};
