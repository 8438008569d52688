// History of an intent and blame of a file by the index, against reading agent_trace.jsonl once; what building and
// keeping up the index costs; the class of a change of 1,000 lines.
// Usage: trace.js [records]; 1,000,000 in the nightly run, 100,000 otherwise. Exits 1 above a limit.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { classifyChange } from "../src/trace/classify/classify.js";
import { readLines } from "../src/trace/index/read-lines.js";
import { openTraceIndex, type TraceIndex } from "../src/trace/index/trace-index.js";
import { contentHash, intentUri, parseTraceLine, type TraceRecord } from "../src/trace/trace-record.js";
import { quantile } from "./measure.js";

const limit = 0.05;
const classifyLimitMs = 500;
/** An index that keeps everything in memory would be far above. */
const memoryLimitMB = 400;
const intents = 1_000;
const modules = 5_000;

if (process.argv[2] === "build") await buildOnly(process.argv[3]!, process.argv[4]!);
else
  process.exitCode = await bench(Number(process.argv[2] ?? (process.env["INTERLOCK_NIGHTLY"] ? 1_000_000 : 100_000)));

async function bench(records: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
  const file = join(folder, "agent_trace.jsonl");
  try {
    write(file, records);
    const mb = (bytes: number) => `${(bytes / (1 << 20)).toFixed(0)} MB`;
    console.log(`${records} records, ${mb(statSync(file).size)}\n`);

    const built = spawnSync(process.execPath, [process.argv[1]!, "build", file, folder], { encoding: "utf8" });
    if (built.status !== 0) throw new Error(built.stderr);
    const { ms, rssMB, shown } = JSON.parse(built.stdout) as { ms: number; rssMB: number; shown: number };
    const size = readdirSync(join(folder, "trace-index"), { recursive: true })
      .map((name) => statSync(join(folder, "trace-index", String(name))))
      .reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);

    const bytes = await median(5, () => readBytes(file));
    const lines = await median(3, () => scan(file, () => undefined));
    const parsed = await median(1, () => scan(file, (text) => void parseTraceLine(text)));
    console.log("| reading the file once | ms |\n|---|---|");
    console.log(`| its bytes | ${bytes.toFixed(0)} |\n| its lines | ${lines.toFixed(0)} |`);
    console.log(`| its records | ${parsed.toFixed(0)} |\n`);

    const ask = (query: (index: TraceIndex, round: number) => TraceRecord[]) => async (round: number) => {
      const index = await openTraceIndex(file, { folder });
      if (!query(index, round).length) throw new Error("no answer");
      index.close();
    };
    const intent = (round: number) => `INT-${(round * 37) % Math.min(intents, records)}`;
    const path = (round: number) => pathOf((round * 41) % Math.min(modules, records));
    const rows: [string, number][] = [
      [
        "last 10 of an intent",
        await median(
          21,
          ask((index, round) => index.ofIntent(intent(round), 10)),
        ),
      ],
      [
        "all of an intent",
        await median(
          21,
          ask((index, round) => index.ofIntent(intent(round))),
        ),
      ],
      [
        "all of a file (blame)",
        await median(
          21,
          ask((index, round) => index.ofFile(path(round))),
        ),
      ],
    ];
    console.log(
      "| opening the index and asking | ms | to its bytes | to its lines | to its records | limit to its lines |",
    );
    console.log("|---|---|---|---|---|---|");
    for (const [what, time] of rows) {
      const ratios = [bytes, lines, parsed].map((base) => (time / base).toFixed(4));
      console.log(`| ${what} | ${time.toFixed(2)} | ${ratios.join(" | ")} | ${limit} |`);
    }

    appendFileSync(file, linesOf(records, records + 100));
    const few = await median(
      5,
      ask((index) => index.ofIntent("INT-7", 1)),
    );
    appendFileSync(file, linesOf(records + 100, records + 10_100));
    const many = await median(
      1,
      ask((index) => index.ofIntent("INT-7", 1)),
    );
    const again = await median(
      5,
      ask((index) => index.ofIntent("INT-7", 1)),
    );
    const text = sourceText(1_000);
    const classified = await median(5, () => classifyChange("a.ts", text, text.replaceAll("value", "amount")));
    console.log(`\nbuilding: ${ms.toFixed(0)} ms, ${rssMB.toFixed(0)} MB of memory at most (limit ${memoryLimitMB})`);
    console.log(`index: ${mb(size)}; progress shown ${shown} times`);
    console.log(`opening after 100 new records: ${few.toFixed(1)} ms; after 10,000: ${many.toFixed(0)} ms`);
    console.log(`opening after that: ${again.toFixed(1)} ms`);
    console.log(`class of a change of 1,000 lines: ${classified.toFixed(0)} ms (limit ${classifyLimitMs})`);
    const slow = rows.some(([, time]) => time / lines > limit) || classified > classifyLimitMs;
    return slow || rssMB > memoryLimitMB ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, so that its memory is the index's. */
async function buildOnly(file: string, folder: string): Promise<void> {
  let shown = 0;
  const start = performance.now();
  const index = await openTraceIndex(file, { folder, progress: () => shown++ });
  const ms = performance.now() - start;
  index.close();
  console.log(JSON.stringify({ ms, rssMB: process.resourceUsage().maxRSS / 1024, shown }));
}

async function median(rounds: number, work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return quantile(times, 0.5);
}

function readBytes(file: string): void {
  const fd = openSync(file, "r");
  const chunk = Buffer.allocUnsafe(4 << 20);
  while (readSync(fd, chunk, 0, chunk.length, null));
  closeSync(fd);
}

async function scan(file: string, each: (text: string) => void): Promise<void> {
  const fd = openSync(file, "r");
  await readLines(
    fd,
    0,
    ({ text }) => each(text!),
    () => Promise.resolve(),
  );
  closeSync(fd);
}

function write(file: string, records: number): void {
  const fd = openSync(file, "w");
  const step = 5_000;
  for (let n = 0; n < records; n += step) writeSync(fd, linesOf(n, Math.min(records, n + step)));
  closeSync(fd);
}

function pathOf(n: number): string {
  return `src/area${n % 50}/module${n}.ts`;
}

function linesOf(from: number, to: number): string {
  let text = "";
  for (let n = from; n < to; n++) text += `${JSON.stringify(recordOf(n))}\n`;
  return text;
}

function recordOf(n: number): TraceRecord {
  const hash = contentHash([String(n)]);
  const hex = createHash("md5").update(String(n)).digest("hex");
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  const intent = `INT-${n % intents}`;
  return {
    version: "0.1.0",
    id,
    timestamp: new Date(1_770_000_000_000 + n * 1_000).toISOString(),
    tool: { name: "claude-code", version: "2.1.300" },
    files: [
      {
        path: pathOf((n * 7_919) % modules),
        conversations: [
          {
            url: `file:///transcripts/${n % 300}.jsonl`,
            contributor: { type: "ai", model_id: "anthropic/claude-opus-4-5-20251101" },
            ranges: [{ start_line: (n % 400) + 1, end_line: (n % 400) + 9, content_hash: hash }],
            related: [{ type: "intent", url: intentUri(intent) }],
          },
        ],
      },
    ],
    metadata: {
      "dev.interlock": {
        intent_id: intent,
        mutation_class: "INTENT_EVOLUTION",
        post_hash: hash,
        session_id: `s${n % 300}`,
      },
    },
  };
}

function sourceText(lines: number): string {
  let text = "";
  for (let n = 0; n < lines / 5; n++)
    text +=
      `export function f${n}(list: number[], limit = ${n}): number {\n  let value = limit;\n` +
      `  for (const one of list) if (one > value) value += one;\n  return value;\n}\n`;
  return text;
}
