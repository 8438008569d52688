// The files of runs and of the queue as schemas: events, run record, manifest, request, response.
// Invariant: whatever Interlock writes validates against these; no extra fields. interop/schemas/ is generated from
// them.
import * as v from "valibot";
import { kitNames, requestableActions } from "./actions.js";
import { requestIdPattern, runIdPattern } from "./ids.js";

export const interopLimits = {
  eventBytes: 4_000,
  requestBytes: 65_536,
  responseBytes: 262_144,
  manifestBytes: 32 << 20,
  args: 32,
  paths: 32,
  deliverables: 200,
  ancestors: 32,
} as const;

const oneLine = (max: number) => v.pipe(v.string(), v.maxLength(max), v.regex(/^[^\u0000-\u001f\u007f]*$/, "one line"));
const path = v.pipe(oneLine(1_000), v.minLength(1));
const runId = v.pipe(v.string(), v.regex(runIdPattern, "a run id looks like 20260213T091500Z-1a2b3c4d"));
const requestId = v.pipe(v.string(), v.regex(requestIdPattern, "an id is letters, digits, '.', '_' and '-'"));
const kit = v.picklist(kitNames);
const verb = v.pipe(v.string(), v.regex(/^[a-z][a-z-]{0,30}$/, "a phase is lower-case letters and hyphens"));
const time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/, "UTC, as 2026-02-13T09:15:00Z"),
);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const sha256Hex = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "64 lower-case hex digits"));
const args = v.pipe(v.array(oneLine(2_000)), v.maxLength(interopLimits.args));
const action = v.picklist(requestableActions);

const scalar = v.union([v.string(), v.number(), v.boolean(), v.null()]);

export const eventSchema = v.strictObject({
  ts: time,
  event: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{1,60}$/, "lower-case words joined by _")),
  run_id: v.optional(runId),
  kit: v.optional(kit),
  phase: v.optional(verb),
  parent_run_id: v.optional(v.nullable(runId)),
  child_run_id: v.optional(v.nullable(runId)),
  request_id: v.optional(requestId),
  status: v.optional(oneLine(40)),
  exit_code: v.optional(v.nullable(v.pipe(v.number(), v.integer()))),
  gate: v.optional(oneLine(100)),
  reason: v.optional(oneLine(500)),
  /** Name -> path of a capsule, manifest, log, request or response. */
  pointers: v.optional(v.record(v.string(), oneLine(1_000))),
  data: v.optional(v.record(v.string(), v.union([scalar, v.array(scalar)]))),
  /** Fields were shortened or left out to keep the line short. */
  truncated: v.optional(v.literal(true)),
});

const ancestor = v.strictObject({ run_id: runId, action: oneLine(60), args });

export const readBudgetSchema = v.strictObject({
  max_files: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
  max_total_bytes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000_000_000)),
  allowed_paths: v.pipe(v.array(path), v.maxLength(interopLimits.paths)),
});

const lineageSchema = v.strictObject({
  depth: count,
  /** Root first; the parent run is last. */
  ancestors: v.pipe(v.array(ancestor), v.maxLength(interopLimits.ancestors)),
});

export const runRecordSchema = v.strictObject({
  run_id: runId,
  kit,
  phase: verb,
  args,
  parent_run_id: v.nullable(runId),
  request_id: v.nullable(requestId),
  depth: count,
  ancestors: v.pipe(v.array(ancestor), v.maxLength(interopLimits.ancestors)),
  started_at: time,
  pid: count,
  host: v.optional(oneLine(200)),
  project_root: v.optional(path),
  agent_runtime: v.optional(oneLine(60)),
  read_budget: v.optional(readBudgetSchema),
  timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(604_800))),
});

export const artifactKinds = ["markdown", "json", "yaml", "source", "lean", "text", "file"] as const;

const artifact = v.strictObject({ path, kind: v.picklist(artifactKinds), bytes: count, sha256: sha256Hex });

export const manifestSchema = v.strictObject({
  metadata: v.strictObject({
    run_id: runId,
    kit,
    phase: verb,
    started_at: time,
    finished_at: time,
    exit_code: v.nullable(v.pipe(v.number(), v.integer())),
    command: v.pipe(v.array(v.string()), v.maxLength(200)),
    cwd: path,
    parent_run_id: v.optional(v.nullable(runId)),
    request_id: v.optional(v.nullable(requestId)),
    project_root: v.optional(path),
    agent_runtime: v.optional(oneLine(60)),
    host: v.optional(oneLine(200)),
    pid: v.optional(count),
    read_budget: v.optional(
      v.strictObject({
        max_files: v.optional(count),
        max_total_bytes: v.optional(count),
        max_read_bytes: v.optional(count),
      }),
    ),
  }),
  artifact_index: v.strictObject({
    tracked: v.array(artifact),
    /** Tracked by a glob but not listed: beyond the limits. */
    omitted: v.strictObject({ files: count, bytes: count }),
    limits: v.strictObject({
      max_files: v.pipe(v.number(), v.integer(), v.minValue(1)),
      max_total_bytes: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
    /** Could not be read while the index was made. */
    unreadable: v.optional(v.array(path)),
  }),
  truth_pointers: v.array(path),
  truth_pointers_omitted: v.optional(count),
  log_pointers: v.array(v.strictObject({ path, kind: oneLine(60), hint: oneLine(500), bytes: v.optional(count) })),
  metrics_pointers: v.optional(v.array(path)),
  capsule_path: v.nullable(path),
});

export const requestSchema = v.strictObject({
  request_id: requestId,
  from_kit: kit,
  from_phase: v.optional(verb),
  to_kit: kit,
  action,
  args,
  run_id: runId,
  inputs: v.pipe(v.array(path), v.maxLength(interopLimits.paths)),
  must_read: v.pipe(v.array(path), v.maxLength(interopLimits.paths)),
  read_budget: readBudgetSchema,
  deliverables_expected: v.pipe(v.array(path), v.maxLength(interopLimits.paths)),
  priority: v.optional(v.picklist(["low", "normal", "high"])),
  created_at: v.optional(time),
  timeout_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(604_800))),
  lineage: v.optional(lineageSchema),
});

export const responseSchema = v.strictObject({
  request_id: requestId,
  status: v.picklist(["ok", "blocked", "failed"]),
  child_run_id: v.nullable(runId),
  capsule_path: v.nullable(path),
  manifest_path: v.nullable(path),
  deliverables: v.pipe(v.array(path), v.maxLength(interopLimits.deliverables)),
  notes: oneLine(500),
  /** Expected patterns for which the child made or changed no file. */
  missing_deliverables: v.optional(v.pipe(v.array(path), v.maxLength(interopLimits.paths))),
  /** Deliverables beyond the number listed. */
  omitted_deliverables: v.optional(count),
  reason: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z_]{1,40}$/))),
  exit_code: v.optional(v.nullable(v.pipe(v.number(), v.integer()))),
  attempts: v.optional(count),
  started_at: v.optional(time),
  finished_at: v.optional(time),
});

export type RunEvent = v.InferOutput<typeof eventSchema>;
export type RunRecord = v.InferOutput<typeof runRecordSchema>;
export type Lineage = v.InferOutput<typeof lineageSchema>;
export type Ancestor = v.InferOutput<typeof ancestor>;
export type ReadBudget = v.InferOutput<typeof readBudgetSchema>;
export type RunManifest = v.InferOutput<typeof manifestSchema>;
export type Artifact = v.InferOutput<typeof artifact>;
export type InteropRequest = v.InferOutput<typeof requestSchema>;
export type InteropResponse = v.InferOutput<typeof responseSchema>;

/** One thing wrong with a file: where in it, what, and what to do about it. */
export interface FileFinding {
  /** Dotted path of the field, or "" for the whole. */
  field: string;
  problem: string;
  remedy: string;
  line?: number;
}

/** The findings of a value against a schema; none means it holds. */
export function schemaFindings(schema: v.GenericSchema, value: unknown): FileFinding[] {
  const result = v.safeParse(schema, value);
  if (result.success) return [];
  return result.issues.slice(0, 50).map((issue) => {
    const field = v.getDotPath(issue) ?? "";
    const extra = issue.type === "strict_object" && issue.expected === "never";
    const missing = issue.received === "undefined";
    const expected = String(issue.expected ?? "what the schema says").slice(0, 200);
    return {
      field,
      problem: extra ? `unknown field ${field}` : missing ? `${field} is missing` : issue.message.slice(0, 300),
      remedy: extra
        ? "remove it; the schema in interop/schemas/ lists the fields"
        : `${missing ? "add it" : "correct it"}: expected ${expected}`,
    };
  });
}

/** Throws when what we are about to write is not valid: a bug here, not in the input. */
export function assertValid(schema: v.GenericSchema, value: unknown, what: string): void {
  const [first] = schemaFindings(schema, value);
  if (first) throw new Error(`${what} would not be valid: ${first.problem}`);
}

/**
 * File name in interop/schemas/ -> schema, for scripts/generate.mjs.
 * @public
 */
export const publishedSchemas = {
  "event.schema.json": { title: "One line of runs/<run_id>/events.jsonl", schema: eventSchema },
  "run.schema.json": { title: "runs/<run_id>/run.json", schema: runRecordSchema },
  "manifest.schema.json": { title: "runs/<run_id>/manifests/<kit>_<phase>.json", schema: manifestSchema },
  "request.schema.json": { title: "interop/requests/<request_id>.json", schema: requestSchema },
  "response.schema.json": { title: "interop/responses/<request_id>.json", schema: responseSchema },
} as const;
