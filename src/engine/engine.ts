// One event in, one verdict out, one record written: `judge` without the lock, `append` under it, then `finish`.
// Invariant: the verdict that is answered is the verdict that is recorded. Where the record cannot be written the
// answer says so; a call that is past its deadline is recorded as refused or not at all, never as passed.
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { Facts, type World } from "../facts/index.js";
import { factsOf } from "../facts/load-facts.js";
import { countRefusal, refusals } from "../facts/repeated-refusals.js";
import { monotonic } from "../model/clock.js";
import type { Event } from "../model/event.js";
import type { Memory } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import { limits } from "../model/limits.js";
import type { Judged, Verdict } from "../model/verdict.js";
import { type RecordDraft, type Snapshot, StoreBusy, type UnfinishedRecord } from "../store/index.js";
import { realIo } from "../store/io.js";
import { readKey } from "../store/key/signing-key.js";
import { amendFiles } from "./amend.js";
import { boundStops, forgetOldSessions } from "./bounds.js";
import { clientGone, tooCrowded, tooLate } from "./deadline.js";
import type { EngineWorld } from "./engine-world.js";
import { type Judgement, judge, messageOf, type ProvedPrompt, type StateView } from "./judge.js";
import { merge } from "./merge.js";
import { actionDigest } from "./overrides/override.js";
import { bodyOf } from "./record.js";
import { sessionName } from "./slices.js";
import { overrideCommand, pendingCommands, pendingIn } from "./typed-commands/pending.js";
import { sessionTranscript } from "./typed-commands/session-transcript.js";
import { upkeep } from "./upkeep.js";
import { registrationNotes, tamperingNotes } from "./watch/after-check.js";
import { callsOf, isWatched, unannounced, updateOpenCalls } from "./watch/open-calls.js";

/** An event that was judged and is not recorded yet. */
export interface JudgedEvent {
  event: Event;
  round: Round;
  judgement: Judgement;
  /** The state it was judged with; undefined when that could not be read. */
  snapshot: Snapshot | undefined;
  /** Opinions from outside the gates: replies to typed commands, adopted hooks, the caller's own. */
  outside: Judged[];
  acts: JsonObject[];
}

export interface Handled {
  verdict: Verdict;
  facts: Facts;
  judgement: Judgement;
  /** The number of its record. */
  seq?: number;
  /** Why there is no record, and what to do about it. */
  unrecorded?: string;
  /** The deadline passed: nothing was recorded and the caller decides by itself. */
  withdrawn?: true;
  /** What remains to be done once the answer is on its way. */
  finish(): Promise<void>;
}

interface Round {
  start: number;
  now: number;
  facts: Facts;
  /** Computed when first used: only refused calls need it early. */
  digest(): string;
  deadline: number;
  proved: ProvedPrompt[];
  /** Of the call that ends with this event: keeps its snapshot under the verdict's id, or removes it. */
  watch?: { close(keepAs: string | undefined): void };
}

const ownMemories: readonly Memory[] = [refusals, sessionTranscript, pendingCommands] as Memory[];

export class Engine {
  constructor(private readonly world: EngineWorld) {}

  async handle(event: Event): Promise<Handled> {
    const handled = this.append(await this.judge(event));
    await handled.finish();
    return handled;
  }

  /** Judges with the newest state, without the lock, so that slow gates make nobody wait. */
  async judge(event: Event): Promise<JudgedEvent> {
    const round = await this.#begin(event);
    const { snapshot, unreadable } = await this.#readState(event, round);
    const judgement = this.#runGates(event, round, viewOf(snapshot));
    if (unreadable) judgement.faults.push({ gate: "engine/store", policy: "pass", message: unreadable });
    const outside: Judged[] = [...(this.world.callers?.opinions ?? [])];
    const acts: JsonObject[] = [];
    if (!forgery(event, round.facts, snapshot?.state as JsonObject | undefined)) {
      outside.push(...(await this.#commandReplies(event, round)));
      if (!refuses(judgement)) outside.push(...((await this.world.adopted?.(event)) ?? []));
      if (!refuses(judgement)) acts.push(...(await this.#perform(event, judgement, round.now)));
    }
    return { event, round, judgement, snapshot, outside, acts };
  }

  /**
   * Records the verdict under the lock. Judges again if another process wrote since. When it returns the record is in
   * the ledger, and the lock is held until `finish`: nothing may be awaited before the answer is sent.
   */
  append(judged: JudgedEvent): Handled {
    const { store, deadline, lockWaitMs = limits.recordAlone } = this.world;
    const { facts } = judged.round;
    const left = (deadline?.at ?? Number.POSITIVE_INFINITY) - monotonic();
    let verdict!: Verdict;
    let record: UnfinishedRecord | undefined;
    try {
      record = store.appendUnfinished(
        (newest) => this.#draft(judged, newest, (v) => (verdict = v)),
        Math.max(0, Math.min(lockWaitMs, left)),
        sessionName(judged.event),
      );
    } catch (error) {
      const { judgement } = judged;
      const busy = error instanceof StoreBusy && deadline?.late;
      // The caller has more time than this process: it tries by itself.
      if (busy === "withdraw") return withdrawnFrom(judged);
      if (!judgement.opinions.some((j) => judged.outside.includes(j))) judgement.opinions.push(...judged.outside);
      if (busy === "refuse") judgement.opinions.push(tooCrowded);
      verdict = merge(judgement, "v-unrecorded");
      const unrecorded = messageOf(error);
      verdict.messages.push(`Interlock could not write its record: ${unrecorded}`);
      return { verdict, facts, judgement, unrecorded, finish: () => this.#noteUnrecorded(judged.event) };
    }
    const { judgement, event } = judged;
    if (!record) return withdrawnFrom(judged);
    this.#closeWatch(judged, verdict);
    const finish = async () => {
      record.finish();
      await upkeep(event, this.world, this.#folder);
    };
    return { verdict, facts, judgement, seq: record.seq, finish };
  }

  /** Whoever writes next says so. */
  async #noteUnrecorded({ hostEvent, cwd, session, tool }: Event): Promise<void> {
    const { noteUnrecorded } = await import("./record-notes.js");
    const ids = { session, ...(tool?.id !== undefined && { id: tool.id }) };
    noteUnrecorded(this.world.store.place.home, { hostEvent, cwd, at: new Date().toISOString(), ...ids });
  }

  /** The same judgement, with nothing written, performed or amended. */
  async explain(event: Event): Promise<Handled> {
    const round = await this.#begin(event, false);
    const { snapshot, unreadable } = this.#read(event);
    const judgement = this.#runGates(event, round, viewOf(snapshot));
    if (unreadable) judgement.faults.push({ gate: "engine/store", policy: "pass", message: unreadable });
    boundStops(event, judgement, this.world.config.maxStopBlocks);
    return { verdict: merge(judgement, "v-0"), facts: round.facts, judgement, finish: async () => {} };
  }

  async #begin(event: Event, recorded = true): Promise<Round> {
    const start = monotonic();
    const { config, project, userHome, places, disarms, origin } = this.world;
    let words: ReadonlyMap<string, string> | undefined;
    const world: Omit<World, "loaded"> = {
      project,
      userHome,
      places,
      disarms,
      standing: origin,
      mask: (word) => this.world.store.mask(word, recorded),
      word: (mark) => (words ??= this.world.store.words()).get(mark),
      mcp: config.mcp,
      wrappers: config.shell.wrappers,
      programs: config.shell.programs,
      roles: config.packs["lifecycle"]?.options["roles"] as World["roles"],
      shared: this.world.shared,
    };
    const facts = await factsOf(event, world);
    for (const { prepare } of this.world.packs)
      if (prepare) await prepare({ event, project, folder: this.#folder, sign: this.#sign });
    let digest: string | undefined;
    return {
      start,
      now: (this.world.wallClock ?? Date.now)(),
      facts,
      digest: () => (digest ??= actionDigest(event)),
      deadline: start + this.#judgeMs,
      proved: [],
    };
  }

  /** The newest state, after typed commands were proved and the tree was compared. */
  async #readState(event: Event, round: Round): Promise<{ snapshot?: Snapshot; unreadable?: string }> {
    const first = this.#read(event);
    if (!first.snapshot) return first;
    try {
      const proved = await this.#proveCommands(event, round, first.snapshot.state as JsonObject);
      const snapshot = proved ? this.world.store.read(sessionName(event)) : first.snapshot;
      await this.#observe(event, round, snapshot.state as JsonObject);
      return { snapshot };
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
  }

  #read(event: Event): { snapshot?: Snapshot; unreadable?: string } {
    try {
      return { snapshot: this.world.store.read(sessionName(event)) };
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
  }

  /** Proves or rejects the commands typed earlier in this session. True: the record changed. */
  async #proveCommands(event: Event, round: Round, state: JsonObject): Promise<boolean> {
    if (event.agent || !pendingIn(state, event).length || round.facts.provenance.kind === "forged") return false;
    const { provePending } = await import("./typed-commands/prove.js");
    const { store, places } = this.world;
    for (const { words, text: mask, promptId } of provePending(event, state, store, round.now, places)) {
      const prompt: Event = {
        ...event,
        kind: "prompt",
        hostEvent: "UserPromptSubmit",
        promptId,
        prompt: { text: words, machine: false },
        tool: undefined,
        outcome: undefined,
        turn: undefined,
      };
      const world: World = { ...round.facts.world, standing: () => ({ kind: "genuine", why: "it was typed" }) };
      round.proved.push({ event: prompt, facts: await factsOf(prompt, world), mask });
    }
    return true;
  }

  /** Compares the tree with its snapshot where the call was watched. */
  async #observe(event: Event, round: Round, state: JsonObject): Promise<void> {
    if (!(this.world.watched ?? isWatched(this.#folder, event)) || forgery(event, round.facts, state)) return;
    const { closeWatch, endWatch } = await import("./watch/tree-look.js");
    const seen = await endWatch(this.#folder, round.facts, callsOf(state, event));
    if (!seen) return;
    round.watch = { close: (keepAs) => closeWatch(this.#folder, event, seen.before, keepAs) };
    const settings = seen.observed.changes.flatMap((c) => (c.protected && isSettings(c.path) ? [c.path] : []));
    const lost = settings.length ? await this.world.registration?.(settings, seen.before) : undefined;
    const observed = lost?.length ? { ...seen.observed, registration: lost } : seen.observed;
    round.facts = new Facts(event, { ...round.facts.world, observed });
  }

  #runGates(event: Event, round: Round, view: StateView): Judgement {
    const { packs, config, project, callers } = this.world;
    const pending = view.state ? pendingIn(view.state, event) : [];
    const proved = round.proved.filter(({ mask }) => pending.some((p) => p.text === mask));
    const judgement = judge(event, round.facts, view, {
      memories: ownMemories,
      packs,
      config,
      project,
      now: round.now,
      digest: round.digest,
      deadline: round.deadline,
      monotonic,
      proved,
      forged: forgery(event, round.facts, view.state) !== undefined,
    });
    judgement.faults.push(...(callers?.faults ?? []));
    if (proved.length) {
      const masks = proved.map((p) => p.mask);
      const slice = judgement.slices?.slice(pendingCommands.id, pendingCommands.state);
      slice?.update((s) => void (s.open = s.open.filter((p) => !masks.includes(p.text))));
    }
    return judgement;
  }

  /** What a person who typed a command is told at once. It takes effect when the host's transcript proves it. */
  async #commandReplies(event: Event, { facts, now }: Round): Promise<Judged[]> {
    if (event.kind !== "prompt" || event.prompt?.machine) return [];
    // A yes is an answer to somebody; the gate it may open acknowledges it.
    if (!facts.claimed?.command && !overrideCommand(event.prompt!.text)) return [];
    if (facts.claimed?.command === "plan.approve" && !facts.provenance.nested) return [];
    const { replyToCommand } = await import("./typed-commands/reply.js");
    const notes = replyToCommand(event, this.world.store, now, facts.provenance.nested);
    return notes.map((opinion) => ({ gate: "engine/claims", mode: "enforce", opinion }));
  }

  async #perform(event: Event, judgement: Judgement, now: number): Promise<JsonObject[]> {
    const { project, home } = this.world;
    const done: JsonObject[] = [];
    for (const { gate, pack, name, params } of judgement.acts) {
      try {
        const result = await pack.acts?.[name]?.(params, { event, project, home, now, folder: this.#folder });
        done.push({ gate, act: name, ...(result ?? {}) });
      } catch (error) {
        done.push({ gate, act: name, failed: messageOf(error) });
      }
    }
    return done;
  }

  /** The record of a judged event. Called under the lock with the newest state. */
  #draft(judged: JudgedEvent, newest: Snapshot, answer: (verdict: Verdict) => void): RecordDraft | undefined {
    const { event, round, snapshot, outside } = judged;
    const { config, deadline } = this.world;
    const state = newest.state as JsonObject;
    if (snapshot && this.world.recordedSince?.(snapshot.seq + 1)) return undefined;
    if (newest.seq !== snapshot?.seq) {
      // Waiting for the lock is not judging: the second judgement has its own time.
      const again = { ...round, deadline: monotonic() + this.#judgeMs };
      judged.judgement = this.#runGates(event, again, viewOf(newest));
    }
    const { judgement } = judged;
    const gone = deadline?.gone?.() ?? false;
    const late = deadline !== undefined && (gone || monotonic() >= deadline.at);
    if (late && deadline.late === "withdraw") return undefined;
    const id = `v-${newest.seq + 1}`;
    const forged = forgery(event, round.facts, state);
    if (forged) return this.#forgedDraft(judged, id, forged, answer);
    judgement.opinions.push(...outside, ...foundNotes(judgement, round.facts, id));
    if (late && deadline.late === "refuse") judgement.opinions.push(gone ? clientGone : tooLate);
    boundStops(event, judgement, config.maxStopBlocks);
    const verdict = merge(judgement, id, countRefusal(round.facts, judgement, round.now));
    answer(verdict);
    const refused = refuses(judgement);
    updateOpenCalls(round.facts, judgement, refused, round.now);
    const amended = amendFiles(judgement.amendments.filter((a) => a.always || !refused));
    const patch = { ...judgement.slices?.patch(), ...forgetOldSessions(event, newest, round.now) };
    const ms = Math.round(monotonic() - round.start);
    return {
      type: "event",
      host: event.host,
      session: event.session,
      agent: event.agent?.id,
      ids: [verdict.id],
      body: bodyOf(event, round.facts, judgement, verdict, round.digest(), { acts: judged.acts, amended, ms, late }),
      patch: Object.keys(patch).length ? patch : undefined,
      words: wordsOf(round),
    };
  }

  /** Judged as always, so that a forger learns nothing from silence; nothing is remembered, amended or performed. */
  #forgedDraft(judged: JudgedEvent, id: string, why: string, answer: (verdict: Verdict) => void): RecordDraft {
    const { event, round, judgement } = judged;
    const verdict = merge(judgement, id);
    verdict.messages.push(`Interlock: a forged event changed nothing (${why}). interlock why ${id}`);
    verdict.context.push(
      `Interlock did not take this ${event.hostEvent} event from the agent: ${why}. ` +
        "It changed nothing and is recorded.",
    );
    answer(verdict);
    const body = bodyOf(event, round.facts, judgement, verdict, round.digest(), { acts: [], amended: [], ms: 0 });
    return {
      type: "forged-event",
      host: event.host,
      session: event.session,
      agent: event.agent?.id,
      ids: [id],
      body: { ...body, forged: why },
    };
  }

  /** Keeps the snapshot a person can restore, or removes it. A failure costs the way back, not the answer. */
  #closeWatch({ round, judgement }: JudgedEvent, verdict: Verdict): void {
    if (!round.watch) return;
    try {
      round.watch.close(judgement.found.length ? verdict.id : undefined);
    } catch (error) {
      verdict.messages.push(`Interlock could not keep its look at the tree: ${messageOf(error)}`);
    }
  }

  get #folder(): string {
    const { home, id } = this.world.store.place;
    return join(home, "projects", id);
  }

  readonly #sign = (text: string): string | undefined => {
    const key = readKey(realIo, this.world.store.place.home);
    return key && key !== "bad" ? createHmac("sha256", key.bytes).update(text).digest("hex") : undefined;
  };

  get #judgeMs(): number {
    return Math.min(this.world.config.deadlineMs, limits.judge);
  }
}

const withdrawnFrom = ({ judgement, round: { facts } }: JudgedEvent): Handled => ({
  verdict: merge(judgement, "v-withdrawn"),
  facts,
  judgement,
  withdrawn: true,
  finish: async () => {},
});

/** Why an event is not the agent's; undefined where nothing speaks against it. */
function forgery(event: Event, facts: Facts, state: JsonObject | undefined): string | undefined {
  if (facts.provenance.kind === "forged") return facts.provenance.why;
  return unannounced(state, event) ? "no call with this id was let through in this session" : undefined;
}

function foundNotes({ found }: Judgement, { event, observed }: Facts, id: string): Judged[] {
  const lost = observed?.registration ?? [];
  const notes = [...registrationNotes(lost, id), ...tamperingNotes(found, lost, id, event)];
  return notes.map((opinion) => ({ gate: found[0]?.gate ?? "guard/self-protect", mode: "enforce", opinion }));
}

const isSettings = (path: string): boolean => /[\\/]settings[^\\/]*\.json$/.test(path);

/** What gates and memories keep of people's and programs' words. */
function wordsOf({ facts, proved }: Round): Record<string, string> | undefined {
  const kept = [facts, ...proved.map((p) => p.facts)].flatMap((f) => [...f.kept]);
  return kept.length ? Object.fromEntries(kept) : undefined;
}

const viewOf = (snapshot: Snapshot | undefined): StateView => ({
  state: snapshot?.state as JsonObject | undefined,
  locked: snapshot?.condition.locked ?? false,
});

const refuses = (judgement: Judgement): boolean =>
  judgement.opinions.some((j) => j.opinion.kind === "deny" && j.mode === "enforce" && !j.lifted);
