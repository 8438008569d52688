// interlock request: authors a request of the running phase to another kit and puts it in the queue.
// Invariant: what is not valid is not written; each finding names its remedy.
import { requestableActions } from "../../runs/actions.js";
import { DirectoryQueue } from "../../runs/directory-queue.js";
import { QueueError } from "../../runs/queue.js";
import { makeRequest, requestDefaults } from "../../runs/request.js";
import { appendEvent } from "../../runs/run.js";
import { parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { green, red, shown } from "../lib/paint.js";
import { countOption, namedRun, runRecordsHere, runsProjectRoot } from "../lib/runs-here.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock request <kit.phase> [arguments...] [options]

  --run <id>             the run that asks ($RUN_ID unless told)
  --must-read <file>     the child reads this first; repeatable, not counted against its budget
  --input <file>         a file the work is about; repeatable
  --deliver <glob>       a file the child is expected to make; repeatable
  --allow <glob>         files the child may read freely; repeatable
  --max-files <n>        how many other files it may read (${requestDefaults.maxFiles})
  --max-bytes <n>        and how many bytes of them (${requestDefaults.maxTotalBytes})
  --timeout <seconds>    how long it may take (${requestDefaults.timeoutSeconds})
  --priority <word>      low, normal or high
  --id <id>              instead of a made-up one
  --dry-run              check and print it, write nothing
  --json

A budget can only be smaller than that of the run that asks. Actions:
  ${requestableActions.filter((a) => a.startsWith("tdd.")).join(" ")}
  ${requestableActions.filter((a) => a.startsWith("research.")).join(" ")}
  ${requestableActions.filter((a) => a.startsWith("math.")).join(" ")}

Example:
  interlock request math.full specs/lemma.md --must-read runs/$RUN_ID/capsules/research_run.md --deliver "specs/**"
`;

const spec = {
  run: "text",
  "must-read": "texts",
  input: "texts",
  deliver: "texts",
  allow: "texts",
  "max-files": "text",
  "max-bytes": "text",
  timeout: "text",
  priority: "text",
  id: "text",
  "dry-run": "flag",
  json: "flag",
  cwd: "text",
} as const;
const priorities = ["low", "normal", "high"] as const;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [action, ...given] = words;
  if (action === undefined) throw new UsageError(`say which action\n${usage}`);
  if (!requestableActions.includes(action)) throw unknownWord("unknown action", action, requestableActions, usage);
  const priority = priorities.find((word) => word === values.priority);
  if (values.priority !== undefined && !priority)
    throw unknownWord("unknown priority", values.priority, priorities, usage);
  const project = runsProjectRoot(values);
  const asking = values.run ?? process.env["RUN_ID"];
  if (!asking) throw new UsageError(`say which run asks: --run <id>, --run last, or RUN_ID\n${usage}`);
  const runId = namedRun(project, asking, usage);
  const { request, findings } = makeRequest(
    {
      action,
      args: given,
      runId,
      requestId: values.id,
      inputs: values.input,
      mustRead: values["must-read"],
      deliverables: values.deliver,
      allowedPaths: values.allow,
      maxFiles: countOption("max-files", values["max-files"], usage),
      maxTotalBytes: countOption("max-bytes", values["max-bytes"], usage),
      timeoutSeconds: countOption("timeout", values.timeout, usage),
      priority,
    },
    { project, records: runRecordsHere(project) },
  );
  if (findings.length) {
    if (values.json) printJson({ enqueued: false, findings });
    else
      for (const f of findings) sayError(`${red(shown(`${f.field}: ${f.problem}`, 300))}\n  ${shown(f.remedy, 200)}`);
    return 1;
  }
  const file = `interop/requests/${request.request_id}.json`;
  if (values["dry-run"]) {
    printJson({ enqueued: false, request });
    return 0;
  }
  try {
    await new DirectoryQueue(project).enqueue(request);
  } catch (error) {
    if (!(error instanceof QueueError)) throw error;
    sayError(`interlock: ${error.message}\n  ${error.remedy}`);
    return 1;
  }
  const event = { event: "request_enqueued", request_id: request.request_id, pointers: { request: file } };
  appendEvent(project, runId, { ...event, kit: request.to_kit, data: { action } });
  if (values.json) printJson({ enqueued: true, request_id: request.request_id, file });
  else say(`${green(request.request_id)} is in the queue. Run it: interlock pump --request ${request.request_id}`);
  return 0;
}
