import { agentTools } from "./agents.js";
import { harmless } from "./harmless.js";
import { self } from "./self.js";
import { terminals } from "./terminals.js";
import { table } from "./tool-table.js";

const hookless = (agent: string) => `spawn-agent ${agent} !verification-skip:2:hookless-agent`;

table("agents", agentTools, [
  ["claude -p 'do it'", ["spawn-agent claude"]],
  ["claude --dangerously-skip-permissions -p x", ["spawn-agent claude !verification-skip:2:unguarded-agent"]],
  ["claude --version", []],
  ["claude", ["spawn-agent claude"]],
  ["claude update", []],
  ["claude update the readme please", ["spawn-agent claude"]],
  ["claude --zzz 5s -p x --bare", [hookless("claude")]],
  ["claude mcp list", []],
  ["claude mcp add x", ["unknown"]],
  ["claude --bare -p x", [hookless("claude")]],
  ["claude -p x --safe-mode", [hookless("claude")]],
  ["claude --setting-sources '' -p x", [hookless("claude")]],
  ["claude --setting-sources=user -p x", [hookless("claude")]],
  ["claude --setting-sources user,project,local -p x", ["spawn-agent claude"]],
  [`claude --settings '{"disableAllHooks":true}' -p x`, [hookless("claude")]],
  [`claude --settings '{"model":"x"}' -p x`, ["spawn-agent claude"]],
  ["claude --settings m.json -p x", ["spawn-agent claude"], { files: { "m.json": '{"model":"x"}' } }],
  ["claude --settings o.json -p x", [hookless("claude")], { files: { "o.json": '{"disableAllHooks":true}' } }],
  ["claude --settings /elsewhere/s.json -p x", [hookless("claude")]],
  ["CLAUDE_CODE_SIMPLE=1 claude -p x", [hookless("claude")]],
  ["CLAUDE_CODE_SIMPLE=0 claude -p x", ["spawn-agent claude"]],
  ["CLAUDE_CONFIG_DIR=/tmp/c claude -p x", [hookless("claude")]],
  ["CLAUDE_CODE_MAX_OUTPUT_TOKENS=9 claude -p x", ["spawn-agent claude"]],
  ["codex exec 'x'", ["spawn-agent codex"]],
  ["codex exec x -c features.hooks=false", [hookless("codex")]],
  ["codex exec x -c model=o3", ["spawn-agent codex"]],
  ["opencode run x --pure", [hookless("opencode")]],
  ["aider --message x a.py", ["spawn-agent aider"]],
  ["goose run -t x", ["spawn-agent goose"]],
  ["goose -dir m postgres dsn down", ["exec goose", "!database:1:goose-down"]],
  ["goose postgres dsn status", ["exec goose"]],
  ["goose postgres dsn reset", ["exec goose", "!database:3:goose-reset"]],
  ["q chat", ["spawn-agent q"]],
  ["ollama list", []],
  ["llm 'hello'", ["network llm upload"]],
]);

table("interlock", self, [
  ["interlock status", ["exec interlock"]],
  ["interlock explain --command 'interlock allow x'", ["exec interlock"]],
  ["interlock allow v1 --reason x", ["exec interlock", "!verification-skip:3:interlock-allow"]],
  ["interlock why $ID", ["exec interlock"]],
  ["interlock init --dry-run", ["exec interlock"]],
  ["interlock init", ["exec interlock", "!verification-skip:2:interlock-init"]],
  ["interlock --zzz 5s pause", ["exec interlock", "!verification-skip:3:interlock-pause", "unknown"]],
  ["interlock uninstall", ["exec interlock", "!verification-skip:3:interlock-uninstall"]],
  ["agent-interlock pause --for 10m", ["exec agent-interlock", "!verification-skip:3:interlock-pause"]],
  ["interlock $X", ["exec interlock", "!verification-skip:3:interlock-unresolved"]],
  ["interlock --help", []],
]);

table("harmless", harmless, [
  ["echo rm -rf /", []],
  ["printf %s x", []],
  ["which rm", []],
  ["man rm", []],
  ["man -P 'sh -c x' ls", ["shell sh -c x"]],
  ["ps aux", []],
  ["ps -ef", []],
  ["ps -o pid,cmd -p 1", []],
  ["ps eww", ["!credential-read:2:environment-dump"]],
]);

table("terminals", terminals, [
  ["tmux ls", []],
  ["tmux new -d 'rm -rf x'", ["shell rm -rf x"]],
  ["tmux new-session -d -s a -c sub npm run dev", ["shell npm run dev in sub"]],
  ["tmux send-keys -t a 'git commit -m x' Enter", ["shell git commit -m x"]],
  ["tmux kill-pane -t 1", ["!kill:1:tmux-kill-pane"]],
  ["tmux frobnicate", ["unknown"]],
  ["tmux capture-pane -p", []],
  ["screen -r work", []],
  ["zellij run -- rm -rf x", ["run rm -rf x"]],
  ["zellij list-sessions", []],
  ["zellij frobnicate", ["unknown"]],
  ["onchange '**/*.js' -- rm -rf x", ["run rm -rf x"]],
  ["watchexec -e ts -- rm -rf x", ["run rm -rf x"]],
  ["air", ["exec air"]],
  ["tmux kill-server", ["!kill:2:tmux-kill-server"]],
  ["screen -dm rm x", ["run rm x"]],
  ["screen -S a -X stuff 'rm x\\n'", ["shell rm x"]],
  ["concurrently 'npm:build' 'rm x'", ["exec concurrently", "shell rm x"]],
  ["nodemon --exec 'rm x'", ["shell rm x"]],
  ["nodemon app.js", ["script app.js node"]],
  ["hyperfine 'sleep 1'", ["shell sleep 1"]],
  ["wait-on http://localhost:3000", []],
]);
