// Other coding agents: starting one hands the work to a process this session does not govern.
// Invariant: every way that lets an agent act is spawn-agent; asking its version or configuration is not.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { leavesHooksOut } from "./hookless.js";

const options = [
  "p=? print model= m= settings= config= c= add-dir= permission-mode= allowedTools= disallowedTools= r|resume=?",
  "append-system-prompt= mcp-config= output-format= session-id= s= f= message= a= sandbox= cd= C= profile= continue",
  "setting-sources= system-prompt= input-format= max-turns= verbose v V h dangerously-skip-permissions bare safe-mode",
  "yolo y full-auto pure agents= fallback-model= debug=? ide strict-mcp-config json-schema= tools= effort=",
].join(" ");
const asks = "--v|V|h : quiet";
const manages = [
  "doctor|version|help|update|upgrade|login|logout|auth|status|whoami|config|completion|list|ls|models|plugin|features",
  "install|setup|migrate-installer|agents|usage|info|pull|ps|show|rm|stop|serve|list-sessions|sessions|keys|embed|logs",
  "templates|plugins|aliases|settings|debug|stats|export",
].join("|");

export const agentTools = tools(
  "agents",
  `
tool claude claude-code codex gemini gemini-cli copilot ghcs opencode cursor-agent aider amp qchat kiro kiro-cli crush
tool droid auggie cline roo continue cn qwen qwen-code plandex pdx gptme interpreter open-interpreter mentat openhands
tool swe-agent sweagent devin codebuff tabnine cody agy hermes openclaw smol-developer gpt-engineer gpte jules rovodev
tool grok vibe pi iflow kimi trae-cli nanocoder
  style posix
  options ${options}
  ${asks}
  #0 : do spawn
  mcp list #0 : quiet
  mcp list #1 : quiet
  mcp : unknown "changes an agent's configuration"
  ${manages} #0 !--p|print|message or ${manages} #1 !--p|print|message or ${manages} #2 !--p|print|message : quiet
  config|plugin : unknown "changes an agent's configuration"
  otherwise do spawn
# Another program of this name migrates databases.
tool goose
  style posix
  options ${options} dir= table= t|text= i|instructions= n|name=
  ${asks}
  #0 : do spawn
  run|session : do spawn
  ${manages} #0 : quiet
  ~reset : exec "migrates a database", !goose-reset
  ~down|down-to|redo : exec "migrates a database", !goose-down
  ~up|up-by-one|up-to|status|create|fix|validate : exec "migrates a database"
  otherwise do spawn
tool q
  style posix
  options ${options}
  ${asks}
  #0 : do spawn
  chat : do spawn
  otherwise quiet
tool acli
  style posix
  options ${options}
  ${asks}
  rovodev : do spawn
  otherwise network
# Models without tools: they answer and touch nothing.
tool llm ollama fabric mods aichat sgpt
  style posix
  options ${options}
  ${asks}
  #0 : upload "sends text to a model"
  ${manages} #0 or ${manages} #1 or ${manages} #2 : quiet
  otherwise upload "sends text to a model"
`,
  { spawn },
);

const unguarded = new RegExp(
  [
    "dangerously|--yolo$|^-y$|bypassPermissions|--full-auto|--auto-approve|--yes-always|--allow-all|--force$",
    "danger-full-access|skip-permissions|--bare$|disableAllHooks",
  ].join("|"),
);

function spawn({ call }: Use, emit: Emit): void {
  const hookless = leavesHooksOut(call, emit);
  const isUnguarded = call.args.some((arg) => unguarded.test(arg.value ?? ""));
  const found = hookless ? hazard("hookless-agent") : isUnguarded ? hazard("unguarded-agent") : undefined;
  emit.effect({
    kind: "spawn-agent",
    program: call.name,
    argv: call.args.map((arg) => arg.value),
    reason: hookless
      ? `starts the agent ${call.name} without its hooks (${hookless})`
      : `starts the agent ${call.name}`,
    ...(found && { hazard: found }),
  });
}
