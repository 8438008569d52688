import assert from "node:assert/strict";
import { test } from "node:test";
import { orphans } from "./orphans.js";

test("an orphan is an agent or an MCP server by its program or script, not by a later argument", () => {
  const uid = process.getuid?.() ?? -1;
  const found = (command: string) => orphans([{ pid: 2, parent: 1, uid, start: 1, minutes: 3, command }]).length === 1;
  for (const command of ["claude --resume", "node /opt/mcp-server.js", "npx -y @scope/files-mcp", "uvx mcp-server-git"])
    assert.ok(found(command), command);
  for (const command of [
    "python3 measure.py out.json test/clients/a.test.ts test/mcp/b.test.ts",
    "node /srv/interlock.cjs mcp",
    "vim notes.md",
  ])
    assert.ok(!found(command), command);
});
