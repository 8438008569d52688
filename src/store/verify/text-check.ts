// Compares the texts beside the ledger with the digests in its records.
// Invariant: reads only. A text that is there matches its digest or was altered; one that is not there was erased on
// record, lost in a power cut or is missing. One byte of memory for each record, and the records of one segment.
import type { Io } from "../io.js";
import type { Layout } from "../layout.js";
import { matchesDigest, type SideText, textsBeside } from "../ledger/side-texts.js";
import type { Finding, LedgerRecord } from "../types.js";

/** How many records have texts that are not what was written. */
export interface TextCounts {
  altered: number;
  /** Gone, and no erasure says so. */
  missing: number;
  /** Gone with a power cut. */
  lost: number;
}

const intact = 0;
const altered = 1;
const missing = 2;
const lost = 3;

/** What was written so shortly before a restart may be gone. */
const unsettled = 120_000;
const remedy = "Find out who did it, then run `interlock recover --reason <text>`.";

export type TextRun = [from: number, to: number];
type Expected = Pick<LedgerRecord, "seq" | "time" | "boot" | "texts">;

export class TextCheck {
  /** By number of the record. */
  private fates = new Uint8Array(1024);
  private segment = 0;
  private expected: Expected[] = [];
  private last: Expected | undefined;
  /** Records of the last two minutes whose texts are not there. */
  private recent: Expected[] = [];
  private erased: TextRun[] = [];
  private accepted: TextRun[] = [];

  constructor(
    private readonly io: Io,
    private readonly at: Layout,
  ) {}

  /** Every authentic record, in order. */
  take(segment: number, record: LedgerRecord): void {
    if (segment !== this.segment) this.closeSegment();
    this.segment = segment;
    const { seq, time, boot, texts } = record;
    this.expected.push({ seq, time, boot, texts });
    if (record.type === "erase") this.erased.push(...runsOf(record));
    if (record.type === "recover") this.accepted.push(...runsOf(record));
  }

  /** After the last record. */
  end(): void {
    this.closeSegment();
    this.excuse(this.erased, [missing]);
    this.excuse(this.accepted, [missing, altered]);
  }

  get counts(): TextCounts {
    const counts: TextCounts = { altered: 0, missing: 0, lost: 0 };
    for (const fate of this.fates)
      if (fate === altered) counts.altered++;
      else if (fate === missing) counts.missing++;
      else if (fate === lost) counts.lost++;
    return counts;
  }

  findings(): Finding[] {
    const counts = this.counts;
    const about = (fate: number, n: number) =>
      n === 1 ? `record ${this.fates.indexOf(fate)}` : `${n} records, the first is ${this.fates.indexOf(fate)}`;
    const found: Finding[] = [];
    if (counts.altered) {
      const what = `Texts beside the ledger were altered: they don't match ${about(altered, counts.altered)}.`;
      found.push({ kind: "texts-altered", level: "tampering", what, remedy, seq: this.fates.indexOf(altered) });
    }
    if (counts.missing) {
      const what = `Texts are missing and were not erased by Interlock: ${about(missing, counts.missing)}.`;
      found.push({ kind: "texts-missing", level: "degraded", what, remedy, seq: this.fates.indexOf(missing) });
    }
    if (counts.lost) {
      const what = `Texts were lost when the machine stopped: ${about(lost, counts.lost)}.`;
      found.push({ kind: "texts-lost", level: "notice", what, seq: this.fates.indexOf(lost) });
    }
    return found;
  }

  /** Records whose texts are altered or missing, for a person who is about to accept it. */
  runs(): TextRun[] {
    const runs: TextRun[] = [];
    for (const [seq, fate] of this.fates.entries()) {
      if (fate !== altered && fate !== missing) continue;
      const last = runs.at(-1);
      if (last?.[1] === seq - 1) last[1] = seq;
      else runs.push([seq, seq]);
    }
    return runs;
  }

  private closeSegment(): void {
    const { entries, strange } = this.expected.some(({ texts }) => texts)
      ? textsBeside(this.io, this.at, this.segment)
      : { entries: [], strange: false };
    const bySeq = new Map<number, SideText[]>();
    for (const entry of entries) bySeq.set(entry.seq, [...(bySeq.get(entry.seq) ?? []), entry]);
    const own = new Set(this.expected.map(({ seq }) => seq));
    const damaged = strange || entries.some(({ seq }) => !own.has(seq));
    for (const record of this.expected) {
      if (this.last && this.last.boot !== record.boot) this.afterRestart(this.last);
      this.last = record;
      const fate = fateOf(record, bySeq.get(record.seq) ?? [], damaged);
      if (fate !== intact) this.set(record, fate);
    }
    this.expected = [];
  }

  private set(record: Expected, fate: number): void {
    if (record.seq >= this.fates.length) {
      const larger = new Uint8Array(Math.max(record.seq + 1, this.fates.length * 2));
      larger.set(this.fates);
      this.fates = larger;
    }
    this.fates[record.seq] = fate;
    this.recent = this.recent.filter((one) => isShortlyBefore(one, record));
    this.recent.push(record);
  }

  private afterRestart(last: Expected): void {
    for (const record of this.recent) if (isShortlyBefore(record, last)) this.fates[record.seq] = lost;
    this.recent = [];
  }

  private excuse(runs: TextRun[], fates: readonly number[]): void {
    let done = 0;
    for (const [from, to] of runs.sort(([a], [b]) => a - b)) {
      const end = Math.min(to, this.fates.length - 1);
      for (let seq = Math.max(from, done + 1); seq <= end; seq++)
        if (fates.includes(this.fates[seq]!)) this.fates[seq] = intact;
      done = Math.max(done, end);
    }
  }
}

function fateOf({ time, texts }: Expected, entries: SideText[], damaged: boolean): number {
  let fate = intact;
  for (const [name, digest] of Object.entries(texts ?? {})) {
    const its = entries.filter((entry) => entry.name === name || !Object.hasOwn(texts!, entry.name));
    if (its.some((entry) => entry.name === name && entry.time === time && matchesDigest(entry, digest))) continue;
    if (fate !== altered) fate = its.length || damaged ? altered : missing;
  }
  return fate;
}

const isShortlyBefore = (one: Expected, other: Expected): boolean =>
  Date.parse(other.time) - Date.parse(one.time) <= unsettled;

/** The records a record speaks of: those before it that it names. Releases that named none may have erased any. */
function runsOf({ type, seq, body }: LedgerRecord): TextRun[] {
  const gone = body["gone"];
  if (gone === undefined && type === "erase") return [[1, seq - 1]];
  if (!Array.isArray(gone)) return [];
  return gone.flatMap((run): TextRun[] => {
    const [from, to] = Array.isArray(run) ? run : [];
    return Number.isInteger(from) && Number.isInteger(to) ? [[Number(from), Math.min(Number(to), seq - 1)]] : [];
  });
}
