// The handshake's tools: they check and answer. The hook of the same call does what was asked for.
// Invariant: nothing is written here, so that starting this server by hand grants nothing.
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { uncompletable } from "../intents/completion.js";
import { contextBlock, escapeXml } from "../intents/context-block.js";
import { problemLine } from "../intents/document.js";
import { findIntent, type IntentSet, openCriteria, unselectable } from "../intents/intent.js";
import { ignoredIntents, intentHistory, lessonsIn, readIntents } from "../intents/read-intents.js";
import { compileScope } from "../intents/scope-patterns.js";
import type { JsonObject } from "../model/json.js";
import { askedScope, type RequestState, scopeRequests } from "../packs/intent/requests-memory.js";
import { GlobError } from "../project/globs.js";
import { intentOptionsOf, openPlace, type Place } from "./project-here.js";
import { answer, failure, jsonAnswer } from "./tool-answer.js";

const intentId = z.string().min(1).max(64).describe("the id, for example INT-001; case matters");

export function addIntentTools(server: McpServer, place: Place): void {
  server.registerTool(
    "select_active_intent",
    {
      title: "Select the intent you work on",
      description:
        "Call this before you change any file. Returns <intent_context>: the files you may change, constraints, open " +
        "acceptance criteria, recent history and lessons. The intent holds for this session and its sub-agents.",
      inputSchema: { intent_id: intentId },
    },
    ({ intent_id }) => selectIntent(place, intent_id),
  );
  server.registerTool(
    "list_intents",
    {
      title: "List intents",
      description: "All intents with status, scope and open criteria, and which can be selected now.",
      inputSchema: {},
      annotations: { readOnlyHint: true },
    },
    () => listIntents(place),
  );
  server.registerTool(
    "request_scope_expansion",
    {
      title: "Ask for more scope",
      description: "Records a request for more files. A person decides; until then the scope stays as it is.",
      inputSchema: {
        intent_id: intentId,
        paths: z.array(z.string().min(1).max(300)).min(1).max(50).describe("patterns, for example src/jwt/**"),
        reason: z.string().min(3).max(500).describe("why the intent needs them"),
      },
    },
    (input) => requestScope(place, input),
  );
  server.registerTool(
    "complete_intent",
    {
      title: "Complete an intent",
      description:
        "Marks it COMPLETED once every acceptance criterion is ticked. A person ticks them, unless the user lets you " +
        "give evidence for each.",
      inputSchema: {
        intent_id: intentId,
        evidence: z
          .array(z.object({ criterion: z.number().int().min(1), evidence: z.string().min(3).max(500) }))
          .max(200)
          .optional()
          .describe("for each open criterion, what shows that it holds"),
      },
    },
    ({ intent_id, evidence }) => completeIntent(place, intent_id, evidence),
  );
  server.registerTool(
    "record_lesson",
    {
      title: "Record a lesson",
      description: "Appends one dated line to the project's lessons, which later agents are shown.",
      inputSchema: {
        lesson: z.string().min(3).max(1_000).describe("one or two sentences"),
        files: z.array(z.string().min(1).max(300)).max(5).optional().describe("files it is about"),
      },
    },
    async ({ lesson }) => answer(`Recorded: ${lesson.slice(0, 200)}`),
  );
  server.registerTool(
    "intent_history",
    {
      title: "History of an intent",
      description: "Changes made under an intent, newest first: when, file and lines, kind of change.",
      inputSchema: { intent_id: intentId, limit: z.number().int().min(1).max(200).optional() },
      annotations: { readOnlyHint: true },
    },
    ({ intent_id, limit }) => history(place, intent_id, limit),
  );
}

async function load(place: Place) {
  const opened = await openPlace(place);
  const { root } = opened.repository;
  return { opened, root, set: readIntents(root).set, options: intentOptionsOf(opened) };
}

const idsOf = (set: IntentSet): string => set.intents.map((i) => `${i.id} (${i.status})`).join(", ") || "none";

async function selectIntent(place: Place, id: string) {
  const { opened, root, set, options } = await load(place);
  if (set.problem) return failure(problemLine(set.problem));
  const intent = findIntent(set, id);
  if (!intent) return failure(`There is no intent "${id.slice(0, 64)}". Available: ${idsOf(set)}`);
  if (ignoredIntents(root).includes(id)) return failure(`INTENT_IGNORED: ${id} is excluded in .intentignore.`);
  const why = unselectable(intent, options.approval, "agent");
  if (why) return failure(`${id} can't be selected: ${why}. Available: ${idsOf(set)}`);
  const history = await intentHistory(root, opened.folder, id);
  const lessons = lessonsIn(root, options.lessons.file);
  const requests = (opened.store.read().state as JsonObject)[scopeRequests.id] as unknown as RequestState | undefined;
  const notes = (requests?.requests ?? [])
    .filter((r) => r.intent === id)
    .slice(-5)
    .map((r) => `${r.id}: ${r.paths.join(", ")}: ${r.decided ?? "waits for a person"}`);
  return answer(contextBlock({ set, intent: { ...intent, status: "IN_PROGRESS" }, history, lessons, notes }));
}

async function listIntents(place: Place) {
  const { root, set, options } = await load(place);
  if (set.problem) return failure(problemLine(set.problem));
  const ignored = ignoredIntents(root);
  return jsonAnswer({
    intents: set.intents.map((i) => ({
      id: i.id,
      name: escapeXml(i.name),
      status: i.status,
      owned_scope: i.anyScope ? "any" : i.scope,
      open_criteria: openCriteria(i).length,
      ...(i.parent && { parent_intent: i.parent }),
      selectable: !ignored.includes(i.id) && unselectable(i, options.approval, "agent") === undefined,
    })),
  });
}

async function requestScope(place: Place, input: { intent_id: string; paths: string[]; reason: string }) {
  const { set } = await load(place);
  if (set.problem) return failure(problemLine(set.problem));
  if (!findIntent(set, input.intent_id)) return failure(`There is no such intent. Available: ${idsOf(set)}`);
  for (const path of input.paths)
    try {
      compileScope(path);
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
      return failure(`"${path}" is no pattern: ${error.message}`);
    }
  if (!askedScope(input)) return failure("Give intent_id, paths and a reason.");
  return answer(
    "Recorded. A person decides: interlock intent scope list. Until then stay in the scope you have, and tell the " +
      "user what you need and why.",
  );
}

async function completeIntent(place: Place, id: string, evidence: unknown) {
  const { set, options } = await load(place);
  if (set.problem) return failure(problemLine(set.problem));
  const why = uncompletable(set, id, evidence, options.completion);
  return why ? failure(`${id} can't be completed: ${why}.`) : answer(`${id} is COMPLETED.`);
}

async function history(place: Place, id: string, limit = 20) {
  const { opened, root, set } = await load(place);
  if (set.problem) return failure(problemLine(set.problem));
  if (!findIntent(set, id)) return failure(`There is no such intent. Available: ${idsOf(set)}`);
  return jsonAnswer({ intent: id, changes: await intentHistory(root, opened.folder, id, limit) });
}
