// The engine for replaying sessions: the user's configuration with everything enforced, and a state kept in memory.
// Invariant: nothing is written, performed or amended, no process is started and git is never asked.
import { compile } from "../config/compile.js";
import { Engine } from "../engine/engine.js";
import type { SharedFacts } from "../facts/index.js";
import type { Config } from "../model/config.js";
import type { Pack } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import { registry } from "../packs/registry.js";
import type { Followed } from "../project/canonical-path.js";
import type { RecordCondition, Store } from "../store/index.js";
import type { ReplayProject } from "./replay-project.js";

/** Packs that judge any project. The others need files of the project that a transcript does not hold. */
const replayedPacks = new Set(["guard", "discipline", "rules"]);

/**
 * Gates with nothing to judge here: those that protect an Interlock that was not there, and those that refuse nothing
 * and only tell the agent or the person something.
 */
const silentGates: Readonly<Record<string, readonly string[]>> = {
  guard: ["self-protect", "config-change", "observed"],
  discipline: ["commands", "evidence", "gaming", "prompt-notes", "session"],
};

export interface ReplayRules {
  config: Config;
  packs: readonly Pack[];
  /** What is wrong with the user's file; it is then left out. */
  problems: string[];
  /** What holds for all sessions: where paths lead on this disk, what prompts ask for. */
  followed: Followed;
  prompts: SharedFacts["prompts"];
}

/** `user`: the text of the user's interlock.yaml, if there is one. */
export async function replayRules(user?: { name: string; text: string }): Promise<ReplayRules> {
  const { config, problems } = await compile(user ?? { name: "", text: undefined }, { name: "", text: undefined });
  for (const [id, settings] of Object.entries(config.packs)) {
    settings.enabled &&= replayedPacks.has(id);
    settings.mode = "enforce";
    for (const gate of silentGates[id] ?? []) settings.gates[gate] = "off";
    for (const [gate, mode] of Object.entries(settings.gates)) if (mode !== "off") settings.gates[gate] = "enforce";
  }
  const packs = await Promise.all(registry.filter(({ id }) => config.packs[id]?.enabled).map((entry) => entry.load()));
  return { config, packs, problems, followed: new Map(), prompts: new Map() };
}

/** Calls that change nothing: the discipline pack refuses only changes, and none of its memories hears their start. */
const readingTools: ReadonlySet<string> = new Set(["read", "search", "web", "control", "ask"]);

/** One list per list, so that what is computed for it (who subscribes to what) is kept. */
const shortened = new WeakMap<readonly Pack[], readonly Pack[]>();
function withoutDiscipline(packs: readonly Pack[]): readonly Pack[] {
  const known = shortened.get(packs) ?? packs.filter((pack) => pack.id !== "discipline");
  shortened.set(packs, known);
  return known;
}

const sound: RecordCondition = { ok: true, tampered: false, locked: false, degraded: false, findings: [] };

/** The state of one replayed session, and the clock it stands at. */
export class ReplayEngine {
  now = 0;
  readonly #state: JsonObject = {};
  #seq = 0;
  readonly #engine: Engine;
  /** Without the gates that judge nothing but changes. */
  readonly #forReading: Engine;

  constructor({ config, packs, followed, prompts }: ReplayRules, project: ReplayProject, userHome: string) {
    const home = `${userHome}/.local/state/interlock`;
    const world = {
      packs,
      config,
      project,
      // Only `read` is used: `explain` appends nothing.
      store: {
        place: { home, id: project.id },
        read: () => this.#snapshot(),
        mask: (word: string) => word,
        words: () => new Map<string, string>(),
      } as unknown as Store,
      userHome,
      home,
      places: { home: userHome, projectRoot: project.root, interlockHome: home },
      wallClock: () => this.now,
      shared: { followed, prompts, canonical: new Map(), analyses: new Map() },
    };
    this.#engine = new Engine(world);
    this.#forReading = new Engine({ ...world, packs: withoutDiscipline(packs) });
  }

  async judge(event: Parameters<Engine["explain"]>[0]) {
    const reads = event.kind === "tool.before" && readingTools.has(event.tool?.kind ?? "");
    const handled = await (reads ? this.#forReading : this.#engine).explain(event);
    // The slices themselves, not their patch: nobody writes it down.
    for (const [key, value] of handled.judgement.slices?.changed ?? []) {
      this.#state[key] = value;
      this.#seq++;
    }
    return handled;
  }

  #snapshot() {
    return { seq: this.#seq, hash: "", state: this.#state, condition: sound };
  }
}
