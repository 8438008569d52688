import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../../../../test/discipline/agent.js";

const files = {
  "package.json": '{"version":"1.0.0","scripts":{"test":"x"},"dependencies":{"zod":"^3.0.0"}}\n',
  "go.mod": "module a\n\ngo 1.22\n\nrequire b v1.0.0\n",
  "Cargo.toml": '[package]\nversion = "0.1.0"\n\n[dependencies]\nserde = "1"\n',
  "src/b.ts": "1\n",
  "src/c.ts": "1\n",
};
const edit = (path: string, old_string: string, new_string: string) => ({ tool: "Edit", path, old_string, new_string });
const run = (command: string) => ({ tool: "Bash", command });

for (const [outcome, what] of [
  ["deny", edit("package.json", '"zod":"^3.0.0"', '"zod":"^3.0.0","left-pad":"^1.3.0"')],
  ["deny", edit("Cargo.toml", 'serde = "1"', 'serde = "1"\ntokio = { version = "1" }\nanyhow = "1.0"')],
  ["deny", edit("go.mod", "require b v1.0.0", "require b v1.0.0\nrequire (\n\tc v2.1.0\n)")],
  ["deny", run("npm install left-pad")],
  ["deny", run("pnpm add -D vitest")],
  ["deny", run("cargo add tokio --features full")],
  ["deny", run("go get example.com/c")],
  ["deny", run("uv add httpx")],
  ["pass", edit("package.json", '"test":"x"', '"test":"vitest run"')],
  ["pass", edit("package.json", '"version":"1.0.0"', '"version":"1.1.0"')],
  ["pass", edit("package.json", "^3.0.0", "^3.1.0")],
  ["pass", edit("Cargo.toml", "0.1.0", "0.2.0")],
  ["pass", run("npm install")],
  ["pass", run("npm ci")],
  ["pass", run("go mod tidy")],
  ["pass", run("pnpm add @acme/core@workspace:*")],
  ["pass", run("pip install -r requirements.txt")],
] as const)
  test(`an added package needs an outside source: ${JSON.stringify(what)} -> ${outcome}`, async (t) => {
    const a = play(t, { gates: ["research"], files });
    await a.prompt("Fix the rounding of the totals in the cart");
    for (const path of ["src/a.ts", "src/b.ts", "src/c.ts"]) await a.read(path);
    const { tool, ...input } = what;
    const given = "path" in input ? { ...input, file_path: `${a.root}/${input.path}` } : input;
    const heard = await a.before(tool, given);
    assert.equal(heard.outcome, outcome, heard.text);
    if (outcome === "deny") assert.match(heard.text, /not yet researched for this task: web/);
    await a.search("left-pad alternatives");
    assert.equal((await a.before(tool, given)).outcome, "pass");
  });
