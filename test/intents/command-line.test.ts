// interlock intent and the gate through the built program: start in three commands, and everything a person decides.
import assert from "node:assert/strict";
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type IntentProject, intentProject } from "./intent-project.js";

const write = (path: string) => ["Write", { file_path: path, content: "x\n" }] as const;
const own = (tool: string) => `mcp__interlock__${tool}`;
const selects = (p: IntentProject, id: string, session?: string) =>
  p.does(own("select_active_intent"), { intent_id: id }, () => undefined, session);

const intents = `active_intents:
  - id: INT-001 # kept
    name: Login
    status: PENDING
    owned_scope: [src/auth/**]
    acceptance_criteria: [tests pass, docs written]
`;
const files = { ".orchestration/active_intents.yaml": intents };

test("without .orchestration nothing is asked for; the first intent closes the gate until it is selected", (t) => {
  const p = intentProject(t);
  assert.equal(p.refusal(...write("src/a.ts")), undefined);
  const added = p.typed("intent", "add", "Refactor the auth middleware", "--scope", "src/auth/**", "--criterion", "ok");
  assert.match(added.text, /INT-001 added/);
  assert.match(
    p.refusal(...write("src/auth/a.ts"))!,
    /You must cite a valid active Intent ID\.[^]*INT-001 \(PENDING\)/,
  );
  selects(p, "INT-001");
  assert.equal(p.refusal(...write("src/auth/a.ts")), undefined);
  assert.match(p.refusal(...write("src/b.ts"))!, /SCOPE_VIOLATION/);
  assert.match(p.run("intent", "list").stdout, /INT-001 {3}IN_PROGRESS[^]*1 open criteria, selected by s-1/);
});

test("deleting the folder does not open the gate; a person forgets it", (t) => {
  const p = intentProject(t, files);
  assert.ok(p.refusal(...write("src/a.ts")));
  renameSync(join(p.root, ".orchestration"), join(p.root, "..", "gone"));
  assert.match(p.refusal(...write("src/a.ts"))!, /active_intents\.yaml: the file does not exist/);
  assert.match(p.run("intent", "forget").stderr, /only a person may do this/);
  assert.equal(p.typed("intent", "forget").status, 0);
  assert.equal(p.refusal(...write("src/a.ts")), undefined);
});

test("a compiled form that was tampered with is not believed", (t) => {
  const p = intentProject(t, files);
  selects(p, "INT-001");
  assert.match(p.refusal(...write("src/b.ts"))!, /SCOPE_VIOLATION/);
  const [project] = readdirSync(join(p.home, "projects"));
  const folder = join(p.home, "projects", project!, "intents");
  for (const name of readdirSync(folder)) {
    const text = p.read(join("..", "interlock", "projects", project!, "intents", name))!;
    writeFileSync(join(folder, name), text.replaceAll("src/auth", "src"));
  }
  assert.match(p.refusal(...write("src/b.ts"))!, /SCOPE_VIOLATION/);
});

test("broken YAML: file, line and remedy, in the refusal and on the command line", (t) => {
  const p = intentProject(t, { ".orchestration/active_intents.yaml": "active_intents:\n  - id: [A\n" });
  assert.match(
    p.refusal(...write("src/a.ts"))!,
    /\.orchestration\/active_intents\.yaml:3: not valid YAML[^]*repair that line/,
  );
  const { status, stderr } = p.run("intent", "list");
  assert.equal(status, 1);
  assert.match(stderr, /active_intents\.yaml:3: not valid YAML/);
  assert.equal(p.refusal("Read", { file_path: "src/a.ts" }), undefined);
});

test("what grants something is for people; selecting is for agents too", (t) => {
  const p = intentProject(t, files);
  for (const args of [
    ["add", "x"],
    ["approve", "INT-001"],
    ["complete", "INT-001", "--all"],
    ["block", "INT-001", "--reason", "x"],
    ["archive", "INT-001"],
    ["scope", "add", "INT-001", "**"],
    ["select", "--none"],
  ]) {
    const { status, stderr } = p.run("intent", ...args);
    if (args[0] === "complete") assert.match(stderr, /not IN_PROGRESS/);
    else assert.match(stderr, /only a person may do this/, args.join(" "));
    assert.equal(status, 1, args.join(" "));
  }
  assert.equal(p.read(".orchestration/active_intents.yaml"), intents);
  const { status, stdout, stderr } = p.run("intent", "select", "INT-001");
  assert.equal(status, 0, stderr);
  assert.match(stdout, /<intent_context>/);
  assert.equal(p.read(".orchestration/active_intents.yaml"), intents, "the hook takes it up, not the agent's process");
});

test("a person selects for one session or all, and takes it back", (t) => {
  const p = intentProject(t, files);
  p.typed("intent", "select", "INT-001", "--session", "s-1");
  assert.match(p.read(".orchestration/active_intents.yaml")!, /INT-001 # kept\n[^]*status: IN_PROGRESS/);
  assert.equal(p.refusal(...write("src/auth/a.ts")), undefined);
  assert.ok(p.refusal(...write("src/auth/a.ts"), "s-2"));
  p.typed("intent", "select", "INT-001");
  assert.equal(p.refusal(...write("src/auth/a.ts"), "s-2"), undefined);
  p.typed("intent", "select", "--none");
  assert.ok(p.refusal(...write("src/auth/a.ts"), "s-2"));
});

test("scope requests: listed, refused, approved; only then the gate opens", (t) => {
  const p = intentProject(t, files);
  selects(p, "INT-001");
  const ask = (paths: string[]) =>
    p.does(own("request_scope_expansion"), { intent_id: "INT-001", paths, reason: "it imports them" }, () => undefined);
  ask(["src/jwt/"]);
  ask(["**"]);
  assert.match(p.run("intent", "scope", "list").stdout, /sr-1 {2}open {2}INT-001 wants src\/jwt\/[^]*sr-2/);
  assert.match(p.run("intent", "scope", "approve", "sr-1").stderr, /only a person may do this/);
  assert.equal(p.typed("intent", "scope", "refuse", "sr-2").status, 0);
  assert.ok(p.refusal(...write("src/jwt/a.ts")));
  assert.match(p.typed("intent", "scope", "approve", "sr-1").text, /sr-1 approved/);
  assert.equal(p.refusal(...write("src/jwt/a.ts")), undefined);
  assert.match(p.read(".orchestration/active_intents.yaml")!, /owned_scope: \[src\/auth\/\*\*, src\/jwt\/\]/);
  assert.match(p.typed("intent", "scope", "approve", "sr-2").text, /was refused already/);
});

test("completing shows what is open, ticks, and is final", (t) => {
  const p = intentProject(t, files);
  selects(p, "INT-001");
  const open = p.typed("intent", "complete", "INT-001");
  assert.equal(open.status, 1);
  assert.match(open.text, /Not yet met:\n {2}1\. tests pass\n {2}2\. docs written/);
  assert.match(p.typed("intent", "complete", "INT-001", "--tick", "1").text, /Ticked\. 1 to go/);
  assert.equal(p.typed("intent", "complete", "INT-001", "--tick", "9").status, 2);
  assert.match(p.typed("intent", "complete", "INT-001", "--all").text, /INT-001 is COMPLETED/);
  assert.match(p.refusal(...write("src/auth/a.ts"))!, /INT-001 is COMPLETED, not IN_PROGRESS/);
  assert.equal(p.typed("intent", "approve", "INT-001").status, 1, "it never reopens");
});

test("blocked until a person approves it again", (t) => {
  const p = intentProject(t, files);
  selects(p, "INT-001");
  assert.equal(p.typed("intent", "block", "INT-001", "--reason", "waiting for review").status, 0);
  assert.match(p.refusal(...write("src/auth/a.ts"))!, /BLOCKED/);
  assert.equal(p.typed("intent", "approve", "INT-001").status, 0);
  assert.equal(p.refusal(...write("src/auth/a.ts")), undefined);
});

test("traces, history and the map through the built program", (t) => {
  const p = intentProject(t, { ...files, "src/auth/a.ts": "export const one = 1;\n" });
  selects(p, "INT-001");
  const edit = { file_path: join(p.root, "src/auth/a.ts"), old_string: "1", new_string: "2" };
  p.does("Edit", edit, () => p.put("src/auth/a.ts", "export const one = 2;\n"));
  assert.match(p.run("intent", "history", "INT-001").stdout, /src\/auth\/a\.ts:1 {2}INTENT_EVOLUTION/);
  assert.match(p.run("intent", "map", "INT-001").stdout, /INT-001: Login[^]*src\/auth\/a\.ts/);
  assert.match(p.run("intent", "show", "INT-001").stdout, /Last changes\n.*src\/auth\/a\.ts:1/);
  const json = JSON.parse(p.run("intent", "history", "INT-001", "--json").stdout) as {
    history: { present: boolean }[];
  };
  assert.equal(json.history[0]!.present, true);
});

test("what a command changed outside the scope is reported, and a person restores it", (t) => {
  const p = intentProject(t, { ...files, "src/other.ts": "as it was\n" });
  selects(p, "INT-001");
  const call = { tool_name: "Bash", tool_input: { command: "bash build.sh" }, tool_use_id: "toolu_build" };
  p.hook("PreToolUse", call);
  p.put("src/other.ts", "changed\n");
  const after = JSON.stringify(p.hook("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "" } }));
  const verdict = /OUT OF SCOPE intent\/gatekeeper \[(v-\d+)\]/.exec(after)?.[1];
  assert.ok(verdict, after);
  const restored = p.typed("restore", verdict);
  assert.equal(restored.status, 0, restored.text);
  assert.equal(p.read("src/other.ts"), "as it was\n");
});

test("control files that a script changed are believed again only when a person accepts them", (t) => {
  const p = intentProject(t, files);
  selects(p, "INT-001");
  const yaml = p.read(".orchestration/active_intents.yaml")!;
  p.does("Bash", { command: "bash evil.sh" }, () =>
    p.put(".orchestration/active_intents.yaml", yaml.replace("src/auth/**", "src/**")),
  );
  assert.match(p.refusal(...write("src/b.ts"))!, /was changed while an agent's call ran[^]*interlock intent accept/);
  assert.match(p.typed("intent", "scope", "add", "INT-001", "lib/").text, /look at it, then: interlock intent accept/);
  assert.match(p.run("intent", "accept").stderr, /only a person may do this/);
  assert.equal(p.typed("intent", "accept").status, 0);
  assert.equal(p.refusal(...write("src/b.ts")), undefined);
});

test("import: nothing is written with --dry-run, and everything with a person", (t) => {
  const p = intentProject(t, { "tasks.md": "- [ ] T001 Build src/app/main.ts\n- [x] T002 Done\n" });
  assert.match(p.run("intent", "import", "tasks.md", "--dry-run").stdout, /1 intent\(s\) from spec-kit, 1 skipped/);
  assert.equal(p.read(".orchestration/active_intents.yaml"), undefined);
  assert.equal(p.typed("intent", "import", "tasks.md").status, 0);
  assert.match(
    p.read(".orchestration/active_intents.yaml")!,
    /id: T001\n {4}name: Build src\/app\/main\.ts\n {4}status: PENDING/,
  );
});

test("usage errors name what is known", (t) => {
  const p = intentProject(t, files);
  assert.match(p.run("intent", "lst").stderr, /unknown command "lst"; did you mean list\?/);
  assert.equal(p.run("intent").status, 2);
  assert.match(p.run("intent", "show", "INT-9").stderr, /there is no intent "INT-9"; there are: INT-001/);
  rmSync(join(p.root, ".orchestration"), { recursive: true });
  assert.match(p.run("intent", "list").stderr, /add the first one: interlock intent add/);
});
