// A request of one kit to another: authored by a running phase, checked when written and again before it is run.
// Invariant: a request with findings is never run. Depth, ancestors and budget are taken from the parent's run
// record, not from the request.
import { isObject } from "../model/json.js";
import { matchGlob } from "../project/globs.js";
import { type ArgumentType, kitAction } from "./actions.js";
import { isRequestId, makeRequestId } from "./ids.js";
import { globBase, globReason, outsideReason } from "./inside.js";
import { lineageBelow, type RunRecords } from "./run.js";
import {
  assertValid,
  type FileFinding,
  type InteropRequest,
  interopLimits,
  type Lineage,
  type RunRecord,
  requestSchema,
  schemaFindings,
} from "./schemas.js";

export const requestDefaults = {
  maxFiles: 8,
  maxTotalBytes: 300_000,
  maxDepth: 3,
  maxFanOut: 8,
  timeoutSeconds: 3_600,
} as const;

export interface RequestRules {
  project: string;
  records: RunRecords;
  maxDepth?: number;
  /** Folders paths may lead into, relative to the project; the whole project unless told. */
  roots?: readonly string[];
}

export interface NewRequest {
  action: string;
  args: readonly string[];
  /** The run that asks. */
  runId: string;
  requestId?: string;
  inputs?: readonly string[];
  mustRead?: readonly string[];
  deliverables?: readonly string[];
  maxFiles?: number;
  maxTotalBytes?: number;
  allowedPaths?: readonly string[];
  priority?: "low" | "normal" | "high";
  timeoutSeconds?: number;
  now?: number;
}

/**
 * A request as the parent run would write it, with what is wrong with it. Left-out budgets are the defaults, within
 * the parent's.
 */
export function makeRequest(
  given: NewRequest,
  rules: RequestRules,
): { request: InteropRequest; findings: FileFinding[] } {
  const parent = rules.records.read(given.runId);
  const now = given.now ?? Date.now();
  const own = parent?.read_budget;
  const timeout = given.timeoutSeconds ?? parent?.timeout_seconds;
  const request: InteropRequest = {
    request_id: given.requestId ?? makeRequestId(now),
    from_kit: parent?.kit ?? "tdd",
    ...(parent && { from_phase: parent.phase }),
    to_kit: kitAction(given.action)?.kit ?? "tdd",
    action: given.action,
    args: [...given.args],
    run_id: given.runId,
    inputs: [...(given.inputs ?? [])],
    must_read: [...(given.mustRead ?? [])],
    read_budget: {
      max_files: given.maxFiles ?? Math.min(requestDefaults.maxFiles, own?.max_files ?? Number.POSITIVE_INFINITY),
      max_total_bytes:
        given.maxTotalBytes ??
        Math.min(requestDefaults.maxTotalBytes, own?.max_total_bytes ?? Number.POSITIVE_INFINITY),
      allowed_paths: [...(given.allowedPaths ?? [])],
    },
    deliverables_expected: [...(given.deliverables ?? [])],
    ...(given.priority && { priority: given.priority }),
    created_at: new Date(now).toISOString(),
    ...(timeout !== undefined && { timeout_seconds: timeout }),
    ...(parent && !rules.records.doubt?.(given.runId) && { lineage: lineageBelow(given.runId, rules.records) }),
  };
  const findings = requestFindings(request, rules);
  if (!findings.length) assertValid(requestSchema, request, "the request");
  return { request, findings };
}

/** From the text of a file; `name` is the id its file name gives. */
export function parseRequest(
  text: string,
  name: string | undefined,
  rules: RequestRules,
): { request?: InteropRequest; findings: FileFinding[] } {
  if (Buffer.byteLength(text) > interopLimits.requestBytes)
    return fault("", `larger than ${interopLimits.requestBytes} bytes`, "point at files instead of including them");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fault("", `not JSON: ${(error as Error).message.slice(0, 120)}`, "write it with: interlock request");
  }
  if (!isObject(value)) return fault("", "not a JSON object", "write it with: interlock request");
  const findings = requestFindings(value, rules);
  const request = value as unknown as InteropRequest;
  if (!findings.length && name !== undefined && request.request_id !== name)
    findings.push(one("request_id", `it is not the file's name ${name}`, "name the file <request_id>.json"));
  return findings.length ? { findings } : { request, findings };
}

const one = (field: string, problem: string, remedy: string): FileFinding => ({ field, problem, remedy });
const fault = (field: string, problem: string, remedy: string) => ({ findings: [one(field, problem, remedy)] });

/** Everything wrong with a request. The form first: what has no valid form is not looked at further. */
export function requestFindings(value: unknown, rules: RequestRules): FileFinding[] {
  const form = schemaFindings(requestSchema, value);
  if (form.length) return form;
  const request = value as InteropRequest;
  return [...actionFindings(request, rules), ...pathFindings(request, rules), ...parentFindings(request, rules)];
}

/** Depth, cycles and budget, by the signed record of the run that asks. */
function parentFindings(request: InteropRequest, rules: RequestRules): FileFinding[] {
  const doubt = rules.records.doubt?.(request.run_id);
  if (doubt) return [one("run_id", doubt.what, doubt.remedy)];
  const parent = rules.records.read(request.run_id);
  return parent
    ? [...lineageFindings(request, parent, rules), ...budgetFindings(request, parent)]
    : [one("run_id", `there is no run ${request.run_id}`, "name the run that asks; list them: interlock run list")];
}

function actionFindings(request: InteropRequest, { project, roots }: RequestRules): FileFinding[] {
  const action = kitAction(request.action)!;
  const findings: FileFinding[] = [];
  if (action.kit !== request.to_kit)
    findings.push(
      one("to_kit", `${request.action} belongs to ${action.kit}, not ${request.to_kit}`, `say ${action.kit}`),
    );
  if (!isRequestId(request.request_id)) findings.push(one("request_id", "not an id", "leave it to: interlock request"));
  findings.push(...argumentFindings(request.action, request.args, project, roots));
  return findings;
}

/** Also for `interlock kit`: arguments by position, none of them an option. */
export function argumentFindings(
  actionName: string,
  args: readonly string[],
  project: string,
  roots?: readonly string[],
): FileFinding[] {
  const action = kitAction(actionName);
  if (!action) return [one("action", `unknown action ${actionName}`, "see: interlock help request")];
  const types = expanded(action.args, args.length);
  const takes = action.args.length ? action.args.join(", ") : "no arguments";
  if (!types) return [one("args", `${args.length} given; ${actionName} takes ${takes}`, `give: ${takes}`)];
  return args.flatMap((arg, i) => {
    const reason = types[i]!.startsWith("path") ? outsideReason(project, arg, roots) : textReason(arg);
    return reason
      ? [one(`args.${i}`, `"${arg.slice(0, 60)}": ${reason}`, `give a ${types[i]!.replace(/\W/, "")}`)]
      : [];
  });
}

/** The type of each argument given, or undefined when the number is wrong. */
function expanded(types: readonly ArgumentType[], count: number): ArgumentType[] | undefined {
  const last = types.at(-1);
  if (last?.endsWith("*"))
    return count >= types.length ? [...types.slice(0, -1), ...Array(count - types.length + 1).fill(last)] : undefined;
  const required = types.filter((t) => !t.endsWith("?")).length;
  return count >= required && count <= types.length ? types.slice(0, count) : undefined;
}

function textReason(text: string): string | undefined {
  if (!text.trim()) return "it is empty";
  if (text.trim().startsWith("-")) return "it begins with '-' and would be read as an option";
  if (/[\u0000-\u001f\u007f]/.test(text)) return "it holds a control character";
  return text.length > 500 ? "it is longer than 500 characters" : undefined;
}

function pathFindings(request: InteropRequest, { project, roots }: RequestRules): FileFinding[] {
  const findings: FileFinding[] = [];
  const check = (field: string, list: readonly string[], reason: (text: string) => string | undefined) =>
    list.forEach((text, i) => {
      const why =
        reason(text) ?? (/[,;:]/.test(text) ? "it holds ',', ';' or ':', which separate the child's lists" : undefined);
      if (why) findings.push(one(`${field}.${i}`, `"${text.slice(0, 60)}": ${why}`, "name a file inside the project"));
    });
  const asPath = (text: string) =>
    /[*?[\]{}]/.test(text) ? "it is a glob; name the file" : outsideReason(project, text, roots);
  const asGlob = (text: string) => globReason(project, text, roots);
  check("inputs", request.inputs, asPath);
  check("must_read", request.must_read, asPath);
  check("read_budget.allowed_paths", request.read_budget.allowed_paths, asGlob);
  check("deliverables_expected", request.deliverables_expected, asGlob);
  return findings;
}

function lineageFindings(request: InteropRequest, parent: RunRecord, rules: RequestRules): FileFinding[] {
  const findings: FileFinding[] = [];
  const lineage = lineageBelow(parent.run_id, rules.records);
  const maxDepth = rules.maxDepth ?? requestDefaults.maxDepth;
  if (parent.kit !== request.from_kit)
    findings.push(one("from_kit", `run ${parent.run_id} is of ${parent.kit}`, `say ${parent.kit}`));
  if (request.from_phase !== undefined && request.from_phase !== parent.phase)
    findings.push(one("from_phase", `run ${parent.run_id} is in ${parent.phase}`, `say ${parent.phase}`));
  if (request.lineage && !sameLineage(request.lineage, lineage))
    findings.push(
      one("lineage", "it differs from the parent run's record", "leave it out, or write it with: interlock request"),
    );
  if (lineage.depth > maxDepth)
    findings.push(one("lineage.depth", `depth ${lineage.depth}, at most ${maxDepth}`, "do the work in this run"));
  const again = lineage.ancestors.find((a) => a.action === request.action && sameArgs(a.args, request.args));
  if (again)
    findings.push(
      one(
        "action",
        `cycle: run ${again.run_id} is already doing ${request.action} with these arguments`,
        "do not ask again",
      ),
    );
  return findings;
}

const sameArgs = (a: readonly string[], b: readonly string[]): boolean => JSON.stringify(a) === JSON.stringify(b);

function sameLineage(a: Lineage, b: Lineage): boolean {
  const plain = ({ depth, ancestors }: Lineage) => [depth, ancestors.map((x) => [x.run_id, x.action, x.args])];
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/** A child never gets more than its parent has. */
function budgetFindings(request: InteropRequest, parent: RunRecord): FileFinding[] {
  const findings: FileFinding[] = [];
  const own = parent.read_budget;
  const more = (field: string, asked: number, has: number | undefined) => {
    if (has !== undefined && asked > has)
      findings.push(one(field, `${asked} is more than the parent's ${has}`, `ask for at most ${has}`));
  };
  more("read_budget.max_files", request.read_budget.max_files, own?.max_files);
  more("read_budget.max_total_bytes", request.read_budget.max_total_bytes, own?.max_total_bytes);
  more("timeout_seconds", request.timeout_seconds ?? 0, parent.timeout_seconds);
  if (own)
    request.read_budget.allowed_paths.forEach((glob, i) => {
      if (!isCovered(glob, own.allowed_paths))
        findings.push(
          one(`read_budget.allowed_paths.${i}`, `the parent may not read "${glob.slice(0, 60)}" freely`, "narrow it"),
        );
    });
  return findings;
}

/** Whether everything the glob matches is matched by one of the others, as far as their form shows. */
function isCovered(glob: string, by: readonly string[]): boolean {
  const isFixed = globBase(glob) === glob;
  return by.some((wide) => {
    if (wide === glob || wide === "**") return true;
    if (isFixed) return matchGlob(wide, glob);
    const folder = wide.endsWith("/**") ? wide.slice(0, -3) : undefined;
    return folder !== undefined && globBase(folder) === folder && `${globBase(glob)}/`.startsWith(`${folder}/`);
  });
}
