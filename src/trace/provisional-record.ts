// Builds Agent Trace records: provisional ones at edit time, final ones for a commit. Pure.
import { randomUUID } from "node:crypto";
import { sha256 } from "../model/sha256.js";
import type { LineAuthor, MarkRange } from "./marks.js";
import {
  contentHash,
  intentUri,
  type MutationClass,
  metadataKey,
  type TraceConversation,
  type TraceFile,
  type TraceMetadata,
  type TraceRecord,
  traceVersion,
} from "./trace-record.js";

export interface RecordParts {
  id?: string;
  at: number;
  author: LineAuthor;
  revision?: string;
  files: TraceFile[];
  metadata: Partial<TraceMetadata> & { mutation_class: MutationClass };
}

export const newRecordId = (): string => randomUUID();
export const textHash = (text: string): string => `sha256:${sha256(text)}`;

export function traceRecord({ id, at, author, revision, files, metadata }: RecordParts): TraceRecord {
  const { intent, session, agent, run, phase } = author;
  return {
    version: traceVersion,
    id: id ?? newRecordId(),
    timestamp: new Date(at).toISOString(),
    ...(revision && { vcs: { type: "git", revision } }),
    ...(author.tool && { tool: { name: author.tool } }),
    files,
    metadata: {
      [metadataKey]: {
        ...(intent && { intent_id: intent }),
        ...(session && { session_id: session }),
        ...(agent && { agent_id: agent }),
        ...(run && { run_id: run }),
        ...(phase && { phase }),
        ...metadata,
      },
    },
  };
}

export function conversationOf(
  author: LineAuthor,
  lines: readonly string[],
  ranges: readonly (readonly [number, number])[],
): TraceConversation {
  return {
    // The session's id, not its transcript: a path of this machine or a prompt has no place in a repository.
    ...(author.session && { url: `session:${encodeURIComponent(author.session)}` }),
    contributor: { type: "ai", ...(author.model && { model_id: modelId(author.model) }) },
    ranges: ranges.map(([first, last]) => ({
      start_line: first,
      end_line: last,
      content_hash: contentHash(lines.slice(first - 1, last)),
    })),
    ...(author.intent && { related: [{ type: "specification", url: intentUri(author.intent) }] }),
  };
}

/** As models.dev spells it: `provider/model`. */
const modelId = (model: string): string =>
  (model.includes("/") || !model.startsWith("claude") ? model : `anthropic/${model}`).slice(0, 250);

/** Ranges of the lines with one of these marks; neighbours are joined. */
export function rangesWith(ranges: readonly MarkRange[], wanted: (mark: string) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (const [first, last, mark] of ranges) {
    if (!wanted(mark)) continue;
    const previous = found.at(-1);
    if (previous && previous[1] === first - 1) previous[1] = last;
    else found.push([first, last]);
  }
  return found;
}
