// The record itself: chain health, anchors, a check of everything on demand, search, export.
// Invariant: what a check says is what `interlock verify` says; exported text is the record's own, already redacted.
import { execFile } from "node:child_process";
import { anchorsIn } from "../health/commit-anchors.js";
import type { Json } from "../model/json.js";
import { checkLine } from "../store/ledger/check-line.js";
import type { DashboardSource } from "./dashboard-source.js";
import type { CallMark, IndexRow } from "./ledger-index.js";
import { Download, numberFrom } from "./view-answers.js";

export interface RecordHealth {
  records: number;
  damaged: number;
  bytes: number;
  segments: number;
  first: number | null;
  newest: number | null;
  newestSeq: number;
  /** The chain from line to line, as far as it was followed without the key. */
  condition: {
    word: "whole" | "damaged" | "locked" | "degraded" | "empty";
    findings: { what: string; remedy: string }[];
  };
  /** Checkpoints in commits; null for a ledger alone. */
  anchors: { seq: number; where: string }[] | null;
  place: string;
}

const anchorsMs = 30_000;
const anchored = new WeakMap<DashboardSource, { at: number; anchors: { seq: number; where: string }[] }>();

export function recordView(source: DashboardSource): RecordHealth {
  const { index, opened, ledger } = source;
  const condition = opened?.store.read().condition;
  const findings = (condition?.findings ?? []).map(({ what, remedy }) => ({ what, remedy: remedy ?? "" }));
  if (index.damaged)
    findings.push({
      what: `${index.damaged} lines do not match their hash`,
      remedy: "interlock verify says which",
    });
  const word = !index.rows.length
    ? "empty"
    : index.damaged || condition?.tampered
      ? "damaged"
      : condition?.locked
        ? "locked"
        : condition?.degraded
          ? "degraded"
          : "whole";
  return {
    records: index.rows.length,
    damaged: index.damaged,
    bytes: index.bytes,
    segments: new Set(index.rows.map((row) => row.segment)).size,
    first: index.rows[0]?.at ?? null,
    newest: index.rows.at(-1)?.at ?? null,
    newestSeq: index.rows.at(-1)?.seq ?? 0,
    condition: { word, findings },
    anchors: anchorsOf(source),
    place: ledger,
  };
}

function anchorsOf(source: DashboardSource): RecordHealth["anchors"] {
  if (!source.opened) return null;
  const known = anchored.get(source);
  if (known && Date.now() - known.at < anchorsMs) return known.anchors;
  const anchors = anchorsIn(source.opened.repository.root, source.opened.store.place)
    .map(({ seq, where }) => ({ seq, where }))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, 200);
  anchored.set(source, { at: Date.now(), anchors });
  return anchors;
}

export interface RecordRow {
  seq: number;
  at: number;
  type: string;
  event: string;
  session: string;
  tool: string;
  what: string;
  mark: CallMark;
  gate: string;
  verdict: string;
}

/** Every record, newest first, a page at a time; `q` in any of its columns. */
export function recordSearch({ index }: DashboardSource, query: URLSearchParams): { total: number; rows: RecordRow[] } {
  const sought = (query.get("q") ?? "").trim().toLowerCase();
  const offset = numberFrom(query, "offset", 0);
  const count = numberFrom(query, "count", 100, 200);
  const rows = sought ? index.rows.filter((row) => textOf(row).includes(sought)) : index.rows;
  const end = Math.max(0, rows.length - offset);
  const find = query.get("find");
  if (find !== null) {
    const at = rows.findLastIndex((row) => row.seq <= Number(find));
    return { total: rows.length, rows: [], ...{ offset: rows.length - 1 - at } };
  }
  return {
    total: rows.length,
    rows: rows
      .slice(Math.max(0, end - count), end)
      .reverse()
      .map(recordRow),
  };
}

const textOf = ({ seq, type, event, session, agent, tool, what, gate, verdict }: IndexRow): string =>
  `${seq} ${type} ${event} ${session} ${agent} ${tool} ${what} ${gate} ${verdict}`.toLowerCase();

const recordRow = ({ seq, at, type, event, session, tool, what, mark, gate, verdict }: IndexRow): RecordRow => ({
  seq,
  at,
  type,
  event,
  session,
  tool,
  what,
  mark,
  gate,
  verdict,
});

/** As JSON lines, whole records; or as a table for spreadsheets. */
export function recordExport({ index }: DashboardSource, query: URLSearchParams): Download {
  const sought = (query.get("q") ?? "").trim().toLowerCase();
  const rows = sought ? index.rows.filter((row) => textOf(row).includes(sought)) : index.rows;
  if (query.get("format") === "csv") {
    const columns = ["seq", "time", "type", "event", "session", "tool", "what", "mark", "gate", "verdict"];
    const lines = function* () {
      yield `${columns.join(",")}\r\n`;
      for (const r of rows) {
        const cells = [r.seq, new Date(r.at).toISOString(), r.type, r.event, r.session, r.tool, r.what, r.mark, r.gate];
        yield `${[...cells, r.verdict].map(cell).join(",")}\r\n`;
      }
    };
    return new Download("interlock-record.csv", "text/csv; charset=utf-8", lines());
  }
  const lines = function* () {
    for (const row of rows) {
      const record = index.record(row);
      if (record) yield `${JSON.stringify(record)}\n`;
    }
  };
  return new Download("interlock-record.jsonl", "application/x-ndjson; charset=utf-8", lines());
}

/** A cell that a spreadsheet does not take for a formula. */
function cell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface VerifyAnswer {
  verdict: string;
  lines: string[];
  ms: number;
}

/** Runs the real check: for a project in a process of its own, for a ledger alone the chain of hashes. */
export async function verifyNow(source: DashboardSource): Promise<Json> {
  const start = performance.now();
  const answer = source.opened ? await verifyProject(source) : verifyChain(source);
  return { ...answer, ms: Math.round(performance.now() - start) } satisfies VerifyAnswer as unknown as Json;
}

function verifyProject({ opened }: DashboardSource): Promise<Omit<VerifyAnswer, "ms">> {
  const args = [process.argv[1]!, "verify", "--home", opened!.home, "--cwd", opened!.repository.root];
  const options = {
    encoding: "utf8",
    timeout: 300_000,
    maxBuffer: 8 << 20,
    env: { ...process.env, NO_COLOR: "1" },
  } as const;
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error ? Number((error as { code?: unknown }).code ?? 3) : 0;
      const verdict = code === 0 ? "intact" : code === 4 ? "tampered" : code === 1 ? "findings" : "failed";
      const text = `${stdout}${verdict === "failed" ? stderr : ""}`;
      resolve({ verdict, lines: text.split("\n").filter(Boolean).slice(0, 40) });
    });
  });
}

function verifyChain({ index }: DashboardSource): Omit<VerifyAnswer, "ms"> {
  let [records, broken] = [0, 0];
  let prev: { seq: number; prev: string } | undefined;
  const lines: string[] = [];
  for (const path of index.files.list())
    for (const line of index.lines(path)) {
      if (!line.whole) continue;
      const checked = line.damaged
        ? { problem: "frame", what: line.damaged, record: undefined }
        : checkLine(line.bytes, "", undefined, prev);
      records++;
      if ("problem" in checked && ++broken <= 20) lines.push(`record ${prev?.seq ?? "?"}: ${checked.what}`);
      prev = checked.record && { seq: checked.record.seq + 1, prev: checked.record.hash };
    }
  const verdict = broken ? "tampered" : "intact";
  const first = `${records} records, ${broken ? `${broken} break the chain` : "each follows from the one before"}`;
  return { verdict, lines: [first, "signatures were not checked: they need the key of the machine", ...lines] };
}
