// The JSON schema of an Agent Trace 0.1.0 record, written from the public specification, with our own metadata added.
// Invariant: schema/agent-trace.schema.json is this object, and `checkTrace` checks by it.
import type { Schema } from "./check-schema.js";

export const mutationClasses = [
  "AST_REFACTOR",
  "INTENT_EVOLUTION",
  "DOCUMENTATION",
  "CONFIGURATION",
  "FILE_CREATION",
  "FILE_DELETION",
] as const;

const text: Schema = { type: "string" };
const textList: Schema = { type: "array", items: text };
const uri: Schema = { type: "string", format: "uri" };
const line: Schema = { type: "integer", minimum: 1 };
const sha256Text: Schema = { type: "string", pattern: "^sha256:[0-9a-f]{64}$" };

const contributor: Schema = {
  type: "object",
  required: ["type"],
  properties: {
    type: { type: "string", enum: ["human", "ai", "mixed", "unknown"] },
    model_id: { type: "string", maxLength: 250, description: "provider/model, as models.dev spells it" },
  },
};

const range: Schema = {
  type: "object",
  required: ["start_line", "end_line"],
  properties: {
    start_line: line,
    end_line: line,
    content_hash: { type: "string", description: "algorithm:value, the same wherever the lines stand" },
    contributor: { $ref: "#/$defs/contributor" },
  },
};

const conversation: Schema = {
  type: "object",
  required: ["ranges"],
  properties: {
    url: uri,
    contributor: { $ref: "#/$defs/contributor" },
    ranges: { type: "array", items: { $ref: "#/$defs/range" } },
    related: {
      type: "array",
      items: { type: "object", required: ["type", "url"], properties: { type: text, url: uri } },
    },
  },
};

/** What Interlock writes under `metadata["dev.interlock"]`. */
const interlockMetadata: Schema = {
  type: "object",
  required: ["mutation_class"],
  properties: {
    intent_id: text,
    mutation_class: {
      type: "string",
      enum: [...mutationClasses],
    },
    declared_class: text,
    pre_hash: sha256Text,
    post_hash: sha256Text,
    session_id: text,
    agent_id: text,
    tool_use_id: text,
    run_id: text,
    phase: text,
    provisional: { type: "boolean" },
    finalises: textList,
    deleted: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "lines"],
        properties: { path: text, lines: { type: "integer", minimum: 0 } },
      },
    },
    symbols: { type: "object", additionalProperties: textList },
    prev_record_hash: text,
  },
};

export const traceRecordSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "One line of .orchestration/agent_trace.jsonl: an Agent Trace 0.1.0 record",
  type: "object",
  required: ["version", "id", "timestamp", "files"],
  properties: {
    version: { type: "string", pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$" },
    id: { type: "string", format: "uuid" },
    timestamp: { type: "string", format: "date-time" },
    vcs: {
      type: "object",
      required: ["type", "revision"],
      properties: { type: { type: "string", enum: ["git", "jj", "hg", "svn"] }, revision: text },
    },
    tool: { type: "object", properties: { name: text, version: text } },
    files: { type: "array", items: { $ref: "#/$defs/file" } },
    metadata: { type: "object", properties: { "dev.interlock": interlockMetadata } },
  },
  $defs: {
    file: {
      type: "object",
      required: ["path", "conversations"],
      properties: {
        path: { type: "string", description: "relative to the root of the repository" },
        conversations: { type: "array", items: { $ref: "#/$defs/conversation" } },
      },
    },
    conversation,
    range,
    contributor,
  },
};
