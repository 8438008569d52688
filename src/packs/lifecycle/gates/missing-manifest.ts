// Without a skills manifest agents cannot be recognised by name: phase gates stay open, and the record says so.
import { agentNamed, shippedRoles } from "../../../facts/agent-roles.js";
import type { PhaseContext, PhaseGateInput } from "./gate-context.js";

/** Throws if a call looks like a delegation that cannot be recognised. The fault is recorded and the call passes. */
export function manifestMissing({ event, facts }: PhaseGateInput, { world, workflow }: PhaseContext): undefined {
  const type = event.tool?.agent?.type;
  if (!workflow || !type || facts.delegation.setup || world.roles?.has("sdlc-orchestrator")) return undefined;
  const owns = shippedRoles.get(agentNamed(type));
  if (owns === undefined || typeof owns === "string") return undefined;
  throw new Error(
    `no skills manifest: the delegation to ${agentNamed(type)} can't be recognised (interlock lifecycle ` +
      "validate names the places)",
  );
}
