// Time limits nest: each one ends before the limit of whoever waits for it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "./limits.js";

const { host, request, server, judge, adopted, record, recordAlone, margin } = limits;

const nesting: [inner: string, ms: number, outer: string, limit: number][] = [
  ["reading a request, then answering it", request + server, "the host", host],
  ["judging, then waiting for the record", judge + record + margin, "the server", server],
  ["adopted hooks, then judging once more", adopted + judge + margin, "the server", server],
  ["judging in a hook process, then waiting for the record", judge + recordAlone + margin, "the host", host],
  ["judging, then waiting for the record", judge + record, "the check for stuck workers", limits.stuckWorker],
  ["killing a stuck worker, then judging again", limits.stuckWorker + judge, "the server", server],
  ["a request nobody took", limits.spoolTaken, "a request nobody answered", limits.spoolAnswer],
  ["judging for a caller in the spool", judge + margin, "that caller", limits.spoolAnswer],
  ["the shim: the server, then its own process", limits.spoolAnswer + limits.shimAlone, "the host", host],
  ["judging in the shim's own process", judge + margin, "the shim", limits.shimAlone],
  ["waiting for a turn, then judging", limits.turn + judge + margin, "the host", host],
  [
    "waiting for a turn in the shim's own process, then judging",
    limits.turnAlone + judge + margin,
    "the shim",
    limits.shimAlone,
  ],
];

for (const [inner, ms, outer, limit] of nesting)
  test(`${inner} ends before the limit of ${outer}`, () => assert.ok(ms < limit, `${ms} ms is not below ${limit} ms`));
