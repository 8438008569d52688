// All lifecycle gates of a Task call in one process, against one of them, a bare start of Node, and seven processes in
// a row as the framework registers them. Limit: all cost at most 1.3 times a single one. Exits 1 when it is passed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manifestText } from "../src/facts/agent-roles.js";
import { type Contender, cleanEnv, printRows, sideBySide } from "./measure.js";

const rounds = Number(process.argv[2] ?? 30);
const script = fileURLToPath(new URL("../../dist/interlock.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "interlock-bench-"));
const root = join(folder, "project");
const home = join(folder, "interlock");
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
mkdirSync(join(root, ".git", "refs"), { recursive: true });
mkdirSync(join(root, ".git", "objects"));
write(".git/HEAD", "ref: refs/heads/feature/x\n");
write(".claude/hooks/config/skills-manifest.json", manifestText());
write("docs/isdlc/tasks.md", "# Tasks\n");
const phases = [
  "00-quick-scan",
  "01-requirements",
  "02-impact-analysis",
  "03-architecture",
  "04-design",
  "05-test-strategy",
  "06-implementation",
  "11-local-testing",
  "07-testing",
  "10-cicd",
  "08-code-review",
];
write(
  ".isdlc/state.json",
  JSON.stringify(
    {
      active_workflow: {
        type: "feature",
        current_phase: "06-implementation",
        current_phase_index: 6,
        phases,
        git_branch: { name: "feature/x", status: "active" },
      },
      phases: { "06-implementation": { status: "in_progress" } },
      skill_usage_log: Array.from({ length: 80 }, (_, i) => ({
        timestamp: "2026-02-08T20:00:00Z",
        agent: "software-developer",
        agent_phase: "06-implementation",
        current_phase: "06-implementation",
        description: `entry ${i} of the log`,
        status: "executed",
        reason: "authorized-phase-match",
      })),
    },
    null,
    2,
  ),
);
// What one of the framework's own hooks does at least: read the input, the state and the manifest, and say nothing.
write(
  "hook.cjs",
  `const fs = require("fs");
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const [input, state] = [read(0), read(".isdlc/state.json")];
read(".claude/hooks/config/skills-manifest.json");
if (input.tool_name !== "Task" || !state.active_workflow) process.exit(0);
`,
);

const input = JSON.stringify({
  session_id: "bench",
  cwd: root,
  hook_event_name: "PreToolUse",
  tool_name: "Task",
  tool_input: {
    subagent_type: "software-developer",
    description: "implement",
    prompt: "Implement the next task of the plan. ".repeat(19),
  },
});
const hook = (name: string, ...more: string[]): Contender => ({
  name,
  command: process.execPath,
  args: [script, "hook", "claude-code", "--home", home, ...more],
  input,
  env: cleanEnv(),
  cwd: root,
});
const node = JSON.stringify(process.execPath);
const saved = JSON.stringify(join(folder, "in.json"));
const limit = 1.3;
const all = "all gates, one process";
const contenders: Contender[] = [
  hook("one gate (--only lifecycle/phase-sequence-guard)", "--only", "lifecycle/phase-sequence-guard"),
  hook(all),
  {
    name: "seven processes in a row",
    command: "sh",
    args: ["-c", `cat > ${saved}; ${`${node} hook.cjs < ${saved}; `.repeat(7)}`],
    input,
    env: cleanEnv(),
    cwd: root,
  },
  { name: "node -e 0", command: process.execPath, args: ["-e", "0"], env: cleanEnv(), cwd: root },
];

try {
  const rows = sideBySide(contenders, rounds);
  printRows(rows, (name) => (name === all ? limit : undefined));
  const [, chain, seven, bare] = rows;
  console.log(`\nseven processes cost ${(seven!.ratio / chain!.ratio).toFixed(1)} times all gates in one`);
  console.log(`all gates in one process cost ${(chain!.ratio / bare!.ratio).toFixed(2)} times a bare start`);
  if (chain!.ratio > limit) {
    console.log(`over its limit: ${all}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
