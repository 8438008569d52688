// The provider router on files as the framework writes them: the model goes in the call if the client can start it,
// other choices are told, and no key leaves the file.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type FrameworkProject, framework, type Setup, workflowAt } from "../../../../test/lifecycle/project.js";
import type { JsonObject } from "../../../model/json.js";

const key = "sk-ant-very-secret-0123456789abcdef";
/** As `provider init` of the framework leaves it. */
const file = `
providers:
  anthropic:
    enabled: true
    base_url: "https://api.anthropic.com"
    api_key: ${key}
    api_key_env: ANTHROPIC_API_KEY
    models:
      - { id: claude-sonnet-4-20250514, alias: sonnet, context_window: 200000 }
      - { id: claude-opus-4-5-20251101, alias: opus, context_window: 200000 }
  ollama:
    enabled: true
    base_url: "http://localhost:11434"
    models:
      - { id: "qwen2.5-coder:14b", alias: qwen-coder }
defaults:
  provider: anthropic
  model: sonnet
  fallback_chain: ["anthropic:sonnet", "ollama:qwen-coder"]
active_mode: hybrid
modes:
  local: { default_model: qwen-coder }
  budget: { cloud_phases_only: [08-code-review, 03-architecture] }
  quality: { default_provider: anthropic, default_model: opus }
phase_routing:
  06-implementation: { provider: anthropic, model: opus, rationale: "hard" }
  07-testing: { provider: ollama, model: qwen-coder, fallback: ["anthropic:sonnet"] }
  08-code-review: { provider: ollama, local_override: false, fallback: ["ollama:qwen-coder", "anthropic:opus"] }
agent_overrides:
  system-designer: { provider: anthropic, model: claude-opus-4-5-20251101 }
`;
const mode = (name: string) => file.replace("active_mode: hybrid", `active_mode: ${name}`);

interface Case {
  name: string;
  text?: string;
  phase?: string;
  agent?: string;
  env?: Record<string, string>;
  given?: string;
  /** The model in the rewritten call; undefined: the call stays as it is. */
  model?: string;
  provider?: string;
  told?: RegExp;
  denied?: RegExp;
  fault?: RegExp;
  cwd?: string;
}

const cases: Case[] = [
  { name: "the phase's route", model: "opus", provider: "anthropic" },
  { name: "the call has that model already", given: "opus", provider: "anthropic" },
  { name: "the call has another model", given: "haiku", model: "opus" },
  {
    name: "a route by an alias",
    text:
      "x: &a { provider: anthropic, model: haiku }\nproviders: { anthropic: {} }\n" +
      "phase_routing: { 06-implementation: *a }\n",
    model: "haiku",
  },
  {
    name: "a provider with nothing said about it",
    text: "providers:\n  anthropic:\ndefaults: { model: opus }\n",
    model: "opus",
  },
  { name: "yes is on", text: "providers: { anthropic: { enabled: yes, default_model: opus } }\n", model: "opus" },
  {
    name: "off is off",
    text: "providers: { anthropic: { enabled: off, default_model: opus } }\n",
    denied: /every provider of its chain is switched off/,
  },
  { name: "a phase without a route", phase: "04-design", model: "sonnet" },
  { name: "an agent's route, by a model's id", agent: "system-designer", phase: "04-design", model: "opus" },
  {
    name: "an agent's route, by a string",
    agent: "system-designer",
    phase: "04-design",
    text: file.replace(
      "system-designer: { provider: anthropic, model: claude-opus-4-5-20251101 }",
      'system-designer: "anthropic:opus"',
    ),
    model: "opus",
  },
  {
    name: "a local model the client can't start is told",
    phase: "07-testing",
    provider: "ollama",
    told: /ollama[^]*qwen-coder[^]*own model/,
  },
  {
    name: "a phase that forbids local models goes to the first other of its chain",
    phase: "08-code-review",
    model: "opus",
    provider: "anthropic",
  },
  { name: "mode quality", text: mode("quality"), model: "opus" },
  {
    name: "mode quality without a table of modes",
    text: mode("quality").replace(/modes:[^]*?phase_routing/, "phase_routing"),
    model: "sonnet",
  },
  { name: "mode local", text: mode("local"), provider: "ollama", told: /qwen-coder/ },
  { name: "mode budget", text: mode("budget"), phase: "06-implementation", provider: "ollama", told: /qwen-coder/ },
  {
    name: "mode budget with the local provider off",
    text: mode("budget").replace(/ollama:\n {4}enabled: true/, "ollama:\n    enabled: false"),
    model: "sonnet",
  },
  {
    name: "mode local with the local provider off",
    text: mode("local")
      .replace(/ollama:\n {4}enabled: true/, "ollama:\n    enabled: false")
      .replace(/ {2}fallback_chain.*\n/, ""),
    denied: /switched off \(ollama\)/,
  },
  { name: "mode budget in a cloud phase", text: mode("budget"), phase: "08-code-review", model: "sonnet" },
  { name: "an old name of a phase", text: file.replace("06-implementation:", "05-implementation:"), model: "opus" },
  {
    name: "a provider that is off: its own chain",
    text: file.replace(/ollama:\n {4}enabled: true/, "ollama:\n    enabled: false"),
    phase: "07-testing",
    model: "sonnet",
    provider: "anthropic",
  },
  {
    name: "a provider that is off: the chain of the file",
    text: file.replace(/anthropic:\n {4}enabled: true/, "anthropic:\n    enabled: false"),
    provider: "ollama",
    told: /qwen-coder/,
  },
  {
    name: "every provider off",
    text: file.replaceAll("enabled: true", "enabled: false"),
    denied: /switched off[^]*enable a provider/,
  },
  {
    name: "a provider nobody configured falls back",
    text: file.replace("06-implementation: { provider: anthropic", "06-implementation: { provider: antropic"),
    model: "sonnet",
  },
  {
    name: "the environment's provider",
    env: { ISDLC_PROVIDER_OVERRIDE: "ollama" },
    provider: "ollama",
    told: /qwen-coder/,
  },
  {
    name: "the environment's provider and model",
    env: { ISDLC_PROVIDER_OVERRIDE: "anthropic", ISDLC_MODEL_OVERRIDE: "haiku" },
    model: "haiku",
  },
  { name: "no file", text: "", model: undefined },
  { name: "an empty file of comments", text: "# nothing yet\n", model: undefined },
  { name: "from a folder of the project", cwd: "src/deep", model: "opus" },
  {
    name: "not YAML, beside the key",
    text: `providers:\n  anthropic:\n    api_key: ${key}\n   bad: [1`,
    fault: /providers\.yaml/,
  },
  { name: "a key in the place of a provider", text: `providers:\n  anthropic: ${key}\n`, fault: /providers\.yaml/ },
  {
    name: "a key in the place of a mode",
    text: `active_mode:\n  - ${key}\nproviders: { anthropic: { enabled: true } }\n`,
    fault: /providers\.yaml/,
  },
];

for (const c of cases)
  test(`router: ${c.name}`, async (t) => {
    const setup: Setup = {
      state: workflowAt(c.phase ?? "06-implementation"),
      plan: true,
      files: { "src/deep/a.ts": "" },
    };
    if (c.text !== "") setup.files = { ...setup.files, ".isdlc/providers.yaml": c.text ?? file };
    const p: FrameworkProject = framework(t, setup);
    p.only = "lifecycle/model-provider-router";
    if (c.cwd) p.cwd = join(p.root, c.cwd);
    Object.assign(p.env, c.env);
    const input = {
      subagent_type: c.agent ?? "software-developer",
      prompt: "go",
      description: "d",
      ...(c.given && { model: c.given }),
    };
    const said = await p.before("Task", input);
    assert.equal(said.denied, c.denied !== undefined, said.text);
    if (c.denied) assert.match(said.text, c.denied);
    const out = (said.raw["hookSpecificOutput"] ?? {}) as JsonObject;
    const made = out["updatedInput"] as JsonObject | undefined;
    assert.equal(made?.["model"], c.model, JSON.stringify(said.raw));
    if (made)
      assert.deepEqual(
        { ...made, model: input.model },
        { ...input, model: input.model },
        "the rest of the call is kept",
      );
    if (c.provider) assert.equal(p.state().last_provider_selection.provider, c.provider);
    if (c.told) assert.match(said.context, c.told);
    else assert.equal(said.context, "");
    assert.equal(
      said.faults.some((f) => c.fault?.test(f)),
      c.fault !== undefined,
      said.faults.join("; "),
    );
    const everything = JSON.stringify([said.raw, p.state(), [...p.store.records()]]);
    assert.ok(!everything.includes("very-secret"), "no key leaves the file");
  });
