// Chooses the model of an agent call by the project's providers.yaml; only the call's model is rewritten.
// Invariant: no key is read or shown; no network is used; what the file says of providers is data.
import { join } from "node:path";
import { agentNamed } from "../../../facts/agent-roles.js";
import { before } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny, note, rewrite } from "../../../model/verdict.js";
import { frameworkFolder } from "../model/lifecycle-paths.js";
import { stateEdit } from "../model/write-back.js";
import { phaseGate } from "./gate-context.js";
import { chooseProvider, clientModel, parseProviders } from "./providers.js";

export const modelProviderRouter = phaseGate({
  id: "lifecycle/model-provider-router",
  title: "Agents run on the model their phase is routed to",
  about:
    "With .isdlc/providers.yaml, chooses provider and model for each agent call, in this order: " +
    "environment override, agent override, phase routing, mode, default. Providers that are off or not " +
    "configured are skipped. If the client can start the chosen model, the call is rewritten; otherwise " +
    "the choice is only told. Refuses only when every provider of the chain is off.",
  remedy: "Enable a provider in .isdlc/providers.yaml.",
  on: before("agent"),
  env: ["ISDLC_PROVIDER_OVERRIDE", "ISDLC_MODEL_OVERRIDE", "ISDLC_PROVIDER_MODE"],
  judge(context, phaseContext) {
    const { event, facts, project, amend } = context;
    const yaml = facts.world.loaded.yaml;
    if (!yaml) return;
    const text = project.read(join(phaseContext.paths.root, frameworkFolder, "providers.yaml"));
    if (text === undefined) return;
    const agent = agentNamed(event.tool?.agent?.type, phaseContext.world.roles);
    const file = parseProviders(yaml.parseYaml, text);
    const choice = chooseProvider(file, {
      agent,
      phase: phaseContext.phase,
      env: event.env,
    });
    if (!choice) return;
    if ("off" in choice)
      return deny({
        what: `start of agent ${inert(agent, 60)}`,
        why: `every provider of its chain is switched off (${choice.off.map((p) => inert(p, 30)).join(", ")})`,
        next: "ask the user to enable a provider in .isdlc/providers.yaml",
      });
    const selection = {
      ...choice,
      agent,
      phase: phaseContext.phase ?? "",
      selected_at: new Date(context.now).toISOString(),
    };
    amend(
      phaseContext.paths.file,
      stateEdit((state) => void (state["last_provider_selection"] = selection)),
    );
    if (!choice.model) return;
    const model = clientModel(file, choice);
    if (!model)
      return note(
        `lifecycle/model-provider-router: providers.yaml routes ${inert(agent, 60)} to ` +
          `${inert(choice.provider, 40)} (${inert(choice.model, 60)}), which this client can't start an ` +
          "agent on; it runs on the session's own model.",
        "both",
      );
    if (model === event.tool?.agent?.model) return;
    return rewrite({ ...event.tool!.input, model }, `providers.yaml: ${inert(choice.provider, 40)} by ${choice.by}`);
  },
});
