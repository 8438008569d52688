// Replays one recorded session through the engine and collects what would have been refused and what went wrong.
// Invariant: each call is judged as it happened; what follows a refusal is judged as it was recorded.
import { belowRoot } from "../facts/changes.js";
import type { Facts } from "../facts/index.js";
import { decode } from "../hosts/claude-code/protocol/decode.js";
import type { Event } from "../model/event.js";
import type { Gate } from "../model/gate.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Judged } from "../model/verdict.js";
import { claimsSuccess } from "../packs/discipline/verification/success-claim.js";
import { doubtAbout } from "./doubts.js";
import { type Findings, type LookCase, shownText } from "./findings.js";
import {
  committedBranch,
  deletedOutside,
  ErrorLoops,
  editedInPlace,
  isScratch,
  SeenFiles,
  writtenPaths,
} from "./incidents.js";
import { ReplayProject } from "./replay-project.js";
import { ReplayEngine, type ReplayRules } from "./replay-world.js";
import type { CallStep, RecordedSession, Step } from "./steps.js";

export interface ReplayContext {
  rules: ReplayRules;
  findings: Findings;
  /** Calls already reported: a resumed session begins with a copy of the one before. */
  seen: Set<string>;
  /** The home folder of who asks; sessions of another user's folder have that user's. */
  userHome: string;
}

/** About four characters are a token. */
const charactersPerToken = 4;
const hugeTokens = 10_000;

/** Gates that ask for a way of working: after the first refusal of a turn an agent would have complied. */
const oncePerTurn =
  /^discipline\/(?:research|research-only|breaker|plan|startup|documents|skill|requirements|loop|verification)$/;

export async function replaySession(recorded: RecordedSession, context: ReplayContext): Promise<{ refused: number }> {
  const replay = new SessionReplay(recorded, context);
  for (const step of recorded.steps) await replay.step(step);
  return { refused: replay.refused };
}

class SessionReplay {
  /** Calls the client, a hook or the user turned away. */
  refused = 0;
  readonly #project: ReplayProject;
  readonly #engine: ReplayEngine;
  readonly #loops = new ErrorLoops();
  readonly #gates: ReadonlyMap<string, Gate>;
  /** Cases of the current turn, by what makes them the same. */
  #turn = new Map<string, LookCase>();
  readonly #open = new Map<string, LookCase>();
  readonly #made = new Set<string>();
  readonly #files = new SeenFiles();
  #prompt = "";
  #started = false;
  /** Whether a command since the last edit printed something like passing tests. */
  #passing = false;

  constructor(
    private readonly recorded: RecordedSession,
    private readonly context: ReplayContext,
  ) {
    const { rules, userHome } = context;
    this.#project = new ReplayProject(recorded.root, recorded.steps, rules.followed);
    this.#engine = new ReplayEngine(rules, this.#project, homeOf(recorded.root) ?? userHome);
    this.#gates = new Map(rules.packs.flatMap((pack) => pack.gates.map((gate) => [gate.id, gate])));
  }

  async step(step: Step): Promise<void> {
    this.#engine.now = step.time;
    if (!this.#started) {
      this.#started = true;
      await this.#engine.judge(this.#event(step, { hook_event_name: "SessionStart", source: "startup" }));
    }
    switch (step.kind) {
      case "prompt":
        this.#prompt = step.text;
        this.#turn = new Map();
        this.#files.result(step.agent, step.text);
        await this.#engine.judge(this.#event(step, { hook_event_name: "UserPromptSubmit", prompt: step.text }));
        return;
      case "told":
        this.#files.result(step.agent, step.text);
        return;
      case "shown":
        this.#project.show(step.path, step.content);
        this.#files.saw(step.agent, step.path);
        await this.#engine.judge(this.#event(step, shownPayload(step.path, step.content)));
        return;
      case "call":
        return this.#before(step);
      case "result":
        return this.#after(step.call, step.time);
      case "end":
        return this.#end(step);
    }
  }

  async #before(call: CallStep): Promise<void> {
    if (call.result?.refused) return void this.refused++;
    this.#project.expect(call);
    if (this.context.seen.has(call.id)) return;
    const payload = { hook_event_name: "PreToolUse", ...toolPayload(call) };
    const { judgement, facts } = await this.#engine.judge(this.#event(call, payload));
    for (const judged of judgement.opinions) this.#refusal(judged, call, facts);
    if (call.result?.error) return;
    const branch = committedBranch(call, facts);
    if (branch) this.#commit(call, branch);
    if (facts.shell) this.#deletes(call, facts);
    this.#unread(call, facts);
  }

  /** Edits of files that were there and that the agent had not met. */
  #unread(call: CallStep, facts: Facts): void {
    const { kind } = facts.event.tool!;
    const inPlace = kind === "shell" ? editedInPlace(facts) : [];
    const edited = kind === "edit" || kind === "write" ? (facts.edit?.before ? [facts.edit.path] : []) : inPlace;
    for (const path of edited) {
      const below = belowRoot(this.#project.root, path);
      if (this.#files.has(call.agent, path, below) || isScratch(path, facts.world.userHome)) continue;
      const doubt = this.recorded.midway ? "the transcript starts in the middle of a conversation" : undefined;
      const why = `${below ?? path} was there, and nothing shows that the agent had seen it`;
      this.context.findings.incident("unread-edit", this.#case(call, callText(call), why, doubt));
      this.#files.saw(call.agent, path);
    }
  }

  #commit(call: CallStep, branch: string): void {
    const named = new RegExp(`\\b${branch}\\b`, "i").test(this.#prompt);
    const doubt = named ? `the prompt names ${branch}` : undefined;
    this.context.findings.incident("main-commit", this.#case(call, callText(call), `on branch ${branch}`, doubt));
  }

  #deletes(call: CallStep, facts: Facts): void {
    const paths = deletedOutside(facts);
    const own = (path: string) => [...this.#made].some((made) => path === made || path.startsWith(`${made}/`));
    if (paths.length) {
      const doubt = paths.every(own) ? "the session made it itself" : undefined;
      const why = `outside ${this.#project.root}: ${paths.slice(0, 3).join(", ")}`;
      this.context.findings.incident("outside-delete", this.#case(call, callText(call), why, doubt));
    }
    for (const path of writtenPaths(facts)) this.#made.add(path);
  }

  #refusal({ gate, mode, opinion, lifted }: Judged, call: CallStep, facts: Facts): void {
    if ((opinion.kind !== "deny" && opinion.kind !== "ask") || mode !== "enforce" || lifted) return;
    const what = callText(call);
    const path = facts.targets[0]?.path ?? what;
    const key = `${gate} ${call.agent ?? ""}${oncePerTurn.test(gate) ? "" : ` ${path} ${opinion.why}`}`;
    const again = this.#turn.get(key);
    if (again) return void again.times++;
    const verb = opinion.kind === "ask" ? "asks first: " : "";
    const why = `${verb}${opinion.what === "" ? "" : `${opinion.what}: `}${opinion.why}`;
    const doubt = doubtAbout(opinion, { prompt: this.#prompt });
    const found = this.#case(call, what, why, doubt);
    this.#turn.set(key, found);
    this.context.findings.refusal(gate, this.#gates.get(gate)?.title ?? gate, found);
  }

  async #after(call: CallStep, time: number): Promise<void> {
    const { result } = call;
    if (!result || result.refused) return;
    this.#project.apply(call);
    const { facts } = await this.#engine.judge(this.#event(call, resultPayload(call)));
    this.#remember(call, facts);
    if (this.context.seen.has(call.id)) return;
    this.context.seen.add(call.id);
    const { findings } = this.context;
    const length = this.#loops.add({ ...call, time }, facts);
    if (length !== undefined) this.#loop(call, length, facts);
    const tokens = Math.round(result.text.length / charactersPerToken);
    if (tokens >= hugeTokens) {
      const why = `about ${tokens.toLocaleString("en")} tokens in one result`;
      findings.incident("huge-read", { ...this.#case(call, callText(call), why), tokens });
    }
  }

  /** What the agent has seen by this call. */
  #remember(call: CallStep, facts: Facts): void {
    const { kind } = facts.event.tool!;
    for (const { path } of facts.targets) if (kind !== "search") this.#files.saw(call.agent, path);
    if (kind === "shell")
      for (const effect of facts.effects)
        if ((effect.kind === "read" || effect.kind === "write") && effect.path)
          this.#files.saw(call.agent, effect.path);
    if (kind === "shell" || kind === "search") this.#files.result(call.agent, call.result!.text);
    if (kind === "edit" || kind === "write") this.#passing = false;
    else if (kind === "shell" && passingWords.test(call.result!.text.slice(-20_000))) this.#passing = true;
  }

  #loop(call: CallStep, length: number, { failure }: Facts): void {
    const key = `${call.agent ?? ""} ${failure!.signature}`;
    const known = length > 3 ? this.#open.get(key) : undefined;
    if (known) {
      known.times = length;
      return;
    }
    const why = `again and again: ${failure!.shown || "it failed"}`;
    const found = this.#case(call, callText(call), why);
    found.times = length;
    this.#open.set(key, this.context.findings.incident("error-loop", found));
  }

  async #end(step: Extract<Step, { kind: "end" }>): Promise<void> {
    const payload = { hook_event_name: "Stop", last_assistant_message: step.text };
    const { judgement } = await this.#engine.judge(this.#event(step, payload));
    const id = `${this.recorded.session} end ${step.time}`;
    if (this.context.seen.has(id)) return;
    this.context.seen.add(id);
    for (const { gate, opinion, lifted } of judgement.opinions) {
      const what = `end of turn: ${step.text.slice(-300)}`;
      if (gate === "discipline/claims") this.#claim(step);
      else if (opinion.kind === "deny" && !lifted)
        this.context.findings.refusal(
          gate,
          this.#gates.get(gate)?.title ?? gate,
          this.#case(step, what, `${opinion.what}: ${opinion.why}`),
        );
    }
  }

  #claim(step: Extract<Step, { kind: "end" }>): void {
    const claim = step.text.split(/(?<=[.!?])\s+|\n+/).find(claimsSuccess) ?? step.text.slice(-300);
    const doubt = this.#passing ? "a command since the edit speaks of passing tests, perhaps a commit hook" : undefined;
    const why = "no test run succeeded after the last edit";
    this.context.findings.incident("unproved-claim", this.#case(step, `"${claim}"`, why, doubt));
  }

  #case(step: Step, what: string, why: string, doubt?: string): LookCase {
    return {
      file: this.recorded.file,
      line: step.line,
      session: this.recorded.session,
      ...(step.agent !== undefined && { agent: step.agent }),
      time: step.time,
      what: shownText(what),
      why: shownText(why, 240),
      times: 1,
      ...(doubt !== undefined && { doubt }),
    };
  }

  #event(step: Step, payload: JsonObject): Event {
    const agent = step.agent === undefined ? {} : { agent_id: step.agent };
    const { session, root } = this.recorded;
    return decode({ session_id: session, cwd: step.cwd || root || "/", ...agent, ...payload }, {}, []);
  }
}

const passingWords =
  /\b\d+ (?:tests? )?pass(?:ed|ing)?\b|\bpass(?:ed|ing)?\s*[:=]\s*[1-9]|\btests? (?:all )?pass(?:ed)?\b|\b0 fail/i;

const toolPayload = (call: CallStep): JsonObject => ({
  tool_name: call.tool,
  tool_input: call.input,
  tool_use_id: call.id,
});

/** What the client would have told a hook about the end of the call. */
function resultPayload(call: CallStep): JsonObject {
  const { error, text, details } = call.result!;
  if (error) return { hook_event_name: "PostToolUseFailure", ...toolPayload(call), error: text };
  const plain = call.tool === "Bash" ? { stdout: text, stderr: "", interrupted: false } : text;
  const response = isObject(details) || Array.isArray(details) ? details : plain;
  return { hook_event_name: "PostToolUse", ...toolPayload(call), tool_response: response };
}

const shownPayload = (path: string, content: string): JsonObject => ({
  hook_event_name: "PostToolUse",
  tool_name: "Read",
  tool_input: { file_path: path },
  tool_response: { type: "text", file: { filePath: path, content } },
});

/** A call as one line for people. */
function callText({ tool, input }: CallStep): string {
  const main = ["command", "file_path", "notebook_path", "path", "url", "query", "pattern", "description"]
    .map((name) => input[name])
    .find((value) => typeof value === "string");
  return `${tool} ${main ?? JSON.stringify(input).slice(0, 300)}`;
}

const homeOf = (folder: string): string | undefined => /^(?:\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/.exec(folder)?.[0];
