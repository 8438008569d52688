// The evidence index as CSV: one row per commit, experiment and test run, for a spreadsheet or a case system.
// Invariant: RFC 4180, and no cell that a spreadsheet would compute.
import type { SredReport } from "./report-schema.js";
import { csvRow } from "./report-text.js";

const heads = ["id", "project", "kind", "ref", "title", "occurred_at", "notes"];

export function csvIndex(report: SredReport): string {
  const rows: string[][] = [];
  const add = (...cells: string[]) => rows.push([`E${String(rows.length + 1).padStart(5, "0")}`, ...cells]);
  const of = new Map(report.evidence.map((e) => [e.hash, e]));
  for (const p of report.projects) {
    for (const hash of p.commits) {
      const e = of.get(hash)!;
      add(p.id, "commit", hash, e.subject, e.authored, `${e.author.name}; message SHA-256 ${e.messageSha256}`);
    }
    for (const e of p.experiments) {
      const at = of.get(e.commit)!.authored;
      add(p.id, "experiment", e.commit, e.hypothesis ?? e.experiment ?? e.result ?? "", at, `outcome: ${e.outcome}`);
    }
    for (const t of p.commits.flatMap((hash) => of.get(hash)!.tests))
      add(p.id, "test-run", `record ${t.record}`, `${t.runner}: ${t.command}`, t.time, `${t.verdict}; ${t.recordHash}`);
  }
  return [heads, ...rows].map(csvRow).join("");
}
