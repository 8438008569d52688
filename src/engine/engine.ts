// One event in, one verdict out, one record written. Every door (hook, server, backtest, explain, tests) comes through here.
// Invariant: the verdict that is answered is the verdict that is recorded; where the record can't be written the answer says so. A call that changes
// nothing and a finished one that nobody has a word about may have their answer first, where the door sees to it that the record follows.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Facts, type World } from "../facts/index.js";
import { type Loaded, loadFor } from "../facts/load.js";
import { countRefusal, refusals } from "../facts/repeated-refusals.js";
import { monotonic } from "../model/clock.js";
import type { Config } from "../model/config.js";
import type { Event } from "../model/event.js";
import type { Memory, Pack, Project } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import type { Judged, Verdict } from "../model/verdict.js";
import { readBoundedText } from "../project/bounded-read.js";
import type { ProtectedPlaces } from "../project/protected/protected.js";
import { replaceFile } from "../project/replace-file.js";
import type { TreeSnapshot } from "../project/tree-snapshot.js";
import type { CommittedRecord, RecordDraft, Snapshot, Store } from "../store/index.js";
import { boundStops, forgetOldSessions, sessions } from "./bounds.js";
import { type Amendment, type Heard, type Judgement, judge, messageOf, type Seen } from "./judge.js";
import { merge } from "./merge.js";
import { actionDigest } from "./overrides/override.js";
import { bodyOf } from "./record.js";
import { claims, openClaims, overrideCommand } from "./typed-commands/pending.js";
import type { Standing } from "./typed-commands/provenance.js";
import { tell } from "./watch/after-check.js";
import { callsOf, isWatched, noteCall, unannounced } from "./watch/open-calls.js";

export interface EngineWorld {
  packs: readonly Pack[];
  config: Config;
  project: Project;
  store: Store;
  userHome: string;
  places: ProtectedPlaces;
  disarms?(path: string | undefined): string | undefined;
  /** Who started this hook, where the door can see it. */
  standing?(): Standing;
  /** Whether the event ends a call that is watched, where the door has looked already. */
  watched?: boolean;
  /** Told the verdict as soon as its record counts, where nothing can be added to it any more: who waits for the answer need not wait for the rest. */
  recorded?(verdict: Verdict): void;
  /** Told before the record is written that a call passes without a word which is over or changes nothing, for who brings the event again should this process die first. */
  foretold?(verdict: Verdict): void;
  /** Interlock's own folder. */
  home: string;
  /** Adopted hooks of the project: asked after our gates, only where those do not refuse. */
  companions?: (event: Event) => Promise<Judged[]>;
  wallClock?: () => number;
}

export interface Handled {
  verdict: Verdict;
  facts: Facts;
  judgement: Judgement;
  record?: CommittedRecord;
  /** Why there is no record, and what to do about it. */
  unrecorded?: string;
}

const ownMemories: readonly Memory[] = [sessions, refusals, claims] as Memory[];

/** How long a judged event waits for its turn to be recorded (ms): many hooks at once on a busy machine need seconds, the host allows thirty. */
const recordWait = 20_000;

export class Engine {
  constructor(private readonly world: EngineWorld) {}

  /** Judges, records, answers. */
  async handle(event: Event): Promise<Handled> {
    const recalled = this.#recall(event);
    const told: Told = {};
    return (recalled && (await this.#handle(event, told, recalled))) ?? (await this.#handle(event, told))!;
  }

  /** Where nothing is done before the record is written, what is known from last time will do for a first judgement: under the lock it shows whether it was right. */
  #recall(event: Event): Snapshot | undefined {
    const { companions, watched, store } = this.world;
    if ((event.kind !== "tool.before" && event.kind !== "tool.after") || companions || watched !== false)
      return undefined;
    const known = store.recall();
    return known && !openClaims(known.state as JsonObject, event).length ? known : undefined;
  }

  /** Undefined: what was recalled is no longer so, and nothing was written. */
  async #handle(event: Event, told: Told, recalled?: Snapshot): Promise<Handled | undefined> {
    const { store, config, companions } = this.world;
    const start = monotonic();
    const round = this.#round(event, start, await loadFor(event));
    let { judgement, snapshot } = await this.#firstLook(event, round, "settle", recalled);
    if (recalled && judgement.acts.length) return undefined;
    let forged = forgery(event, round.facts, snapshot?.state as JsonObject | undefined);
    const said = event.kind !== "prompt" || forged ? [] : await this.#answers(event, round.facts, round.now);
    if (companions && !forged && !refuses(judgement)) said.push(...(await companions(event)));
    const performs = judgement.acts.length && !refuses(judgement) && !forged;
    const acts = performs ? await this.#perform(event, judgement, round.now) : [];
    if (recalled && !forged) this.#foretell(event, round.facts, judgement, recalled, told);
    let verdict!: Verdict;
    let record: CommittedRecord | undefined;
    try {
      record = store.transact(
        (newest) => {
          if (recalled && !isSame(recalled, newest)) return undefined;
          // Waiting for the record is not judging: a second look has its own time.
          if (!snapshot || newest.seq !== snapshot.seq)
            judgement = this.#judge(event, { ...round, deadline: monotonic() + config.deadlineMs }, seenOf(newest));
          snapshot = newest;
          forged = forgery(event, round.facts, newest.state as JsonObject);
          if (forged)
            return this.#forgedRecord(event, round, judgement, newest.seq + 1, forged, (v) => void (verdict = v));
          judgement.opinions.push(...said, ...this.#found(judgement, `v-${newest.seq + 1}`, event));
          boundStops(event, judgement, config.maxStopBlocks);
          verdict = merge(judgement, `v-${newest.seq + 1}`, countRefusal(event, judgement, round.now));
          const refused = refuses(judgement);
          noteCall(round.facts, judgement, refused, round.now);
          const amended = amend(judgement.amendments.filter((a) => a.always || !refused));
          const patch = { ...judgement.slices?.patch(), ...forgetOldSessions(event, newest.state, round.now) };
          return {
            type: "event",
            host: event.host,
            session: event.session,
            agent: event.agent?.id,
            ids: [verdict.id],
            body: bodyOf(event, round.facts, judgement, verdict, round.digest(), {
              acts,
              amended,
              ms: Math.round(monotonic() - start),
              told: told.outcome !== verdict.outcome ? told.outcome : undefined,
            }),
            patch: Object.keys(patch).length ? patch : undefined,
          };
        },
        Math.max(recordWait, round.deadline - monotonic()),
        () => {
          if (!this.#tidies(event, round)) this.world.recorded?.(verdict);
        },
      );
      if (recalled && !record) return undefined;
      troubled.delete(store);
    } catch (error) {
      troubled.add(store);
      if (recalled) return undefined;
      if (!judgement.opinions.some((j) => said.includes(j))) judgement.opinions.push(...said);
      verdict = merge(judgement, "v-unrecorded");
      const unrecorded = messageOf(error);
      verdict.messages.push(`Interlock could not write its record: ${unrecorded}`);
      return { verdict, facts: round.facts, judgement, unrecorded };
    }
    await this.#tidy(event, round, judgement, verdict);
    return { verdict, facts: round.facts, judgement, record };
  }

  /** Nothing hangs on when such an answer comes. Not while the record has trouble: then the answer is where that is said. */
  #foretell(event: Event, facts: Facts, judgement: Judgement, recalled: Snapshot, told: Told): void {
    const { store, foretold } = this.world;
    if (!foretold || !isSilent(judgement) || !recalled.condition.ok || troubled.has(store)) return;
    if (event.kind === "tool.before" && !facts.effects.every((e) => e.kind === "read")) return;
    if (!store.isNewest()) return;
    told.outcome = "pass";
    foretold(merge(judgement, "v-0"));
  }

  #found(judgement: Judgement, id: string, event: Event): Judged[] {
    return tell(judgement.found, id, event).map((opinion) => ({
      gate: judgement.found[0]!.gate,
      mode: "enforce",
      opinion,
    }));
  }

  get #folder(): string {
    const { home, id } = this.world.store.place;
    return join(home, "projects", id);
  }

  /** Looks at the tree again where the call was watched. */
  async #observe(event: Event, round: Round, state: JsonObject): Promise<void> {
    if (!(this.world.watched ?? isWatched(this.#folder, event)) || forgery(event, round.facts, state)) return;
    const { endWatch } = await import("./watch/tree-look.js");
    const seen = await endWatch(this.#folder, round.facts, callsOf(state, event));
    if (!seen) return;
    round.before = seen.before;
    round.facts = new Facts(event, { ...round.facts.world, observed: seen.observed });
  }

  #tidies(event: Event, round: Round): boolean {
    return round.before !== undefined || (isTurn(event) && existsSync(join(this.#folder, "watch")));
  }

  /** Keeps what can be restored and lets go of the rest. What fails here costs the way back, not the answer. */
  async #tidy(event: Event, round: Round, judgement: Judgement, verdict: Verdict): Promise<void> {
    if (!this.#tidies(event, round)) return;
    try {
      const { settleWatch, sweepWatches } = await import("./watch/tree-look.js");
      if (isTurn(event)) sweepWatches(this.#folder, event, round.now);
      if (round.before) settleWatch(this.#folder, event, round.before, judgement.found.length ? verdict.id : undefined);
    } catch (error) {
      verdict.messages.push(`Interlock could not keep its look at the tree: ${messageOf(error)}`);
    }
  }

  /** Judged as always, so that a pretender learns nothing from silence; nothing is remembered, amended or performed. */
  #forgedRecord(
    event: Event,
    round: Round,
    judgement: Judgement,
    seq: number,
    why: string,
    answer: (verdict: Verdict) => void,
  ): RecordDraft {
    const verdict = merge(judgement, `v-${seq}`);
    verdict.messages.push(`Interlock: a forged event changed nothing (${why}). interlock why ${verdict.id}`);
    verdict.context.push(
      `Interlock did not take this ${event.hostEvent} event from the agent: ${why}. It changed nothing and is recorded.`,
    );
    answer(verdict);
    const body = bodyOf(event, round.facts, judgement, verdict, round.digest(), { acts: [], amended: [], ms: 0 });
    return {
      type: "forged-event",
      host: event.host,
      session: event.session,
      agent: event.agent?.id,
      ids: [verdict.id],
      body: { ...body, forged: why },
    };
  }

  /** What a person who typed a command is told at once; it takes effect when the host has written it down. */
  async #answers(event: Event, facts: Facts, now: number): Promise<Judged[]> {
    if (event.kind !== "prompt" || event.prompt?.machine) return [];
    if (!facts.claim && !overrideCommand(event.prompt!.text)) return [];
    const { answerClaim } = await import("./typed-commands/reply.js");
    return answerClaim(event, this.world.store, now).map((opinion) => ({
      gate: "engine/claims",
      mode: "enforce",
      opinion,
    }));
  }

  /** The same judgement, with nothing written, performed or amended. */
  async explain(event: Event): Promise<Handled> {
    const round = this.#round(event, monotonic(), await loadFor(event));
    const { judgement } = await this.#firstLook(event, round);
    boundStops(event, judgement, this.world.config.maxStopBlocks);
    return { verdict: merge(judgement, "v-0"), facts: round.facts, judgement };
  }

  #round(event: Event, start: number, loaded: Loaded): Round {
    const { config, project, userHome, places, disarms, standing } = this.world;
    const world: World = {
      project,
      userHome,
      loaded,
      places,
      disarms,
      standing,
      mcp: config.mcp,
      wrappers: config.shell.wrappers,
      roles: config.packs["lifecycle"]?.options["roles"] as World["roles"],
    };
    const now = (this.world.wallClock ?? Date.now)();
    let digest: string | undefined;
    return {
      facts: new Facts(event, world),
      now,
      digest: () => (digest ??= actionDigest(event)),
      deadline: start + config.deadlineMs,
      heard: [],
    };
  }

  /** Judges against the newest snapshot without holding the lock, so that slow facts make nobody wait. */
  async #firstLook(
    event: Event,
    round: Round,
    how?: "settle",
    recalled?: Snapshot,
  ): Promise<{ judgement: Judgement; snapshot?: Snapshot }> {
    if (recalled) return { judgement: this.#judge(event, round, seenOf(recalled)), snapshot: recalled };
    let snapshot: Snapshot | undefined;
    let unreadable: string | undefined;
    try {
      snapshot = this.world.store.read();
      if (how && (await this.#settle(event, round, snapshot.state as JsonObject))) snapshot = this.world.store.read();
      if (how) await this.#observe(event, round, snapshot.state as JsonObject);
    } catch (error) {
      unreadable = messageOf(error);
    }
    const judgement = this.#judge(event, round, snapshot ? seenOf(snapshot) : { state: undefined, locked: false });
    if (unreadable) judgement.faults.push({ gate: "engine/store", policy: "pass", message: unreadable });
    return { judgement, snapshot };
  }

  /** Whether commands typed earlier in this session were carried out or found forged; says what the memories have yet to hear. */
  async #settle(event: Event, round: Round, state: JsonObject): Promise<boolean> {
    if (event.agent || !openClaims(state, event).length || round.facts.provenance.kind === "forged") return false;
    const { settleClaims } = await import("./typed-commands/prove.js");
    const { heard } = settleClaims(event, state, this.world.store, round.now);
    for (const { text, promptId } of heard) {
      const prompt: Event = {
        ...event,
        kind: "prompt",
        hostEvent: "UserPromptSubmit",
        promptId,
        prompt: { text, machine: false },
        tool: undefined,
        outcome: undefined,
        turn: undefined,
      };
      const loaded = await loadFor(prompt);
      const world: World = { ...round.facts.world, loaded, standing: () => ({ kind: "genuine", why: "it was typed" }) };
      round.heard.push({ event: prompt, facts: new Facts(prompt, world) });
    }
    return true;
  }

  #judge(event: Event, round: Round, seen: Seen): Judgement {
    const { packs, config, project } = this.world;
    const heard = round.heard.filter(({ event: { prompt } }) => isOpen(seen, event, prompt!.text));
    const judgement = judge(event, round.facts, seen, {
      memories: ownMemories,
      packs,
      config,
      project,
      now: round.now,
      digest: round.digest,
      deadline: round.deadline,
      monotonic,
      heard,
      forged: forgery(event, round.facts, seen.state) !== undefined,
    });
    if (heard.length)
      judgement.slices
        ?.slice(claims.id, claims.state)
        .update((s) => void (s.open = s.open.filter((c) => !heard.some((h) => h.event.prompt!.text === c.text))));
    return judgement;
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
}

/** What was answered before there was a record. */
interface Told {
  outcome?: "pass";
}

interface Round {
  facts: Facts;
  now: number;
  /** Worked out when first asked for: nobody waits for it who is not refused. */
  digest(): string;
  deadline: number;
  heard: Heard[];
  /** The tree before the call that ends with this event. */
  before?: TreeSnapshot;
}

/** Why an event is not the agent's; undefined where nothing speaks against it. */
function forgery(event: Event, facts: Facts, state: JsonObject | undefined): string | undefined {
  if (facts.provenance.kind === "forged") return facts.provenance.why;
  return unannounced(state, event) ? "no call with this id was let through in this session" : undefined;
}

const isTurn = ({ kind }: Event): boolean => kind === "session.start" || kind === "session.end";

const isOpen = (seen: Seen, event: Event, text: string): boolean =>
  seen.state !== undefined && openClaims(seen.state, event).some((claim) => claim.text === text);

/** Nobody has anything to say of it. */
const isSilent = ({ opinions, faults, found, amendments, acts }: Judgement): boolean =>
  !(opinions.length || faults.length || found.length || amendments.length || acts.length);

/** Whose last record could not be written. */
const troubled = new WeakSet<Store>();

const isSame = (a: Snapshot, b: Snapshot): boolean =>
  a.seq === b.seq && a.hash === b.hash && a.condition.locked === b.condition.locked;

const seenOf = (snapshot: Snapshot): Seen => ({
  state: snapshot.state as JsonObject,
  locked: snapshot.condition.locked,
});

const refuses = (judgement: Judgement): boolean =>
  judgement.opinions.some((j) => j.opinion.kind === "deny" && j.mode === "enforce" && !j.lifted);

/** All amendments of one file are one atomic write. */
function amend(amendments: readonly Amendment[]): string[] {
  const texts = new Map<string, { before: string | undefined; text: string | undefined }>();
  for (const { path, change } of amendments) {
    const file = texts.get(path) ?? startOf(path);
    file.text = change(file.text) ?? file.text;
    texts.set(path, file);
  }
  const changed = [...texts].filter(([, f]) => f.text !== undefined && f.text !== f.before);
  for (const [path, file] of changed) replaceFile(path, file.text!);
  return changed.map(([path]) => path);
}

/** A state file larger than this is not ours to rewrite. */
const largestAmended = 16 * 1024 * 1024;

function startOf(path: string) {
  let before: string | undefined;
  try {
    before = readBoundedText(path, largestAmended);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { before, text: before };
}
