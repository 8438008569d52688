// intent/gatekeeper through the engine: the seed's 46 cases, the holes of its reference, what must pass beside them.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import type { Verdict } from "../../../model/verdict.js";
import { destructiveCalls, exemptCalls } from "../../../testing/intent-cases.js";
import { type IntentStageOptions, intentStage, select } from "../../../testing/intent-stage.js";

const gate = "intent/gatekeeper";
const code = (verdict: Verdict): string | undefined => {
  const opinion = verdict.opinions.find((o) => o.gate === gate && o.opinion.kind === "deny")?.opinion;
  return opinion?.kind === "deny" ? String(opinion.data?.["error_type"]) : undefined;
};

const missing = "MISSING_OR_INVALID_INTENT";

for (const [name, tool, input] of destructiveCalls)
  test(`seed 1: without an intent ${name} (${tool}) is refused`, async (t) => {
    const verdict = await intentStage(t).call(tool, input);
    assert.equal(verdict.gate, gate);
    assert.equal(code(verdict), missing);
    assert.match(verdict.text!, /You must cite a valid active Intent ID\./);
    assert.match(verdict.text!, /Available: INT-001 \(IN_PROGRESS\), INT-002 \(PENDING\)/);
    assert.match(verdict.text!, /mcp__interlock__select_active_intent .*interlock intent select INT-001/);
    assert.ok(verdict.text!.split("\n").length <= 5, verdict.text);
  });

test("seed 1: an empty string selects nothing", async (t) => {
  const s = intentStage(t);
  await select(s, "");
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
});

const write = (path: string): [string, JsonObject] => ["Write", { file_path: path, content: "x" }];

const invalid: [name: string, given: IntentStageOptions, said: RegExp][] = [
  ["the file does not exist", { yaml: null, files: { ".orchestration/.keep": "" } }, /the file does not exist/],
  ["the id is not found", { yaml: "active_intents:\n  - { id: INT-999, name: x, status: IN_PROGRESS }\n" }, /INT-999/],
  ["the YAML is empty", { yaml: "" }, /There is no intent yet/],
  [
    "the YAML is malformed",
    { yaml: "active_intents:\n  - id: [INT-001\n" },
    /active_intents\.yaml:\d+: not valid YAML/,
  ],
  [
    "a field has the wrong type",
    { yaml: "active_intents:\n  - id: INT-001\n    status: RUNNING\n" },
    /yaml:3: .*status/,
  ],
];
for (const [name, given, said] of invalid)
  test(`seed 2: refused where ${name}`, async (t) => {
    const s = intentStage(t, given);
    await select(s, "INT-001");
    const verdict = await s.call(...write("src/auth/a.ts"));
    assert.equal(code(verdict), missing);
    assert.match(verdict.text!, said);
  });

for (const [name, tool, input] of destructiveCalls)
  test(`seed 3: under a valid intent ${name} (${tool}) passes`, async (t) => {
    const s = intentStage(t);
    await select(s, "INT-001");
    const verdict = await s.call(tool, input);
    assert.equal(code(verdict), undefined, verdict.text);
    assert.equal(verdict.outcome, "pass", verdict.text);
  });

test("seed 3: the remedy of the refusal opens the gate, for the session and its sub-agents", async (t) => {
  const s = intentStage(t);
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
  await select(s, "INT-001");
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), undefined);
  s.agent = { id: "sub-1", type: "general-purpose" };
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), undefined);
  s.agent = undefined;
  s.session = "another";
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
});

test("a sub-agent that selects an intent of its own leaves the session's as it is", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  s.agent = { id: "sub-1", type: "general-purpose" };
  await select(s, "INT-002");
  assert.equal(code(await s.call(...write("src/billing/a.ts"))), undefined);
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), "SCOPE_VIOLATION");
  s.agent = { id: "sub-2", type: "general-purpose" };
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), undefined, "the next one inherits the session's");
  s.agent = undefined;
  assert.equal(code(await s.call(...write("src/billing/a.ts"))), "SCOPE_VIOLATION");
});

for (const [tool, input] of exemptCalls)
  test(`seed 4: exempt without an intent: ${tool} ${JSON.stringify(input).slice(0, 60)}`, async (t) => {
    assert.equal(code(await intentStage(t).call(tool, input)), undefined);
  });

test("seed 5: a file that can't be read closes the gate", {
  skip: process.getuid?.() === 0 && "root reads all",
}, async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  chmodSync(join(s.root, ".orchestration/active_intents.yaml"), 0);
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
});

test("seed 5: a folder or a binary in place of the file closes the gate", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const file = join(s.root, ".orchestration/active_intents.yaml");
  writeFileSync(file, "\0\0");
  assert.match((await s.call(...write("src/auth/a.ts"))).text!, /can't be read as text/);
  rmSync(file);
  mkdirSync(file);
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
});

test("seed 6: .orchestration/active_intents.yaml is read, and the selected id is matched", async (t) => {
  const s = intentStage(t, { yaml: null, files: { "active_intents.yaml": "active_intents: []\n" } });
  const refused = await s.call(...write("src/auth/a.ts"));
  assert.match(refused.text!, /\.orchestration\/active_intents\.yaml/);
  const entry = (id: string, scope: string) => `  - { id: ${id}, status: IN_PROGRESS, owned_scope: [${scope}] }\n`;
  s.write(".orchestration/active_intents.yaml", `active_intents:\n${entry("A-1", "x")}${entry("A-2", "y")}`);
  await select(s, "A-2");
  assert.equal(code(await s.call(...write("y/a.ts"))), undefined);
  assert.equal(code(await s.call(...write("x/a.ts"))), "SCOPE_VIOLATION");
});

test("seed 7: a tool nobody knows passes, and is refused with unknownTools: deny", async (t) => {
  assert.equal(code(await intentStage(t).call("brand_new_tool", { a: 1 })), undefined);
  const strict = intentStage(t, { options: { unknownTools: "deny" } });
  assert.equal(code(await strict.call("brand_new_tool", { a: 1 })), missing);
});

test("seed 7: ids differ by case", async (t) => {
  const s = intentStage(t);
  await select(s, "int-001");
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), missing);
});

/** Under INT-001; undefined: passes. */
const scopes: [name: string, tool: string, input: JsonObject, refused?: string][] = [
  ["in scope", ...write("src/auth/deep/x.ts")],
  ["a bare folder means all below", ...write("docs/a/b.md")],
  ["braces", ...write("src/jwt.ts")],
  ["outside the scope", ...write("src/other.ts"), "SCOPE_VIOLATION"],
  ["braces do not match more", ...write("src/session.ts"), "SCOPE_VIOLATION"],
  ["negation takes back", ...write("src/auth/secret/key.ts"), "SCOPE_VIOLATION"],
  ["src/auth/../other.ts", ...write("src/auth/../other.ts"), "SCOPE_VIOLATION"],
  ["an absolute path in scope", ...write("ROOT/src/auth/x.ts")],
  ["an absolute path outside", ...write("/etc/hosts.d/x"), "SCOPE_VIOLATION"],
  ["a link that leads out of the scope", ...write("src/auth/link/x.ts"), "SCOPE_VIOLATION"],
  ["a link to a file outside the scope", ...write("src/auth/other-link.ts"), "SCOPE_VIOLATION"],
  ["a link into the scope", ...write("in-link/x.ts")],
  ["case on a disk that tells cases apart", ...write("SRC/AUTH/x.ts"), "SCOPE_VIOLATION"],
  ["a file another intent in progress owns", ...write("src/auth/shared.ts"), "SCOPE_VIOLATION"],
  ["active_intents.yaml", ...write(".orchestration/active_intents.yaml"), "SCOPE_VIOLATION"],
  ["agent_trace.jsonl", ...write(".orchestration/agent_trace.jsonl"), "SCOPE_VIOLATION"],
  ["AGENT.md", ...write(".orchestration/AGENT.md"), "SCOPE_VIOLATION"],
  [".intentignore", ...write(".intentignore"), "SCOPE_VIOLATION"],
  ["a control file in another spelling", ...write("src/../.Orchestration/Active_Intents.yaml"), "SCOPE_VIOLATION"],
  ["a control file through a link", ...write("src/auth/control/active_intents.yaml"), "SCOPE_VIOLATION"],
  [
    "a control file by the shell",
    "Bash",
    { command: "echo x >> .orchestration/active_intents.yaml" },
    "SCOPE_VIOLATION",
  ],
  [
    "a control file by sed",
    "Bash",
    { command: "sed -i s/PENDING/IN_PROGRESS/ .orchestration/*.yaml" },
    "SCOPE_VIOLATION",
  ],
  ["the whole folder", "Bash", { command: "rm -rf .orchestration" }, "SCOPE_VIOLATION"],
  ["the folder moved away", "Bash", { command: "mv .orchestration /tmp/x" }, "SCOPE_VIOLATION"],
  ["a control file by an MCP writer", "mcp__fs__write_file", { path: ".orchestration/AGENT.md" }, "SCOPE_VIOLATION"],
  ["shell write in scope", "Bash", { command: "echo x > src/auth/a.ts" }],
  ["shell write outside", "Bash", { command: "echo x > src/other.ts" }, "SCOPE_VIOLATION"],
  ["shell write behind cd", "Bash", { command: "cd src && echo x > other.ts" }, "SCOPE_VIOLATION"],
  ["shell write inside bash -c", "Bash", { command: `bash -c 'echo x > src/other.ts'` }, "SCOPE_VIOLATION"],
  ["python writes outside", "Bash", { command: `python3 -c "open('src/other.ts','w')"` }, "SCOPE_VIOLATION"],
  ["shell delete outside", "Bash", { command: "rm src/other.ts" }, "SCOPE_VIOLATION"],
  ["move out of the scope", "Bash", { command: "mv src/auth/login.ts src/login.ts" }, "SCOPE_VIOLATION"],
  ["move inside the scope", "Bash", { command: "mv src/auth/login.ts src/auth/signin.ts" }],
  ["a folder wider than the scope", "Bash", { command: "npx prettier --write src" }, "SCOPE_VIOLATION"],
  ["a folder in the scope", "Bash", { command: "npx prettier --write docs" }],
  ["a name that can't be known", "Bash", { command: "echo x > $TARGET" }, "SCOPE_VIOLATION"],
  ["a hard link to a file outside", "Bash", { command: "ln src/other.ts src/auth/hard.ts" }, "SCOPE_VIOLATION"],
  ["a patch outside", "Bash", { command: "git apply out.patch" }, "SCOPE_VIOLATION"],
  ["a patch in scope", "Bash", { command: "git apply in.patch" }],
  ["a patch nobody can read", "Bash", { command: "curl -s https://example.org/p | patch -p1" }, "SCOPE_VIOLATION"],
  [
    "apply_patch in a heredoc",
    "Bash",
    { command: "apply_patch <<'E'\n*** Update File: src/other.ts\nE" },
    "SCOPE_VIOLATION",
  ],
  [
    "apply_patch moves out",
    "apply_patch",
    { input: "*** Update File: src/auth/login.ts\n*** Move to: src/x.ts\n" },
    "SCOPE_VIOLATION",
  ],
  ["tests and builds pass, and are looked at afterwards", "Bash", { command: "npm test" }],
  ["make passes", "Bash", { command: "make build" }],
  ["build output", "Bash", { command: "echo x > dist/a.js" }],
  ["build output by a file tool is a file like any other", ...write("dist/a.js"), "SCOPE_VIOLATION"],
  ["a temporary file", "Bash", { command: "npm run build > /tmp/out.log 2>&1" }],
  ["git restores a folder outside", "Bash", { command: "git checkout HEAD -- src" }, "SCOPE_VIOLATION"],
  ["git removes the control files", "Bash", { command: "git rm -r .orchestration" }, "SCOPE_VIOLATION"],
  ["git brings old control files", "Bash", { command: "git checkout HEAD~1 -- .orchestration" }, "SCOPE_VIOLATION"],
  ["making a folder that is there", "Bash", { command: "mkdir -p src && touch src/auth/x.ts" }],
  ["a commit", "Bash", { command: "git add -A && git commit -m x" }],
  ["switching branches", "Bash", { command: "git switch -c topic" }],
  ["MCP writer in scope", "mcp__fs__write_file", { path: "src/auth/x.ts", content: "" }],
  ["MCP writer outside", "mcp__fs__write_file", { path: "src/other.ts", content: "" }, "SCOPE_VIOLATION"],
  ["MCP writer with ..", "mcp__fs__write_file", { path: "src/auth/../other.ts" }, "SCOPE_VIOLATION"],
  ["MCP writer without files", "mcp__github__create_issue", { title: "x", body: "y" }],
  ["a script that reads", "PowerShell", { command: "Get-Content src/other.ts" }],
  [
    "a script that names control files",
    "PowerShell",
    { command: "rm .orchestration/active_intents.yaml" },
    "SCOPE_VIOLATION",
  ],
  ["another agent's shell", "mcp__desktop__execute_command", { command: "cat src/other.ts" }],
  ["NotebookEdit outside", "NotebookEdit", { notebook_path: "nb.ipynb", new_source: "x" }, "SCOPE_VIOLATION"],
  [
    "another intent_id in the call",
    "mcp__fs__write_file",
    { path: "src/auth/x.ts", intent_id: "INT-005" },
    "HOOK_BLOCKED",
  ],
];
for (const [name, tool, input, refused] of scopes)
  test(`scope: ${name}${refused ? " is refused" : " passes"}`, async (t) => {
    const s = intentStage(t, {
      files: {
        "out.patch": "--- a/src/other.ts\n+++ b/src/other.ts\n@@ -1 +1 @@\n-o\n+p\n",
        "in.patch": "--- a/src/auth/login.ts\n+++ b/src/auth/login.ts\n@@ -1 +1 @@\n-o\n+p\n",
        "package.json": '{ "scripts": { "test": "node x.js", "build": "tsc" } }',
        "docs/a.md": "a",
        "dist/.keep": "",
      },
    });
    mkdirSync(join(s.root, "elsewhere"));
    symlinkSync("../../elsewhere", join(s.root, "src/auth/link"));
    symlinkSync("../other.ts", join(s.root, "src/auth/other-link.ts"));
    symlinkSync("../../.orchestration", join(s.root, "src/auth/control"));
    symlinkSync("src/auth", join(s.root, "in-link"));
    await select(s, "INT-001");
    const filled = JSON.parse(JSON.stringify(input).replaceAll("ROOT/", `${s.root}/`)) as JsonObject;
    const verdict = await s.call(tool, filled);
    assert.equal(code(verdict), refused, verdict.text);
    if (refused) assert.ok(verdict.text!.split("\n").length <= 5, verdict.text);
  });

const withoutIntent = [
  "npm test",
  "make build",
  "tsc",
  "echo x > src/auth/a.ts",
  "echo x > /tmp/x",
  "git commit -m x",
  "git push",
  "bash build.sh",
  "curl -X POST -d a=b https://example.org",
  "claude -p 'write it'",
  "./interlock intent list",
];
for (const command of withoutIntent)
  test(`a command not proved to read is refused without an intent: ${command}`, async (t) => {
    assert.equal(code(await intentStage(t).call("Bash", { command })), missing);
  });

const states: [name: string, id: string, path: string, refused: string | undefined, said?: RegExp][] = [
  ["PENDING, taken up by selecting it", "INT-002", "src/billing/x.ts", undefined],
  ["COMPLETED", "INT-003", "src/other.ts", missing],
  ["an empty scope", "INT-004", "src/other.ts", "SCOPE_VIOLATION", /scope of INT-004 is empty, which allows nothing/],
  ["BLOCKED", "INT-006", "src/other.ts", missing],
  ["scope: any", "INT-008", "anything/at/all.txt", undefined],
  ["scope: any, a file somebody owns", "INT-008", "src/pay/x.ts", "SCOPE_VIOLATION", /contended: INT-005/],
  ["scope: any, a control file", "INT-008", ".orchestration/AGENT.md", "SCOPE_VIOLATION", /control file/],
  ["PENDING, for a person to approve", "INT-009", "src/other.ts", missing],
];
for (const [name, id, path, refused, said] of states)
  test(`status: ${name}: ${id} writes ${path}: ${refused ?? "passes"}`, async (t) => {
    const s = intentStage(t);
    await select(s, id);
    const verdict = await s.call(...write(path));
    assert.equal(code(verdict), refused, verdict.text);
    if (said) assert.match(verdict.text!, said);
  });

test("PENDING in the file after it was selected: refused", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  s.write(".orchestration/active_intents.yaml", "active_intents:\n  - { id: INT-001, status: PENDING, scope: any }\n");
  assert.match((await s.call(...write("a.ts"))).text!, /INT-001 is PENDING, not IN_PROGRESS/);
});

test("exclusive: false lets other intents change its files", async (t) => {
  const entry = (id: string, more: string) => `  - { id: ${id}, status: IN_PROGRESS, owned_scope: [src/**]${more} }\n`;
  const yaml = (more: string) => `active_intents:\n${entry("A-1", "")}${entry("A-2", more)}`;
  const s = intentStage(t, { yaml: yaml("") });
  await select(s, "A-1");
  assert.match((await s.call(...write("src/a.ts"))).text!, /contended: A-2/);
  s.write(".orchestration/active_intents.yaml", yaml(", exclusive: false"));
  assert.equal(code(await s.call(...write("src/a.ts"))), undefined);
});

test("an intent that is completed after it was selected no longer lets anything through", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const yaml = `active_intents:\n  - { id: INT-001, status: COMPLETED, owned_scope: [src/**] }\n`;
  s.write(".orchestration/active_intents.yaml", yaml);
  const verdict = await s.call(...write("src/auth/a.ts"));
  assert.equal(code(verdict), missing);
  assert.match(verdict.text!, /INT-001 is COMPLETED, not IN_PROGRESS/);
});

test(".intentignore: an intent and paths, in either place", async (t) => {
  const s = intentStage(t, {
    files: {
      ".intentignore": "# comment\nintent:INT-007\n*.lock\n",
      ".orchestration/.intentignore": "src/auth/frozen/\n",
    },
  });
  await select(s, "INT-007");
  assert.equal(code(await s.call(...write("lib/x.ts"))), missing);
  await select(s, "INT-001");
  assert.equal(code(await s.call(...write("src/auth/deep/yarn.lock"))), "INTENTIGNORE_PATH_BLOCKED");
  assert.equal(code(await s.call(...write("src/auth/frozen/x.ts"))), "INTENTIGNORE_PATH_BLOCKED");
  assert.equal(code(await s.call("Bash", { command: "touch src/auth/a.lock" })), "INTENTIGNORE_PATH_BLOCKED");
  assert.equal(code(await s.call(...write("src/auth/x.ts"))), undefined);
  s.write(".intentignore", "intent:INT-001\n");
  assert.equal(code(await s.call(...write("src/auth/x.ts"))), "INTENT_IGNORED");
});

test("children stay in the scope of their parents, and do not contend with them", async (t) => {
  const yaml = `active_intents:
  - { id: P-1, status: IN_PROGRESS, owned_scope: [src/auth/**] }
  - { id: C-1, status: IN_PROGRESS, parent_intent: P-1, owned_scope: [src/**] }
`;
  const s = intentStage(t, { yaml });
  await select(s, "C-1");
  assert.equal(code(await s.call(...write("src/auth/x.ts"))), undefined);
  assert.match((await s.call(...write("src/other.ts"))).text!, /the scope of P-1, the parent of C-1/);
});

for (const command of ["interlock intent select INT-001", "npx agent-interlock intent select INT-001 --json"])
  test(`selecting in a shell counts like the tool: ${command}`, async (t) => {
    const s = intentStage(t);
    await s.run("Bash", { command }, "ok");
    assert.equal(code(await s.call(...write("src/auth/x.ts"))), undefined);
  });

test("selecting takes a pending intent up in the file, comments kept", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-002");
  const text = readFileSync(join(s.root, ".orchestration/active_intents.yaml"), "utf8");
  assert.match(text, /# the team's intents\nactive_intents:\n {2}- id: INT-001 # login/);
  assert.match(text, /id: INT-002\n {4}name: Billing\n {4}status: IN_PROGRESS/);
});

test("what a command changed outside the scope is reported afterwards, with the way back", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const input = { command: "bash build.sh" };
  assert.equal((await s.call("Bash", input)).outcome, "pass");
  s.write("src/other.ts", "changed\n");
  s.write("src/auth/login.ts", "changed\n");
  const after = await s.done("Bash", input, "done");
  const told = after.context.join("\n");
  assert.match(told, /src\/other\.ts was changed while this Bash call ran/);
  assert.match(told, /^OUT OF SCOPE intent\/gatekeeper \[v-\d+\]/m);
  assert.match(told, /SCOPE_VIOLATION/);
  assert.match(told, /interlock restore v-\d+/);
  assert.doesNotMatch(told, /login\.ts/);
});

test("control files that a script changed close the gate until they are put back", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const yaml = readFileSync(join(s.root, ".orchestration/active_intents.yaml"), "utf8");
  await s.call("Bash", { command: "bash evil.sh" });
  s.write(".orchestration/active_intents.yaml", yaml.replace("src/auth/**", "src/**"));
  const after = await s.done("Bash", { command: "bash evil.sh" }, "");
  assert.match(after.context.join("\n"), /TAMPERING[^]*active_intents\.yaml/);
  const refused = await s.call(...write("src/auth/a.ts"));
  assert.equal(code(refused), missing);
  assert.match(refused.text!, /active_intents\.yaml was changed while an agent's call ran[^]*interlock intent accept/);
  s.write(".orchestration/active_intents.yaml", yaml);
  assert.equal(code(await s.call(...write("src/auth/a.ts"))), undefined);
});

test("a call that runs while an intent is taken up is not blamed for the file", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  const input = { command: "bash slow.sh" };
  const id = { tool_use_id: "toolu_slow", tool_name: "Bash", tool_input: input };
  await s.verdict("PreToolUse", id);
  await select(s, "INT-002");
  await s.verdict("PostToolUse", { ...id, tool_response: { stdout: "", stderr: "", interrupted: false } });
  assert.equal(code(await s.call(...write("src/billing/a.ts"))), undefined);
});

test("an unknown tool's changes without an intent are reported afterwards", async (t) => {
  const s = intentStage(t);
  assert.equal((await s.call("brand_new_tool", { a: 1 })).outcome, "pass");
  s.write("src/other.ts", "changed\n");
  const after = await s.done("brand_new_tool", { a: 1 }, {});
  assert.match(after.context.join("\n"), /src\/other\.ts was changed[^]*MISSING_OR_INVALID_INTENT/);
});

test("in observe mode nothing is refused and the refusal is recorded", async (t) => {
  const s = intentStage(t, { mode: "observe" });
  const verdict = await s.call(...write("src/auth/x.ts"));
  assert.equal(verdict.outcome, "pass");
  assert.equal(code(verdict), missing);
});
