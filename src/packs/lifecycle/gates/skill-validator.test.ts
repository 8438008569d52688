import { workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";
import { manifestText } from "../../../facts/agent-roles.js";
import type { JsonObject } from "../../../model/json.js";

const enforcement = (mode: string, more: JsonObject = {}) => ({
  ...workflowAt("03-architecture"),
  skill_enforcement: { enabled: true, mode, ...more },
});
const rows: Row[] = [
  { name: "observe says nothing", setup: { state: enforcement("observe") }, act: (p) => p.task("software-developer") },
  {
    name: "warn tells of a crossing",
    setup: { state: enforcement("warn") },
    act: (p) => p.task("software-developer"),
    warned: ["06-implementation", "03-architecture"],
  },
  {
    name: "audit tells of a crossing",
    setup: { state: enforcement("audit") },
    act: (p) => p.task("qa-engineer"),
    warned: ["qa-engineer"],
  },
  {
    name: "strict allows too",
    setup: { state: enforcement("strict") },
    act: (p) => p.task("qa-engineer"),
    warned: ["08-code-review"],
  },
  { name: "the phase's own agent", setup: { state: enforcement("strict") }, act: (p) => p.task("solution-architect") },
  { name: "the orchestrator", setup: { state: enforcement("strict") }, act: (p) => p.task("sdlc-orchestrator") },
  { name: "an agent nobody knows", setup: { state: enforcement("strict") }, act: (p) => p.task("helper") },
  {
    name: "no manifest and fail_behavior block",
    setup: { state: enforcement("strict", { fail_behavior: "block" }), manifest: false },
    act: (p) => p.task("software-developer"),
    denied: ["skills manifest"],
  },
  {
    name: "no manifest and fail_behavior allow",
    setup: { state: enforcement("strict", { fail_behavior: "allow" }), manifest: false },
    act: (p) => p.task("software-developer"),
  },
  {
    name: "a manifest and fail_behavior block",
    setup: { state: enforcement("observe", { fail_behavior: "block" }) },
    act: (p) => p.task("software-developer"),
  },
  {
    name: "switched off",
    setup: { state: enforcement("strict", { enabled: false }) },
    act: (p) => p.task("software-developer"),
  },
  { name: "no state", act: (p) => p.task("software-developer") },
  {
    name: "a manifest that is none is a fault",
    setup: { state: enforcement("strict"), manifest: false, files: { ".isdlc/config/skills-manifest.json": "{}" } },
    act: (p) => p.task("software-developer"),
    fault: /ownership/,
  },
];

gateTable("lifecycle/skill-validator", rows);
remedyOpens("lifecycle/skill-validator", {
  setup: { state: enforcement("strict", { fail_behavior: "block" }), manifest: false },
  act: (p) => p.task("solution-architect"),
  remedy: (p) => p.write(".claude/hooks/config/skills-manifest.json", manifestText()),
});
