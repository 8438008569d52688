// The state file guarded before it is written: by Write, by Edit, by the shell; and what must stay possible.
import { join } from "node:path";
import { phases } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";

// biome-ignore lint/suspicious/noExplicitAny: tests change the framework's open-ended state
type State = any;
const base = {
  ...workflowAt("04-design", { git_branch: { name: "feature/x", status: "active" } }),
  state_version: 5,
  mine: 1,
};
const compliant = { completed: true, status: "compliant", iterations_used: 1, articles_checked: ["I"] };
const ready = {
  ...workflowAt("04-design", {}, phases("04-design", { constitutional_validation: compliant })),
  skill_usage_log: [{ agent: "system-designer", agent_phase: "04-design" }],
};
const file = (p: FrameworkProject) => join(p.root, ".isdlc/state.json");

/** Writes the whole file with a change. */
const write =
  (change: (s: State) => void, path = file) =>
  (p: FrameworkProject) => {
    const state = p.state();
    change(state);
    return p.before("Write", { file_path: path(p), content: JSON.stringify(state) });
  };
const edit = (from: string, to: string) => (p: FrameworkProject) =>
  p.before("Edit", { file_path: file(p), old_string: from, new_string: to });
const shell = (command: string) => (p: FrameworkProject) => p.before("Bash", { command });
const moveTo = (phase: string, index: number) => (s: State) => {
  s.active_workflow.current_phase = phase;
  s.active_workflow.current_phase_index = index;
};
const setup = { state: base };

const files: Row[] = [
  {
    name: "an MCP writer",
    setup,
    act: (p) => p.before("mcp__filesystem__write_file", { path: file(p), content: "{}" }),
    denied: ["by an MCP tool", "interlock lifecycle"],
  },
  {
    name: "an MCP reader",
    setup,
    act: (p) => p.before("mcp__filesystem__read_file", { path: file(p) }),
  },
  {
    name: "an empty state over a file with a byte order mark",
    setup: { state: `\ufeff${JSON.stringify(base)}` },
    act: (p) => p.before("Write", { file_path: file(p), content: "{}" }),
    denied: [],
  },
  {
    name: "a fake constitutional check",
    setup,
    act: write((s) => (s.phases["04-design"].constitutional_validation = { completed: true, iterations_used: 0 })),
    denied: ["fake completion", "iterations_used is 0"],
  },
  {
    name: "a fake elicitation",
    setup,
    act: write(
      (s) =>
        (s.phases["01-requirements"] = { iteration_requirements: { interactive_elicitation: { completed: true } } }),
    ),
    denied: ["fake completion", "menu_interactions is missing"],
  },
  {
    name: "a fake test iteration",
    setup,
    act: write(
      (s) =>
        (s.phases["04-design"].iteration_requirements = { test_iteration: { completed: true, current_iteration: 0 } }),
    ),
    denied: ["fake completion"],
  },
  {
    name: "a fake completion by Edit",
    setup: {
      state: {
        ...base,
        phases: phases("04-design", { constitutional_validation: { completed: false, iterations_used: 0 } }),
      },
    },
    act: edit('"completed": false', '"completed": true'),
    denied: ["fake completion"],
  },
  {
    name: "a phase back",
    setup,
    act: write(moveTo("03-architecture", 3)),
    denied: ["regressed phase", "redo --to 03-architecture"],
  },
  {
    name: "a phase back by Edit",
    setup,
    act: edit('"current_phase_index": 4', '"current_phase_index": 3'),
    denied: ["regressed phase"],
  },
  { name: "a phase skipped", setup, act: write(moveTo("06-implementation", 6)), denied: ["skipped phase"] },
  {
    name: "the phase's name alone",
    setup,
    act: edit('"current_phase": "04-design"', '"current_phase": "06-implementation"'),
    denied: ["skipped phase"],
  },
  {
    name: "the next phase with needs open",
    setup,
    act: write(moveTo("05-test-strategy", 5)),
    denied: ["unmet requirements", "04-design is not finished"],
  },
  { name: "the next phase with needs met", setup: { state: ready }, act: write(moveTo("05-test-strategy", 5)) },
  {
    name: "completed with needs open",
    setup,
    act: write((s) => (s.phases["04-design"].status = "completed")),
    denied: ["unmet requirements"],
  },
  {
    name: "completed with needs met",
    setup: { state: ready },
    act: write((s) => (s.phases["04-design"].status = "completed")),
  },
  {
    name: "a later phase completed in advance",
    setup,
    act: write((s) => (s.phases["06-implementation"] = { status: "completed" })),
    denied: ["skipped phase"],
  },
  {
    name: "a completed phase begun again",
    setup: { state: { ...base, phases: { ...phases("04-design", {}), "03-architecture": { status: "completed" } } } },
    act: write((s) => (s.phases["03-architecture"].status = "in_progress")),
    denied: ["regressed phase"],
  },
  {
    name: "an older version",
    setup,
    act: write((s) => (s.state_version = 4)),
    denied: ["stale version", "read .isdlc/state.json again"],
  },
  { name: "a version left out", setup, act: write((s) => delete s.state_version), denied: ["stale version"] },
  { name: "the same version", setup, act: write((s) => (s.mine = 2)) },
  {
    name: "the workflow removed",
    setup,
    act: write((s) => (s.active_workflow = null)),
    denied: ["ended workflow", "cancel --reason"],
  },
  {
    name: "the workflow replaced",
    setup,
    act: write(
      (s) =>
        (s.active_workflow = {
          type: "fix",
          phases: ["01-requirements"],
          current_phase: "01-requirements",
          current_phase_index: 0,
        }),
    ),
    denied: ["skipped phase", "fixed while it runs"],
  },
  {
    name: "phases taken out",
    setup,
    act: write((s) => s.active_workflow.phases.splice(5, 2)),
    denied: ["skipped phase"],
  },
  {
    name: "the branch let go",
    setup,
    act: write((s) => (s.active_workflow.git_branch.status = "merged")),
    denied: ["branch left"],
  },
  {
    name: "enforcement switched off",
    setup,
    act: write((s) => (s.iteration_enforcement = { enabled: false })),
    denied: ["enforcement off"],
  },
  {
    name: "no JSON at all",
    setup,
    act: (p) => p.before("Write", { file_path: file(p), content: "{" }),
    denied: ["not valid JSON"],
  },
  {
    name: "a halfway entry",
    setup: { state: { active_workflow: null, phases: {} } },
    act: write((s) => (s.active_workflow = workflowAt("06-implementation")["active_workflow"])),
    denied: ["halfway entry"],
  },
  {
    name: "an unknown phase",
    setup: { state: { active_workflow: null, phases: {} } },
    act: write(
      (s) =>
        (s.active_workflow = {
          type: "x",
          phases: ["06-implementaton"],
          current_phase: "06-implementaton",
          current_phase_index: 0,
        }),
    ),
    denied: ["unknown phase", "06-implementation"],
  },
  {
    name: "a workflow started at its beginning",
    setup: { state: { active_workflow: null, phases: {} } },
    act: write((s) => (s.active_workflow = workflowAt("00-quick-scan")["active_workflow"])),
  },
  {
    name: "the current phase begun",
    setup: { state: workflowAt("04-design", {}, { "04-design": { status: "pending" } }) },
    act: edit('"pending"', '"in_progress"'),
  },
  {
    name: "other fields",
    setup,
    act: write((s) =>
      Object.assign(s, { mine: 9, active_agent: "x", discovery_context: { walkthrough_completed: true } }),
    ),
  },
  {
    name: "another spelling of the path",
    setup,
    act: write(moveTo("06-implementation", 6), (p) => join(p.root, "src/../.isdlc/./state.json")),
    denied: ["skipped phase"],
  },
  {
    name: "another file named state.json",
    setup,
    act: (p) => p.before("Write", { file_path: join(p.root, "src/state.json"), content: '{"active_workflow":null}' }),
  },
  { name: "an edit that does not apply", setup, act: edit("nowhere", "x") },
  {
    name: "a check that is only written is told not to count",
    setup,
    act: write((s) => (s.phases["04-design"].constitutional_validation = compliant)),
    told: ["counts when it is made with: interlock lifecycle validate --articles I,IV,V,VII,IX"],
  },
];

const commands: Row[] = [
  { name: "redirection", act: shell("echo '{}' > .isdlc/state.json") },
  { name: "redirection with a number", act: shell("echo '{}' 1> .isdlc/state.json") },
  { name: "append", act: shell("echo x >> .isdlc/state.json") },
  { name: "after cd", act: shell("cd .isdlc && echo '{}' > state.json") },
  { name: "cp over it, in a chain", act: shell("cp /tmp/x .isdlc/state.json && true") },
  { name: "mv over it", act: shell("mv /tmp/x .isdlc/state.json") },
  { name: "rm", act: shell("rm .isdlc/state.json") },
  { name: "rm of the folder", act: shell("rm -rf .isdlc") },
  { name: "rm of a project's folder", act: shell("rm -rf .isdlc/projects/api") },
  { name: "rm of everything", act: shell("rm -rf .") },
  { name: "tee", act: shell("jq . a.json | tee .isdlc/state.json") },
  { name: "sponge", act: shell("jq '.x=1' .isdlc/state.json | sponge .isdlc/state.json") },
  { name: "dd", act: shell("dd if=/tmp/x of=.isdlc/state.json") },
  { name: "sed in place", act: shell("sed -i 's/pending/completed/' .isdlc/state.json") },
  { name: "perl in place", act: shell("perl -pi -e 's/a/b/' .isdlc/state.json") },
  { name: "node, double quotes", act: shell(`node -e "require('fs').writeFileSync('.isdlc/state.json','{}')"`) },
  { name: "node, single quotes", act: shell(`node -e 'require("fs").writeFileSync(".isdlc/state.json","{}")'`) },
  { name: "python", act: shell(`python3 -c "open('.isdlc/state.json','w').write('{}')"`) },
  { name: "inside bash -c", act: shell(`bash -c "echo '{}' > .isdlc/state.json"`) },
  { name: "a monorepo's project", act: shell("echo '{}' > .isdlc/projects/api/state.json") },
].map((row) => ({ ...row, setup, denied: ["by a shell command", "interlock lifecycle"] }));

const harmless: Row[] = [
  { name: "reading it", act: shell("cat .isdlc/state.json | jq .phases") },
  { name: "copying it away", act: shell("cp .isdlc/state.json /tmp/backup.json") },
  { name: "errors sent away", act: shell("jq . .isdlc/state.json 2>/dev/null") },
  { name: "naming it", act: shell('echo "state.json > is in .isdlc/state.json"') },
  { name: "another state.json", act: shell("echo '{}' > src/state.json") },
  { name: "node that reads", act: shell(`node -e "console.log(require('./.isdlc/state.json').phases)"`) },
  { name: "git commit of it", act: shell("git add .isdlc/state.json") },
  { name: "rm of another folder of the framework", act: shell("rm -rf .isdlc/cache") },
  { name: "rm of something else", act: shell("rm -rf node_modules") },
].map((row) => ({ ...row, setup }));

const tables: Row[] = [
  {
    name: "a manifest written while a workflow runs",
    act: (p: FrameworkProject) =>
      p.before("Write", { file_path: join(p.root, ".isdlc/config/skills-manifest.json"), content: "{}" }),
  },
  {
    name: "a monorepo made while a workflow runs",
    act: (p: FrameworkProject) => p.before("Write", { file_path: join(p.root, ".isdlc/monorepo.json"), content: "{}" }),
  },
  { name: "a manifest removed by the shell", act: shell("rm .isdlc/config/skills-manifest.json") },
  { name: "a monorepo made by the shell", act: shell("echo '{}' > .isdlc/monorepo.json") },
].map((row) => ({ ...row, setup, denied: ["a workflow is running"] }));

const free: Row[] = [
  {
    name: "a manifest written while none runs",
    setup: { state: { active_workflow: null } },
    act: (p) => p.before("Write", { file_path: join(p.root, ".isdlc/config/skills-manifest.json"), content: "{}" }),
  },
  {
    name: "other files of the framework",
    setup,
    act: (p) => p.before("Write", { file_path: join(p.root, ".isdlc/notes.json"), content: "{}" }),
  },
];

gateTable("lifecycle/state-write-validator", [...files, ...commands, ...harmless, ...tables, ...free]);
remedyOpens("lifecycle/state-write-validator", {
  setup: { state: workflowAt("04-design", {}, { "04-design": { status: "pending" } }) },
  act: write(moveTo("06-implementation", 6)),
  remedy: () => undefined,
  again: edit('"pending"', '"in_progress"'),
});
