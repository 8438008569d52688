// The command itself: what it answers, with which exit code, and what only a person may decide.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Driver, lifecycle } from "./drive.js";
import { framework, workflowAt } from "./project.js";

test("status and next show the current phase and the next step", (t) => {
  const p = framework(t, { manifest: false });
  assert.equal(lifecycle(p, "status").json["workflow"], null);
  assert.equal(lifecycle(p, "next").json["next"], "interlock lifecycle start <workflow>");
  assert.equal(lifecycle(p, "start", "fix", "--branch", "--name", "bug 12").code, 0);
  assert.equal(p.read(".git/HEAD").trim(), "ref: refs/heads/fix/bug-12", "the branch is made and entered");
  assert.ok(p.has(".isdlc/config/skills-manifest.json"), "agents can be recognised");
  const next = lifecycle(p, "next").json;
  assert.equal(next["open"], false);
  assert.deepEqual(
    (next["unmet"] as { need: string }[]).map((u) => u.need),
    ["delegation", "elicitation", "constitution"],
  );
  assert.equal(lifecycle(p, "status").code, 0);
});

test("an unregistered project is an error, not the whole repository", (t) => {
  const p = framework(t, {
    files: { ".isdlc/monorepo.json": '{"projects":{"web":{"path":"apps/web"}}}', "apps/web/a.ts": "" },
  });
  assert.notEqual(lifecycle(p, "start", "fix", "--project", "nope").code, 0);
  assert.equal(p.has(".isdlc/projects/nope/state.json"), false);
  assert.equal(lifecycle(p, "start", "fix", "--project", "web").code, 0);
  assert.ok(p.has(".isdlc/projects/web/state.json"));
});

test("an existing project is adopted at its current phase", (t) => {
  const p = framework(t, {
    state: workflowAt(
      "04-design",
      {},
      {
        "04-design": {
          status: "in_progress",
          constitutional_validation: { completed: true, status: "compliant", iterations_used: 2 },
        },
      },
    ),
  });
  const { unmet } = lifecycle(p, "next").json as unknown as { unmet: { need: string }[] };
  assert.deepEqual(
    unmet.map((u) => u.need),
    ["delegation"],
  );
  assert.equal(lifecycle(p, "status").json["phase"], "04-design");
});

test("validate names every fault and its repair", async (t) => {
  const p = framework(t, {
    state: {
      active_workflow: { type: "featur", current_phase: "99-magic", phases: ["99-magic"] },
      phases: { "06-notes": {} },
    },
    manifest: false,
  });
  const { code, json } = lifecycle(p, "validate");
  assert.equal(code, 1);
  const said = (json["faults"] as { why: string; next: string }[]).map((f) => f.why).join("\n");
  for (const part of [
    '"99-magic" is not defined',
    '"06-notes" is not defined',
    '"featur" is not defined',
    "no skills manifest",
  ])
    assert.ok(said.includes(part), said);
  p.write(".isdlc/state.json", "{ broken");
  assert.match(JSON.stringify(lifecycle(p, "validate").json), /not valid JSON/);
});

test("an unseen change is a fault until it is undone", async (t) => {
  const p = framework(t);
  lifecycle(p, "start", "feature");
  const before = p.read(".isdlc/state.json");
  p.write(".isdlc/state.json", before.replaceAll("00-quick-scan", "06-implementation"));
  await p.task("quick-scan-agent");
  const { code, json } = lifecycle(p, "validate");
  assert.equal(code, 1);
  assert.match(JSON.stringify(json["faults"]), /nobody was seen to make.*feature at 00-quick-scan/);
  p.write(".isdlc/state.json", before);
  await p.task("quick-scan-agent");
  assert.equal(lifecycle(p, "validate").code, 0);
});

test("a constitutional check: partly, with a violation, complete, escalated", (t) => {
  const p = framework(t);
  lifecycle(p, "start", "feature");
  assert.equal(lifecycle(p, "validate", "--articles", "I").code, 1, "the quick scan needs none");
  const d = new Driver(p, "fix", ".isdlc/state.json");
  lifecycle(p, "cancel", "--reason", "other");
  lifecycle(p, "start", "fix");
  const record = () => p.state().phases["01-requirements"].constitutional_validation;
  assert.equal(lifecycle(p, "validate", "--articles", "I,XX").code, 1, "no such article");
  assert.equal(lifecycle(p, "validate", "--articles", "I,IV").code, 0);
  assert.deepEqual([record().completed, record().status, record().articles_checked], [false, "iterating", ["I", "IV"]]);
  assert.equal(lifecycle(p, "validate", "--articles", "VII", "--violation", "no trace").code, 0);
  assert.equal(record().violations_found[0].violation, "no trace");
  assert.equal(d.check().code, 0);
  assert.deepEqual([record().completed, record().status, record().iterations_used], [true, "compliant", 3]);
  lifecycle(p, "redo", "--reason", "again");
  for (let i = 0; i < 5; i++) lifecycle(p, "validate", "--articles", "I", "--violation", "still");
  assert.equal(record().status, "escalated");
  assert.match(String(lifecycle(p, "advance").json["why"]), /escalated/);
});

test("approving an escalation and accepting a file are a person's decisions: not without a terminal", (t) => {
  const p = framework(t);
  lifecycle(p, "start", "feature");
  for (const command of ["approve", "accept"]) {
    const { code, json } = lifecycle(p, command, "--reason", "because");
    assert.equal(code, 1);
    assert.match(String(json["why"]), /there is no terminal/);
  }
});

test("unknown arguments are usage errors", (t) => {
  const p = framework(t);
  assert.equal(lifecycle(p, "frobnicate").code, 2);
  assert.match(lifecycle(p, "start", "featur").err, /did you mean feature\?[^]*feature, fix/);
  assert.match(lifecycle(p, "start", "--nmae", "x").err, /did you mean --name/);
});
