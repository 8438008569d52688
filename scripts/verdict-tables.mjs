// Compares the verdict tables in test/shell/verdicts/ with what the preset `standard` does now (development only).
//
//   node scripts/verdict-tables.mjs           list rows whose verdict or hazards differ; exit 1 if there are any
//   node scripts/verdict-tables.mjs --write   fill in the hazard column and sort the rows
//
// `--write` never changes a verdict. It prints rows whose verdict differs, leaves them as they are and exits with 1.
// Fix the code, or change the row by hand and name it in CHANGELOG.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, transpile } from "./transpile.mjs";

await transpile();
const { formatTable, readVerdictTables, rowDifference, standardVerdict } = await import(
  pathToFileURL(join(root, "build/test/shell/verdict-tables.js")).href
);

const writing = process.argv.includes("--write");
const folder = join(root, "test/shell/verdicts");
let rows = 0;
let verdicts = 0;
let hazards = 0;
for (const table of readVerdictTables(folder)) {
  const updated = table.rows.map((row) => {
    rows++;
    const difference = rowDifference(row);
    if (difference.verdict) {
      verdicts++;
      console.error(`${table.domain}: ${row.tool}: ${difference.verdict}`);
    }
    if (!difference.hazards) return row;
    hazards++;
    if (!writing) console.error(`${table.domain}: ${row.tool}: ${difference.hazards}`);
    return { ...row, hazards: standardVerdict(row.command).hazards };
  });
  if (writing) writeFileSync(join(folder, `${table.domain}.tsv`), formatTable({ ...table, rows: updated }));
}
const outcome = writing ? "hazard cells written" : "with other hazards";
console.error(`${rows} rows: ${verdicts} with another verdict, ${hazards} ${outcome}`);
process.exit(verdicts || (hazards && !writing) ? 1 : 0);
