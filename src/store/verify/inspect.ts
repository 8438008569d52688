// Looks at everything a project's record consists of and says what is authentic, what is missing and where to go on.
// Invariant: reads only. The state it names is the newest authentic one; anything else becomes a finding, never a
// reset.

import type { Io } from "../io.js";
import { readSeal, recordKeys } from "../key/seal.js";
import { type Layout, segments } from "../layout.js";
import type { SigningKey } from "../ledger/frame.js";
import { type Stop, segmentSize, walk, walkFromBase } from "../ledger/line-reader.js";
import type { Head, HighWaterMark, Read } from "../signed-files.js";
import { standsAt } from "../state/head.js";
import { readMark } from "../state/high-water-mark.js";
import { readSnapshotFile } from "../state/journal.js";
import { archiveLost } from "../state/session-archive.js";
import type { Finding } from "../types.js";

export interface Survey {
  /** Nothing was ever recorded here. */
  fresh: boolean;
  /** Something was recorded, and nothing of it can be trusted. */
  nothingAuthentic: boolean;
  /** Newest point known to have existed, with the newest authentic state. */
  head: Head | undefined;
  /** The state is older than that point. */
  locked: boolean;
  /** The ledger does not reach the head: go on in a new segment, from a base. */
  needsBase: boolean;
  /** Where a new segment may begin. */
  nextSegment: number;
  /** Highest record any file speaks of, authentic or not. */
  claimedSeq: number;
  count: number;
  /** Empty segments at the end, left by a writer that died before its first record there. */
  strays: number[];
  /** Files differ from the head and have to be written again. */
  repair: boolean;
  torn: Stop | undefined;
  findings: Finding[];
}

/** `allowance`: a writer died or failed half-way, so the files may be one record apart. */
export function survey(io: Io, at: Layout, key: SigningKey | undefined, allowance: boolean): Survey {
  const all = segments(io, at);
  const found = withoutEmptyEnd(io, at, all);
  const state = readSnapshotFile(io, at.state, key, at.id);
  const backup = readSnapshotFile(io, at.backup, key, at.id);
  const mark = readMark(io, at, key);
  const files: Files = [
    ["snapshot", state],
    ["backup", backup],
    ["mark", mark],
  ];
  const noFiles = files.every(([, file]) => file.status === "missing");
  const { head: reached, stop, whole, lost } = readLedger(io, at, key, found, state, backup);
  const torn = stop?.problem === "torn" ? stop : undefined;
  const broken = stop && !torn ? stop : undefined;
  const claimed = files.flatMap(([, file]) =>
    file.status === "ok" ? [file.value] : file.status === "altered" && file.claims ? [file.claims] : [],
  );
  const common = {
    nextSegment: Math.max(0, all.at(-1) ?? 0, ...claimed.map((claim) => claim.segment)) + 1,
    claimedSeq: Math.max(0, ...claimed.map((claim) => claim.seq)),
    count: all.length,
    strays: all.slice(found.length),
    torn,
  };
  const unfinishedFirst = allowance && torn?.seq === 1;
  if (noFiles && (found.length === 0 || unfinishedFirst))
    return {
      ...common,
      fresh: true,
      nothingAuthentic: false,
      head: undefined,
      locked: false,
      needsBase: false,
      repair: false,
      findings: [],
    };

  const authentic = files.flatMap(([, file]) => (file.status === "ok" ? [file.value] : []));
  const target = Math.max(0, reached?.seq ?? 0, ...authentic.map((one) => one.seq));
  const findings = [
    ...judgeFiles(files, reached, target, allowance),
    ...judgeLedger(found, reached, broken, target, whole),
    ...(lost.length ? [archiveLost(lost)] : []),
  ];

  const marked = mark.status === "ok" && mark.value.seq === target ? mark.value : undefined;
  const states = [reached, ...[state, backup].map((one) => (one.status === "ok" ? one.value : undefined))]
    .filter((one) => one !== undefined)
    .sort((a, b) => b.seq - a.seq);
  const targetHash = marked?.hash ?? states[0]?.hash;
  const best = states.find((one) => one.seq === target && one.hash === targetHash);
  const known = best ?? states[0] ?? (marked ? emptyHead : undefined);
  return {
    ...common,
    fresh: false,
    nothingAuthentic: known === undefined,
    head: known && { ...known, seq: target, hash: targetHash ?? known.hash },
    locked: best === undefined || lost.length > 0,
    needsBase: best === undefined || best !== reached || broken !== undefined || !whole,
    repair: files.some(
      ([, file]) => file.status !== "ok" || file.flaw || file.value.seq !== target || file.value.hash !== targetHash,
    ),
    findings,
  };
}

type Files = [name: string, file: Read<HighWaterMark>][];

function judgeFiles(files: Files, reached: Head | undefined, target: number, allowance: boolean): Finding[] {
  const late = allowance && reached?.seq === target;
  const snapshot = files.find(([name]) => name === "snapshot")?.[1];
  const underWay = late && (target === 1 || (snapshot?.status === "ok" && snapshot.value.seq === target));
  return files.flatMap(([name, file]) => {
    if (file.status === "missing") return underWay ? [] : [finding(name, "missing", `The ${name} is missing.`)];
    if (file.status === "altered") return [finding(name, "altered", `The ${name} is not authentic: it ${file.what}.`)];
    const { seq, hash } = file.value;
    if (seq < target && !(late && seq === target - 1))
      return [finding(name, "rolled-back", `The ${name} was put back to record ${seq}; record ${target} is known.`)];
    if (seq === reached?.seq && hash !== reached.hash)
      return [finding(name, "forked", `The ${name} names another record ${seq} than the ledger holds.`)];
    return file.flaw && !allowance ? [finding(name, "altered", `The ${name} is damaged: ${file.flaw.what}.`)] : [];
  });
}

function judgeLedger(
  found: number[],
  reached: Head | undefined,
  broken: Stop | undefined,
  target: number,
  whole: boolean,
): Finding[] {
  if (broken) {
    const where = `Record ${broken.seq} of the ledger (segment ${broken.segment}, byte ${broken.start})`;
    return [{ ...finding("ledger", "altered", `${where} ${broken.what}.`), seq: broken.seq }];
  }
  if (found.length === 0) return [finding("ledger", "missing", "The ledger is missing.")];
  if (!reached)
    return [finding("ledger", "altered", `The ledger does not hold record ${target} where it was written.`)];
  if (reached.seq < target)
    return [finding("ledger", "rolled-back", `The ledger ends at record ${reached.seq}; record ${target} is known.`)];
  return whole ? [] : [finding("ledger", "altered", "Segments of the ledger are missing or were added.")];
}

/** The ledger from the newest snapshot whose record is in it; without one, from the newest record with its own base, or
 * from the beginning. */
function readLedger(io: Io, at: Layout, key: SigningKey | undefined, found: number[], ...states: Read<Head>[]) {
  const anchors = states.flatMap((one) => (one.status === "ok" ? [one.value] : [])).sort((a, b) => b.seq - a.seq);
  const anchor = anchors.find((one) => found.includes(one.segment) && standsAt(io, at, one).place !== "no");
  if (!anchor && (anchors.length || !key)) return { head: undefined, stop: undefined, whole: false, lost: [] };
  const seal = key && readSeal(io, at, key);
  const keys = recordKeys(key, seal);
  if (!anchor) {
    const { head, stop, lost } = walkFromBase(io, at, keys, found);
    return { head: head && { ...head, sealed: seal?.from }, stop, whole: true, lost };
  }
  const whole = found.filter((n) => n <= anchor.segment).length === anchor.count;
  return { ...walk(io, at, keys, found, anchor), whole };
}

function withoutEmptyEnd(io: Io, at: Layout, all: number[]): number[] {
  let end = all.length;
  while (end > 0 && segmentSize(io, at, all[end - 1]!) === 0) end--;
  return all.slice(0, end);
}

const emptyHead: Head = {
  seq: 0,
  hash: "",
  count: 0,
  segment: 0,
  start: 0,
  end: 0,
  lines: 0,
  state: {},
  live: {},
  archive: {},
  time: "",
  mono: "0",
  boot: "",
};

const finding = (part: string, fate: string, what: string): Finding => ({
  kind: `${part}-${fate}`,
  level: "tampering",
  what,
  remedy: "Find out who did it, then run `interlock recover --reason <text>`.",
});
