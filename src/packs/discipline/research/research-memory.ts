// What was researched for the current task, by which agent, and which servers answer.
// Invariant: a mark needs a call that succeeded and returned something; one call marks one category; naming a
// provider marks nothing.

import { belowRoot } from "../../../facts/changes.js";
import { hiding } from "../../../facts/exit-code.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { after, at, failed, memory } from "../../../model/gate.js";
import {
  type DisciplineOptions,
  type ResearchCategory,
  type ResearchProviders,
  researchCategories,
} from "../discipline-options.js";
import { matchesName, startsWithAnyOf } from "../name-patterns.js";
import { taskMemory } from "../prompts/task-memory.js";
import { hasContent } from "./answer-content.js";
import { type Attempt, attemptOf, noteAttempt, questionOf } from "./attempts.js";

export interface ResearchMark {
  at: number;
  /** When a call of the category last succeeded. */
  last?: number;
  tool: string;
  call: string;
  chars: number;
}

export interface ResearchState {
  task: string;
  /** By agent, then by category. */
  marks: Record<string, Partial<Record<ResearchCategory, ResearchMark>>>;
  /** Different failed attempts of this task, by category, since one of its providers last answered. */
  failed: Partial<Record<ResearchCategory, Attempt[]>>;
  empty: number;
  /** Why the latest call of a category did not count; cleared when one does. */
  uncounted?: Partial<Record<ResearchCategory, string>>;
  /** Successful research calls of the session. */
  calls: number;
  servers: Record<string, { ok: number; failed: number }>;
  /** The task that carries out an approved plan: outside sources were the plan's business. */
  planned?: string;
  /** Different places of the project an agent has looked at in this session, masked. */
  looked?: Record<string, string[]>;
  /** Files outside the project that were read in this session, masked, newest last. */
  outside?: string[];
  /** Research of earlier tasks of this session, newest last. */
  past?: { task: string; marks: ResearchState["marks"] }[];
}

export const researchMemory = memory<ResearchState>({
  id: "discipline/researched",
  on: [...after(), ...failed(), ...at("prompt", "agent.end", "permission.denied")],
  state: { scope: "session", initial: { task: "", marks: {}, failed: {}, empty: 0, calls: 0, servers: {} } },
  learn({ event, facts, config, state, now, recall }) {
    const { id } = recall(taskMemory);
    if (event.kind === "prompt") {
      const reset = facts.prompt?.command === "research.reset";
      const planned = recall(taskMemory).planned ? id : "";
      if (planned !== (state.value.planned ?? "")) state.update((s) => void (s.planned = planned));
      if (reset) state.update((s) => forget(s, id));
      else if (state.value.task !== id) state.update((s) => turnTo(s, id, recall(taskMemory).askedAt));
      return;
    }
    if (event.kind === "agent.end") {
      if (event.turn?.lastMessage?.trim()) state.update((s) => hand(s, agentKey(event)));
      return;
    }
    const call = event.tool;
    if (!call) return;
    const options = config as unknown as DisciplineOptions;
    const matching = categoriesOf(facts, options);
    const good = event.kind === "tool.after" && event.outcome?.ok === true;
    const outside = good ? outsideReads(facts).map(facts.mask) : [];
    if (outside.some((path) => !state.value.outside?.includes(path)))
      state.update((s) => void (s.outside = [...new Set([...(s.outside ?? []), ...outside])].slice(-mostLooks)));
    const uncounted = good ? uncountedBy(facts, options, matching) : {};
    if (Object.keys(uncounted).length) state.update((s) => void (s.uncounted = { ...s.uncounted, ...uncounted }));
    if (!matching.length && !call.mcp) return;
    const [first] = matching;
    const attempt = good
      ? undefined
      : attemptOf(event, first ? options.research[first] : noProviders, facts.shell?.commands ?? []);
    state.update((s) => {
      const server = call.mcp?.server ?? (call.kind === "web" ? webServer : undefined);
      if (good || !attempt) {
        if (server) tally(s, server, true);
        for (const c of matching) delete s.failed[c];
        if (!good) return;
      } else {
        if (first) noteAttempt(attemptsIn(s, first), { ...attempt, query: attempt.query && facts.mask(attempt.query) });
        if (server) tally(s, server, false);
        return;
      }
      if (!matching.length) return;
      if (!hasContent(event, matching[0] === "local")) {
        // A code search that finds nothing is an answer; an empty result elsewhere is not research.
        if (matching[0] === "local") return;
        s.empty++;
        s.uncounted = { ...s.uncounted, [matching[0]!]: "it returned nothing" };
        return;
      }
      s.calls++;
      if (matching[0] === "local") noteLook(s, agentKey(event), placesOf(facts).map(facts.mask));
      const own = (s.marks[agentKey(event)] ??= {});
      const category = matching.find((c) => !own[c]) ?? matching[0]!;
      for (const c of matching)
        if (c !== category && !own[c]) s.uncounted = { ...s.uncounted, [c]: `it counted for ${category}` };
      if (s.uncounted?.[category]) delete s.uncounted[category];
      if (own[category]) own[category].last = now;
      else own[category] = { at: now, tool: call.name, call: call.id ?? "", chars: event.outcome!.text.length };
    });
  },
});

const noProviders: ResearchProviders = { tools: [], mcp: [], commands: [], urls: [], kinds: [] };

/** Earlier releases stored a number. */
function attemptsIn(s: ResearchState, category: ResearchCategory): Attempt[] {
  const known = s.failed[category];
  return (s.failed[category] = Array.isArray(known) ? known : []);
}

/** The web counts as one server in the health figures. */
export const webServer = "(web)";

export const agentKey = (event: Event): string => (event.agent ? event.agent.id.slice(0, 80) : "main");

function forget(s: ResearchState, id: string): void {
  Object.assign(s, { task: id, marks: {}, failed: {}, empty: 0, uncounted: {} });
}

/** Another task: earlier research for it still counts, and research since the user asked about it. */
function turnTo(s: ResearchState, id: string, since: number | undefined): void {
  const left = { task: s.task, marks: s.marks };
  const before = s.past?.find((p) => p.task === id)?.marks;
  forget(s, id);
  if (before) s.marks = before;
  else if (since !== undefined)
    for (const [agent, own] of Object.entries(left.marks))
      s.marks[agent] = Object.fromEntries(Object.entries(own).filter(([, m]) => (m.last ?? m.at) >= since));
  for (const c of Object.keys(left.marks["main"] ?? {}) as ResearchCategory[])
    if (!s.marks["main"]?.[c]) s.uncounted = { ...s.uncounted, [c]: "it was for an earlier task" };
  if (left.task && Object.keys(left.marks).length)
    s.past = [...(s.past ?? []).filter((p) => p.task !== id && p.task !== left.task), left].slice(-3);
}

/** A sub-agent's research counts for the main agent it reports to. */
function hand(s: ResearchState, agent: string): void {
  if (agent === "main") return;
  s.marks["main"] = { ...s.marks[agent], ...s.marks["main"] };
  noteLook(s, "main", s.looked?.[agent] ?? []);
}

/** Enough to know which files of a session were read; looking at more places proves no more. */
const mostLooks = 100;

function noteLook(s: ResearchState, agent: string, places: readonly string[]): void {
  const known = s.looked?.[agent] ?? [];
  const more = places.filter((p) => !known.includes(p));
  if (more.length && known.length < mostLooks)
    s.looked = { ...s.looked, [agent]: [...known, ...more].slice(0, mostLooks) };
}

/** The files a call showed; for a search or a look into the history, what was asked. */
function placesOf({ targets, effects, event: { tool } }: Facts): string[] {
  if (tool!.kind === "read") return targets.slice(0, 1).map((t) => t.path);
  const read = effects.flatMap((e) => (e.kind === "read" && e.path !== undefined && !e.recursive ? e.path : []));
  return tool!.kind === "shell" && read.length ? read.slice(0, 4) : [questionOf(tool!.input)];
}

function outsideReads({ targets, effects, event: { tool }, world: { project } }: Facts): string[] {
  const read =
    tool!.kind === "read"
      ? targets.map((t) => t.path)
      : effects.flatMap((e) => (e.kind === "read" && e.path !== undefined && !e.recursive && !e.glob ? e.path : []));
  return read.filter((path) => belowRoot(project.root, path) === undefined).slice(0, 4);
}

/** The places of the project this agent and the main agent have looked at in this session, masked. */
const placesKnown = ({ looked }: Readonly<ResearchState>, event: Event): Set<string> =>
  new Set([...(looked?.["main"] ?? []), ...(looked?.[agentKey(event)] ?? [])]);

export const looksOf = (state: Readonly<ResearchState>, event: Event): number => placesKnown(state, event).size;

/** `place`: a file's path, masked. */
export const hasLookedAt = (state: Readonly<ResearchState>, event: Event, place: string): boolean =>
  placesKnown(state, event).has(place);

function tally(s: ResearchState, server: string, good: boolean): void {
  const name = server.slice(0, 60);
  if (!s.servers[name] && Object.keys(s.servers).length >= 40) return;
  const health = (s.servers[name] ??= { ok: 0, failed: 0 });
  if (good) health.ok++;
  else health.failed++;
}

/** The categories a call belongs to, most specific first. */
export function categoriesOf(facts: Facts, { research: r }: DisciplineOptions): ResearchCategory[] {
  const { event } = facts;
  if (!event.tool) return [];
  return (["docs", "github", "web", "local"] as const).filter(
    (c) => provides(r[c], facts) && (c !== "local" || here(facts)),
  );
}

/** Calls to a provider that are not research, by the category they seem to belong to. */
function uncountedBy(
  facts: Facts,
  { research: r }: DisciplineOptions,
  counted: readonly ResearchCategory[],
): NonNullable<ResearchState["uncounted"]> {
  const { tool } = facts.event;
  if (tool?.kind !== "shell" && !facts.targets.length) return {};
  const why = (c: ResearchCategory): string => {
    if (c === "local") return "what was read lies outside the project";
    if (tool!.background) return "it ran in the background";
    return publishes(facts) ? "it sent something" : "its own output and failure could not be seen";
  };
  const seeming = researchCategories.filter((c) => r.require.includes(c) && provides(r[c], facts, false));
  return Object.fromEntries(seeming.flatMap((c) => (counted.includes(c) ? [] : [[c, why(c)]])));
}

/** `strict`: and what it returned is the provider's own. */
function provides(p: ResearchProviders, facts: Facts, strict = true): boolean {
  const { tool } = facts.event;
  if (p.kinds.includes(tool!.kind) || p.tools.some((name) => matchesName(name, tool!.name))) return true;
  if (tool!.mcp) return p.mcp.some((name) => matchesName(name, tool!.mcp!.server));
  if (tool!.url && tool!.kind === "web") {
    const host = hostOf(tool!.url);
    return host !== undefined && p.urls.some((name) => matchesName(name, host));
  }
  if (tool!.kind !== "shell" || (strict && tool!.background)) return false;
  // A program on the command line that reads files of the project and prints: looking by hand.
  if (p.kinds.includes("read") && facts.effects.some((e) => e.kind === "read" && !e.by && !e.recursive && e.path))
    return true;
  const seen = (program: string) => !strict || ownWords(tool!.command!, program);
  return (facts.shell?.commands ?? []).some(
    (c) =>
      (startsWithAnyOf(c, p.commands, facts.world.project.root) &&
        (p.kinds.includes("read") || (seen(c.program) && (!strict || !publishes(facts))))) ||
      (fetches.has(c.program) && seen(c.program) && c.argv.some((word) => word !== undefined && fetched(word, p))),
  );
}

/** Opening an issue is not looking how others do it. */
const publishes = (facts: Facts): boolean => facts.effects.some((e) => e.kind === "network" && e.upload);

const fetches = new Set(["curl", "wget", "http", "https", "lynx", "w3m"]);

function fetched(word: string, p: ResearchProviders): boolean {
  const host = /^https?:\/\//.test(word) ? hostOf(word) : undefined;
  if (host === undefined || /^(?:localhost|127\.|\[?::1|0\.0\.0\.0|10\.|192\.168\.)/.test(host)) return false;
  return p.kinds.includes("web") || p.urls.some((name) => matchesName(name, host));
}

/** The output is the program's own: nothing else prints, and a failure would show. */
const ownWords = (command: string, program: string): boolean =>
  hiding(command, [program]) !== "masked" && !/\b(?:echo|printf|print)\b/.test(command.replace(/'[^']*'|"[^"]*"/g, ""));

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    // Not a URL, so there is no host.
    return undefined;
  }
}

/** Local research reads the project, not the machine. */
function here(facts: Facts): boolean {
  const { root } = facts.world.project;
  if (facts.targets.length) return facts.targets.some((t) => belowRoot(root, t.path) !== undefined);
  if (facts.event.tool!.kind !== "shell") return true;
  const read = facts.effects.filter((e) => e.kind === "read" && e.path !== undefined);
  return !read.length || read.some((e) => belowRoot(root, e.path!) !== undefined);
}
