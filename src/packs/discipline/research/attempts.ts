// Failed research: whether the provider could not be reached, or answered that there is nothing.
// Invariant: the same question to the same provider counts once; a failure the agent can cause at will does not prove
// an outage.
import { alternatives } from "../../../facts/lazy-pattern.js";
import type { Event } from "../../../model/event.js";
import type { Ran } from "../../../shell/analyze/analysis.js";
import type { DisciplineOptions, ResearchCategory, ResearchProviders } from "../discipline-options.js";

export interface Attempt {
  /** The server, the host, the search or the program. */
  provider: string;
  family: "mcp" | "web" | "command" | "tool";
  /** Masked in the state. */
  query: string;
  /** open: the failure proves neither an outage nor an answer. */
  kind: "unreachable" | "open";
}

/** undefined: the provider answered, so it can be reached. */
export function attemptOf(event: Event, providers: ResearchProviders, commands: readonly Ran[]): Attempt | undefined {
  const { tool, outcome } = event;
  const text = event.kind === "permission.denied" ? "permission denied" : (outcome?.text ?? "").slice(0, 4_000);
  const failure = failureKind(text);
  if (!tool || failure === "answered") return undefined;
  const { provider, family, named } = target(event, providers, commands);
  const missing = family === "command" && /command not found|No such file or directory|exit code 127/i.test(text);
  return {
    provider: provider.slice(0, 80),
    family,
    query: missing ? "" : questionOf(tool.input),
    kind: failure === "unreachable" && (named || missing) ? "unreachable" : "open",
  };
}

const answered = alternatives(
  [
    String.raw`\b(?:404|410|400|422)\b`,
    String.raw`\b(?:invalid|malformed|unsupported|missing|required) (?:url|uri|protocol|argument|input` +
      "|parameter|query|json|request|field)",
    "no manual entry",
    "unknown (?:flag|command|option|argument)",
    String.raw`\busage:`,
    "no such (?:package|repository|page)",
  ],
  "i",
);
const outage = alternatives(
  [
    String.raw`\bE(?:CONN\w+|NOTFOUND|AI_\w+|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|PIPE|PROTO)\b`,
    "certificate",
    "getaddrinfo",
    String.raw`\b(?:could not|couldn't|cannot|can't|unable to|failed to) (?:be )?(?:resolved?|connect` +
      "|reach|reached|fetch)",
    "fetch failed",
    "socket hang up",
    String.raw`\bnetwork\b`,
    String.raw`\btimed? ?out\b`,
    String.raw`\btimeout\b`,
    "offline",
    "unreachable",
    "unavailable",
    String.raw`\bproxy\b`,
    "rate.?limit",
    "too many requests",
    "overloaded",
    String.raw`\b(?:401|403|407|429|5\d\d)\b`,
    "not connected",
    "disconnected",
    "connection (?:closed|refused|reset|error|lost)",
    "not running",
    "not (?:logged in|authenticated|authori[sz]ed|permitted|allowed|available|installed)",
    "unauthori[sz]ed",
    "authentication",
    "permission",
    "denied",
    "disabled",
    "command not found",
    "exit code 127",
    "dial tcp",
    "no route to host",
  ],
  "i",
);

function failureKind(text: string): "answered" | "unreachable" | "open" {
  if (answered.test(text)) return "answered";
  return outage.test(text) ? "unreachable" : "open";
}

/**
 * `named`: the configuration names the provider and the call is plain. The agent can make a host of its choice fail.
 */
function target(
  { tool }: Event,
  providers: ResearchProviders,
  commands: readonly Ran[],
): Pick<Attempt, "provider" | "family"> & { named: boolean } {
  if (tool!.mcp) return { provider: tool!.mcp.server, family: "mcp", named: true };
  if (tool!.kind === "web") {
    const host = URL.canParse(tool!.url ?? "") ? new URL(tool!.url!).hostname : "";
    return { provider: host || tool!.name, family: "web", named: !host || providers.urls.includes(host) };
  }
  if (tool!.kind !== "shell") return { provider: tool!.name, family: "tool", named: true };
  const program = commands[0]?.program ?? "shell";
  const plain =
    commands.length === 1 && !/[=|;&<>$`]|--(?:host|hostname|registry|proxy|config)\b/.test(tool!.command ?? "");
  return { provider: program, family: "command", named: plain };
}

/** The question's words, sorted: other punctuation does not make another question. */
export function questionOf(input: object): string {
  const words =
    JSON.stringify(Object.values(input))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].sort().join(" ").slice(0, 120);
}

const most = 20;

export function noteAttempt(attempts: Attempt[], attempt: Attempt): void {
  if (attempts.some((a) => a.provider === attempt.provider && a.query === attempt.query)) return;
  attempts.push(attempt);
  attempts.splice(0, Math.max(0, attempts.length - most));
}

/**
 * Why a category counts as out of reach: enough different attempts reached no provider, in two families of providers
 * if the category has two. Twice as many failed attempts count whatever the error was, so that an error message we do
 * not know cannot block an agent for ever.
 */
export function unreached(
  attempts: readonly Attempt[],
  category: ResearchCategory,
  { research: r }: DisciplineOptions,
  servers: readonly string[],
): string | undefined {
  const p = r[category];
  const families = [
    servers.length > 0,
    p.urls.length > 0 || p.kinds.includes("web"),
    p.commands.length > 0,
    p.tools.length > 0,
  ].filter(Boolean).length;
  const down = attempts.filter((a) => a.kind === "unreachable");
  const tried = new Set(down.map((a) => a.family)).size;
  const who = [...new Set(attempts.map((a) => a.provider))].slice(0, 4).join(", ");
  if (down.length >= r.unreachableAfter && tried >= Math.min(2, families))
    return `${down.length} different attempts reached no provider: ${who}`;
  if (attempts.length >= 2 * r.unreachableAfter) return `${attempts.length} different attempts failed: ${who}`;
  return undefined;
}
