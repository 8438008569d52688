// Every pack in what ships: one call it refuses and one it lets pass, judged by the built program, by a process per
// event and by the resident server. A pack without a row here fails.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { registry } from "../src/packs/registry.js";
import { type Place, place, program, send, served } from "./server/server.js";

interface Call {
  tool: string;
  input: object;
}

interface SmokeRow {
  /** Files of the project, by path. */
  files?: Record<string, string>;
  /** Commands of the built program, run in the project first. */
  prepare?: string[][];
  refused(at: Place): Call;
  gate: string;
  passes(at: Place): Call;
  /** A call whose answer must contain these words. */
  answered?: { call(at: Place): Call; words: RegExp };
}

const below = (at: Place, path: string): string => join(at.project, path);
const big = "x".repeat(3_000_000);

const rows: Record<string, SmokeRow> = {
  guard: {
    refused: (at) => ({ tool: "Bash", input: { command: `rm -rf ${dirname(at.project)}`, description: "clean up" } }),
    gate: "guard/",
    passes: () => ({ tool: "Bash", input: { command: "git status --short", description: "look" } }),
  },
  discipline: {
    files: { "interlock.yaml": "packs:\n  discipline:\n    mode: enforce\n", "src/a.ts": "export const a = 1;\n" },
    refused: (at) => ({ tool: "Write", input: { file_path: below(at, "src/b.ts"), content: "export const b = 2;\n" } }),
    gate: "discipline/",
    passes: (at) => ({ tool: "Read", input: { file_path: below(at, "src/a.ts") } }),
  },
  lifecycle: {
    files: {
      ".isdlc/providers.yaml":
        "providers:\n  anthropic: { enabled: true, models: [{ id: claude-opus-5, alias: opus }] }\n" +
        "defaults: { provider: anthropic, model: opus }\n",
    },
    prepare: [["lifecycle", "start", "feature"]],
    refused: () => ({
      tool: "Agent",
      input: { subagent_type: "software-developer", description: "build", prompt: "Build the page." },
    }),
    gate: "lifecycle/phase-sequence-guard",
    passes: () => ({ tool: "Agent", input: { subagent_type: "Explore", description: "look", prompt: "Where is a?" } }),
    // The provider router parses YAML, which is a part of its own in what ships.
    answered: {
      call: () => ({
        tool: "Agent",
        input: { subagent_type: "quick-scan-agent", description: "scan", prompt: "Scan the code." },
      }),
      words: /"updatedInput":\{[^}]*"model":"opus"/,
    },
  },
  kits: {
    files: { "interlock.yaml": "packs:\n  kits:\n    readBudget: { when: always }\n", "logs/run.log": big },
    refused: (at) => ({ tool: "Read", input: { file_path: below(at, "logs/run.log") } }),
    gate: "kits/read-budget",
    passes: (at) => ({ tool: "Read", input: { file_path: below(at, "interlock.yaml") } }),
  },
  intent: {
    files: {
      ".orchestration/active_intents.yaml":
        "active_intents:\n  - id: INT-001\n    name: Pages\n    status: IN_PROGRESS\n    owned_scope: [src/**]\n",
      "src/a.ts": "export const a = 1;\n",
    },
    refused: (at) => ({ tool: "Write", input: { file_path: below(at, "src/b.ts"), content: "export const b = 2;\n" } }),
    gate: "intent/gatekeeper",
    passes: (at) => ({ tool: "Read", input: { file_path: below(at, "src/a.ts") } }),
  },
  sred: {
    files: { "interlock.yaml": "packs:\n  sred:\n    enabled: true\n" },
    refused: () => ({
      tool: "Bash",
      input: { command: "git commit -m 'feat(cache): two tiers'", description: "commit" },
    }),
    gate: "sred/commit-guard",
    passes: () => ({ tool: "Bash", input: { command: "git commit -m 'chore: tidy'", description: "commit" } }),
  },
  rules: {
    files: {
      "interlock.yaml":
        "rules:\n  - { on: write, where: 'src/**', match: 'console\\.log', action: deny, message: use the logger }\n",
    },
    refused: (at) => ({ tool: "Write", input: { file_path: below(at, "src/a.ts"), content: "console.log(1);\n" } }),
    gate: "rules/",
    passes: (at) => ({ tool: "Write", input: { file_path: below(at, "src/a.ts"), content: "log(1);\n" } }),
  },
};

test("every pack has a row", () => {
  assert.deepEqual(
    registry.map((entry) => entry.id).filter((id) => !rows[id]),
    [],
  );
});

let calls = 0;
/** As Claude Code 2.1.325 sends it. */
const recorded = (at: Place, { tool, input }: Call): string =>
  JSON.stringify({
    session_id: "0b0f2c66-2a3c-4b7e-9a54-0f6f4f3f1f10",
    transcript_path: join(at.base, "transcript.jsonl"),
    cwd: at.project,
    prompt_id: "9f1c1f5e-6f0a-4d22-8f3d-3f4f5a6b7c8d",
    permission_mode: "default",
    effort: { level: "medium" },
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: `toolu_${++calls}`,
  });

const byProcess = (at: Place, body: string): string => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, "hook", "claude-code"], {
    cwd: at.project,
    env: { ...at.env, CLAUDE_PROJECT_DIR: at.project },
    input: body,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout;
};

for (const { id } of registry) {
  const row = rows[id];
  if (!row) continue;
  for (const door of ["process", "server"])
    test(`${id}: refuses and passes in the built program, by ${door}`, async (t) => {
      const at = place(t);
      for (const [path, text] of Object.entries(row.files ?? {})) {
        mkdirSync(dirname(below(at, path)), { recursive: true });
        writeFileSync(below(at, path), text);
      }
      for (const args of row.prepare ?? []) {
        const { status, stdout, stderr } = at.interlock(...args);
        assert.equal(status, 0, stdout + stderr);
      }
      const server = door === "server" ? await served(at) : undefined;
      const ask = (call: Call) => {
        const body = recorded(at, call);
        return server ? send(server.door, body) : byProcess(at, body);
      };
      const refused = JSON.parse(await ask(row.refused(at))).hookSpecificOutput;
      assert.equal(refused?.permissionDecision, "deny", JSON.stringify(refused));
      assert.match(refused.permissionDecisionReason, new RegExp(`BLOCKED ${row.gate}`));
      const passed = JSON.parse(await ask(row.passes(at))).hookSpecificOutput;
      assert.equal(passed?.permissionDecision, undefined, JSON.stringify(passed));
      if (row.answered) assert.match(await ask(row.answered.call(at)), row.answered.words);
    });
}
