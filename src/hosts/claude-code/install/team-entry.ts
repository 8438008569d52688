// The entry `init --scope project` writes: a command line that a team can commit.
// Invariant: it names no token, port or path of one machine. Where Interlock is missing, the call passes and the start
// of a session says how to install it; with `required: true` in interlock.yaml, calls are refused instead.
import type { JsonObject } from "../../../model/json.js";
import { singleQuote } from "../../../model/shell-quote.js";

const find = [
  "i=${INTERLOCK_HOME:-${XDG_STATE_HOME:-$HOME/.local/state}/interlock}/bin/interlock",
  '[ -x "$i" ] || i=$(command -v agent-interlock) || i=$CLAUDE_PROJECT_DIR/node_modules/.bin/agent-interlock',
].join("; ");

const remedy = "npm install -g agent-interlock, then: interlock init";
const absent = `This project uses Interlock, which is not installed here: nothing is checked. Install it: ${remedy}`;
const denied =
  "BLOCKED interlock/missing: this project requires Interlock, which is not installed here. " +
  `Ask the user to run in a terminal: ${remedy}`;

/** What each event does where Interlock is missing. The others pass without a word. */
const missing: Record<string, string> = {
  SessionStart: `echo ${singleQuote(JSON.stringify({ systemMessage: absent }))}`,
  PreToolUse: `! grep -Eqs '^required: *true' "$CLAUDE_PROJECT_DIR/interlock.yaml" || echo ${singleQuote(
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: denied,
      },
    }),
  )}`,
};

/** The command line for one event. Clients that don't know the exec form run it by `sh`, the others too. */
export const teamCommand = (event: string): string =>
  `${find}; [ -x "$i" ] && exec "$i" hook claude-code --event ${event}; ${missing[event] ?? "exit 0"}`;

export const isTeamEntry = (handler: JsonObject): boolean =>
  typeof handler.command === "string" &&
  handler.args === undefined &&
  /\/bin\/interlock\b.*\bagent-interlock\b.* hook claude-code --event /s.test(handler.command);
