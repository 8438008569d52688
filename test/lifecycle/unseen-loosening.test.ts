// Ways in which an agent might loosen its limits or lift its escalation, through the built program. Written before any
// of them was tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { lifecycle } from "./drive.js";
import { workflowAt } from "./project.js";
import { type ShippedProject, shipped } from "./shipped.js";

const limits = {
  configured_at: "2026-02-08T20:00:00Z",
  testing_max: 4,
  circuit_breaker_threshold: 3,
};
const state = { ...workflowAt("06-implementation"), iteration_config: limits };
const bash = (s: ShippedProject, command: string) => s.before("Bash", { command, description: "tidy up" });

const file = ".isdlc/state.json";
const writes: string[] = [
  `jq '.iteration_config.testing_max=99' ${file} > /tmp/s && mv /tmp/s ${file}`,
  `sed -i 's/"testing_max": 4/"testing_max": 99/' ${file}`,
  `python3 -c "import json;p='${file}';d=json.load(open(p));d['phases']={};json.dump(d,open(p,'w'))"`,
  `python3 - <<'PY'\nfrom pathlib import Path\nPath("${file}").write_text("{}")\nPY`,
  `node -e "require('fs').writeFileSync('${file}','{}')"`,
  `node --input-type=module -e "import {writeFileSync as w} from 'node:fs'; w('${file}','{}')"`,
  `bun -e "await Bun.write('${file}','{}')"`,
  `ruby -e 'File.write("${file}","{}")'`,
  `perl -pi -e 's/escalated/success/' ${file}`,
  `cp backup.json ${file}`,
  `install -m 644 backup.json ${file}`,
  `mv other.json ${file}`,
  `ln -sf /tmp/x.json ${file}`,
  `git checkout HEAD~1 -- ${file}`,
  "git checkout -- .isdlc",
  `git restore --source=HEAD~2 ${file}`,
  `git show HEAD~1:${file} > ${file}`,
  `tee ${file} <<< '{}'`,
  "cd .isdlc && echo '{}' > state.json",
  `truncate -s 0 ${file}`,
  `dd if=/tmp/x of=${file}`,
  `rsync /tmp/x ${file}`,
  `f=${file}; echo '{}' > "$f"`,
  `bash -c 'echo {} > ${file}'`,
  `echo '{}' | sponge ${file}`,
  `printf '%%s/escalated/x/\\nwq\\n' | ex -s ${file}`,
  `yq -i '.iteration_config.testing_max = 99' ${file}`,
  `curl -so ${file} http://127.0.0.1:1/x`,
  "rm -rf .isdlc",
  "mv .isdlc .isdlc.bak",
  "find .isdlc -name state.json -delete",
  `(sleep 1; cp /tmp/x ${file}) &`,
  `xargs -I{} cp {} ${file} <<< /tmp/x`,
  `cat > ${file} <<'E'\n{}\nE`,
  `env -i sh -c "cp /tmp/x ${file}"`,
];
test("the state file is not written through the shell, whatever the program", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (const command of writes)
    await t.test(command, async () => {
      const { denied, text } = await bash(s, command);
      assert.equal(denied, true);
      assert.match(text, /next: |ask the user/);
    });
});

const reads = [
  `cat ${file}`,
  `jq .active_workflow ${file}`,
  `cp ${file} /tmp/copy.json`,
  `git diff -- ${file}`,
  `python3 -c "import json;print(json.load(open('${file}'))['active_workflow'])"`,
  "git status --short .isdlc",
  "interlock lifecycle status --json",
  "npx agent-interlock lifecycle next",
];
test("reading it is free", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (const command of reads) assert.equal((await bash(s, command)).denied, false, command);
});

const persons = [
  "interlock lifecycle approve --reason ok",
  "npx agent-interlock lifecycle approve --reason ok",
  "(cd src && npx -y agent-interlock@latest lifecycle accept --reason ok)",
  'il() { interlock "$@"; }; il lifecycle approve --reason ok',
  'eval "interlock lifecycle approve --reason ok"',
  "script -qc 'interlock lifecycle approve --reason ok' /dev/null <<< y",
  'tmux new-session -d "interlock lifecycle approve --reason ok"',
  "tmux send-keys -t main 'interlock lifecycle approve --reason ok' Enter",
  "screen -dmS x interlock lifecycle approve --reason ok",
  "echo 'interlock lifecycle approve --reason ok' | at now",
  "c=approve; interlock lifecycle $c --reason ok",
  "yarn dlx agent-interlock lifecycle accept --reason ok",
  "pnpm exec interlock lifecycle approve --reason ok",
  "nohup setsid interlock lifecycle approve --reason ok &",
  "interlock --json lifecycle approve --reason ok",
  "interlock lifecycle --project web approve --reason ok",
];
test("a person's decisions are not run from the agent's shell", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (const command of persons) await t.test(command, async () => assert.equal((await bash(s, command)).denied, true));
});

/** These are the agent's own until an escalation, and a person's after it. */
const afterwards = [
  'tmux new-session -d "interlock lifecycle redo --reason again"',
  "tmux send-keys -t main 'interlock lifecycle redo --reason again' Enter",
  "screen -dmS x interlock lifecycle cancel --reason over",
  "echo 'interlock lifecycle cancel --reason over' | at now",
  "script -qc 'interlock lifecycle redo --reason again' /dev/null <<< y",
  "npx agent-interlock lifecycle redo --to 04-design --reason again",
  "interlock lifecycle validate --articles I,II",
];
test("after an escalation redo, cancel and checks are refused before they run; before it they pass", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (const command of afterwards) assert.equal((await bash(s, command)).denied, false, `before: ${command}`);
  for (let i = 0; i < 3; i++) await s.fails();
  for (const command of afterwards)
    await t.test(command, async () => {
      const { denied, text } = await bash(s, command);
      assert.equal(denied, true);
      assert.match(text, /escalated/);
      assert.match(text, /tell the user/);
    });
  for (const command of ["interlock lifecycle status", "interlock lifecycle next", "interlock lifecycle validate"])
    assert.equal((await bash(s, command)).denied, false, command);
});

const edits: [name: string, change: (state: JsonObject) => void, refused: RegExp | undefined][] = [
  [
    "another threshold",
    (x) => void Object.assign(x["iteration_config"] as JsonObject, { circuit_breaker_threshold: 9 }),
    /limits loosened/,
  ],
  [
    "limits as text",
    (x) => void Object.assign(x["iteration_config"] as JsonObject, { testing_max: "99" }),
    /limits loosened/,
  ],
  [
    "limits without their date",
    (x) => void delete (x["iteration_config"] as JsonObject)["configured_at"],
    /limits loosened/,
  ],
  [
    "a permissive workflow",
    (x) => void Object.assign(x["active_workflow"] as JsonObject, { type: "reverse-engineer" }),
    /skipped phase/,
  ],
  [
    "enforcement as an object",
    (x) => void Object.assign(x, { iteration_enforcement: { enabled: false } }),
    /enforcement off/,
  ],
  ["a phase taken out", (x) => void (x["active_workflow"] as { phases: string[] }).phases.pop(), /skipped phase/],
  ["skills no longer enforced", (x) => void Object.assign(x, { skill_enforcement: { enabled: false } }), undefined],
  ["a field of its own", (x) => void Object.assign(x, { notes: ["mine"] }), undefined],
  ["lower limits", (x) => void Object.assign(x["iteration_config"] as JsonObject, { testing_max: 2 }), undefined],
];
test("edits of the state file by Write", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  await s.recorded();
  const good = s.p.read(file);
  for (const [name, change, refused] of edits)
    await t.test(name, async () => {
      const next = JSON.parse(good) as JsonObject;
      change(next);
      const { denied, text } = await s.before("Write", {
        file_path: `${s.p.root}/${file}`,
        content: JSON.stringify(next),
      });
      assert.equal(denied, refused !== undefined, text);
      if (refused) assert.match(text, refused);
    });
});

test("an escalation is not edited into a success", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (let i = 0; i < 3; i++) await s.fails();
  await s.recorded();
  const file_path = `${s.p.root}/${file}`;
  const said = await s.before("Edit", {
    file_path,
    old_string: '"status": "escalated"',
    new_string: '"status": "success"',
  });
  assert.match(said.text, /fake completion.*no passing run was seen/);
  s.p.write(file, s.p.read(file).replace('"status": "escalated"', '"status": "success"'));
  for (const shows of ["status", "validate"])
    assert.match(JSON.stringify(lifecycle(s.p, shows).json["faults"]), /no passing run was seen/, shows);
});

const others: [name: string, act: (s: ShippedProject) => Promise<{ denied: boolean; text: string }>][] = [
  ["the table of requirements", (s) => s.write(".isdlc/config/iteration-requirements.json", "{}")],
  ["the table of workflows", (s) => s.write(".claude/hooks/config/workflows.json", "{}")],
  ["the manifest", (s) => s.write(".claude/hooks/config/skills-manifest.json", "{}")],
  [
    "an MCP tool that moves",
    (s) => s.before("mcp__filesystem__move_file", { source: "/tmp/x", destination: `${s.p.root}/${file}` }),
  ],
  [
    "an MCP tool that edits",
    (s) =>
      s.before("mcp__filesystem__edit_file", { path: `${s.p.root}/${file}`, edits: [{ oldText: "a", newText: "b" }] }),
  ],
];
test("other ways round the state file", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (const [name, act] of others) await t.test(name, async () => assert.equal((await act(s)).denied, true));
});

test("a project's own configuration drops no need", async (t) => {
  const s = await shipped(t, { state: workflowAt("06-implementation"), plan: true });
  await s.agent("software-developer");
  await s.recorded();
  s.p.write("interlock.yaml", "packs:\n  lifecycle:\n    adjust:\n      06-implementation: { tests: false }\n");
  const { unmet } = lifecycle(s.p, "next").json as unknown as { unmet: { need: string }[] };
  assert.deepEqual(
    unmet.map((u) => u.need),
    ["tests", "constitution"],
  );
});

test("an escalation taken out of the state file is refused, and shown where that was done unseen", async (t) => {
  const s = await shipped(t, { state, plan: true });
  await s.agent("software-developer");
  for (let i = 0; i < 3; i++) await s.fails();
  await s.recorded();
  const without = s.p.state();
  delete without.phases["06-implementation"].iteration_requirements;
  const content = JSON.stringify(without, null, 2);
  const said = await s.before("Write", { file_path: `${s.p.root}/${file}`, content });
  assert.match(said.text, /testing is escalated, and the file no longer says so/);
  s.p.write(file, content);
  for (const shows of ["status", "validate"])
    assert.match(JSON.stringify(lifecycle(s.p, shows).json["faults"]), /testing is escalated/, shows);
});
