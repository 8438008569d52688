// The handshake: does what Interlock's own tools were asked for, and tells a session which intent it works under.
// Invariant: the MCP server writes nothing; files change here, under the record's lock, and only what was asked for.
import { join } from "node:path";
import { ticksIn, uncompletable } from "../../../intents/completion.js";
import { contextBlock } from "../../../intents/context-block.js";
import { findIntent, intentsFile, unselectable } from "../../../intents/intent.js";
import { addLesson, readLessons } from "../../../intents/lessons.js";
import { after, at, gate, type JudgeContext } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { note, type Opinion } from "../../../model/verdict.js";
import type { IntentOptions } from "../intent-options.js";
import { type OwnCall, ownCall } from "../own-tools.js";
import { intentEditor, projectIntents } from "../project-intents.js";
import { notSelectable, selectedIntent } from "../selection-memory.js";

export interface HandshakeState {
  /** The selection the session was told of: id and when. */
  told?: string;
}

type Context = JudgeContext<HandshakeState, IntentOptions>;

export const handshake = gate<HandshakeState, IntentOptions>({
  id: "intent/handshake",
  title: "Selecting an intent gives its context and takes it up",
  about:
    "After a call of select_active_intent the intent is the session's own, and a PENDING one becomes IN_PROGRESS in " +
    "`active_intents.yaml`. complete_intent and record_lesson take effect here too. A session whose intent a person " +
    "selected, or that was compacted, is told its context again.",
  remedy: "Nothing is refused here.",
  window: "per session",
  reset: "selecting another intent",
  on: [...after("mcp", "shell"), ...at("session.start", "prompt")],
  onError: "pass",
  state: { scope: "session", initial: {} },
  judge(context) {
    const { event, facts } = context;
    if (event.kind !== "tool.after") return remind(context);
    const call = event.outcome?.ok === false ? undefined : ownCall(facts);
    return call && taken[call.tool]?.(context, call);
  },
});

const taken: Record<string, ((context: Context, call: OwnCall) => Opinion | undefined) | undefined> = {
  select_active_intent: selected,
  complete_intent: completed,
  record_lesson: lessonGiven,
};

function selected(context: Context, { input }: OwnCall): Opinion | undefined {
  const { event, project, state, now, amend } = context;
  const id = String(input["intent_id"]);
  const why = notSelectable(context, id);
  if (why !== undefined) return note(`Interlock: ${inert(id, 60)} was not selected: ${inert(why, 200)}.`);
  if (!event.agent) state.replace({ told: tellingKey(context) });
  const intent = findIntent(projectIntents(project), id)!;
  if (intent.status !== "PENDING") return undefined;
  amend(join(project.root, intentsFile), (text) => {
    const edited = intentEditor().setIntentStatus(text ?? "", id, "IN_PROGRESS", now);
    return "text" in edited ? edited.text : undefined;
  });
  return note(`Interlock: ${id} was PENDING and is IN_PROGRESS now.`, "both", { intent: id, status: "IN_PROGRESS" });
}

/** Closes an intent whose criteria are met; ticks them first where the agent may and gave evidence for each. */
function completed(context: Context, { input }: OwnCall): Opinion | undefined {
  const { project, config, now, amend } = context;
  const id = String(input["intent_id"]);
  const refused = uncompletable(projectIntents(project), id, input["evidence"], config.completion);
  if (refused) return note(`Interlock: ${id} was not completed: ${inert(refused, 300)}.`);
  const ticks = config.completion === "evidence" ? ticksIn(input["evidence"]) : [];
  amend(join(project.root, intentsFile), (text) => {
    const editor = intentEditor();
    const ticked = ticks.length ? editor.tickCriteria(text ?? "", id, ticks, "agent", now) : { text: text ?? "" };
    const edited = "text" in ticked ? editor.setIntentStatus(ticked.text, id, "COMPLETED", now) : ticked;
    return "text" in edited ? edited.text : undefined;
  });
  return note(`Interlock: ${id} is COMPLETED.`, "both", { intent: id, status: "COMPLETED" });
}

function lessonGiven({ event, project, config, now, amend, recall }: Context, { input }: OwnCall): Opinion | undefined {
  const text = typeof input["lesson"] === "string" ? input["lesson"].trim() : "";
  if (!text) return undefined;
  const files = Array.isArray(input["files"]) ? input["files"].filter((f): f is string => typeof f === "string") : [];
  const { id } = selectedIntent(recall, event);
  const { file, most } = config.lessons;
  amend(join(project.root, file), (old) =>
    addLesson(
      old,
      { signature: text.toLowerCase(), text, files: files.slice(0, 5), ...(id && { intent: id }) },
      now,
      most,
    ),
  );
  return undefined;
}

/** Tells the context of an intent that did not come through the tool in this conversation. */
function remind(context: Context): Opinion | undefined {
  const { event, state, recall, project, config } = context;
  const { id } = selectedIntent(recall, event);
  const key = tellingKey(context);
  const lost = event.kind === "session.start" && ["compact", "resume", "clear"].includes(event.reason ?? "");
  const set = projectIntents(project);
  if (id === undefined) return event.kind === "session.start" ? greeting(context) : undefined;
  if (!lost && state.value.told === key) return undefined;
  const intent = findIntent(set, id);
  if (!intent || unselectable(intent, config.approval, "agent") !== undefined) return undefined;
  state.replace({ told: key });
  return note(contextBlock({ set, intent, lessons: readLessons(project.read(config.lessons.file)) }, 8_000));
}

/** At the start of a session without an intent: which there are, so that the first write need not be refused. */
function greeting({ project, config }: Context): Opinion | undefined {
  const open = projectIntents(project).intents.filter((i) => unselectable(i, config.approval, "agent") === undefined);
  if (!open.length) return undefined;
  const listed = open.slice(0, 8).map((i) => `${i.id} (${inert(i.name, 60)})`);
  return note(
    `Interlock: this project works by intents. Before changing files call select_active_intent with one of: ` +
      `${listed.join(", ")}${open.length > 8 ? ` and ${open.length - 8} more` : ""}.`,
  );
}

const tellingKey = ({ recall, event }: Context): string => {
  const { id, at: when } = selectedIntent(recall, event);
  return `${id ?? ""}@${when}`;
};
