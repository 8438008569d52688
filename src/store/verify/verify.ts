// Checks a whole record, streaming: every line, the chain, the state it folds to, and the files beside it.
// Invariant: changes nothing, flat memory; holds the lock only for the last lines and the comparison with the files.

import { StoreFault } from "../fault.js";
import { exists, type Io, realIo } from "../io.js";
import { readSeal, recordKeys, type Seal } from "../key/seal.js";
import { readKey } from "../key/signing-key.js";
import { type Layout, layout, segments } from "../layout.js";
import { canonical } from "../ledger/canonical-json.js";
import { Chain, type Damage } from "../ledger/chain.js";
import type { SigningKey } from "../ledger/frame.js";
import { segmentLines, segmentSize } from "../ledger/line-reader.js";
import { type Lock, takeLock, uncleanPath } from "../lock/lock.js";
import { systemClock } from "../record-clock.js";
import type { HighWaterMark, Read } from "../signed-files.js";
import { readMark } from "../state/high-water-mark.js";
import { readSnapshotFile } from "../state/journal.js";
import { archiveLost, wholeState } from "../state/session-archive.js";
import type { Finding, StorePlace } from "../types.js";
import { type Anchor, type Anchoring, isAboutRecord } from "./checkpoints.js";
import { TextCheck, type TextCounts, type TextRun } from "./text-check.js";

export interface VerifyReport {
  verdict: "intact" | "findings" | "tampered";
  records: number;
  good: number;
  segments: number;
  head: { seq: number; hash: string } | undefined;
  /** The first damage nobody has accepted. */
  firstBad: Damage | undefined;
  /** Damage not accepted, oldest first; `damageCount` counts all of it, the list is cut. */
  damage: Damage[];
  damageCount: number;
  /** Damage a person accepted in a `recover` record. */
  accepted: number;
  findings: Finding[];
  anchoring: Anchoring;
  /** Texts beside the ledger that are not what was written. */
  texts: TextCounts;
}

export interface VerifyOptions {
  io?: Io;
  /** Stop at the first damage. */
  first?: boolean;
  /** Checkpoints found outside the record. */
  anchors?: readonly Anchor[];
  /** Shown once by `seal`: checks the signatures of sealed segments too, which this machine alone no longer can. */
  seed?: string;
  progress?: (done: { records: number; bytes: number; totalBytes: number }) => void;
}

const progressEvery = 20_000;

export function verify(place: StorePlace, options: VerifyOptions = {}): VerifyReport {
  const io = options.io ?? realIo;
  const at = layout(place);
  const found = readKey(io, at.home);
  const key = found === "bad" ? undefined : found;
  const seal = key && readSeal(io, at, key);
  const ours = (options.anchors ?? []).filter((one) => isAboutRecord(one, key, at.id));
  const anchors = new Map(ours.map((one) => [one.seq, one]));
  const texts = new TextCheck(io, at);
  const keys = recordKeys(key, options.seed ? seeded(options.seed) : seal);
  const chain = new Chain(at, keys, anchors, (segment, record) => texts.take(segment, record));
  const reader = new Reader(io, at, chain, options);
  reader.read(false);
  const lock = lockBriefly(io, at);
  try {
    reader.read(true);
    chain.end();
    const unclean = lock?.takenOver === true || exists(io, uncleanPath(at.folder));
    const anchored = ours.reduce((most, one) => Math.max(most, one.seq), 0);
    const anchoring = {
      anchors: ours.length,
      foreign: (options.anchors?.length ?? 0) - ours.length,
      last: chain.anchored,
    };
    const found = report(io, at, key, chain, reader.segments, anchored, unclean);
    const renamed = options.first && found.firstBad ? [] : renamedSegments(reader.numbers, chain);
    texts.end();
    const findings = [...found.findings, ...renamed, ...(options.first && found.firstBad ? [] : texts.findings())];
    return { ...found, verdict: verdictOf(findings), findings, anchoring, texts: texts.counts };
  } finally {
    // a dead writer's lock stays the sign that the files may be one record apart, until a writer repairs them
    if (lock?.takenOver) lock.abandon();
    else lock?.release();
  }
}

function verdictOf(findings: readonly Finding[]): VerifyReport["verdict"] {
  const levels = findings.map(({ level }) => level);
  return levels.includes("tampering") ? "tampered" : levels.includes("degraded") ? "findings" : "intact";
}

/** Segments are numbered from 1 without a gap, except where a record starts from a base. */
function renamedSegments(numbers: readonly number[], chain: Chain): Finding[] {
  const name = (n: number) => `${String(n).padStart(8, "0")}.jsonl`;
  return numbers.flatMap((number, i): Finding[] => {
    const wanted = (numbers[i - 1] ?? 0) + 1;
    if (number === wanted || chain.based.has(number) || (chain.acceptedUpTo > 0 && number <= chain.acceptedUpTo))
      return [];
    const what = `The segment ${name(number)} stands where ${name(wanted)} belongs: it was renamed.`;
    return [{ kind: "segment-renamed", level: "tampering", what, remedy: `Name it ${name(wanted)} again.` }];
  });
}

/** The seal as it was at first: everything after follows from it. */
function seeded(text: string): Seal {
  const [, from, key] = /^(\d+)-([0-9a-f]{64})$/.exec(text) ?? [];
  if (!from || !key)
    throw new StoreFault(
      "bad-record",
      "The seed is not one that `interlock seal` printed.",
      "Give it as printed: <number>-<64 hex digits>.",
    );
  return { from: Number(from), segment: Number(from), key: Buffer.from(key, "hex") };
}

/** What nobody has accepted yet, for a person who is about to: damage, and records whose texts are altered or missing.
 * Called under the lock. */
export function unacceptedDamage(io: Io, at: Layout, key: SigningKey): { damage: Damage[]; texts: TextRun[] } {
  const texts = new TextCheck(io, at);
  const keys = recordKeys(key, readSeal(io, at, key));
  const chain = new Chain(at, keys, undefined, (segment, record) => texts.take(segment, record));
  new Reader(io, at, chain, {}).read(true);
  texts.end();
  return { damage: chain.damage, texts: texts.runs() };
}

/** Feeds the chain; a second call goes on where the first ended. */
class Reader {
  segments = 0;
  /** Segments as their files are numbered. */
  numbers: number[] = [];
  private segment = 0;
  private offset = 0;
  private bytes = 0;

  constructor(
    private readonly io: Io,
    private readonly at: Layout,
    private readonly chain: Chain,
    private readonly options: VerifyOptions,
  ) {}

  /** `last`: nobody writes meanwhile, so an unfinished line at the end is what it is. */
  read(last: boolean): void {
    const numbers = segments(this.io, this.at);
    this.segments = numbers.length;
    this.numbers = numbers;
    const totalBytes = numbers.reduce((sum, n) => sum + segmentSize(this.io, this.at, n), 0);
    for (const segment of numbers) {
      if (segment < this.segment) continue;
      const from = segment === this.segment ? this.offset : 0;
      for (const line of segmentLines(this.io, this.at, segment, from)) {
        const final = segment === numbers.at(-1);
        if (final && !line.whole && !last) return;
        if (this.options.first && this.chain.damageCount) return;
        this.chain.take(segment, line, final);
        this.segment = segment;
        this.offset = line.end;
        this.bytes += line.end - line.start;
        if (this.chain.records % progressEvery === 0)
          this.options.progress?.({ records: this.chain.records, bytes: this.bytes, totalBytes });
      }
    }
  }
}

/** Undefined where there is nothing to lock or no right to: then the files are compared as they are. */
function lockBriefly(io: Io, at: Layout): Lock | undefined {
  if (!exists(io, at.folder)) return undefined;
  try {
    return takeLock(io, at.folder, systemClock, 2_000);
  } catch (error) {
    if (error instanceof StoreFault) return undefined;
    throw error;
  }
}

function report(
  io: Io,
  at: Layout,
  key: SigningKey | undefined,
  chain: Chain,
  count: number,
  anchored: number,
  unclean: boolean,
): Omit<VerifyReport, "anchoring" | "texts" | "verdict"> {
  const state = readSnapshotFile(io, at.state, key, at.id);
  const backup = readSnapshotFile(io, at.backup, key, at.id);
  const mark = readMark(io, at, key);
  const files: [string, Read<HighWaterMark>][] = [
    ["snapshot", state],
    ["backup", backup],
    ["mark", mark],
  ];
  const findings: Finding[] = [];
  const tampering = (kind: string, what: string, seq?: number) =>
    findings.push({ kind, level: "tampering", what, seq });
  const reached = chain.last?.seq ?? 0;
  const known = Math.max(anchored, ...files.map(([, file]) => (file.status === "ok" ? file.value.seq : 0)));
  const something =
    chain.records > 0 || count > 0 || files.some(([, file]) => file.status !== "missing") || anchored > 0;
  if (!something)
    return {
      records: 0,
      good: 0,
      segments: 0,
      head: undefined,
      firstBad: undefined,
      damage: [],
      damageCount: 0,
      accepted: 0,
      findings,
    };

  if (!key) tampering("key-missing", `There is no usable signing key in ${at.home}; signatures cannot be checked.`);
  const underWay = reached === 1 || (state.status === "ok" && state.value.seq === reached);
  for (const [name, file] of files) {
    if (file.status === "ok" && file.flaw && !unclean)
      tampering(`${name}-altered`, `The ${name} is damaged: ${file.flaw.what}.`);
    if (unclean && (file.status === "ok" ? file.value.seq === reached - 1 : file.status === "missing" && underWay))
      continue;
    if (file.status === "missing") tampering(`${name}-missing`, `The ${name} is missing.`);
    if (file.status === "altered" && key)
      tampering(`${name}-altered`, `The ${name} is not authentic: it ${file.what}.`);
    if (file.status === "ok" && file.value.seq < reached)
      tampering(`${name}-rolled-back`, `The ${name} stands at record ${file.value.seq}, the ledger at ${reached}.`);
    if (file.status === "ok" && file.value.seq === reached && chain.last && file.value.hash !== chain.last.hash)
      tampering(`${name}-forked`, `The ${name} names another record ${reached} than the ledger holds.`, reached);
  }
  if (known > reached && !chain.damageCount) {
    const start = chain.torn?.start ?? 0;
    chain.add({
      seq: reached + 1,
      segment: chain.torn?.segment ?? 0,
      start,
      problem: "gap",
      what: `records ${reached + 1} to ${known} are missing from the end`,
      digest: "",
    });
  }
  const whole = state.status === "ok" ? wholeState(io, at, state.value) : undefined;
  if (whole?.lost.length) tampering("sessions-altered", archiveLost(whole.lost).what);
  else if (
    state.status === "ok" &&
    chain.state &&
    state.value.seq === reached &&
    canonical(whole!.state) !== canonical(chain.state)
  )
    tampering("snapshot-differs", "The snapshot holds another state than the ledger folds to.", reached);
  if (chain.torn && known <= reached)
    findings.push({
      kind: "torn-tail",
      level: "notice",
      what: `An unfinished record ${chain.torn.seq} stands at the end of segment ${chain.torn.segment}.`,
      seq: chain.torn.seq,
    });
  findings.push(...chain.notices);
  const first = chain.damage[0];
  if (first)
    tampering(
      `record-${first.problem}`,
      `Record ${first.seq} (segment ${first.segment}, byte ${first.start}): ${first.what}.`,
      first.seq,
    );
  return {
    records: chain.records,
    good: chain.good,
    segments: count,
    head: chain.last && { seq: chain.last.seq, hash: chain.last.hash },
    firstBad: first,
    damage: chain.damage,
    damageCount: chain.damageCount,
    accepted: chain.accepted,
    findings,
  };
}
