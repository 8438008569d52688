// Without a skills manifest agents can't be told from their names: the phase gates then stay open, and that is recorded.
import { agentNamed, shippedRoles } from "../../../facts/agent-roles.js";
import type { PhaseContext, PhaseGateInput } from "./gate-context.js";

/** Throws where a call looks like a delegation that can't be recognised; the fault passes the call and stands in the record. */
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
