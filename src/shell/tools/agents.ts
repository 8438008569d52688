// Other coding agents: starting one hands the work to a process this session does not govern.
// Invariant: every way that lets an agent act is `spawn-agent`; asking its version or configuration is not.

import type { Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { parse, syntax } from "../spec/options.js";
import { leavesHooksOut } from "./hookless.js";
import { asksHelp, executes } from "./table.js";

const names = [
  "claude",
  "claude-code",
  "codex",
  "gemini",
  "gemini-cli",
  "copilot",
  "ghcs",
  "opencode",
  "cursor-agent",
  "aider",
  "goose",
  "amp",
  "q",
  "qchat",
  "kiro",
  "kiro-cli",
  "crush",
  "droid",
  "auggie",
  "cline",
  "roo",
  "continue",
  "cn",
  "qwen",
  "qwen-code",
  "plandex",
  "pdx",
  "gptme",
  "interpreter",
  "open-interpreter",
  "sgpt",
  "mentat",
  "openhands",
  "swe-agent",
  "sweagent",
  "devin",
  "codebuff",
  "tabnine",
  "cody",
  "agy",
  "hermes",
  "openclaw",
  "smol-developer",
  "gpt-engineer",
  "gpte",
  "llm",
  "ollama",
  "fabric",
  "mods",
  "aichat",
  "jules",
  "rovodev",
  "acli",
  "grok",
  "vibe",
  "pi",
  "iflow",
  "kimi",
  "trae-cli",
  "nanocoder",
];

/** Models without tools: they answer and touch nothing. */
const answersOnly = /^(llm|ollama|fabric|mods|aichat|sgpt)$/;

const quiet =
  /^(doctor|version|help|update|upgrade|login|logout|auth|status|whoami|config|completion|mcp|list|ls|models|plugin|features|install|setup|migrate-installer|agents|usage|info|pull|ps|show|rm|stop|serve|list-sessions|sessions|keys|embed|logs|templates|plugins|aliases|settings|debug|stats|export)$/;

const agents: ToolFamily = {
  names,
  lower(call, emit) {
    if (asksHelp(call) || call.args.some((arg) => /^(-v|-V|-h)$/.test(arg.value ?? ""))) return;
    const given = parse(
      call.args,
      syntax(
        "p=? print model= m= settings= config= c= add-dir= permission-mode= allowedTools= disallowedTools= append-system-prompt= mcp-config= output-format= session-id= s= f= message= a= sandbox= cd= C= profile= setting-sources=",
        { posix: true },
      ),
    );
    const verb = given.operands[0]?.value;
    const idle =
      verb !== undefined && quiet.test(verb) && given.operands.length <= 3 && !given.has("p", "print", "message");
    if (call.name === "goose" && isMigration(call)) return migrates(call, emit);
    if (call.name === "q" && verb !== "chat" && verb !== undefined) return;
    if (call.name === "acli" && verb !== "rovodev")
      return emit.effect({ kind: "network", program: call.name, reason: "acli talks to its service" });
    if (idle && (verb !== "mcp" || given.operands[1]?.value === "list")) return;
    if (verb === "mcp" || verb === "config" || verb === "plugin")
      return emit.unknown(`${call.name} ${verb} changes an agent's configuration`);
    if (answersOnly.test(call.name)) {
      emit.effect({ kind: "network", program: call.name, upload: true, reason: "sends text to a model" });
      return;
    }
    const unguarded = call.args.some((arg) =>
      /dangerously|--yolo$|^-y$|bypassPermissions|--full-auto|--auto-approve|--yes-always|--allow-all|--force$|danger-full-access|skip-permissions|--bare$|disableAllHooks/.test(
        arg.value ?? "",
      ),
    );
    const hookless = leavesHooksOut(call, emit);
    const id = hookless ? "hookless-agent" : "unguarded-agent";
    emit.effect({
      kind: "spawn-agent",
      program: call.name,
      argv: call.args.map((arg) => arg.value),
      reason: hookless
        ? `starts the agent ${call.name} without its hooks (${hookless})`
        : `starts the agent ${call.name}`,
      ...((hookless || unguarded) && { hazard: { class: "verification-skip", level: 2, id } as const }),
    });
  },
};

/** Another program of the name goose migrates databases. */
const isMigration = (call: Invocation) =>
  call.args.some((arg) =>
    /^(up|up-by-one|up-to|down|down-to|redo|reset|status|create|fix|validate)$/.test(arg.value ?? ""),
  ) && !call.args.some((arg) => /^(run|session)$/.test(arg.value ?? ""));

function migrates(call: Invocation, emit: Emit): void {
  executes(call, emit, "goose migrates a database");
  if (call.args.some((arg) => arg.value === "reset"))
    emit.hazard({ class: "database", level: 3, id: "goose-reset" }, "goose reset");
  else if (call.args.some((arg) => /^(down|down-to|redo)$/.test(arg.value ?? "")))
    emit.hazard({ class: "database", level: 1, id: "goose-down" }, "goose down");
}

export const agentTools = [agents];
