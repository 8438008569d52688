// Runs the gates: memories learn, gates judge in pack order, everything they ask for is collected.
// Invariant: pure over (event, facts, state). A gate that throws loses only its own opinion; its `onError` says what
// that means, and the fault is always recorded.
import type { Facts } from "../facts/index.js";
import { type Config, modeOf } from "../model/config.js";
import type { Event } from "../model/event.js";
import type { Gate, JudgeContext, LearnContext, Memory, Pack, Project, Slice, StateSpec } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import { mutating } from "../model/mutating.js";
import { builtInDeny } from "../model/refusal.js";
import { type Deny, deny, type Fault, type Judged, type Opinion } from "../model/verdict.js";
import { liftedBy, type Override, overridesId, overridesSpec, type Pause } from "./overrides/override.js";
import { Slices } from "./slices.js";
import { subscribers } from "./subscriptions.js";
import { checkAfter, type Found } from "./watch/after-check.js";
import { openCall } from "./watch/open-calls.js";

/** What the gates see of the record. */
export interface StateView {
  /** Undefined when the state cannot be read: gates with state are at fault then. */
  state: JsonObject | undefined;
  /** The record ends before its own high-water mark: no changes until a person recovers it. */
  locked: boolean;
}

export interface Consulted {
  gate: string;
  mode: "off" | Judged["mode"];
  opinions: Opinion[];
  fault?: string;
  us: number;
}

export interface Amendment {
  gate: string;
  path: string;
  change(text: string | undefined): string | undefined;
  /** Even when the call is refused. */
  always: boolean;
}

export interface WantedAct {
  gate: string;
  pack: Pack;
  name: string;
  params: JsonObject;
}

export interface Judgement {
  opinions: Judged[];
  faults: Fault[];
  consulted: Consulted[];
  amendments: Amendment[];
  acts: WantedAct[];
  used: Override[];
  /** Changes found after the call that gates would have refused. */
  found: Found[];
  slices: Slices | undefined;
}

export interface JudgeWorld {
  /** The engine's own memories. */
  memories: readonly Memory[];
  packs: readonly Pack[];
  config: Config;
  project: Project;
  now: number;
  digest(): string;
  /** Monotonic ms after which the remaining gates count as at fault. */
  deadline: number;
  monotonic(): number;
  /** Prompts of this session that were proved only now: memories learn from them before the event itself. */
  proved: readonly ProvedPrompt[];
  /** The event is not what it claims to be: no memory learns from it. */
  forged: boolean;
}

export interface ProvedPrompt {
  event: Event;
  facts: Facts;
  /** Of its words, as it is pending in the state. */
  mask: string;
}

export function judge(event: Event, facts: Facts, view: StateView, world: JudgeWorld): Judgement {
  const slices = view.state && new Slices(view.state, event);
  const out: Judgement = {
    opinions: [],
    faults: [],
    consulted: [],
    amendments: [],
    acts: [],
    used: [],
    found: [],
    slices,
  };
  const slice = <S>(id: string, spec: StateSpec<S>): Slice<S> => {
    if (!slices) throw new Error("Interlock's state can't be read");
    return slices.slice(id, spec);
  };
  const recall = <T>(m: Memory<T>): Readonly<T> => slice(m.id, m.state).value;
  const { project, now } = world;
  const learn = (from: Pick<ProvedPrompt, "event" | "facts">) => {
    for (const { memory, options } of subscribers(world.memories, world.packs, world.config, from.event).memories) {
      try {
        const state = slice(memory.id, memory.state);
        memory.learn({ event: from.event, facts: from.facts, config: options, project, now, recall, state });
      } catch (error) {
        out.faults.push({ gate: memory.id, policy: "pass", message: messageOf(error) });
      }
    }
  };
  for (const prompt of world.proved) learn(prompt);
  if (!world.forged) learn({ event, facts });

  if (view.locked && event.kind === "tool.before" && mutating(facts.effects)) {
    out.opinions.push({ gate: "guard/record", mode: "enforce", opinion: builtInDeny("guard/record", recordLost) });
  }

  let start = world.monotonic();
  for (const { gate, pack, mode, options } of subscribers(world.memories, world.packs, world.config, event).gates) {
    const consulted: Consulted = { gate: gate.id, mode, opinions: [], us: 0 };
    try {
      if (start > world.deadline) throw new Error(`no time left to judge (limit ${world.config.deadlineMs} ms)`);
      const context = new GateContext(event, facts, project, now, recall, options, gate, pack, slice, out);
      const said = gate.judge(context) ?? none;
      consulted.opinions = Array.isArray(said) ? [...said] : [said as Opinion];
      for (const opinion of consulted.opinions) out.opinions.push(judgedBy(gate, mode, opinion));
    } catch (error) {
      consulted.fault = messageOf(error);
      out.faults.push({ gate: gate.id, policy: gate.onError, message: consulted.fault });
      if (gate.onError === "deny") out.opinions.push(judgedBy(gate, mode, faulted(gate, consulted.fault)));
    }
    const end = world.monotonic();
    consulted.us = Math.round((end - start) * 1000);
    start = end;
    out.consulted.push(consulted);
  }
  if (facts.observed && slices) out.found = foundAfter(facts, view, world, recall);
  lift(out, facts, world);
  return out;
}

const none: readonly Opinion[] = [];

const judgedBy = (gate: Gate, mode: Judged["mode"], opinion: Opinion): Judged => ({
  gate: gate.id,
  mode,
  opinion,
  ...(gate.protecting && { protecting: true }),
});

/** What one gate gets. A class with getters: some thirty gates run for every call and most use little of it. */
class GateContext implements JudgeContext<unknown, unknown> {
  constructor(
    readonly event: Event,
    readonly facts: Facts,
    readonly project: Project,
    readonly now: number,
    readonly recall: JudgeContext<unknown, unknown>["recall"],
    readonly config: JsonObject,
    private readonly gate: Gate,
    private readonly pack: Pack,
    private readonly slice: <S>(id: string, spec: StateSpec<S>) => Slice<S>,
    private readonly out: Judgement,
  ) {}

  get state(): Slice<unknown> {
    return this.slice(this.gate.id, this.gate.state ?? stateless);
  }

  get amend(): JudgeContext<unknown, unknown>["amend"] {
    return (path, change, when) =>
      this.out.amendments.push({ gate: this.gate.id, path, change, always: when === "always" });
  }

  get act(): JudgeContext<unknown, unknown>["act"] {
    return (name, params = {}) => this.out.acts.push({ gate: this.gate.id, pack: this.pack, name, params });
  }
}

const stateless: StateSpec<unknown> = { scope: "project", initial: undefined };

/** Asks the gates that guard places about changes nobody predicted, unless a person has paused refusals. */
function foundAfter(
  facts: Facts,
  { state }: StateView,
  world: JudgeWorld,
  recall: LearnContext<unknown>["recall"],
): Found[] {
  const pause = (state![overridesId] as { pause?: Pause } | undefined)?.pause;
  if (pause && pause.until > world.now) return [];
  const gates = world.packs.flatMap((pack) =>
    pack.gates.flatMap((gate) => {
      const mode = gate.hindsight ? modeOf(world.config, pack.id, gate) : "off";
      return mode === "off" ? [] : [{ gate, mode, config: world.config.packs[pack.id]!.options }];
    }),
  );
  return checkAfter(facts, gates, openCall(state!, facts.event), (gate, event, asIf) => {
    try {
      const said = gate.judge({
        event,
        facts: asIf,
        project: world.project,
        now: world.now,
        recall,
        config: gates.find((g) => g.gate === gate)!.config,
        state: { value: {}, update: () => {}, replace: () => {} },
        amend: () => {},
        act: () => {},
      });
      const denials = [said ?? []].flat() as Opinion[];
      return denials.find((o): o is Deny => o.kind === "deny");
    } catch {
      return undefined; // it judged the call before; the record still lists the change as observed
    }
  });
}

const usedKept = 50;

/** Applies a person's overrides to refusals. A used override is removed by the record of this event. */
function lift(out: Judgement, { event: { session }, unmasked }: Facts, world: JudgeWorld): void {
  if (!out.slices || !out.opinions.some((j) => j.opinion.kind === "deny")) return;
  const { now } = world;
  const digest = world.digest();
  const state = out.slices.slice(overridesId, overridesSpec);
  const granted = unmasked(state.value);
  for (const judged of out.opinions) {
    if (judged.opinion.kind !== "deny" || judged.mode !== "enforce") continue;
    const lifted = liftedBy(granted, judged.gate, judged.opinion, { digest, session }, now);
    if (!lifted) continue;
    judged.lifted = lifted.why;
    if (lifted.used && !out.used.includes(lifted.used)) out.used.push(lifted.used);
  }
  if (out.used.length)
    state.update((draft) => {
      draft.open = draft.open.filter((o) => !out.used.some((u) => u.verdict === o.verdict));
      draft.used = [...(draft.used ?? []), ...out.used.map(({ verdict }) => ({ verdict, at: now }))].slice(-usedKept);
    });
}

const recordLost = "the record does not reach its own high-water mark: something deleted it or rolled it back";

const faulted = (gate: Gate, message: string) =>
  deny({
    what: "a call that a protecting gate could not judge",
    why: `${gate.id} failed: ${message}`,
    next: "ask the user to run `interlock doctor`; it names the repair",
  });

export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);
