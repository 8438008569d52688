import { inTests } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const run = (command: string, output: string) => (p: FrameworkProject) => p.after("Bash", { command }, output);
const team = (review: JsonObject) => ({ state: { ...workflowAt("06-implementation"), code_review: review } });
const committed = (command: string) => run(command, "[x 1234567] m");
const rows: Row[] = [
  {
    name: "a team without review",
    setup: team({ enabled: false, team_size: 3 }),
    act: committed("git commit -m x"),
    warned: ["3 members"],
  },
  {
    name: "enabled is not set",
    setup: team({ team_size: 2 }),
    act: committed("git commit -m x"),
    warned: ["code review"],
  },
  {
    name: "in a chain",
    setup: team({ team_size: 2 }),
    act: committed("git add . && git commit -m x"),
    warned: ["code review"],
  },
  {
    name: "by path of the repository",
    setup: team({ team_size: 2 }),
    act: committed("git -C . commit -m x"),
    warned: ["code review"],
  },
  { name: "review enabled", setup: team({ enabled: true, team_size: 3 }), act: committed("git commit -m x") },
  { name: "one person", setup: team({ enabled: false, team_size: 1 }), act: committed("git commit -m x") },
  { name: "size unknown", setup: team({ enabled: false }), act: committed("git commit -m x") },
  { name: "not a commit", setup: team({ team_size: 3 }), act: committed("git status") },
  { name: "a commit in words only", setup: team({ team_size: 3 }), act: committed('echo "git commit"') },
  { name: "no review settings", setup: inTests, act: committed("git commit -m x") },
  { name: "no state", act: committed("git commit -m x") },
];

gateTable("lifecycle/review-reminder", rows);
