// What an event means, derived once, lazily, without side effects. Gates ask here and nowhere else.
// Invariant: asking twice gives the same value; a fact that can't be proved is unknown, never absent.

import { existsSync } from "node:fs";
import type { HookOrigin } from "../engine/typed-commands/provenance.js";
import type { CommitEffect, Effect, PushEffect } from "../model/effect.js";
import type { Event } from "../model/event.js";
import type { Project } from "../model/gate.js";
import { isMark, markOf, withWords } from "../model/kept-word.js";
import { sha256 } from "../model/sha256.js";
import type { TaughtEffect } from "../model/taught.js";
import { type CanonicalPath, canonicalPath, type Followed } from "../project/canonical-path.js";
import { type Residence, residenceOf } from "../project/protected/own-server.js";
import { type ProtectedPlaces, type ProtectedSet, protectedSet } from "../project/protected/protected.js";
import { type Danger, hazardsOf } from "../shell/hazards/path-hazards.js";
import type { Analysis } from "../shell/index.js";
import { type Argument, argumentsOf } from "./arguments.js";
import { type Change, changesOf } from "./changes.js";
import type { Delegation } from "./delegation.js";
import { type EditFact, editOf } from "./edit.js";
import { effectsOf, type NamedPath, targetsOf } from "./effects.js";
import type { Failure } from "./failure.js";
import { type GitFact, gitOf } from "./git-state.js";
import type { Loaded } from "./load-facts.js";
import type { Observed } from "./observed-changes.js";
import type { PromptFact } from "./prompts/prompt.js";
import { analysed, foldersOf, isFolder, isOnPath } from "./shell-analysis.js";
import type { TestRun } from "./test-run.js";
import { changesState } from "./typed-commands.js";

/** What a replay takes over from earlier events, because the disk stands still while it runs. */
export interface SharedFacts {
  followed: Followed;
  canonical: Map<string, CanonicalPath>;
  /** Shell analyses by call: the end of a call needs the same one as its start. */
  analyses: Map<string, Analysis>;
  /** By text: people repeat themselves, and loops do nothing else. */
  prompts: Map<string, PromptFact>;
}

/** What facts may look at besides the event. */
export interface World {
  project: Project;
  /** The user's home folder. */
  userHome: string;
  loaded: Loaded;
  /** Where agents, Interlock and the user keep what must not be touched. */
  places: ProtectedPlaces;
  /** What the finished call changed, where it was watched. */
  observed?: Observed;
  /** Who started this hook, as far as the door can see. */
  standing?(): HookOrigin;
  /** Why a settings file as it is now would switch us off; the host knows. */
  disarms?(path: string | undefined): string | undefined;
  /** What the user declared of MCP servers: "github" or "github/create_issue" -> read, write or exec. */
  mcp?: Readonly<Record<string, "read" | "write" | "exec">>;
  /** Programs the user declared to run their arguments. */
  wrappers?: readonly string[];
  /** Programs no table knows, and what the user said they do. */
  programs?: Readonly<Record<string, TaughtEffect>>;
  /** A keyed hash of a word; see `Facts.mask`. */
  mask?(word: string): string;
  /** The words behind a mark. */
  word?(mark: string): string | undefined;
  /** Agents and phases of workflows beyond the framework's own. */
  roles?: { agents: Readonly<Record<string, readonly string[]>>; phases: readonly string[] };
  shared?: SharedFacts | undefined;
}

export class Facts {
  readonly #memo = new Map<string, unknown>();
  readonly #followed: Followed;

  constructor(
    readonly event: Event,
    readonly world: World,
  ) {
    this.#followed = world.shared?.followed ?? new Map();
  }

  /** What state may keep of people's and programs' words: equal words have equal masks, and nobody can read them. */
  readonly mask = (word: string): string => this.world.mask?.(word) ?? sha256(word).slice(0, 16);

  /** Words this event keeps beside the record, by mark. */
  readonly kept = new Map<string, string>();

  /** The mark of words that can be shown later, until a person or time erases them. */
  readonly keep = (text: string): string => {
    if (!text || isMark(text)) return text;
    const mark = markOf(this.mask(text));
    this.kept.set(mark, text);
    return mark;
  };

  /** A value of the state with the words put back that were kept. */
  readonly unmasked = <T>(value: T): T => withWords(value, (mark) => this.kept.get(mark) ?? this.world.word?.(mark));

  /** The files a file tool names, canonical. */
  get targets(): readonly NamedPath[] {
    return this.once("targets", () => targetsOf(this));
  }

  /** What an absolute path leads to now; the disk is asked once per event and path. */
  canonical(path: string): CanonicalPath {
    const { shared, userHome } = this.world;
    const { cwd } = this.event;
    if (!shared) return this.once(`path ${path}`, () => canonicalPath(path, cwd, userHome, this.#followed));
    const name = `${cwd}\n${path}`;
    let found = shared.canonical.get(name);
    if (!found) shared.canonical.set(name, (found = canonicalPath(path, cwd, userHome, this.#followed)));
    return found;
  }

  /** Whether something lies at an absolute path now. */
  exists(path: string): boolean {
    return this.world.shared ? this.canonical(path).exists : existsSync(path);
  }

  /** The places named in the arguments of a tool that can't be seen into. */
  get arguments(): readonly Argument[] {
    return this.once("arguments", () => argumentsOf(this.event, this.world.userHome));
  }

  /** Everything the call would do, whatever tool it uses. */
  get effects(): readonly Effect[] {
    return this.once("effects", () => effectsOf(this));
  }

  /** What of it can hurt beyond the files it names, whatever tool does it. */
  get hazards(): readonly Danger[] {
    return this.once("hazards", () =>
      hazardsOf(this.effects, {
        root: this.world.project.root,
        home: this.world.userHome,
        cwd: this.event.cwd,
      }),
    );
  }

  /** The analysed command of a shell call; undefined for every other event. */
  get shell(): (Analysis & { commits: CommitEffect[]; pushes: PushEffect[] }) | undefined {
    return this.once("shell", () => {
      const { tool, cwd } = this.event;
      if (tool?.kind !== "shell" || tool.command === undefined) return undefined;
      const { shared } = this.world;
      const before = tool.id === undefined ? undefined : shared?.analyses.get(tool.id);
      const analysis =
        before ??
        analysed(this.world.loaded.shell!.analyse, tool.command, {
          cwd,
          root: this.world.project.root,
          home: this.world.userHome,
          wrappers: this.world.wrappers ? [...this.world.wrappers] : undefined,
          programs: this.world.programs,
          readFile: (path) => this.world.project.read(path),
          isDirectory: isFolder,
          foldersIn: foldersOf,
          archives: () => this.part("archives")?.archivesOnDisk,
          isOnPath,
        });
      if (tool.id !== undefined && !this.missing.size) shared?.analyses.set(tool.id, analysis);
      return {
        ...analysis,
        commits: analysis.effects.filter((e) => e.kind === "commit"),
        pushes: analysis.effects.filter((e) => e.kind === "push"),
      };
    });
  }

  /** The places nobody but the user changes. */
  get protected(): ProtectedSet {
    return this.once("protected", () => protectedSet(this.world.places, this.#followed));
  }

  /** Interlock's own server, as its processes and its port can be seen now. */
  get residence(): Residence {
    return this.once("residence", () => residenceOf(this.world.places.interlockHome));
  }

  /** config.change: why loading the changed settings would disarm Interlock. */
  get disarmed(): string | undefined {
    return this.once("disarmed", () => this.world.disarms?.(this.event.config?.path));
  }

  /** What a finished call was found to have changed; undefined where it was not watched. */
  get observed(): Observed | undefined {
    return this.world.observed;
  }

  get git(): GitFact {
    return this.once("git", () => gitOf(this.world.project));
  }

  /** What a Write or Edit would make of its file. */
  get edit(): EditFact | undefined {
    return this.once("edit", () => editOf(this));
  }

  /** Who started the hook that brought this event. */
  get provenance(): HookOrigin {
    return this.once("provenance", () => this.world.standing?.() ?? { kind: "unknown", why: "the door can't tell" });
  }

  /**
   * What a prompt asks for; undefined for every other event.
   * One that would change what is enforced counts as nobody's until it is proved to be typed.
   */
  get prompt(): PromptFact | undefined {
    if (this.claim) return { ...this.said!, person: false, command: undefined, approves: false, planned: false };
    return this.said?.planned && this.provenance.nested ? { ...this.said, planned: false } : this.said;
  }

  /** A prompt that would change what is enforced and is not proved to be typed by a person. */
  get claim(): boolean {
    return this.said !== undefined && changesState(this.said) && this.provenance.kind !== "genuine";
  }

  /** What such a prompt says. */
  get claimed(): PromptFact | undefined {
    return this.claim ? this.said : undefined;
  }

  private get said(): PromptFact | undefined {
    return this.once("prompt", () => {
      const { prompt } = this.event;
      const known = prompt && this.world.shared?.prompts.get(`${prompt.machine} ${prompt.text}`);
      const fact = known ?? this.world.loaded.prompt?.promptOf(this.event);
      if (prompt && fact && !known) this.world.shared?.prompts.set(`${prompt.machine} ${prompt.text}`, fact);
      return fact;
    });
  }

  /** What the call would change, or did: files of the project, things outside that matter, or what can't be known. */
  get changes(): readonly Change[] {
    return this.once("changes", () => changesOf(this));
  }

  /** A finished shell call that ran tests or checks. */
  get run(): TestRun | undefined {
    return this.once("run", () =>
      this.world.loaded.outcome?.testRunOf(this.event, this.shell?.commands ?? [], this.world.project.root),
    );
  }

  /** Why a finished call counts as a failure. */
  get failure(): Failure | undefined {
    return this.once("failure", () => this.world.loaded.outcome?.failureOf(this.event, this.run));
  }

  /** Whether the call hands a phase of a workflow to an agent; no call of another tool does. */
  get delegation(): Delegation {
    return this.once(
      "delegation",
      () => this.world.loaded.delegation?.delegationFact(this) ?? { isDelegation: false, phases: [] },
    );
  }

  /** Parts that were asked for and are not loaded: what was derived meanwhile is not whole. */
  readonly missing = new Set<keyof Loaded>();

  /** A part of the program that few events need; undefined until it is loaded. */
  part<K extends keyof Loaded>(name: K): Loaded[K] {
    const part = this.world.loaded[name];
    if (!part) this.missing.add(name);
    return part;
  }

  /** Derives a value at most once per event. */
  once<T>(key: string, derive: () => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, derive());
    return this.#memo.get(key) as T;
  }
}
