// Whether a call delegates a lifecycle phase to an agent: which phase, and which agent.
// Invariant: the agent's type decides first; in text only whole names and phase keys count, not parts of a path or a
// word.
import { join } from "node:path";
import type { ToolCall } from "../model/event.js";
import type { Project } from "../model/gate.js";
import { agentNamed, manifestPlaces, type Ownership, type Roles, rolesOfManifest } from "./agent-roles.js";
import type { Facts, World } from "./index.js";
import { canonicalPhase, phaseKeys } from "./phase-names.js";

export interface Delegation {
  isDelegation: boolean;
  /** The canonical phase that is delegated. */
  targetPhase?: string;
  agentName?: string;
  /** Every phase this agent may work in; `targetPhase` is the first. */
  phases: readonly string[];
  /** How it was recognised. */
  by?: "type" | "name" | "phase";
  /** Setup work (discovery, constitution, installation, status), which no phase gate concerns. */
  setup?: boolean;
}

/** The fact of an event. The project's manifest says whether the framework's agents are known here. */
export function delegationFact(facts: Facts): Delegation {
  const own = facts.world.roles ? new Set(facts.world.roles.phases) : undefined;
  return delegationOf(facts.event.tool, projectRoles(facts), own);
}

const projectRoles = (facts: Facts): Roles | undefined =>
  facts.once("roles", () => rolesIn(facts.world.project, facts.world.roles, facts.event.projectDir));

/** undefined: no manifest and no user workflows. `base`: the framework's folder, if not the project's root. */
export function rolesIn(project: Project, extra: World["roles"], base = project.root): Roles | undefined {
  const place = [base, project.root]
    .flatMap((root) => manifestPlaces.map((path) => join(root, path)))
    .find((path) => project.exists(path));
  const text = place && project.read(place);
  const own: [string, Ownership][] = Object.entries(extra?.agents ?? {});
  if (!text) return own.length ? new Map(own) : undefined;
  return new Map<string, Ownership>([...rolesOfManifest(text, new Set(extra?.phases)), ...own]);
}

const no: Delegation = { isDelegation: false, phases: [] };

/** Read-only agents: what they are asked about is not what they do. */
const lookers: ReadonlySet<string> = new Set([
  "explore",
  "plan",
  "statusline-setup",
  "output-style-setup",
  "claude-code-guide",
]);

/** `roles` undefined: no manifest, so only phase keys count. `own`: phases the user's configuration adds. */
export function delegationOf(
  tool: ToolCall | undefined,
  roles: Roles | undefined,
  own?: ReadonlySet<string>,
): Delegation {
  if (tool?.kind !== "agent") return no;
  const { type, prompt = "", description = "" } = tool.agent ?? {};
  const name = agentNamed(type, roles);
  const owns = name ? roles?.get(name) : undefined;
  const setup = owns === "setup" || isSetupCommand(prompt) || isSetupCommand(description);
  if (owns === "all" || owns === "setup") return { ...no, agentName: name, setup };
  if (owns) return { isDelegation: true, targetPhase: owns[0], agentName: name, phases: owns, by: "type" };
  if (setup || lookers.has(name)) return { ...no, setup };
  const text = `${prompt}\n${description}`.slice(0, 20_000).toLowerCase();
  return namedIn(text, roles) ?? phaseIn(text, own) ?? no;
}

/** A name is whole when it is not part of a longer word, path or file name. */
const whole = (body: string) => new RegExp(`(?<![\\w./\\\\@-])(?:${body})(?![\\w/\\\\-]|\\.\\w)`, "g");

function namedIn(text: string, roles: Roles | undefined): Delegation | undefined {
  const owned = [...(roles ?? [])].filter(([, phases]) => typeof phases !== "string");
  if (!owned.length) return undefined;
  const hits = [...text.matchAll(whole(owned.map(([name]) => escaped(name)).join("|")))];
  const leading = hits.filter((hit) => beginsLine.test(text.slice(Math.max(0, hit.index - 20), hit.index)));
  // Lines for several agents describe them.
  const listed = new Set(leading.map(([name]) => name)).size > 1;
  for (const hit of hits) {
    const [name] = hit;
    if (!isAddressed(text, hit.index, name.length, listed)) continue;
    const phases = roles!.get(name) as readonly string[];
    return { isDelegation: true, targetPhase: phases[0], agentName: name, phases, by: "name" };
  }
  return undefined;
}

const article = String.raw`[\s:"'\`*]*(?:the\s+|a\s+|an\s+|our\s+)?["'\`*]*$`;
/** Words before a name that give the work to it; a name that is only spoken of gives nobody any work. */
const assigned = new RegExp(
  String.raw`(?:\byou(?:'re| are)(?: now)?|\b(?:act|acting|work|working|speak|continue|proceed|respond) as|\bplay` +
    String.raw`|\b(?:assume|take(?: on)?|adopt|in) the (?:role|persona|part) of|\bpretend to be` +
    String.raw`|\b(?:role|agent|agent name|subagent|subagent_type|persona):|\bdelegat(?:e|ing)(?: \w+){0,3} to` +
    String.raw`|\b(?:hand|pass|assign|give|switch|route|send)(?: \w+){0,3} to|\btask for)${article}`,
);
/** An order begins a sentence or clause: "files that call qa-engineer" orders nothing. */
const ordered = new RegExp(
  String.raw`(?:^|[\n.!?;:,(>*-]|\b(?:please|then|now|next|first|finally|and|also|must|should|you to))\s*` +
    `(?:use|run|launch|start|invoke|spawn|call|trigger|engage|ask|tell|instruct|let|have|execute)${article}`,
);
const negated = /(?:\b(?:not|never|without|cannot|instead of|rather than)|n['\u2019]t)\s+(?:\w+\s+){0,2}$/u;

function isAddressed(text: string, at: number, length: number, listed: boolean): boolean {
  const rest = text.slice(at + length, at + length + 3);
  if (/^['\u2019]s\b/u.test(rest)) return false;
  const line = text.slice(Math.max(0, at - 120), at);
  const given = assigned.exec(line) ?? ordered.exec(line);
  if (given) return !negated.test(line.slice(0, given.index));
  // "As the qa-engineer, review this."
  if (new RegExp(String.raw`(?:^|[\n.!?:;])\s*as${article}`).test(line) && rest.startsWith(",")) return true;
  // "qa-engineer: review this" at the beginning of a line.
  return !listed && beginsLine.test(line) && /^["'`*]*\s*[:,]/.test(rest);
}

const beginsLine = /(?:^|\n)[\s#>*-]*["'`*]*$/;

function phaseIn(text: string, own: ReadonlySet<string> | undefined): Delegation | undefined {
  const of = (phases: string[]): Delegation => ({ isDelegation: true, targetPhase: phases[0], phases, by: "phase" });
  for (const { 0: key, index } of text.matchAll(whole("[a-z]?\\d{1,2}-[a-z]+(?:-[a-z]+)*"))) {
    const phase = canonicalPhase(key, own);
    if (phase && !looking.test(text.slice(0, index))) return of([phase]);
  }
  const ownHit = own?.size ? whole([...own].map(escaped).join("|")).exec(text) : undefined;
  if (ownHit) return of([ownHit[0]]);
  const numbered = /\b(?:execute|run|start|begin|perform|do|work on|implement|delegate)\s+phase\s+(\d\d)\b(?!-)/.exec(
    text,
  );
  const phases = numbered ? phaseKeys.filter((key) => key.startsWith(`${numbered[1]}-`)) : [];
  return phases.length ? of(phases) : undefined;
}

/** The sentence only asks about what it names, or wants something read. */
const looking = new RegExp(
  String.raw`(?:^|[.!?\n])\W*(?:please\s+)?(?:read|list|summari[sz]e|explain|describe|compare|find|look|show|tell me` +
    String.raw`|what|which|why|how|when|where|who|does|did|is|are|was|were|has)\b[^.!?\n]*$`,
);

const escaped = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const setupWords =
  "discover|constitution|init|setup|configure|configure-cloud|new project|project setup|install|status";
const slashCommand = new RegExp(
  `^\\s*/(?:${setupWords})(?![\\w-])|(?:^|[\\s"'\`(])/(?:isdlc|sdlc)[:\\s]+(?:${setupWords})(?![\\w-])`,
  "i",
);
const leadingCommand = new RegExp(
  String.raw`^\s*(?:please\s+)?(?:(?:run|execute|start|perform|do|show|check|begin)\s+(?:the\s+|a\s+)?)?` +
    String.raw`(?:${setupWords})(?![\w-])(?!\s+(?:field|column|code|page|bar|flag|file)\b)`,
  "i",
);

/** Whether setup is asked for: by a slash command or the first words of the request, not by a word in a sentence. */
export const isSetupCommand = (text: string): boolean =>
  slashCommand.test(text.slice(0, 2000)) || leadingCommand.test(text.slice(0, 200));
