// The trace's watcher: keeps the texts a call will change before it runs, and records what it changed when it ended.
// Invariant: refuses nothing; what a person typed between two calls is in the text before, and so is not the agent's.
import type { Facts } from "../../../facts/index.js";
import { findIntent } from "../../../intents/intent.js";
import { type Act, after, before, failed, gate, type JudgeContext } from "../../../model/gate.js";
import type { JsonObject } from "../../../model/json.js";
import { headCommit, identify } from "../../../project/identify.js";
import { keptSnapshot } from "../../../project/snapshot-file.js";
import { watchFile } from "../../../project/watch-folder.js";
import { ownRecord } from "../../kits/phase-memory.js";
import { mutationOf } from "../call-targets.js";
import type { IntentOptions } from "../intent-options.js";
import { leftByOther } from "../parallel-calls.js";
import { projectIntents } from "../project-intents.js";
import { selectedIntent } from "../selection-memory.js";
import { closeMark, openMark } from "./open-marks.js";
import { modelIn } from "./transcript-model.js";

const kinds = ["write", "edit", "notebook", "shell", "script", "mcp", "unknown"] as const;

export const trace = gate<undefined, IntentOptions>({
  id: "intent/trace",
  title: "Every changed line is traced to its agent and intent",
  about:
    "Keeps the files a call is predicted to change, and records afterwards what it really changed: one Agent Trace " +
    "record per file in `.orchestration/agent_trace.jsonl`, with line ranges, model, session, intent and run.",
  remedy: "Nothing is refused here; `trace: false` switches it off.",
  on: [...before(...kinds), ...after(...kinds), ...failed(...kinds)],
  onError: "pass",
  env: ["RUN_ID"],
  judge(context) {
    const { event, facts, config, act } = context;
    if (!config.trace || !event.tool?.id) return;
    if (event.kind === "tool.before") {
      const given = ["write", "edit", "notebook"].includes(event.tool.kind);
      if (mutationOf(facts)) act("trace-before", { paths: predicted(facts), ...(given && { only: true }) });
      return;
    }
    if (!mutationOf(facts)) return;
    act("trace", { named: predicted(facts), found: found(context), author: authorOf(context) });
  },
});

/** The files the call names, below the root. */
const predicted = (facts: Facts): string[] =>
  (mutationOf(facts)?.targets ?? []).flatMap((t) => (t.below !== undefined && !t.broad ? [t.below] : []));

/** The files it was seen to change, unless another call, of this session or another, may have done it. */
function found({ facts, event, recall }: JudgeContext<undefined, IntentOptions>): string[] {
  const { root } = facts.world.project;
  return (facts.observed?.changes ?? []).flatMap(({ path, shared, op }) => {
    const below = path.startsWith(`${root}/`) && !path.endsWith("/") ? path.slice(root.length + 1) : undefined;
    if (below === undefined || shared || op === "mode" || op === "linked") return [];
    return leftByOther(recall, event, root, below) ? [] : [below];
  });
}

function authorOf({ event, project, recall }: JudgeContext<undefined, IntentOptions>): JsonObject {
  const { id } = selectedIntent(recall, event);
  const name = id === undefined ? undefined : findIntent(projectIntents(project), id)?.name;
  const run = ownRecord(event, recall);
  return {
    session: event.session,
    tool: event.tool!.name,
    toolUseId: event.tool!.id!,
    ...(event.agent && { agent: event.agent.id }),
    ...(id !== undefined && { intent: { id, ...(name !== undefined && { name }) } }),
    ...(run && { run: run.run, phase: `${run.kit}.${run.phase}` }),
    ...(event.transcript && { transcript: event.transcript }),
  };
}

/** One name for a call: tool call ids are unique within a session. */
const callName = (session: string, id: string): string => `${session}\n${id}`;

export const traceBefore: Act = async (params, { event, project, folder }) => {
  const { takeBefore } = await import("../../../trace/before-images.js");
  const paths = params["paths"] as string[];
  openMark(folder, event.session, event.tool!.id!, params["only"] ? paths : undefined);
  takeBefore({ root: project.root, folder }, callName(event.session, event.tool!.id!), paths);
  return undefined;
};

export const traceAfter: Act = async (params, { event, project, folder, now }) => {
  const { changesOfCall, endBefore } = await import("../../../trace/before-images.js");
  const where = { root: project.root, folder };
  const image = endBefore(where, callName(event.session, event.tool!.id!));
  const snapshot = keptSnapshot(watchFile(folder, event.session, event.tool!.id!));
  // What a call of another session may have done is nobody's: a gap is better than a wrong name.
  const others = closeMark(folder, event.session, event.tool!.id!, now);
  const named = params["named"] as string[];
  const seen = others.anything ? [] : (params["found"] as string[]).filter((path) => !others.paths.includes(path));
  const { changes, headBefore } = changesOfCall(where, image, [...new Set([...named, ...seen])], snapshot);
  // A commit without further changes is attributed too, also where no git hook of ours is installed.
  const moved = headBefore !== undefined && headCommit(identify(project.root)) !== headBefore;
  if (!changes.length && !moved) return undefined;
  const { recordChanges } = await import("../../../trace/record-change.js");
  const model = modelIn(event.transcript);
  const author = { ...(params["author"] as unknown as Parameters<typeof recordChanges>[1]), ...(model && { model }) };
  return recordChanges(where, author, changes, now, headBefore);
};
