// What was researched for the current task, by which agent, and which servers answer.
// Invariant: a mark needs a call that succeeded and returned something; one call marks one category; naming a
// provider marks nothing.

import { belowRoot } from "../../../facts/changes.js";
import { hiding } from "../../../facts/exit-code.js";
import type { Facts } from "../../../facts/index.js";
import { alternatives } from "../../../facts/lazy-pattern.js";
import type { Event } from "../../../model/event.js";
import { after, at, failed, memory, type Project } from "../../../model/gate.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import {
  type DisciplineOptions,
  type ResearchCategory,
  type ResearchProviders,
  researchCategories,
} from "../discipline-options.js";
import { matchesName, startsWithAnyOf } from "../name-patterns.js";
import { type TaskState, taskMemory } from "../prompts/task-memory.js";
import { smallLines } from "../verification/changed-lines.js";
import { type Attempt, attemptOf, noteAttempt, questionOf, unreached } from "./attempts.js";

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
      const server = call.mcp?.server ?? (call.kind === "web" ? web : undefined);
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
const web = "(web)";

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

/**
 * How many different places of the project an agent must have looked at to do a task without outside sources;
 * undefined: a big task, or one that brings something in from outside, cannot do without them.
 */
export const looksEnough = (
  { big, outside, small }: Readonly<TaskState>,
  { research }: DisciplineOptions,
  lines: number,
): number | undefined => {
  if (research.depth === "full" || big || outside) return undefined;
  return small && lines <= smallLines ? 0 : 3;
};
const mostLooks = 12;

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
  return tool!.kind === "shell" && read.length ? read.slice(0, 2) : [questionOf(tool!.input)];
}

function outsideReads({ targets, effects, event: { tool }, world: { project } }: Facts): string[] {
  const read =
    tool!.kind === "read"
      ? targets.map((t) => t.path)
      : effects.flatMap((e) => (e.kind === "read" && e.path !== undefined && !e.recursive && !e.glob ? e.path : []));
  return read.filter((path) => belowRoot(project.root, path) === undefined).slice(0, 4);
}

/** How many places of the project this agent has looked at in this session, up to a dozen. */
export const looksOf = ({ looked }: Readonly<ResearchState>, event: Event): number =>
  new Set([...(looked?.["main"] ?? []), ...(looked?.[agentKey(event)] ?? [])]).size;

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

const things =
  "results?|matches|files|documents?|entries|data|content|issues|repositories|libraries|library|pages?|hits|links" +
  "|items" +
  "|sources|packages?|modules?|articles?|answers?|snippets?|examples?|topics?|records?|documentation|docs|information" +
  "|anything|something|repos?|commits|code|records|papers|posts|questions|discussions|threads|symbols?|references";
const nothing = new RegExp(
  [
    String.raw`^\W*(?:(?:sorry|unfortunately)\W+)?(?:i|we|there|the (?:search|query|request|server|tool)|your`,
    String.raw` (?:search|query))?\s*(?:could|did|do|does|can|was|were|are|is|have|has|returned|found|yielded`,
    String.raw`|produced|matched)?\s*(?:not|n't|unable to|no|nothing|zero|0|none)\b.{0,160}$`,
  ].join(""),
  "i",
);
const nothingFound = alternatives(
  [
    String.raw`\b(?:no|zero|0)\s+(?:[\w'"/@.-]+\s+){0,3}(?:${things})\b`,
    String.raw`\b(?:not|n't)\b[^.]{0,30}\bany\s+(?:[\w-]+\s+){0,2}(?:${things})\b`,
    String.raw`\bnothing\b|\bnot (?:been )?(?:able to )?find\b|couldn't find|could not (?:find|locate|be found)`,
    String.raw`\bunable to (?:find|locate)|n't able to (?:find|locate)|not able to locate`,
    String.raw`\bempty (?:results?|list|set|response)\b`,
    String.raw`cannot find|can't find|not found|no matching|none\b`,
  ],
  "i",
);
const refusedAnswer =
  /^\W*(?:not found|none|null|undefined|(?:error|access denied|forbidden|404|403|401|unauthori[sz]ed).*)\W*$/i;

/** One sentence whose point is that there is nothing. */
const oneSentence = new RegExp(
  String.raw`^[^.!?\n]{0,100}\b(?:(?:was|were|is|are|could|can) ?not (?:be )?(?:found|located|available)` +
    String.raw`|returned (?:an? )?(?:empty|no|zero)\b[^.!?]{0,40}|\(empty\b[^)]{0,60}\))\W*$`,
  "i",
);

/** A short answer that only says that there is nothing. */
const saysNothing = (text: string): boolean =>
  refusedAnswer.test(text) ||
  oneSentence.test(text) ||
  (nothingFound.test(text.slice(0, 160)) && (nothing.test(text) || nothingFound.exec(text)!.index < 20));

/** Whether a successful call returned something: not blank, not an empty list, not "no results". */
export function hasContent({ outcome }: Event, local: boolean): boolean {
  const text = outcome?.text.trim() ?? "";
  // An HTTP error page is no content.
  if (isObject(outcome?.response) && Number(outcome.response["code"]) >= 400) return false;
  if (text.length < (local ? 1 : 20)) return false;
  if (text.length < 300 && saysNothing(text.replace(/\s+/g, " "))) return false;
  return !/^[[{]/.test(text) || text.length > 5000 || !hollow(text);
}

function hollow(text: string): boolean {
  try {
    return hollowValue(JSON.parse(text) as JsonObject);
  } catch {
    // Not JSON after all, so it is text.
    return false;
  }
}

const hollowValue = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(hollowValue);
  if (isObject(value as JsonObject)) {
    const entries = Object.entries(value as JsonObject);
    const lists = entries.filter(([, v]) => Array.isArray(v));
    return lists.length ? lists.every(([, v]) => hollowValue(v)) : entries.every(([, v]) => hollowValue(v));
  }
  return value === null || value === "" || value === 0 || value === false;
};

export interface ResearchStatus {
  done: ResearchCategory[];
  /** Required, not done, and a provider exists. */
  missing: ResearchCategory[];
  /** Number of different failed attempts for missing categories. */
  tried: Partial<Record<ResearchCategory, number>>;
  /** Not asked for: the agent has read enough of the project for an ordinary task. */
  read: ResearchCategory[];
  /** Count as done because no provider is configured or none answers. */
  excused: { category: ResearchCategory; why: string }[];
}

/**
 * How far one agent's research of the task is; a sub-agent starts with the main agent's marks. `enough`: so many
 * places of the project looked at stand for outside sources, one fewer where an outside source was asked.
 */
export function researchStatus(
  state: Readonly<ResearchState>,
  taskId: string,
  event: Event,
  options: DisciplineOptions,
  project: Project,
  enough?: number,
): ResearchStatus {
  const { research: r } = options;
  const current = state.task === taskId;
  const planned = current && taskId !== "" && state.planned === taskId;
  const marks = current ? { ...state.marks["main"], ...state.marks[agentKey(event)] } : {};
  const failures = current ? state.failed : {};
  const out: ResearchStatus = { done: [], missing: [], tried: {}, excused: [], read: [] };
  const asked = researchCategories.some((c) => c !== "local" && marks[c]);
  const wellRead = enough !== undefined && looksOf(state, event) >= enough - (asked ? 1 : 0);
  for (const category of researchCategories) {
    if (!r.require.includes(category)) continue;
    if (marks[category]) out.done.push(category);
    else if (wellRead && category !== "local") out.read.push(category);
    else {
      const why =
        planned && category !== "local"
          ? "the user approved the plan that this task carries out"
          : outOfReach(category, state, failures[category], options, project);
      if (why) out.excused.push({ category, why });
      else {
        out.missing.push(category);
        const attempts = failures[category];
        if (Array.isArray(attempts) && attempts.length) out.tried[category] = attempts.length;
      }
    }
  }
  return out;
}

function outOfReach(
  category: ResearchCategory,
  state: Readonly<ResearchState>,
  failures: readonly Attempt[] | undefined,
  options: DisciplineOptions,
  project: Project,
): string | undefined {
  if (category === "local") return undefined;
  const { research: r } = options;
  const p = r[category];
  const limit = r.unreachableAfter;
  const known = [...Object.keys(state.servers), ...configuredServers(project)];
  const servers = known.filter((name) => p.mcp.some((pattern) => matchesName(pattern, name)));
  const why = Array.isArray(failures) && failures.length ? unreached(failures, category, options, servers) : undefined;
  if (why) return why;
  const down = Object.values(state.failed)
    .flatMap((attempts) => (Array.isArray(attempts) ? attempts : []))
    .filter((a) => a.kind === "unreachable");
  const answers = (name: string) =>
    (state.servers[name]?.ok ?? 0) > 0 ||
    down.filter((a) => (name === web ? a.family === "web" : a.provider === name)).length < limit;
  if (servers.some(answers)) return undefined;
  if (!p.kinds.length && !p.tools.length && !p.commands.length && !p.urls.length)
    return p.mcp.length ? `no configured server matches ${p.mcp.join(", ")}` : "no provider is configured";
  return answers(web) ? undefined : "the web does not answer";
}

function configuredServers(project: Project): string[] {
  try {
    const file = JSON.parse(project.read(".mcp.json") ?? "{}") as JsonObject;
    return isObject(file["mcpServers"]) ? Object.keys(file["mcpServers"]) : [];
  } catch {
    // A broken .mcp.json configures no server; the host reports it.
    return [];
  }
}
