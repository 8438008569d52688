import assert from "node:assert/strict";
import { inTests } from "../../../../test/lifecycle/calls.js";
import { type FrameworkProject, workflowAt } from "../../../../test/lifecycle/project.js";
import { gateTable, type Row, remedyOpens } from "../../../../test/lifecycle/rows.js";
import type { JsonObject } from "../../../model/json.js";

const yaml = `
active_mode: hybrid
defaults: { provider: anthropic, model: sonnet }
providers:
  anthropic: { enabled: true, api_key: sk-very-secret-1234567890, default_model: sonnet, best_model: opus }
  ollama: { enabled: true, local: true, default_model: qwen }
phase_routing:
  06-implementation: { provider: ollama, model: qwen-coder }
  08-code-review: { provider: ollama, model: qwen, local_override: false }
agent_overrides:
  system-designer: { model: opus }
`;
const providers = (text: string, phase = "06-implementation") => ({
  state: workflowAt(phase),
  files: { ".isdlc/providers.yaml": text },
});
const rewrites =
  (type: string, model: string | undefined, env: Record<string, string> = {}) =>
  async (p: FrameworkProject) => {
    Object.assign(p.env, env);
    const said = await p.task(type, "go");
    const input = (said.raw["hookSpecificOutput"] as JsonObject | undefined)?.["updatedInput"] as
      | JsonObject
      | undefined;
    assert.equal(input?.["model"], model, JSON.stringify(said.raw));
    if (input) assert.equal(input["subagent_type"], type, "the rest of the call is kept");
    assert.ok(!JSON.stringify([said.raw, p.state()]).includes("secret"), "no key leaves the file");
    return said;
  };
const rows: Row[] = [
  {
    name: "the phase's route",
    setup: providers(yaml),
    act: rewrites("software-developer", undefined),
    warned: ["ollama (qwen-coder)"],
    file: (p) => assert.equal(p.state().last_provider_selection.model, "qwen-coder"),
  },
  {
    name: "a phase that forbids local models",
    setup: providers(yaml, "08-code-review"),
    act: rewrites("qa-engineer", "sonnet"),
  },
  { name: "the agent's own route", setup: providers(yaml), act: rewrites("system-designer", "opus") },
  { name: "a phase without a route", setup: providers(yaml, "04-design"), act: rewrites("helper", "sonnet") },
  {
    name: "the environment's model",
    setup: providers(yaml),
    act: rewrites("software-developer", "haiku", { ISDLC_MODEL_OVERRIDE: "haiku" }),
  },
  { name: "mode quality", setup: providers(yaml.replace("hybrid", "quality")), act: rewrites("helper", "opus") },
  {
    name: "mode local",
    setup: providers(yaml.replace("hybrid", "local")),
    act: rewrites("helper", undefined),
    warned: ["ollama (qwen)"],
  },
  {
    name: "mode budget",
    setup: providers(yaml.replace("hybrid", "budget")),
    act: rewrites("helper", undefined),
    warned: ["ollama (qwen)"],
  },
  {
    name: "mode budget in a phase that forbids local models",
    setup: providers(yaml.replace("hybrid", "budget"), "08-code-review"),
    act: rewrites("helper", "sonnet"),
  },
  {
    name: "a provider that is off falls back",
    setup: providers(
      `${yaml.replace("ollama: { enabled: true", "ollama: { enabled: false")}\nfallback_chain: [anthropic]`,
    ),
    act: rewrites("software-developer", "sonnet"),
  },
  {
    name: "every provider off",
    setup: providers(yaml.replaceAll("enabled: true", "enabled: false")),
    act: (p) => p.task("software-developer"),
    denied: ["switched off"],
  },
  { name: "no providers.yaml", setup: inTests, act: rewrites("software-developer", undefined) },
  {
    name: "a file that is none is a fault",
    setup: providers("providers: 3"),
    act: (p) => p.task("software-developer"),
    fault: /providers\.yaml/,
  },
];

gateTable("lifecycle/model-provider-router", rows);
remedyOpens("lifecycle/model-provider-router", {
  setup: providers(yaml.replaceAll("enabled: true", "enabled: false")),
  act: (p) => p.task("software-developer"),
  remedy: (p) => p.write(".isdlc/providers.yaml", yaml),
});
