// Tools that can't be seen into, pointed at protected places by their arguments; and the ordinary calls beside them.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const rows: [tool: string, input: JsonObject, refused: boolean, declared?: "read" | "write" | "exec"][] = [
  ["mcp__fs__write_file", { path: ".claude/settings.json", content: "{}" }, true],
  ["mcp__fs__write_file", { path: "src/../.CLAUDE/settings.local.json", content: "{}" }, true],
  ["mcp__fs__write_file", { path: "file:///HOME/.bashrc", content: "x" }, true],
  ["mcp__fs__do", { where: { to: ["a.txt", "./.mcp.json"] } }, true],
  ["mcp__fs__do", { filename: "interlock.yaml" }, true],
  ["mcp__fs__do", { path: ".git/hooks/pre-commit" }, true, "write"],
  ["mcp__fs__do", { path: ".git/hooks/pre-commit" }, true, "exec"],
  ["mcp__fs__do", { path: ".claude/settings.json" }, false, "read"],
  ["mcp__fs__read_file", { path: ".claude/settings.json" }, false],
  ["mcp__fs__read_file", { path: "OURS/key" }, true],
  ["mcp__fs__write_file", { path: "src/a.ts", content: "see .claude/settings.json" }, false],
  ["mcp__github__create_issue", { title: "a/b", body: "the file .claude/settings.json\nis protected" }, false],
  ["mcp__docs__search", { query: "interlock.yaml" }, false],
  ["mcp__web__open", { url: "https://example.org/.claude/settings.json" }, false],
  ["PowerShell", { command: "Set-Content -Path .claude/settings.json -Value '{}'" }, true],
  ["PowerShell", { command: "'{}' > .claude\\settings.json" }, true],
  ["PowerShell", { command: "Get-Content .claude/settings.json" }, false],
  ["PowerShell", { command: "Get-ChildItem src | Measure-Object" }, false],
  ["Workflow", { script: "await fs.writeFile('.claude/settings.json', '{}')" }, true],
  ["Workflow", { script: "await fs.writeFile('out/report.json', '{}')" }, false],
  ["Monitor", { command: "echo '{}' > .claude/settings.json", description: "x", timeout_ms: 1 }, true],
  ["NotebookEdit", { notebook_path: ".claude/hooks/x.ipynb", new_source: "x" }, true],
  ["BrandNewTool", { target: ".claude/settings.json" }, true],
  ["BrandNewTool", { target: "src/a.ts" }, false],
];

for (const [tool, input, refused, declared] of rows) {
  const name = `${tool}${declared ? ` (declared ${declared})` : ""} ${JSON.stringify(input)}`;
  test(`${name} ${refused ? "is refused" : "passes"}`, async (t) => {
    const s = stage(t, { packs: [guard], config: { mcp: declared ? { fs: declared } : {} } });
    const text = JSON.stringify(input).replaceAll("/HOME/", `${s.userHome}/`).replaceAll("OURS", s.home);
    const verdict = await s.call(tool, JSON.parse(text) as JsonObject);
    assert.equal(verdict.outcome, refused ? "deny" : "pass", verdict.text);
    if (refused) assert.equal(verdict.gate, "guard/self-protect");
  });
}

test("a rule about a path holds for an MCP writer that is given it", async (t) => {
  const { compile } = await import("../../rules/config.js");
  const { rulesPack: rules } = await import("../../rules/index.js");
  const options = compile({ rules: [{ on: "write", where: "locked/**", action: "deny", message: "no" }] });
  const s = stage(t, { packs: [guard, rules], settings: { rules: { options } } });
  assert.equal((await s.call("mcp__fs__write_file", { path: "locked/a", content: "x" })).gate, "rules/user");
  assert.equal((await s.call("mcp__fs__read_file", { path: "locked/a" })).outcome, "pass");
});
