// The verdict tables in verdicts/*.tsv: what the preset `standard` does with a command, and for which hazards.
// Invariant: reading a table and formatting it again gives the same text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hazardName } from "../../src/model/hazards.js";
import { reactionTo } from "../../src/packs/guard/presets.js";
import { hazardsOf } from "../../src/shell/hazards/path-hazards.js";
import { analyse } from "../../src/shell/index.js";

export type TableVerdict = "deny" | "ask" | "pass";

export interface VerdictRow {
  tool: string;
  verdict: TableVerdict;
  /** Ids of the hazards that lead to the verdict, sorted; none for `pass`. */
  hazards: readonly string[];
  /** The set of commands the row came with: see verdicts/README.md. */
  origin: string;
  command: string;
}

export interface VerdictTable {
  domain: string;
  /** The comment at the top of the file. */
  about: readonly string[];
  rows: readonly VerdictRow[];
}

export function readVerdictTables(folder: string | URL): VerdictTable[] {
  const path = typeof folder === "string" ? folder : decodeURIComponent(folder.pathname);
  return readdirSync(path)
    .filter((name) => name.endsWith(".tsv"))
    .sort()
    .map((name) => parseTable(name.slice(0, -".tsv".length), readFileSync(join(path, name), "utf8")));
}

/** A file: comment lines (`#`), then a section per tool (`[tool]`) with a row a line. */
export function parseTable(domain: string, text: string): VerdictTable {
  const about: string[] = [];
  const rows: VerdictRow[] = [];
  let tool: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const at = `${domain}.tsv:${index + 1}`;
    if (line.startsWith("#")) about.push(line);
    else if (/^\[.+\]$/.test(line)) tool = line.slice(1, -1);
    else if (line !== "") rows.push(parseRow(line, tool, at));
  }
  return { domain, about, rows };
}

function parseRow(line: string, tool: string | undefined, at: string): VerdictRow {
  const [verdict = "", hazards = "", origin = "", written, ...more] = line.split("\t");
  if (tool === undefined) throw new Error(`${at}: a row before the first [tool]`);
  if (!/^(deny|ask|pass)$/.test(verdict)) throw new Error(`${at}: unknown verdict ${JSON.stringify(verdict)}`);
  if (!written || !origin || more.length) throw new Error(`${at}: a row is verdict, hazards, origin, command`);
  return {
    tool,
    verdict: verdict as TableVerdict,
    hazards: hazards === "-" ? [] : hazards.split(","),
    origin,
    command: written.startsWith('"') ? (JSON.parse(written) as string) : written,
  };
}

export function formatTable({ about, rows }: VerdictTable): string {
  const tools = [...new Set(rows.map((row) => row.tool))].sort();
  const sections = tools.map((tool) => {
    const lines = rows.filter((row) => row.tool === tool).sort(byVerdictThenCommand);
    return `\n[${tool}]\n${lines.map(formatRow).join("\n")}\n`;
  });
  return `${about.join("\n")}\n${sections.join("")}`;
}

function formatRow({ verdict, hazards, origin, command }: VerdictRow): string {
  // A command a line can't hold is written as a JSON string.
  const written = /[\n\r\t]|^["#]/.test(command) ? JSON.stringify(command) : command;
  return [verdict, hazards.join(",") || "-", origin, written].join("\t");
}

const order: readonly TableVerdict[] = ["deny", "ask", "pass"];

function byVerdictThenCommand(a: VerdictRow, b: VerdictRow): number {
  return order.indexOf(a.verdict) - order.indexOf(b.verdict) || (a.command < b.command ? -1 : 1);
}

const places = { cwd: "/home/u/p", root: "/home/u/p", home: "/home/u" };

/** What `standard` does now, and the hazards that make it do so. */
export function standardVerdict(command: string): Pick<VerdictRow, "verdict" | "hazards"> {
  const reactions = hazardsOf(analyse(command, places).effects, places)
    .filter(({ hazard }) => hazard.class !== "verification-skip")
    .map(({ hazard }) => ({ id: hazardName(hazard), reaction: reactionTo(hazard, {}) }));
  const verdict = order.find((one) => reactions.some(({ reaction }) => reaction === one)) ?? "pass";
  const hazards = reactions.filter(({ reaction }) => reaction === verdict).map(({ id }) => id);
  return { verdict, hazards: [...new Set(hazards)].sort() };
}

/** How a row differs from what `standard` does now. */
export function rowDifference(row: VerdictRow): { verdict?: string; hazards?: string } {
  const now = standardVerdict(row.command);
  const because = now.hazards.length ? ` (${now.hazards.join(", ")})` : "";
  if (now.verdict !== row.verdict)
    return { verdict: `expected ${row.verdict}, got ${now.verdict}${because}: ${row.command}` };
  if (now.hazards.join() === row.hazards.join()) return {};
  return {
    hazards: `${row.verdict} for ${now.hazards.join(", ")} instead of ${row.hazards.join(", ")}: ${row.command}`,
  };
}
