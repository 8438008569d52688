// `interlock look` over 200 constructed sessions, as large per call as public transcripts are, against plain JSON.parse
// of the same files, in processor time of all threads. The limit of 5 holds for the first round, which includes
// compiling the program while it runs; the second shows what longer histories cost. Exits 1 when the first passes it.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backtest } from "../src/look/backtest.js";
import { plantedSessions } from "../test/look/planted.js";

const limit = 5;
/** Gives about 19 KB per call; the public transcripts it was tried on have 16 to 22 KB. */
const weight = Number(process.argv[2] ?? 14_000);
const folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

try {
  for (const { name, text } of plantedSessions(200, weight)) writeFileSync(join(folder, `${name}.jsonl`), text);
  const rows: [string, number][] = [];
  let parseMs = 0;
  let figures = "";
  for (const round of ["first", "second"]) {
    let start = processor();
    for (const name of readdirSync(folder))
      for (const line of readFileSync(join(folder, name), "utf8").split("\n")) if (line.endsWith("}")) JSON.parse(line);
    parseMs = processor() - start;
    start = processor();
    const { calls, bytes } = await backtest({ paths: [folder], userHome: "/home/ada" });
    rows.push([round, (processor() - start) / parseMs]);
    figures = `${calls} calls, ${(bytes / 1e6).toFixed(0)} MB, ${(bytes / calls / 1000).toFixed(1)} KB per call`;
  }
  console.log(`${figures}; JSON.parse took ${parseMs.toFixed(0)} ms\n`);
  console.log("| round | ratio | limit |\n|---|---|---|");
  for (const [round, ratio] of rows)
    console.log(`| ${round} | ${ratio.toFixed(2)} | ${round === "first" ? limit : ""} |`);
  process.exitCode = rows[0]![1] > limit ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
