// The index of a trace file answers as a scan of the file does, whatever happened to the file or to the index.
import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { intentsOf, intentUri, parseTraceLine, pathsOf, type TraceRecord } from "../trace-record.js";
import { openTraceIndex, type TraceIndex } from "./trace-index.js";

const place = temporary("trace-index");
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const strict = (n: number, intents = 40, paths = 90): TraceRecord => ({
  version: "0.1.0",
  id: uuid(n),
  timestamp: new Date(1_770_000_000_000 + n).toISOString(),
  files: [
    {
      path: `src/m${n % paths}.ts`,
      conversations: [
        {
          contributor: { type: "ai" },
          ranges: [{ start_line: 1, end_line: (n % 9) + 1 }],
          ...(n % 3 === 0 && { related: [{ type: "intent", url: intentUri(`INT-${n % intents}`) }] }),
        },
      ],
    },
  ],
  ...(n % 3 && {
    metadata: {
      "dev.interlock": {
        intent_id: `INT-${n % intents}`,
        mutation_class: "INTENT_EVOLUTION" as const,
        ...(n % 50 === 1 && { deleted: [{ path: `src/gone${n % paths}.ts`, lines: 3 }] }),
      },
    },
  }),
});

const dialect = (n: number): object => ({
  id: uuid(n),
  timestamp: "2026-01-02T03:04:05Z",
  vcs: { revision_id: "abc" },
  files: [
    {
      relative_path: `src/m${n % 90}.ts`,
      conversations: [
        {
          url: "session-1",
          contributor: { entity_type: "AI", model_identifier: "m" },
          ranges: [{ start_line: 1, end_line: 2, content_hash: "ab" }],
          related: [{ type: "specification", value: `INT-${n % 40}` }],
        },
      ],
    },
  ],
});

/** Lines as they come: records, the dialect, repeated ones, and what is no record. */
function lines(from: number, to: number): string {
  let text = "";
  for (let n = from; n < to; n++) {
    if (n % 97 === 0) text += "not a record\n";
    if (n % 101 === 0) text += '{"version":"0.1.0","id":"torn\n';
    if (n % 103 === 0) text += "\n";
    text += `${JSON.stringify(n % 11 === 0 ? dialect(n) : strict(n))}\n`;
    if (n % 211 === 0 && n) text += `${JSON.stringify(strict(n - 1))}\n`;
  }
  return text;
}

/** What a reader without an index would answer: a record that is there twice counts at its last place. */
function scan(file: string): (concerns: (record: TraceRecord) => boolean) => string[] {
  const records = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => parseTraceLine(line) ?? []);
  return (concerns) => {
    const concerned = records.filter(concerns).map(({ id }) => id);
    return concerned.filter((id, i) => concerned.lastIndexOf(id) === i);
  };
}

const ids = (records: readonly TraceRecord[]): string[] => records.map(({ id }) => id);

function assertLikeScan(index: TraceIndex, file: string): void {
  const found = scan(file);
  for (const intent of ["INT-0", "INT-7", "INT-39", "INT-99", ""]) {
    const expected = found((record) => intentsOf(record).includes(intent));
    assert.deepEqual(ids(index.ofIntent(intent)), expected, intent);
    assert.deepEqual(ids(index.ofIntent(intent, 10)), expected.slice(-10), `the last of ${intent}`);
  }
  for (const path of ["src/m0.ts", "src/m89.ts", "src/gone1.ts", "src/none.ts"])
    assert.deepEqual(
      ids(index.ofFile(path)),
      found((record) => pathsOf(record).includes(path)),
      path,
    );
}

interface Made {
  file: string;
  folder: string;
  /** Opens, compares with a scan, and returns how much of the file was read for it. */
  check(): Promise<{ read: number; counts: TraceIndex["counts"] }>;
}

function made(text: string): Made {
  const folder = mkdtempSync(join(place, "i-"));
  const file = join(folder, "agent_trace.jsonl");
  writeFileSync(file, text);
  return {
    file,
    folder,
    async check() {
      let first: number | undefined;
      let last = 0;
      const index = await openTraceIndex(file, {
        folder,
        progress: (done, total) => {
          first ??= done;
          last = done;
          assert.ok(done <= total);
        },
      });
      try {
        assertLikeScan(index, file);
        return { read: first === undefined ? 0 : last, counts: index.counts };
      } finally {
        index.close();
      }
    },
  };
}

const shardsIn = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".shard"));

const listed = (folder: string): { covered: number; shards: { lines: number }[] } => {
  const name = (readdirSync(folder, { recursive: true }) as string[]).find((one) => one.endsWith("index.json"));
  return JSON.parse(readFileSync(join(folder, name!), "utf8"));
};

test("20,000 records: answers as a scan, before and after every kind of change to the file", async () => {
  const it = made(lines(0, 20_000));
  const { counts } = await it.check();
  const all = readFileSync(it.file, "utf8").split("\n").slice(0, -1);
  assert.equal(counts.lines, all.length);
  assert.equal(counts.records, all.filter((line) => parseTraceLine(line)).length);
  assert.equal(counts.dialect, all.filter((line) => line.includes("relative_path")).length);
  assert.equal(counts.duplicates, Math.floor(19_999 / 211));
  assert.equal(counts.unreadable, Math.ceil(20_000 / 97) + Math.ceil(20_000 / 101));
  assert.equal(listed(it.folder).covered, statSync(it.file).size);

  assert.equal((await it.check()).read, 0, "nothing is read again");

  appendFileSync(it.file, lines(20_000, 20_010));
  await it.check();
  assert.ok(listed(it.folder).covered < statSync(it.file).size, "a few lines stay unindexed");
  appendFileSync(it.file, lines(20_010, 21_000));
  await it.check();
  assert.equal(listed(it.folder).covered, statSync(it.file).size);

  truncateSync(it.file, Math.floor(statSync(it.file).size / 2));
  await it.check();
  writeFileSync(it.file, lines(5_000, 9_000));
  await it.check();
  const text = readFileSync(it.file, "utf8");
  const cut = text.indexOf("\n", text.length / 2) + 1;
  writeFileSync(it.file, `${text.slice(0, cut)}${JSON.stringify(strict(77_777))}\n${text.slice(cut)}`);
  await it.check();
  rmSync(it.file);
  const empty = await openTraceIndex(it.file, { folder: it.folder });
  assert.deepEqual(empty.ofIntent("INT-0"), []);
  empty.close();
});

test("many small appends make few shards", async () => {
  const it = made(lines(0, 300));
  for (let n = 300; n < 8_000; n += 350) {
    appendFileSync(it.file, lines(n, n + 350));
    const index = await openTraceIndex(it.file, { folder: it.folder });
    index.close();
  }
  await it.check();
  assert.ok(listed(it.folder).shards.length <= 6, String(listed(it.folder).shards.length));
});

test("a last line without a line break counts where it is a record, and again when it is whole", async () => {
  const it = made(lines(0, 400));
  const whole = JSON.stringify(strict(40_007));
  appendFileSync(it.file, whole.slice(0, 60));
  await it.check();
  appendFileSync(it.file, whole.slice(60));
  await it.check();
  appendFileSync(it.file, `\n${lines(41_000, 41_300)}`);
  await it.check();
});

test("a damaged, missing or foreign index is built anew", async () => {
  const it = made(lines(0, 2_000));
  await it.check();
  const path = () => join(it.folder, shardsIn(it.folder).at(-1)!);
  truncateSync(path(), statSync(path()).size - 5);
  await it.check();
  for (const name of shardsIn(it.folder)) rmSync(join(it.folder, name));
  await it.check();
  const list = (readdirSync(it.folder, { recursive: true }) as string[]).find((one) => one.endsWith("index.json"))!;
  for (const text of ["", "{}", '{"version":0}', "[1]"]) {
    writeFileSync(join(it.folder, list), text);
    await it.check();
  }
});

test("a line edited in place: the index that led to it is given up", async () => {
  const it = made(lines(0, 6_000));
  await it.check();
  const text = readFileSync(it.file, "utf8");
  const at = text.indexOf('"src/m88.ts"', text.length / 3);
  writeFileSync(it.file, `${text.slice(0, at)}"src/m87.ts"${text.slice(at + 12)}`);
  const index = await openTraceIndex(it.file, { folder: it.folder });
  const stale = scan(it.file)((record) => pathsOf(record).includes("src/m88.ts"));
  assert.deepEqual(ids(index.ofFile("src/m88.ts")), stale, "a line that no longer fits is not an answer");
  index.close();
  await it.check();
});

test("processes that open at the same time agree, and old shards go after a while", async () => {
  const it = made(lines(0, 3_000));
  await Promise.all([it.check(), it.check(), it.check()]);
  for (const name of shardsIn(it.folder)) utimesSync(join(it.folder, name), 1, 1);
  appendFileSync(it.file, lines(3_000, 6_000));
  await it.check();
  for (const name of shardsIn(it.folder)) utimesSync(join(it.folder, name), 1, 1);
  appendFileSync(it.file, lines(6_000, 6_400));
  await it.check();
  assert.ok(shardsIn(it.folder).length <= listed(it.folder).shards.length + 1);
});

test("without a folder the index is made in memory", async () => {
  const it = made(lines(0, 1_000));
  const index = await openTraceIndex(it.file);
  assertLikeScan(index, it.file);
  index.close();
  assert.deepEqual(readdirSync(it.folder), ["agent_trace.jsonl"]);
});
