// Agent Trace 0.1.0 records: types, check, reading. What Interlock writes passes `checkTrace`; reading also accepts the
// older dialect of the seed and small faults of other writers. Invariant: what reading returns has the typed shape.
import { isObject, type JsonObject } from "../model/json.js";
import { sha256 } from "../model/sha256.js";
import { schemaProblems } from "./check-schema.js";
import { mutationClasses, traceRecordSchema } from "./trace-schema.js";

export const traceVersion = "0.1.0";
/** Our key in a record's `metadata`. */
export const metadataKey = "dev.interlock";

export type MutationClass = (typeof mutationClasses)[number];

export interface TraceContributor {
  type: "human" | "ai" | "mixed" | "unknown";
  /** `provider/model`, as models.dev spells it. */
  model_id?: string;
}

/** Lines are counted from 1; `end_line` is the last one. They are positions at the recorded revision. */
export interface TraceRange {
  start_line: number;
  end_line: number;
  content_hash?: string;
  contributor?: TraceContributor;
}

export interface TraceConversation {
  url?: string;
  contributor?: TraceContributor;
  ranges: TraceRange[];
  related?: { type: string; url: string }[];
}

export interface TraceFile {
  /** Relative to the root of the repository, with "/". */
  path: string;
  conversations: TraceConversation[];
}

export interface TraceMetadata {
  intent_id?: string;
  mutation_class: MutationClass;
  /** What the agent called it, where that differs. */
  declared_class?: string;
  /** sha256 of the whole file before and after; absent: the file did not exist. */
  pre_hash?: string;
  post_hash?: string;
  session_id?: string;
  agent_id?: string;
  tool_use_id?: string;
  run_id?: string;
  phase?: string;
  /** Written at edit time; the commit is not known yet. */
  provisional?: boolean;
  /** Ids of the provisional records this one replaces. */
  finalises?: string[];
  /** The specification has no way to say that lines went away. */
  deleted?: { path: string; lines: number }[];
  /** Path -> names of functions, classes and so on that the change touched. */
  symbols?: Record<string, string[]>;
  prev_record_hash?: string;
}

export interface TraceRecord {
  version: string;
  id: string;
  timestamp: string;
  vcs?: { type: "git" | "jj" | "hg" | "svn"; revision: string };
  tool?: { name: string; version?: string };
  files: TraceFile[];
  metadata?: { "dev.interlock"?: TraceMetadata; [key: string]: unknown };
}

/** What is wrong with a record, as `files[0].path is missing`; nothing: it is valid. */
export const checkTrace = (value: unknown): string[] => schemaProblems(traceRecordSchema, value);

export const intentUri = (id: string): string => `intent:${encodeURIComponent(id)}`;

/** The hash of lines wherever they stand, and whether the file has CRLF or LF. */
export const contentHash = (lines: readonly string[]): string =>
  `sha256:${sha256(lines.map((line) => line.replace(/\r?\n?$/, "")).join("\n"))}`;

/** One line of agent_trace.jsonl; undefined: not a record. */
export const parseTraceLine = (line: string): TraceRecord | undefined => readTraceLine(line)?.record;

/** Also tells whether the record had to be brought into shape: the seed's dialect, or another writer's faults. */
export function readTraceLine(line: string): { record: TraceRecord; dialect: boolean } | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const record = readRecord(value);
    return record && { record, dialect: record !== value };
  } catch {
    return undefined;
  }
}

/** The intents a record names, in its metadata or as related resources. */
export function intentsOf(record: TraceRecord): string[] {
  const found = new Set<string>();
  const id = record.metadata?.[metadataKey]?.intent_id;
  if (id !== undefined) found.add(id);
  for (const file of record.files)
    for (const conversation of file.conversations)
      for (const { url } of conversation.related ?? [])
        if (url.startsWith("intent:")) found.add(decoded(url.slice("intent:".length)));
  return [...found];
}

/** The files a record concerns: changed and deleted ones. */
export function pathsOf(record: TraceRecord): string[] {
  const deleted = record.metadata?.[metadataKey]?.deleted;
  return [...new Set([...record.files, ...(deleted ?? [])].map(({ path }) => path))];
}

function readRecord(value: unknown): TraceRecord | undefined {
  if (!isObject(value) || !Array.isArray(value["files"])) return undefined;
  if (typeof value["id"] !== "string" || typeof value["timestamp"] !== "string") return undefined;
  if (isTyped(value)) return value as unknown as TraceRecord; // the same object
  const files = value["files"].map(readFile);
  if (files.some((file) => !file)) return undefined;
  const vcs = readVcs(value["vcs"]);
  const tool = isObject(value["tool"]) && typeof value["tool"]["name"] === "string" ? value["tool"] : undefined;
  const metadata = readMetadata(value);
  return {
    version: typeof value["version"] === "string" ? value["version"] : traceVersion,
    id: value["id"],
    timestamp: value["timestamp"],
    ...(vcs && { vcs }),
    ...(tool && { tool: tool as { name: string } }),
    files: files as TraceFile[],
    ...(metadata && { metadata }),
  };
}

/** Whether a record can be used as it is. */
function isTyped(value: JsonObject): boolean {
  if (typeof value["version"] !== "string") return false;
  const { vcs, metadata } = value;
  if (vcs !== undefined && !(isObject(vcs) && typeof vcs["type"] === "string" && typeof vcs["revision"] === "string"))
    return false;
  if (metadata !== undefined && !isObject(metadata)) return false;
  const own = metadata?.[metadataKey];
  if (own !== undefined && !(isObject(own) && Object.entries(own).every(isTypedMember))) return false;
  for (const file of value["files"] as unknown[]) {
    if (!isObject(file) || typeof file["path"] !== "string" || !Array.isArray(file["conversations"])) return false;
    for (const conversation of file["conversations"]) if (!isTypedConversation(conversation)) return false;
  }
  return true;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Whether a member of our metadata is what its type says; members nobody knows may be anything. */
function isTypedMember([key, value]: [string, unknown]): boolean {
  if (value === undefined || key === "provisional") return value === undefined || typeof value === "boolean";
  if (key === "finalises") return isTextList(value);
  if (key === "symbols") return isObject(value) && Object.values(value).every(isTextList);
  if (key === "deleted")
    return (
      Array.isArray(value) &&
      value.every((one) => isObject(one) && isText(one["path"]) && typeof one["lines"] === "number")
    );
  return textMembers.has(key) ? isText(value) : true;
}

const textMembers = new Set([
  ...["intent_id", "mutation_class", "declared_class", "pre_hash", "post_hash", "session_id", "agent_id"],
  ...["tool_use_id", "run_id", "phase", "prev_record_hash"],
]);

function isTypedConversation(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value["ranges"])) return false;
  const { related, contributor } = value;
  if (contributor !== undefined && !(isObject(contributor) && typeof contributor["type"] === "string")) return false;
  if (related !== undefined && !(Array.isArray(related) && related.every(isTypedLink))) return false;
  return value["ranges"].every(isTypedRange);
}

const isTypedLink = (link: unknown): boolean =>
  isObject(link) && typeof link["type"] === "string" && typeof link["url"] === "string";

const isTypedRange = (range: unknown): range is JsonObject =>
  isObject(range) &&
  Number.isInteger(range["start_line"]) &&
  Number.isInteger(range["end_line"]) &&
  (range["contributor"] === undefined ||
    (isObject(range["contributor"]) && typeof range["contributor"]["type"] === "string"));

/** A file of the seed's dialect: `relative_path`, and ranges and links at the file where a writer put them there. */
function readFile(value: unknown): TraceFile | undefined {
  if (!isObject(value)) return undefined;
  const path = value["path"] ?? value["relative_path"];
  if (typeof path !== "string") return undefined;
  const given = Array.isArray(value["conversations"]) ? value["conversations"].filter(isObject) : [];
  const conversations = given.map((one) => readConversation(one, value));
  if (!given.length && Array.isArray(value["ranges"])) conversations.push(readConversation({}, value));
  return { path: path.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""), conversations };
}

function readConversation(value: JsonObject, file: JsonObject): TraceConversation {
  const url = typeof value["url"] === "string" && value["url"] ? asUri(value["url"], "session") : undefined;
  const contributor = readContributor(value["contributor"] ?? file["contributor"]);
  const ranges = asList(value["ranges"] ?? file["ranges"])
    .filter(isTypedRange)
    .map(readRange);
  const related = asList(value["related"] ?? file["related"])
    .filter(isObject)
    .flatMap(readLink);
  return { ...(url && { url }), ...(contributor && { contributor }), ranges, ...(related.length && { related }) };
}

function readRange(value: JsonObject): TraceRange {
  const hash = value["content_hash"];
  const contributor = readContributor(value["contributor"]);
  return {
    start_line: value["start_line"] as number,
    end_line: value["end_line"] as number,
    ...(typeof hash === "string" && { content_hash: hash.includes(":") ? hash : `sha256:${hash}` }),
    ...(contributor && { contributor }),
  };
}

/** The dialect has `value`, the id of an intent, where the specification has `url`. */
function readLink(value: JsonObject): { type: string; url: string }[] {
  const type = typeof value["type"] === "string" ? value["type"] : "specification";
  if (typeof value["url"] === "string") return [{ type, url: asUri(value["url"], "session") }];
  if (typeof value["value"] !== "string") return [];
  return [{ type, url: type === "specification" ? intentUri(value["value"]) : asUri(value["value"], type) }];
}

function readContributor(value: unknown): TraceContributor | undefined {
  if (!isObject(value)) return undefined;
  const type = String(value["type"] ?? value["entity_type"] ?? "unknown").toLowerCase();
  const known = (["human", "ai", "mixed"] as const).find((one) => one === type) ?? "unknown";
  const model = value["model_id"] ?? value["model_identifier"];
  return { type: known, ...(typeof model === "string" && model && { model_id: model.slice(0, 250) }) };
}

function readVcs(value: unknown): TraceRecord["vcs"] {
  if (!isObject(value)) return undefined;
  const revision = value["revision"] ?? value["revision_id"];
  const type = (["git", "jj", "hg", "svn"] as const).find((one) => one === value["type"]) ?? "git";
  return typeof revision === "string" && revision ? { type, revision } : undefined;
}

/** The dialect's writers put the intent and the class at the top of a record. */
function readMetadata(value: JsonObject): TraceRecord["metadata"] {
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  const given = metadata[metadataKey];
  if (isObject(given)) {
    const typed = Object.fromEntries(Object.entries(given).filter(isTypedMember));
    return { ...metadata, [metadataKey]: { mutation_class: "INTENT_EVOLUTION", ...typed } };
  }
  const intent = value["intent_id"] ?? metadata["intent_id"];
  const declared = value["mutation_class"] ?? metadata["mutation_class"];
  const known = mutationClasses.find((one) => one === declared);
  const own: TraceMetadata = {
    ...(typeof intent === "string" && { intent_id: intent }),
    mutation_class: known ?? "INTENT_EVOLUTION",
    ...(typeof declared === "string" && !known && { declared_class: declared }),
  };
  return { ...metadata, [metadataKey]: own };
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const asUri = (text: string, scheme: string): string =>
  /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) ? text : `${scheme.replace(/[^a-z0-9]/gi, "-")}:${encodeURIComponent(text)}`;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
