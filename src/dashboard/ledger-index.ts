// An index of one ledger for the dashboard: a small row per record, and where its line lies for the rest.
// Invariant: reads only; a record is indexed once, in order; a line that does not match its hash is counted, not shown.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { currentPhase, isPhaseSlice } from "../model/current-phase.js";
import { asString, isObject, type JsonObject } from "../model/json.js";
import { withWords } from "../model/kept-word.js";
import { closeQuietly, type Io, readOr, realIo } from "../store/io.js";
import { readWords } from "../store/kept-words.js";
import { checkLine } from "../store/ledger/check-line.js";
import { packedLines, type RawLine, rawLines } from "../store/ledger/line-reader.js";
import { TextReader } from "../store/ledger/side-texts.js";
import { withBodyText } from "../store/ledger/whole-record.js";
import { HiddenWords } from "../store/state/hidden-words.js";
import { mergeInto } from "../store/state/merge-patch.js";
import type { LedgerRecord } from "../store/types.js";

/** How a call ended up, as the timeline draws it. */
export type CallMark = "pass" | "deny" | "ask" | "overridden" | "would" | "note" | "fault";

export interface IndexRow {
  seq: number;
  at: number;
  type: string;
  session: string;
  /** Empty for the main agent. */
  agent: string;
  /** `tool.before`, `prompt`, ...; empty for other records. */
  event: string;
  tool: string;
  toolId: string;
  mark: CallMark;
  /** The gate whose verdict it was. */
  gate: string;
  verdict: string;
  /** Every gate with an opinion that refuses, enforced or not. */
  gates: readonly string[];
  /** Milliseconds the judging took. */
  ms: number;
  /** One line about it. */
  what: string;
  segment: number;
  start: number;
  end: number;
}

export interface CountedAttempt {
  at: number;
  session: string;
  signature: string;
  shown: string;
  tool: string;
  command: string;
}

const mostFailures = 2_000;

export interface LedgerFiles {
  /** Segment files, oldest first; asked again at every refresh. */
  list(): readonly string[];
  /** Where the words of records lie, beside the ledger. */
  folder: string;
}

const none: readonly string[] = [];
/** Equal strings are kept once. */
const pool = new Map<string, string>();
const shared = (text: string): string => {
  const known = pool.get(text);
  if (known !== undefined) return known;
  if (pool.size > 50_000) pool.clear();
  pool.set(text, text);
  return text;
};

interface PhaseChange {
  at: number;
  session: string;
  /** Empty: none from here on. */
  name: string;
}

export class LedgerIndex {
  readonly rows: IndexRow[] = [];
  /** Rows of each session, in order. */
  readonly sessions = new Map<string, IndexRow[]>();
  /** How calls ended, by session and call id. */
  readonly ends = new Map<string, IndexRow>();
  /** Changes of the phase somebody works in. */
  readonly phases: PhaseChange[] = [];
  /** Failed attempts the breaker counted, the newest of them. */
  readonly failures: CountedAttempt[] = [];
  /** The fold of all patches; of the slices that name phases and failures alone, unless everything is wanted. */
  readonly state: JsonObject = {};
  /** Lines that could not be read. */
  damaged = 0;
  bytes = 0;
  /** Changes whenever rows are added. */
  version = 0;
  #at = { segment: 0, end: 0 };
  /** Compressed segments that were read; nothing is ever added to them. */
  readonly #packed = new Set<string>();
  readonly #hidden: HiddenWords;
  /** Words the state refers to. */
  #words: ReadonlyMap<string, string> = new Map();
  #loading: Promise<void> | undefined;
  #share = 0;

  constructor(
    readonly files: LedgerFiles,
    /** Fold the whole state: for a ledger without its state file. */
    private readonly fold = false,
    private readonly io: Io = realIo,
  ) {
    this.#hidden = new HiddenWords(io, { texts: join(files.folder, "texts") });
  }

  /** Share of the first reading that is done, 0 to 1. */
  get share(): number {
    return this.#share;
  }

  /** Reads everything, giving way to other work in between. */
  load(): Promise<void> {
    this.#loading ??= this.#loadAll();
    return this.#loading;
  }

  async #loadAll(): Promise<void> {
    const total = this.files.list().reduce((sum, path) => sum + this.#size(path), 0) || 1;
    let slice = performance.now();
    for (const _ of this.#read()) {
      if (performance.now() - slice < 25) continue;
      this.#share = Math.min(0.99, this.bytes / total);
      await new Promise((resolve) => setImmediate(resolve));
      slice = performance.now();
    }
    this.#share = 1;
  }

  /** Takes in what was appended since; true if there was anything. */
  refresh(): boolean {
    if (this.#share < 1) return false;
    const before = this.version;
    for (const _ of this.#read());
    return this.version !== before;
  }

  #size(path: string): number {
    try {
      return this.io.statSync(path).size;
    } catch {
      return 0; // removed since it was listed
    }
  }

  /** The words that marks of the state stand for, put back. */
  words<T>(value: T): T {
    return withWords(value, (mark) => {
      if (!this.#words.has(mark)) this.#words = readWords(this.io, this.files.folder);
      return this.#words.get(mark);
    });
  }

  /** The lines of a segment, compressed or not; a compressed one holds the same bytes at the same places. */
  lines(path: string, from = 0): Iterable<RawLine> {
    if (!path.endsWith(".br")) return rawLines(this.io, path, from);
    const bytes = readOr(this.io, path);
    return bytes ? packedLines(bytes, basename(path), from) : [];
  }

  #texts(): () => TextReader {
    let reader: TextReader | undefined;
    return () => (reader ??= new TextReader(this.io, { texts: join(this.files.folder, "texts") }));
  }

  *#read(): Generator<void> {
    const list = this.files.list();
    const texts = this.#texts();
    for (let segment = this.#at.segment; segment < list.length; segment++) {
      const from = segment === this.#at.segment ? this.#at.end : 0;
      const path = list[segment]!;
      if (path.endsWith(".br") ? this.#packed.has(path) : this.#size(path) <= from) continue;
      if (path.endsWith(".br")) this.#packed.add(path);
      for (const line of this.lines(path, from)) {
        if (!line.whole) break; // still being written
        const checked = line.damaged ? undefined : checkLine(line.bytes, "", undefined, undefined);
        if (!checked || "problem" in checked) this.damaged++;
        else this.#add(checked.record, rowOf(withBodyText(checked.record, texts), segment, line.start, line.end));
        this.bytes += line.end - line.start;
        this.#at = { segment, end: line.end };
        this.version++;
        yield;
      }
    }
  }

  #add({ patch: written = {}, base }: LedgerRecord, row: IndexRow): void {
    this.rows.push(row);
    const rows = this.sessions.get(row.session);
    if (rows) rows.push(row);
    else this.sessions.set(row.session, [row]);
    if (row.toolId && (row.event === "tool.after" || row.event === "tool.failed"))
      this.ends.set(`${row.session}\n${row.toolId}`, row);
    if (base && this.fold) mergeInto(this.state, this.#hidden.show(base.state));
    const isNeeded = (key: string) => this.fold || isPhaseSlice(key) || key.startsWith("discipline/failures@");
    const needed = Object.entries(written).filter(([key]) => isNeeded(key));
    if (!needed.length) return;
    const patch = this.#hidden.show(Object.fromEntries(needed));
    this.#countFailure(patch, row.session);
    mergeInto(this.state, structuredClone(patch));
    if (!Object.keys(patch).some(isPhaseSlice)) return;
    const name = currentPhase(this.state, row.session);
    if (this.phases.findLast((p) => p.session === row.session)?.name !== name)
      this.phases.push({ at: row.at, session: row.session, name });
  }

  /** The breaker's memory forgets what a success settled; the record does not. */
  #countFailure(patch: JsonObject, session: string): void {
    const slice = patch[`discipline/failures@${session}`];
    const recent = isObject(slice) && Array.isArray(slice["recent"]) ? slice["recent"].at(-1) : undefined;
    if (!isObject(recent)) return;
    const at = Number(recent["at"] ?? 0);
    if (this.failures.findLast((f) => f.session === session)?.at === at) return;
    const text = (name: string) => this.words(asString(recent[name]) ?? "");
    const [signature, shown, tool, command] = [text("signature"), text("shown"), text("tool"), text("command")];
    this.failures.push({ at, session, signature, shown, tool, command });
    if (this.failures.length > mostFailures) this.failures.shift();
  }

  /** The whole record of a row. */
  record({ segment, start, end }: Pick<IndexRow, "segment" | "start" | "end">): LedgerRecord | undefined {
    const path = this.files.list()[segment];
    if (path === undefined) return undefined;
    const bytes = path.endsWith(".br") ? this.#lineAt(path, start) : this.#bytes(path, start, end - 1);
    const checked = bytes && checkLine(bytes, "", undefined, undefined);
    return !checked || "problem" in checked ? undefined : withBodyText(checked.record, this.#texts());
  }

  #lineAt(path: string, start: number): Buffer | undefined {
    const [line] = this.lines(path, start);
    return line?.bytes;
  }

  #bytes(path: string, start: number, end: number): Buffer {
    const fd = this.io.openSync(path, "r");
    try {
      const bytes = Buffer.allocUnsafe(end - start);
      this.io.readSync(fd, bytes, 0, bytes.length, start);
      return bytes;
    } finally {
      closeQuietly(this.io, fd);
    }
  }

  /** By sequence number, in logarithmic time. */
  find(seq: number): IndexRow | undefined {
    const index = this.indexOf(seq);
    return this.rows[index]?.seq === seq ? this.rows[index] : undefined;
  }

  /** Index of the first row at or after `seq`. */
  indexOf(seq: number): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle]!.seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function rowOf(record: LedgerRecord, segment: number, start: number, end: number): IndexRow {
  const body = record.body as JsonObject;
  const tool = isObject(body["tool"]) ? body["tool"] : {};
  const verdict = isObject(body["verdict"]) ? body["verdict"] : {};
  const opinions = Array.isArray(body["opinions"]) ? body["opinions"].filter(isObject) : [];
  const refusing = opinions.filter((o) => o["kind"] === "deny" || o["kind"] === "ask");
  const text = (value: unknown): string => shared(asString(value) ?? "");
  return {
    seq: record.seq,
    at: Date.parse(record.time),
    type: shared(record.type),
    session: shared(record.session ?? ""),
    agent: shared(record.agent ?? ""),
    event: text(body["event"]),
    tool: text(tool["name"]),
    toolId: asString(tool["id"]) ?? "",
    mark: markOf(String(verdict["outcome"] ?? ""), refusing, opinions, Array.isArray(body["faults"])),
    gate: text(verdict["gate"]),
    verdict: asString(verdict["id"]) ?? "",
    gates: refusing.length ? [...new Set(refusing.map((o) => text(o["gate"])))] : none,
    ms: Number(body["ms"] ?? 0) || 0,
    what: shared(lineAbout(record, tool, refusing)),
    segment,
    start,
    end,
  };
}

function markOf(outcome: string, refusing: JsonObject[], opinions: JsonObject[], faults: boolean): CallMark {
  if (outcome === "deny" || outcome === "ask") return outcome;
  if (refusing.some((o) => o["lifted"])) return "overridden";
  if (faults) return "fault";
  if (refusing.length) return "would";
  return opinions.some((o) => o["kind"] === "note") ? "note" : "pass";
}

/** The command, path or prompt of a record, cut. */
function lineAbout(record: LedgerRecord, tool: JsonObject, refusing: JsonObject[]): string {
  const body = record.body as JsonObject;
  const input = isObject(tool["input"]) ? tool["input"] : {};
  const named = ["command", "file_path", "path", "pattern", "query", "url", "description", "prompt"];
  const given = named.map((name) => asString(input[name])).find(Boolean);
  const prompt = isObject(body["prompt"]) ? asString(body["prompt"]["text"]) : undefined;
  const other = record.type === "event" ? asString(body["reason"]) : asString(body["what"] ?? body["reason"]);
  const text = given ?? prompt ?? other ?? asString(refusing[0]?.["what"]) ?? "";
  const folder = `${asString(body["cwd"]) ?? ""}/`;
  return (folder !== "/" && text.startsWith(folder) ? text.slice(folder.length) : text)
    .replace(/\s+/g, " ")
    .slice(0, 140);
}

/** A short name for a ledger that has none of its own. */
export const ledgerKey = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
