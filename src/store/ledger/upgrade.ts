// Versions of what is on disk: older ones are brought up step by step when read, newer ones are refused.
// Invariant: bytes on disk are never rewritten to upgrade them (the chain is over bytes); upgrading is a pure function
// of the parsed value.
import type { JsonObject } from "../../model/json.js";
import { StoreFault } from "../fault.js";
import { allLive } from "../state/session-archive.js";

export const formatVersion = 3;
/** The oldest release that reads what this one writes. */
export const readableSince = "0.1.0";

type Value = Record<string, unknown>;

/** `upgrades[n]` takes version n to n + 1. */
const recordUpgrades: ((old: Value) => Value)[] = [
  // 0 -> 1: the first drafts had `kind`, epoch milliseconds in `at`, and no list of ids.
  ({ kind, at, verdict, ...rest }) => ({
    ...rest,
    v: 1,
    type: kind,
    time: new Date(Number(at)).toISOString(),
    ...(typeof verdict === "string" ? { ids: [verdict] } : {}),
  }),
  asBefore, // 1 -> 2: snapshots became journals, the mark two files
  asBefore, // 2 -> 3: sessions left the snapshot, closed segments may be compressed
];

const stateUpgrades: ((old: Value) => Value)[] = [
  // 0 -> 1: the first drafts called the state `slices` and the place in the ledger `at: [segment, start, end]`.
  ({ slices, at, ...rest }) => {
    const [segment, start, end] = at as [number, number, number];
    return { ...rest, v: 1, count: segment, segment, start, end, state: slices };
  },
  asBefore,
  // 2 -> 3: every session stood in the snapshot.
  (old) => {
    const { state, seq, time } = old as { state: JsonObject; seq: number; time: string };
    return { ...old, v: 3, live: allLive(state, seq, time), archive: {} };
  },
];

const markUpgrades: ((old: Value) => Value)[] = [
  // 0 -> 1: the first drafts did not name the segment.
  (old) => ({ segment: 1, ...old, v: 1 }),
  asBefore,
  asBefore,
];

function asBefore(old: Value): Value {
  return { ...old, v: (old["v"] as number) + 1 };
}

export function upgradeRecord(value: Value): Value | { problem: "newer"; what: string } {
  return bring(value, recordUpgrades) ?? { problem: "newer", what: newerSentence("this record", value) };
}

export const upgradeState = (value: Value): Value => orRefuse(value, stateUpgrades, "The state file");
export const upgradeMark = (value: Value): Value => orRefuse(value, markUpgrades, "The high-water mark");

function orRefuse(value: Value, table: ((old: Value) => Value)[], what: string): Value {
  const result = bring(value, table);
  if (result) return result;
  throw new StoreFault(
    "newer-format",
    `${newerSentence(what, value)}.`,
    `Install agent-interlock ${needed(value)}; nothing was changed.`,
  );
}

const needed = ({ needs }: Value): string => (typeof needs === "string" ? `>= ${needs}` : "in its newest version");

const newerSentence = (what: string, value: Value): string =>
  `${what} was written by a newer Interlock (format ${String(value["v"])}, this one reads up to ${formatVersion})`;

function bring(value: Value, table: ((old: Value) => Value)[]): Value | undefined {
  let current = value;
  let version = Number.isInteger(value["v"]) ? (value["v"] as number) : Number.NaN;
  if (!(version >= 0 && version <= formatVersion)) return undefined;
  for (; version < formatVersion; version++) current = table[version]!(current);
  return current;
}
