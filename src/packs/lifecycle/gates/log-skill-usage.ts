// Logs every agent that worked, with the phase and whether it belongs there.

import { agentNamed } from "../../../facts/agent-roles.js";
import { after } from "../../../model/gate.js";
import { documentAt } from "../model/lifecycle-paths.js";
import { pushBounded } from "../model/state-file.js";
import { phaseGate, writeDown } from "./gate-context.js";

const statuses: Readonly<Record<string, string>> = {
  observe: "observed",
  warn: "warned",
  audit: "audited",
  strict: "executed",
};

export const logSkillUsage = phaseGate({
  id: "lifecycle/log-skill-usage",
  title: "Agents' work is logged in the state file",
  about:
    "After each agent call, appends the agent, the phase and whether it belongs there to " +
    "`skill_usage_log`. Tells nothing and refuses nothing.",
  remedy: "None needed: it never refuses.",
  on: after("agent"),
  judge(context, phaseContext) {
    const type = context.event.tool?.agent?.type;
    if (!phaseContext.file || !type || phaseContext.file.skill_enforcement?.enabled === false) return;
    const { phase = "", file, world, paths } = phaseContext;
    const agent = agentNamed(type, world.roles);
    const owns = world.roles?.get(agent);
    const own = owns === "all" || (Array.isArray(owns) && owns.includes(phase));
    const mode = file.skill_enforcement?.mode ?? "observe";
    const external = documentAt(paths, context.project, "external-skills-manifest.json");
    const entry = {
      timestamp: new Date(context.now).toISOString(),
      agent,
      agent_phase: typeof owns === "string" ? owns : (owns?.find((p) => p === phase) ?? owns?.[0] ?? "unknown"),
      current_phase: phase,
      description: (context.event.tool?.agent?.description ?? "N/A").slice(0, 200),
      status: own ? "executed" : (statuses[mode] ?? "observed"),
      reason:
        owns === "all"
          ? "authorized-orchestrator"
          : own
            ? "authorized-phase-match"
            : owns
              ? "cross-phase-usage"
              : "allowed",
      enforcement_mode: mode,
      external_skills_registered: external.exists,
    };
    writeDown(context, phaseContext, (state) => pushBounded(state, "skill_usage_log", entry));
  },
});
