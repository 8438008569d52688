// `verify` of a long record against only hashing the same bytes, with the progress it shows and the memory it takes.
// Usage: verify.js [records]; 1,000,000 in the nightly run, 100,000 otherwise. Exits 1 when the record does not verify
// or takes more than 40 times the hashing.
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realIo } from "../src/store/io.js";
import { makeKey } from "../src/store/key/signing-key.js";
import { layout, segmentPath } from "../src/store/layout.js";
import { encodeLine, genesis } from "../src/store/ledger/frame.js";
import { formatVersion } from "../src/store/ledger/upgrade.js";
import { instant, systemClock } from "../src/store/record-clock.js";
import type { Head } from "../src/store/signed-files.js";
import { nextHead } from "../src/store/state/next-head.js";
import { rewriteAll } from "../src/store/state/update.js";
import type { LedgerRecord } from "../src/store/types.js";
import { verify } from "../src/store/verify/verify.js";

const records = Number(process.argv[2] ?? (process.env["INTERLOCK_NIGHTLY"] ? 1_000_000 : 100_000));
const perSegment = 10_000;
const home = mkdtempSync(join(tmpdir(), "interlock-bench-"));
const place = { home, id: "0123456789abcdef" };
const at = layout(place);

try {
  write();
  const hashed = timed(hashAlone);
  let shown = 0;
  const start = process.memoryUsage.rss();
  const checked = timed(() =>
    verify(place, {
      progress({ records: done, bytes, totalBytes }) {
        shown++;
        if (process.stderr.isTTY)
          process.stderr.write(`\r${done} records, ${Math.round((100 * bytes) / totalBytes)} %`);
      },
    }),
  );
  const report = checked.value;
  const ratio = checked.seconds / hashed.seconds;
  const grown = (process.memoryUsage.rss() - start) / 1e6;
  console.log(`| | records | seconds | a second |\n|---|---|---|---|`);
  for (const [name, { seconds }] of [
    ["hashing the bytes", hashed],
    ["verify", checked],
  ] as const)
    console.log(`| ${name} | ${records} | ${seconds.toFixed(2)} | ${Math.round(records / seconds)} |`);
  console.log(`ratio ${ratio.toFixed(1)} (limit 40), ${report.verdict}, memory +${grown.toFixed(0)} MB`);
  console.log(`${shown} reports of progress`);
  if (report.verdict !== "intact" || report.records !== records || ratio > 40 || shown < records / 50_000)
    process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The record as the store writes it, line by line, with the files beside it written once at the end. */
function write(): void {
  const key = makeKey(realIo, home);
  mkdirSync(at.ledger, { recursive: true });
  let head: Head | undefined;
  for (let segment = 1; (segment - 1) * perSegment < records; segment++) {
    const fd = openSync(segmentPath(at, segment), "a", 0o600);
    const lines = Math.min(perSegment, records - (segment - 1) * perSegment);
    let end = 0;
    const parts: Buffer[] = [];
    for (let i = 1; i <= lines; i++) {
      const seq: number = (head?.seq ?? 0) + 1;
      const unsealed = {
        v: formatVersion,
        seq,
        ...instant(systemClock),
        pid: process.pid,
        type: "event",
        host: "claude-code",
        session: `session-${seq % 7}`,
        ids: [`v-${seq}`],
        body: {
          event: "tool.before",
          hostEvent: "PreToolUse",
          cwd: "/home/user/project",
          tool: {
            name: "Bash",
            kind: "shell",
            id: `toolu_${seq}`,
            input: { command: `git status && ls src/${seq % 100}` },
          },
          verdict: { id: `v-${seq}`, outcome: "pass" },
          ms: 1,
        },
        patch: { [`engine/calls@session-${seq % 7}`]: { last: seq } },
        key: key.id,
        prev: head?.hash ?? genesis(at.id),
      };
      const { line, hash, mac } = encodeLine(key, at.id, unsealed);
      const place = { segment, count: segment, start: end, end: end + line.length, lines: i };
      head = nextHead(head, { ...unsealed, hash, mac } as LedgerRecord, place);
      end += line.length;
      parts.push(line);
    }
    writeSync(fd, Buffer.concat(parts));
    closeSync(fd);
  }
  rewriteAll({ io: realIo, at, key, nonce: "bench" }, head!, false).go();
}

function hashAlone(): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(1 << 20);
  for (const name of readdirSync(at.ledger)
    .filter((each) => each.endsWith(".jsonl"))
    .sort()) {
    const fd = openSync(join(at.ledger, name), "r");
    for (let n = readSync(fd, buffer); n > 0; n = readSync(fd, buffer)) hash.update(buffer.subarray(0, n));
    closeSync(fd);
  }
  return hash.digest("hex");
}

function timed<T>(work: () => T): { value: T; seconds: number } {
  const start = process.hrtime.bigint();
  const value = work();
  return { value, seconds: Number(process.hrtime.bigint() - start) / 1e9 };
}
