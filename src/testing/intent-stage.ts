// Test set-up: a project with intents, and the agent's own way of selecting one.

import type { JsonObject } from "../model/json.js";
import { guardPack } from "../packs/guard/index.js";
import { compile } from "../packs/intent/config.js";
import { intentPack } from "../packs/intent/index.js";
import { standardIntentOptions } from "../packs/intent/intent-options.js";
import { type Stage, stage } from "./stage.js";

export const intentsYaml = `# the team's intents
active_intents:
  - id: INT-001 # login
    name: Refactor the auth middleware
    status: IN_PROGRESS
    owned_scope:
      - src/auth/**
      - "!src/auth/secret/**"
      - src/{jwt,token}.ts
      - docs
    constraints:
      - Keep the public API
    acceptance_criteria:
      - Unit tests pass
  - id: INT-002
    name: Billing
    status: PENDING
    owned_scope: [src/billing/]
    acceptance_criteria: []
  - { id: INT-003, name: Old, status: COMPLETED, owned_scope: [src/**] }
  - { id: INT-004, name: Empty, status: IN_PROGRESS, owned_scope: [] }
  - { id: INT-005, name: Payments, status: IN_PROGRESS, owned_scope: [src/pay/**, src/auth/shared.ts] }
  - { id: INT-006, name: Stuck, status: BLOCKED, owned_scope: [src/**] }
  - { id: INT-007, name: Hidden, status: IN_PROGRESS, owned_scope: [lib/**] }
  - { id: INT-008, name: Anything, status: IN_PROGRESS, scope: any }
  - { id: INT-009, name: Signed off, status: PENDING, approval: person, owned_scope: [src/**] }
`;

export interface IntentStageOptions {
  yaml?: string | null;
  options?: JsonObject;
  files?: Record<string, string>;
  mode?: "observe" | "warn" | "enforce";
  config?: Parameters<typeof stage>[1]["config"];
}

export function intentStage(t: Parameters<typeof stage>[0], given: IntentStageOptions = {}): Stage {
  const { yaml = intentsYaml, files = {}, options = {}, mode = "enforce", config } = given;
  const compiled = compile({ ...(standardIntentOptions as unknown as JsonObject), ...options });
  return stage(t, {
    packs: [guardPack, intentPack],
    settings: { intent: { options: compiled, mode } },
    ...(config && { config }),
    files: {
      "src/auth/login.ts": "export const login = 1;\n",
      "src/auth/secret/key.ts": "k\n",
      "src/auth/shared.ts": "s\n",
      "src/other.ts": "o\n",
      "README.md": "# r\n",
      ...(yaml !== null && { ".orchestration/active_intents.yaml": yaml }),
      ...files,
    },
  });
}

/** As the client reports a call of the MCP tool. */
export const select = (s: Stage, id: string) =>
  s.run("mcp__interlock__select_active_intent", { intent_id: id }, { content: [{ type: "text", text: "ok" }] });
