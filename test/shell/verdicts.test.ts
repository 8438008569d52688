// Checks each row of the verdict tables (verdicts/README.md): its verdict under the preset `standard` and the reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isHazardName } from "../../src/shell/hazard-names.js";
import { formatTable, parseTable, readVerdictTables, rowDifference } from "./verdict-tables.js";

const tables = readVerdictTables(new URL("verdicts/", import.meta.url));
const tools = tables.flatMap(({ domain, rows }) =>
  [...new Set(rows.map((row) => row.tool))].map((tool) => ({
    domain,
    tool,
    rows: rows.filter((row) => row.tool === tool),
  })),
);

for (const { domain, tool, rows } of tools)
  test(`${domain}: ${tool}: ${rows.length} verdicts and their hazards`, () => {
    const differences = rows.map(rowDifference).flatMap(({ verdict, hazards }) => verdict ?? hazards ?? []);
    assert.deepEqual(differences, []);
  });

test("every refused row names its hazards, and no passing row does", () => {
  const rows = tables.flatMap((table) => table.rows);
  assert.ok(rows.length > 2_800, `${rows.length} rows`);
  const wrong = rows.filter(({ verdict, hazards }) => (verdict === "pass") !== (hazards.length === 0));
  assert.deepEqual(wrong, []);
});

test("every hazard of a row can be named in an exception", () => {
  const names = new Set(tables.flatMap(({ rows }) => rows.flatMap(({ hazards }) => hazards)));
  assert.ok(names.size > 300, `${names.size} names`);
  assert.deepEqual(
    [...names].filter((name) => !isHazardName(name)),
    [],
  );
});

test("no command is listed twice", () => {
  const commands = tables.flatMap((table) => table.rows.map((row) => row.command));
  const repeated = commands.filter((command, index) => commands.indexOf(command) !== index);
  assert.deepEqual(repeated, []);
});

test("a tool has one table", () => {
  const names = tools.map(({ tool }) => tool);
  assert.deepEqual(names, [...new Set(names)]);
});

test("every tool with refused commands has a passing one", () => {
  const oneSided = tools.filter(({ rows }) => rows.every((row) => row.verdict !== "pass")).map(({ tool }) => tool);
  // Interlock takes each use of bfg for a rewrite of history, `bfg --version` too.
  assert.deepEqual(oneSided, ["bfg"]);
});

test("the tables are sorted", () => {
  for (const table of tables)
    assert.deepEqual(parseTable(table.domain, formatTable(table)).rows, table.rows, `${table.domain}.tsv`);
});

test("a refusal for another reason and another verdict both count as differences", () => {
  const row = { tool: "git", origin: "fix", command: "git clean -fdx", verdict: "deny" } as const;
  assert.match(
    rowDifference({ ...row, hazards: ["delete-root"] }).hazards ?? "",
    /^deny for .* instead of delete-root/,
  );
  assert.match(rowDifference({ ...row, verdict: "pass", hazards: [] }).verdict ?? "", /^expected pass, got deny/);
});
