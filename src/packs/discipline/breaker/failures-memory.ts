// The circuit breaker's memory: failures of calls that change or prove something, in a row and by signature.
// Invariant: failures are counted from outcomes only, forgotten after the window and cleared by a person. A tripped
// breaker becomes half-open by research, and closes by a success or by a person.
import { after, at, failed, memory } from "../../../model/gate.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { agentKey, researchMemory } from "../research/research-memory.js";

export interface CountedFailure {
  at: number;
  /** Who failed, and a mask of how. */
  signature: string;
  /** Tool and first telling line, kept apart. */
  shown: string;
  tool: string;
  agent: string;
  /** The shell command, masked. If the same command succeeds later, the failure is forgotten. */
  command?: string;
}

export interface FailureState {
  recent: CountedFailure[];
  /** Failures in a row, by agent. */
  row: Record<string, number>;
  tripped?: { at: number; why: string; failures: string[]; calls: number; tools?: string[]; same?: string };
  /** New research was done: one more try is allowed. */
  half: boolean;
  trips: number;
  /** Loops that the breaker ended, and what they had cost by then; and those that went on all the same. */
  loops?: { caught: number; missed: number; failures: number; ms: number; after: number };
}

const counted = new Set(["shell", "script", "edit", "write", "notebook", "mcp", "unknown"]);
const looks = new Set(["read", "network"]);
const kept = 30;

export const failuresMemory = memory<FailureState>({
  id: "discipline/failures",
  on: [...after(), ...failed(), ...at("prompt")],
  state: { scope: "session", initial: { recent: [], row: {}, half: false, trips: 0 } },
  learn({ event, facts, config, state, now, recall }) {
    const { breaker } = config as unknown as DisciplineOptions;
    if (event.kind === "prompt") {
      if (facts.prompt?.command === "breaker.reset") state.update(clearFailures);
      return;
    }
    const { tripped, half } = state.value;
    const calls = recall(researchMemory).calls;
    if (tripped && !half && calls - tripped.calls >= breaker.research) state.update((s) => void (s.half = true));
    if (!counted.has(event.tool?.kind ?? "")) return;
    const failure = facts.failure;
    const agent = agentKey(event);
    const written = event.tool!.command?.trim().slice(0, 200);
    const command = written && facts.mask(written);
    if (!failure) {
      if (event.kind === "tool.after" && event.outcome?.ok)
        state.update((s) =>
          succeed(s, agent, {
            tool: event.tool!.name,
            runner: facts.run?.ok === true ? facts.run.runner : undefined,
            command,
            changed: facts.changes.length > 0,
          }),
        );
      return;
    }
    // A read-only command that fails changed nothing and proved nothing; it is not counted.
    if (event.tool!.kind === "shell" && !facts.run && facts.effects.every((e) => looks.has(e.kind))) return;
    state.update((s) => {
      const { tool } = failure;
      const [subject = "", cause = ""] = failure.signature.split(/(?<=^[^:]*: )/);
      const signature = `${subject}${facts.mask(cause)}`;
      const shown = facts.keep(`${tool}: ${failure.shown || written || "it failed"}`.slice(0, 120));
      s.recent = [
        ...s.recent.filter((f) => now - f.at < breaker.windowMinutes * 60_000),
        { at: now, signature, shown, tool, agent, ...(command && { command }) },
      ].slice(-kept);
      // An edit that missed its text is no try of a solution; the same one again and again is a loop all the same.
      if (failure.missed && s.recent.filter((f) => f.signature === signature).length < breaker.signature) return;
      s.row[agent] = (s.row[agent] ?? 0) + 1;
      goOn(s, breaker.failures);
      trip(s, agent, signature, breaker, now, calls);
    });
  },
});

export function clearFailures(s: FailureState): void {
  s.recent = [];
  s.row = {};
  s.half = false;
  delete s.tripped;
}

function trip(
  s: FailureState,
  agent: string,
  signature: string,
  limits: DisciplineOptions["breaker"],
  now: number,
  calls: number,
): void {
  // What failed again and again is not what fails now: another program is another matter, and counts anew.
  const subject = signature.split(": ")[0]!;
  if (s.half && s.tripped?.same !== undefined && s.tripped.same !== subject) {
    s.half = false;
    delete s.tripped;
    s.row = { [agent]: 1 };
  }
  const same = s.recent.filter((f) => f.signature === signature);
  const row = s.row[agent] ?? 0;
  const why = s.half
    ? "the one try after new research failed too"
    : row >= limits.failures
      ? `${row} failures in a row`
      : same.length >= limits.signature
        ? `the same failure ${same.length} times`
        : undefined;
  if (!why || (s.tripped && !s.half)) return;
  const last = (row >= limits.failures ? s.recent.filter((f) => f.agent === agent) : same).slice(-3);
  const bySame = s.half ? s.tripped?.same !== undefined : row < limits.failures;
  s.tripped = { at: now, why, failures: last.map((f) => f.shown), calls, tools: [...new Set(last.map((f) => f.tool))] };
  if (bySame) s.tripped.same = subject;
  s.half = false;
  s.trips++;
  const loops = loopsOf(s);
  loops.caught++;
  loops.failures += Math.max(row, same.length);
  loops.ms += now - (last[0]?.at ?? now);
  loops.after = 0;
}

const loopsOf = (s: FailureState) => (s.loops ??= { caught: 0, missed: 0, failures: 0, ms: 0, after: 0 });

/** As many failures again while the breaker is tripped: the loop was seen and not ended. */
function goOn(s: FailureState, limit: number): void {
  if (!s.tripped || s.half) return;
  const loops = loopsOf(s);
  loops.failures++;
  if (++loops.after === limit) loops.missed++;
}

interface Success {
  tool: string;
  runner: string | undefined;
  command: string | undefined;
  changed: boolean;
}

/**
 * A success ends the agent's row of failures. A passing test run clears its runner's failures; a command that succeeds
 * clears its own. A half-open breaker closes only by a success of the kind that failed: an edit says nothing about a
 * failing build.
 */
function succeed(s: FailureState, agent: string, { tool, runner, command, changed }: Success): void {
  delete s.row[agent];
  const again = command !== undefined && s.recent.some((f) => f.command === command);
  if (runner) s.recent = s.recent.filter((f) => !f.signature.startsWith(`${runner}: `));
  if (again) s.recent = s.recent.filter((f) => f.command !== command);
  const kind = !s.tripped?.tools || s.tripped.tools.includes(tool);
  if (s.half && (runner !== undefined || again || (changed && kind))) clearFailures(s);
}
