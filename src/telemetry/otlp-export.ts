// Sends what the ledger has since the cursor to an OTLP receiver over HTTP.
// Invariant: the cursor moves only after the receiver took a batch, so nothing is lost when it is down; retries are
// bounded; nothing here runs on a hook's path.
import { mkdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { replaceFile } from "../project/replace-file.js";
import type { Store } from "../store/types.js";
import {
  attributesOf,
  idleSpans,
  type LedgerMetrics,
  latencyBounds,
  noMetrics,
  noneOpen,
  type OpenSpans,
  type OtelSpan,
  spansOf,
} from "./ledger-spans.js";
import type { OtelSettings } from "./otel-settings.js";
import { encodeProtobuf, metricsTable, tracesTable } from "./otlp-protobuf.js";

interface Cursor {
  /** The newest record that was sent. */
  seq: number;
  /** Milliseconds since 1970, of that record. */
  at: number;
  open: OpenSpans;
}

export interface ExportOptions {
  store: Store;
  /** Interlock's folder for the project. */
  folder: string;
  settings: OtelSettings;
  /** Also what was asked and answered: tool input and the text of verdicts. */
  details: boolean;
  /** Start after this record, instead of where the last export ended. */
  since?: number;
  batch?: number;
  retryMs?: number;
}

export interface Exported {
  records: number;
  spans: number;
  seq: number;
}

export class ReceiverError extends Error {}

export async function exportLedger(options: ExportOptions): Promise<Exported> {
  const { store, folder, settings, details, since, batch = 1_000 } = options;
  const file = join(folder, "otel.json");
  const kept = readCursor(file);
  let cursor: Cursor = since === undefined ? kept : { seq: since, at: 0, open: noneOpen() };
  const total: Exported = { records: 0, spans: 0, seq: cursor.seq };
  let spans: OtelSpan[] = [];
  let metrics = noMetrics();
  let begun = cursor.at;
  let records = 0;
  const flush = async () => {
    if (!records && !spans.length) return;
    if (spans.length) await send(settings.traces, tracesBody(settings, spans), tracesTable, options);
    if (metrics.decisions)
      await send(settings.metrics, metricsBody(settings, metrics, begun, cursor.at), metricsTable, options);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    replaceFile(file, JSON.stringify(cursor), 0o600);
    total.records += records;
    total.spans += spans.length;
    total.seq = cursor.seq;
    spans = [];
    metrics = noMetrics();
    begun = cursor.at;
    records = 0;
  };
  for (const record of store.records({ from: cursor.seq + 1 })) {
    spans.push(...spansOf(record, cursor.open, metrics, details));
    cursor = { ...cursor, seq: record.seq, at: Date.parse(record.time) };
    begun ||= cursor.at;
    if (++records >= batch) await flush();
  }
  spans.push(...idleSpans(cursor.open, Date.now()));
  await flush();
  return total;
}

function readCursor(file: string): Cursor {
  try {
    const { seq, at, open } = JSON.parse(readFileSync(file, "utf8")) as Cursor;
    if (Number.isSafeInteger(seq) && open?.runs && open.calls) return { seq, at: Number(at) || 0, open };
  } catch {
    // nothing was exported yet
  }
  return { seq: 0, at: 0, open: noneOpen() };
}

const scope = (settings: OtelSettings) => ({ name: "interlock", version: settings.resource["service.version"]! });
const resource = (settings: OtelSettings) => ({ attributes: attributesOf(settings.resource) });

const tracesBody = (settings: OtelSettings, spans: readonly OtelSpan[]): object => ({
  resourceSpans: [{ resource: resource(settings), scopeSpans: [{ scope: scope(settings), spans }] }],
});

/** Deltas: what happened between two exports. */
function metricsBody(settings: OtelSettings, metrics: LedgerMetrics, from: number, to: number): object {
  const times = { startTimeUnixNano: `${from}000000`, timeUnixNano: `${to}000000` };
  const sum = (name: string, description: string, key: string, counts: Readonly<Record<string, number>>) => ({
    name,
    description,
    unit: "1",
    sum: {
      dataPoints: Object.entries(counts).map(([label, count]) => ({
        ...times,
        asInt: String(count),
        attributes: attributesOf({ [key]: label }),
      })),
      aggregationTemporality: 1,
      isMonotonic: true,
    },
  });
  const histogram = {
    dataPoints: [
      {
        ...times,
        count: String(metrics.decisions),
        sum: metrics.totalMs,
        bucketCounts: metrics.buckets.map(String),
        explicitBounds: latencyBounds,
      },
    ],
    aggregationTemporality: 1,
  };
  const list = [
    sum("interlock.calls", "Calls that were judged", "interlock.tool", metrics.calls),
    sum("interlock.refusals", "Calls that were refused", "interlock.gate", metrics.refusals),
    { name: "interlock.decision.duration", description: "Time to judge an event", unit: "ms", histogram },
  ];
  return {
    resourceMetrics: [{ resource: resource(settings), scopeMetrics: [{ scope: scope(settings), metrics: list }] }],
  };
}

const attempts = 4;
const worthRetrying = new Set([408, 429, 502, 503, 504]);

async function send(
  address: string,
  body: object,
  table: Parameters<typeof encodeProtobuf>[1],
  { settings, retryMs = 500 }: ExportOptions,
): Promise<void> {
  const isJson = settings.protocol === "http/json";
  const plain = isJson ? Buffer.from(JSON.stringify(body)) : encodeProtobuf(body, table);
  const headers = {
    ...settings.headers,
    "content-type": isJson ? "application/json" : "application/x-protobuf",
    ...(settings.gzip && { "content-encoding": "gzip" }),
  };
  const bytes = settings.gzip ? gzipSync(plain) : plain;
  let problem = "";
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await post(address, headers, bytes, settings.timeoutMs);
    if (typeof answer === "number" && answer >= 200 && answer < 300) return;
    problem = typeof answer === "number" ? `it answered ${answer}` : answer;
    if (typeof answer === "number" && !worthRetrying.has(answer)) break;
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, retryMs * 2 ** (attempt - 1)));
  }
  throw new ReceiverError(`the receiver ${address} did not take the data: ${problem}`);
}

/** The status, or what went wrong. */
function post(address: string, headers: object, body: Buffer, ms: number): Promise<number | string> {
  return new Promise((resolve) => {
    const ask = address.startsWith("https:") ? httpsRequest : httpRequest;
    const options = { method: "POST", headers: { ...headers, "content-length": body.length } };
    const request = ask(address, { ...options, signal: AbortSignal.timeout(ms) }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", (error) => resolve(error.message));
    });
    request.on("error", (error) => resolve(error.message || "no connection"));
    request.end(body);
  });
}
