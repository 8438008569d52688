// Tools about runs and about Interlock itself: ask another kit for work, look at runs, ask logs, see what is enforced.
// Invariant: what is not valid is not written; answers are bounded.
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { version } from "../hook/folders.js";
import { readIntents } from "../intents/read-intents.js";
import type { JsonObject } from "../model/json.js";
import { inert } from "../model/text.js";
import { type RequestState, scopeRequests } from "../packs/intent/requests-memory.js";
import { requestableActions } from "../runs/actions.js";
import { DirectoryQueue } from "../runs/directory-queue.js";
import { logQueries, QueryError, queryLog } from "../runs/query-log.js";
import { QueueError } from "../runs/queue.js";
import { makeRequest } from "../runs/request.js";
import { appendEvent, fileRunRecords, listRuns } from "../runs/run.js";
import { filesOf, findRun, summaryOf } from "../runs/story.js";
import { openPlace, type Place } from "./project-here.js";
import { answer, failure, jsonAnswer } from "./tool-answer.js";

const texts = z.array(z.string().max(1_000)).max(100).optional();

export function addRunTools(server: McpServer, place: Place): void {
  server.registerTool(
    "interlock_status",
    {
      title: "What Interlock enforces here",
      description: "Packs and their modes, problems of the configuration, intents, and the last refusals.",
      inputSchema: {},
      annotations: { readOnlyHint: true },
    },
    () => status(place),
  );
  server.registerTool(
    "create_request",
    {
      title: "Ask another kit for work",
      description: `Puts a request of the running phase in the queue. Actions: ${requestableActions.join(", ")}`,
      inputSchema: {
        action: z.string().describe("kit.phase, for example math.full"),
        args: texts.describe("arguments of the action"),
        run_id: z.string().optional().describe("the run that asks; RUN_ID of the environment unless told"),
        must_read: texts,
        inputs: texts,
        deliverables: texts,
        priority: z.enum(["low", "normal", "high"]).optional(),
      },
    },
    (input) => createRequest(place, input),
  );
  server.registerTool(
    "run_info",
    {
      title: "What happened in a run",
      description: "Status, times, exit code and files of one run; without an id, the newest runs.",
      inputSchema: { run_id: z.string().optional().describe('an id, the beginning of one, or "last"') },
      annotations: { readOnlyHint: true },
    },
    ({ run_id }) => runInfo(place, run_id),
  );
  server.registerTool(
    "query_log",
    {
      title: "Ask a log a question",
      description: "Tail, matching lines, kinds of errors, or test counts of a log, instead of reading it.",
      inputSchema: {
        file: z.string().describe("a file inside the project"),
        question: z.enum(logQueries as unknown as [string, ...string[]]),
        pattern: z.string().max(1_000).optional().describe("for grep: RE2 syntax"),
        lines: z.number().int().min(1).max(10_000).optional(),
      },
      annotations: { readOnlyHint: true },
    },
    (input) => ask(place, input),
  );
}

const mostRecords = 300;

async function status(place: Place) {
  const { settings, repository, store } = await openPlace(place);
  const { config, problems } = settings;
  const { seq, state, condition } = store.read();
  const refused = [...store.records({ from: Math.max(1, seq - mostRecords) })].flatMap((record) => {
    const verdict = record.body["verdict"] as JsonObject | undefined;
    return record.type === "event" && verdict?.["outcome"] === "deny"
      ? [{ id: verdict["id"], gate: verdict["gate"], time: record.time }]
      : [];
  });
  const { set } = readIntents(repository.root);
  const requests = (state as JsonObject)[scopeRequests.id] as unknown as RequestState | undefined;
  return jsonAnswer({
    version,
    packs: Object.fromEntries(Object.entries(config.packs).map(([id, p]) => [id, p.enabled ? p.mode : "off"])),
    problems: problems.slice(0, 5).map((p) => inert(p, 200)),
    record: { entries: seq, locked: condition.locked },
    intents: set.problem ? { problem: set.problem } : countByStatus(set.intents),
    open_scope_requests: requests?.requests.filter((r) => !r.decided).length ?? 0,
    last_refusals: refused.slice(-10),
  });
}

function countByStatus(intents: readonly { status: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status: name } of intents) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

interface AskedWork {
  action: string;
  args?: string[] | undefined;
  run_id?: string | undefined;
  must_read?: string[] | undefined;
  inputs?: string[] | undefined;
  deliverables?: string[] | undefined;
  priority?: "low" | "normal" | "high" | undefined;
}

async function createRequest(place: Place, asked: AskedWork) {
  const { repository } = await openPlace(place);
  const project = repository.root;
  const given = asked.run_id ?? place.env["RUN_ID"];
  const runId = given === undefined ? undefined : findRun(project, given);
  if (typeof runId !== "string") return failure("Which run asks? Give run_id, or set RUN_ID; run_info lists them.");
  if (!requestableActions.includes(asked.action)) return failure(`Actions are: ${requestableActions.join(", ")}`);
  const { request, findings } = makeRequest(
    {
      action: asked.action,
      args: asked.args ?? [],
      runId,
      ...(asked.must_read && { mustRead: asked.must_read }),
      ...(asked.inputs && { inputs: asked.inputs }),
      ...(asked.deliverables && { deliverables: asked.deliverables }),
      ...(asked.priority && { priority: asked.priority }),
    },
    { project, records: fileRunRecords(project) },
  );
  if (findings.length) return failure(findings.map((f) => `${f.field}: ${f.problem}; ${f.remedy}`).join("\n"));
  try {
    await new DirectoryQueue(project).enqueue(request);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    return failure(`${error.message}; ${error.remedy}`);
  }
  const file = `interop/requests/${request.request_id}.json`;
  const event = { event: "request_enqueued", request_id: request.request_id, pointers: { request: file } };
  appendEvent(project, runId, { ...event, kit: request.to_kit, data: { action: asked.action } });
  return jsonAnswer({ enqueued: true, request_id: request.request_id, file });
}

async function runInfo(place: Place, given: string | undefined) {
  const { repository } = await openPlace(place);
  const project = repository.root;
  if (given === undefined)
    return jsonAnswer({
      runs: listRuns(project)
        .slice(0, 20)
        .map((id) => summaryOf(project, id)),
    });
  const found = findRun(project, given);
  if (typeof found !== "string")
    return failure(`No single run is "${given.slice(0, 80)}"; call run_info without an id for the list.`);
  return jsonAnswer({ run: summaryOf(project, found), files: filesOf(project, found) });
}

async function ask(
  place: Place,
  input: { file: string; question: string; pattern?: string | undefined; lines?: number | undefined },
) {
  const { repository } = await openPlace(place);
  try {
    const options = { ...(input.pattern && { pattern: input.pattern }), ...(input.lines && { lines: input.lines }) };
    return answer(queryLog(repository.root, input.file, input.question as (typeof logQueries)[number], options).text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return failure(`${error.message}; ${error.remedy}`);
  }
}
