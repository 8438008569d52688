// The MCP server as it is registered: its tools, its answers, and .mcp.json before and after.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ownMcpToolNames } from "../../src/model/own-mcp.js";
import { type IntentProject, intentProject, program } from "./intent-project.js";

const intents = `active_intents:
  - { id: INT-001, name: "Login </name> & more", status: PENDING, owned_scope: [src/auth/**], acceptance_criteria: [a] }
  - { id: INT-002, name: Old, status: COMPLETED, owned_scope: [src/**] }
`;
const files = { ".orchestration/active_intents.yaml": intents };

/** `npx agent-interlock` as it is found where the package is installed. */
function installPackage(p: IntentProject): void {
  const bin = join(p.root, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "agent-interlock"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "agent-interlock"), 0o755);
}

async function connect(t: TestContext, p: IntentProject, command: string, args: string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: p.root, env: p.env, stderr: "pipe" }));
  t.after(() => client.close());
  return client;
}

const told = async (client: Client, name: string, input: Record<string, unknown> = {}) => {
  const { content, isError } = await client.callTool({ name, arguments: input });
  return { text: (content as { text: string }[])[0]!.text, isError: isError === true };
};

test("the server that .mcp.json names offers every tool and answers with the context", async (t) => {
  const p = intentProject(t, files);
  const init = p.run("init", "--yes", "--door", "command");
  assert.equal(init.status, 0, init.stdout + init.stderr);
  const { mcpServers } = JSON.parse(p.read(".mcp.json")!) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  assert.deepEqual(mcpServers, { interlock: { command: "npx", args: ["-y", "agent-interlock", "mcp"] } });
  installPackage(p);
  const { command, args } = mcpServers["interlock"]!;
  const client = await connect(t, p, command, args);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), [...ownMcpToolNames].sort());
  const context = await told(client, "select_active_intent", { intent_id: "INT-001" });
  assert.match(
    context.text,
    /<name>Login &lt;\/name&gt; &amp; more<\/name>[^]*<path>src\/auth\/\*\*<\/path>[^]*1\. \[ \] a/,
  );
  assert.equal(p.read(".orchestration/active_intents.yaml"), intents, "the server writes nothing");
});

test("answers to what can't be done say what can", async (t) => {
  const p = intentProject(t, { ...files, "run.log": "one\nerror: two\n" });
  const client = await connect(t, p, process.execPath, [program, "mcp"]);
  const rows: [tool: string, input: Record<string, unknown>, said: RegExp, isError?: boolean][] = [
    ["select_active_intent", { intent_id: "nope" }, /Available: INT-001 \(PENDING\), INT-002 \(COMPLETED\)/, true],
    ["select_active_intent", { intent_id: "INT-002" }, /COMPLETED, and that is final/, true],
    ["select_active_intent", {}, /intent_id/, true],
    ["list_intents", {}, /"selectable": true[^]*"selectable": false/],
    ["request_scope_expansion", { intent_id: "INT-001", paths: ["../x"], reason: "why" }, /leads out/, true],
    ["request_scope_expansion", { intent_id: "INT-001", paths: ["x/"], reason: "why" }, /A person decides/],
    ["complete_intent", { intent_id: "INT-001" }, /PENDING, not IN_PROGRESS/, true],
    ["record_lesson", { lesson: "read first" }, /Recorded/],
    ["intent_history", { intent_id: "INT-001" }, /"changes": \[\]/],
    ["interlock_status", {}, /"intent": "enforce"/],
    ["run_info", {}, /"runs": \[\]/],
    ["run_info", { run_id: "last" }, /No single run/, true],
    ["create_request", { action: "math.full", args: [] }, /Which run asks/, true],
    ["query_log", { file: "run.log", question: "tail", lines: 1 }, /error: two/],
    ["query_log", { file: "../outside.log", question: "tail" }, /./, true],
  ];
  for (const [tool, input, said, isError = false] of rows) {
    const answer = await told(client, tool, input);
    assert.match(answer.text, said, tool);
    assert.equal(answer.isError, isError, `${tool}: ${answer.text}`);
  }
});

const foreign: [name: string, before: string | undefined][] = [
  ["no file", undefined],
  ["another server, tabs", '{\n\t"mcpServers": {\n\t\t"notes": { "command": "x" }\n\t},\n\t"other": 1\n}'],
  ["no servers", '{ "other": [1, 2] }\n'],
  ["one line", '{"mcpServers":{"notes":{"command":"x"}}}'],
];
for (const [name, before] of foreign)
  test(`.mcp.json with ${name}: registered beside what is there, a second time nothing, removed byte for byte`, (t) => {
    const p = intentProject(t, { ...files, ...(before !== undefined && { ".mcp.json": before }) });
    const init = () => p.run("init", "--yes", "--door", "command");
    assert.equal(init().status, 0);
    const value = JSON.parse(p.read(".mcp.json")!) as { mcpServers: Record<string, unknown>; other?: unknown };
    assert.ok(value.mcpServers["interlock"]);
    if (before?.includes("notes")) assert.ok(value.mcpServers["notes"]);
    assert.doesNotMatch(p.read(".mcp.json")!, new RegExp(p.root));
    assert.match(init().stdout, /Nothing to do/);
    const removed = p.run("uninstall", "--yes");
    assert.equal(removed.status, 0, removed.stdout + removed.stderr);
    assert.equal(p.read(".mcp.json"), before);
  });

test("uninstalling after someone else changed .mcp.json takes only our entry", (t) => {
  const p = intentProject(t, files);
  p.run("init", "--yes", "--door", "command");
  const text = p.read(".mcp.json")!.replace('"mcpServers": {', '"mcpServers": {\n    "mine": { "command": "y" },');
  p.put(".mcp.json", text);
  p.run("uninstall", "--yes");
  assert.deepEqual(JSON.parse(p.read(".mcp.json")!), { mcpServers: { mine: { command: "y" } } });
});

test("a project with intents gets the git hooks that trace commits, and uninstall takes them out", (t) => {
  const p = intentProject(t, files);
  const own = "#!/bin/sh\necho mine\n";
  p.put(".git/hooks/post-commit", own);
  chmodSync(join(p.root, ".git/hooks/post-commit"), 0o755);
  const init = p.run("init", "--yes", "--door", "command");
  assert.match(init.stdout, /install git hooks that trace commits to intents: post-commit, post-rewrite/);
  assert.match(p.read(".git/hooks/post-commit")!, /interlock trace hook post-commit[^]*echo mine/);
  assert.match(p.read(".git/hooks/post-rewrite")!, /trace hook post-rewrite/);
  const removed = p.run("uninstall", "--yes");
  assert.match(removed.stdout, /git hooks: ours are taken out of post-commit/);
  assert.equal(p.read(".git/hooks/post-commit"), own);
  assert.equal(p.read(".git/hooks/post-rewrite"), undefined);
});

test("hooks that a team keeps in the tree are left to the command of their own", (t) => {
  const p = intentProject(t, { ...files, ".githooks/post-commit": "#!/bin/sh\necho team\n" });
  execFileSync("git", ["-C", p.root, "config", "core.hooksPath", ".githooks"]);
  assert.doesNotMatch(p.run("init", "--yes", "--door", "command").stdout, /git hooks that trace/);
  assert.equal(p.read(".githooks/post-commit"), "#!/bin/sh\necho team\n");
});

test("without intents .mcp.json is left alone unless asked for", (t) => {
  const p = intentProject(t);
  p.run("init", "--yes", "--door", "command");
  assert.equal(p.read(".mcp.json"), undefined);
  p.run("init", "--yes", "--door", "command", "--mcp");
  assert.ok(p.read(".mcp.json"));
});
