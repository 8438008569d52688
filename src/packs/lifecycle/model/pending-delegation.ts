// Workflow skills that hand their work to an orchestrator: after the skill, the orchestrator must be started.
import type { Event } from "../../../model/event.js";

const orchestrators: Readonly<Record<string, string>> = {
  sdlc: "sdlc-orchestrator",
  isdlc: "sdlc-orchestrator",
  discover: "discover-orchestrator",
};

/** Arguments that are answered at once, without an orchestrator; `analyze` and `add` run inline since 2026-02. */
const atOnce = /^\s*(?:--?[\w-]+\s+)*(?:status|help|version|list|show|analy[sz]e|add)\b/i;

export interface SkillCall {
  name: string;
  args: string;
}

/** The skill a call invokes, without slash and prefix, and its arguments. */
export function skillOf({ tool }: Pick<Event, "tool">): SkillCall | undefined {
  if (tool?.kind !== "skill" || !tool.skill) return undefined;
  const [first = "", ...rest] = tool.skill.trim().replace(/^\//, "").split(/\s+/);
  const args = tool.input["args"] ?? tool.input["arguments"];
  return {
    name: first.slice(first.lastIndexOf(":") + 1).toLowerCase(),
    args: [...rest, typeof args === "string" ? args : ""].join(" ").trim(),
  };
}

export function demandedBy(event: Pick<Event, "tool">): { skill: string; agent: string } | undefined {
  const skill = skillOf(event);
  if (!skill || !Object.hasOwn(orchestrators, skill.name) || atOnce.test(skill.args)) return undefined;
  return { skill: skill.name, agent: orchestrators[skill.name]! };
}
