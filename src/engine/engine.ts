// One event in, one verdict out, one record written. Every door (hook, server, backtest, explain, tests) comes through here.
// Invariant: the verdict that is answered is the verdict that is recorded; where the record can't be written the answer says so.
import { readFileSync } from "node:fs";
import { Facts, type World } from "../facts/index.js";
import { loadFor } from "../facts/load.js";
import type { Places } from "../files/protected.js";
import { replaceFile } from "../files/replace.js";
import type { CommittedRecord, Snapshot, Store } from "../store/index.js";
import { monotonic } from "./clock.js";
import type { Config } from "./config.js";
import type { Event } from "./event.js";
import type { Pack, Project } from "./gate.js";
import type { JsonObject } from "./json.js";
import { type Amendment, type Judgement, judge, messageOf, type Seen } from "./judge.js";
import { boundStops, forgetOldSessions, sessions } from "./limits.js";
import { merge } from "./merge.js";
import { actionDigest } from "./override.js";
import { bodyOf } from "./record.js";
import { countRefusal, refusals } from "./refusals.js";
import type { Judged, Verdict } from "./verdict.js";

export interface EngineWorld {
  packs: readonly Pack[];
  config: Config;
  project: Project;
  store: Store;
  userHome: string;
  places: Places;
  disarms?(path: string | undefined): string | undefined;
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

const enginePack: Pack = { id: "engine", title: "Interlock's own memory", gates: [], memories: [sessions, refusals] };

/** How long a judged event waits for its turn to be recorded (ms): many hooks at once on a busy machine need seconds, the host allows thirty. */
const recordWait = 15_000;

export class Engine {
  constructor(private readonly world: EngineWorld) {}

  /** Judges, records, answers. */
  async handle(event: Event): Promise<Handled> {
    const { store, config, companions } = this.world;
    const start = monotonic();
    const round = await this.#round(event, start);
    let { judgement, snapshot } = await this.#firstLook(event, round);
    const said = companions && !refuses(judgement) ? await companions(event) : [];
    const acts = refuses(judgement) ? [] : this.#perform(event, judgement, round.now);
    let verdict = merge(judgement, "v-0");
    try {
      const record = store.transact(
        (newest) => {
          // Waiting for the record is not judging: a second look has its own time.
          if (!snapshot || newest.seq !== snapshot.seq)
            judgement = this.#judge(event, { ...round, deadline: monotonic() + config.deadlineMs }, seenOf(newest));
          snapshot = newest;
          judgement.opinions.push(...said);
          boundStops(event, judgement, config.maxStopBlocks);
          verdict = merge(judgement, `v-${newest.seq + 1}`, countRefusal(event, judgement, round.now));
          const refused = refuses(judgement);
          const amended = amend(judgement.amendments.filter((a) => a.always || !refused));
          const patch = { ...judgement.slices?.patch(), ...forgetOldSessions(event, newest.state, round.now) };
          return {
            type: "event",
            host: event.host,
            session: event.session,
            agent: event.agent?.id,
            ids: [verdict.id],
            body: bodyOf(event, round.facts, judgement, verdict, round.digest, {
              acts,
              amended,
              ms: Math.round(monotonic() - start),
            }),
            patch: Object.keys(patch).length ? patch : undefined,
          };
        },
        Math.max(recordWait, round.deadline - monotonic()),
      );
      return { verdict, facts: round.facts, judgement, record };
    } catch (error) {
      if (!judgement.opinions.some((j) => said.includes(j))) judgement.opinions.push(...said);
      verdict = merge(judgement, "v-unrecorded");
      const unrecorded = messageOf(error);
      verdict.messages.push(`Interlock could not write its record: ${unrecorded}`);
      return { verdict, facts: round.facts, judgement, unrecorded };
    }
  }

  /** The same judgement, with nothing written, performed or amended. */
  async explain(event: Event): Promise<Handled> {
    const round = await this.#round(event, monotonic());
    const { judgement } = await this.#firstLook(event, round);
    boundStops(event, judgement, this.world.config.maxStopBlocks);
    return { verdict: merge(judgement, "v-0"), facts: round.facts, judgement };
  }

  async #round(event: Event, start: number) {
    const { config, project, userHome, places, disarms } = this.world;
    const loaded = await loadFor(event);
    const facts = new Facts(event, {
      project,
      userHome,
      loaded,
      places,
      disarms,
      mcp: config.mcp,
      wrappers: config.shell.wrappers,
      roles: config.packs["lifecycle"]?.options["roles"] as World["roles"],
    });
    const now = (this.world.wallClock ?? Date.now)();
    return { facts, now, digest: actionDigest(event), deadline: start + config.deadlineMs };
  }

  /** Judges against the newest snapshot without holding the lock, so that slow facts make nobody wait. */
  async #firstLook(event: Event, round: Round): Promise<{ judgement: Judgement; snapshot?: Snapshot }> {
    let snapshot: Snapshot | undefined;
    let unreadable: string | undefined;
    try {
      snapshot = this.world.store.read();
    } catch (error) {
      unreadable = messageOf(error);
    }
    const judgement = this.#judge(event, round, snapshot ? seenOf(snapshot) : { state: undefined, locked: false });
    if (unreadable) judgement.faults.push({ gate: "engine/store", policy: "pass", message: unreadable });
    return { judgement, snapshot };
  }

  #judge(event: Event, round: Round, seen: Seen): Judgement {
    const { packs, config, project } = this.world;
    return judge(event, round.facts, seen, {
      packs: [enginePack, ...packs],
      config: {
        ...config,
        packs: { ...config.packs, engine: { enabled: true, mode: "enforce", gates: {}, options: {} } },
      },
      project,
      now: round.now,
      digest: round.digest,
      deadline: round.deadline,
      monotonic,
    });
  }

  #perform(event: Event, judgement: Judgement, now: number): JsonObject[] {
    const { project, home } = this.world;
    return judgement.acts.map(({ gate, pack, name, params }) => {
      try {
        const result = pack.acts?.[name]?.(params, { event, project, home, now });
        return { gate, act: name, ...(result ?? {}) };
      } catch (error) {
        return { gate, act: name, failed: messageOf(error) };
      }
    });
  }
}

interface Round {
  facts: Facts;
  now: number;
  digest: string;
  deadline: number;
}

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

function startOf(path: string) {
  let before: string | undefined;
  try {
    before = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { before, text: before };
}
