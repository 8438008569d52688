// What a call changes, whatever tool it uses, in the terms of process gates: edits of the project, of other places, or unknown.
// Invariant: temporary places and the null device are no change; a call we can't see into is `unknown`, unless its name only reads.
import { tmpdir } from "node:os";
import { relative, sep } from "node:path";
import { canonicalPath } from "../files/canonical.js";
import type { Effect } from "../shell/effects.js";
import type { Facts } from "./index.js";

export interface Change {
  kind: "write" | "delete" | "commit" | "push" | "unknown";
  /** Absolute; undefined when it can't be known. */
  path?: string;
  /** Path below the project root with forward slashes, when it lies there. */
  below?: string;
  /** For people: the path below the root, the server's tool, the command. */
  shown: string;
  reason: string;
}

export function changesOf(facts: Facts): Change[] {
  const { tool } = facts.event;
  if (!tool) return [];
  if (tool.kind === "mcp") return mcpChanges(facts);
  return facts.effects.flatMap((effect) => changeOf(facts, effect));
}

function changeOf(facts: Facts, effect: Effect): Change[] {
  const { kind, reason } = effect;
  if (kind === "commit" || kind === "push") return [{ kind, shown: kind, reason }];
  if (kind === "rewrite-history") return [{ kind: "unknown", shown: effect.how ?? "rewriting history", reason }];
  if (kind === "unknown") return [{ kind, shown: effect.word ?? effect.program ?? "unknown", reason }];
  if (kind !== "write" && kind !== "delete") return [];
  if (effect.path === undefined) return [{ kind, shown: effect.word ?? "an unknown path", reason }];
  if (passing(effect.path)) return [];
  const path = effect.glob ? effect.path : canonicalPath(effect.path, facts.event.cwd).path;
  if (passing(path)) return [];
  const below = belowRoot(facts.world.project.root, path);
  return [{ kind, path, ...(below !== undefined && { below }), shown: below ?? path, reason }];
}

const temporary = [...new Set(["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", tmpdir()])];

const passing = (path: string): boolean => /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path);

/** Scratch files: below a temporary folder and not below the project. */
export const scratch = (change: Change): boolean =>
  change.path !== undefined && change.below === undefined && temporary.some((t) => change.path!.startsWith(`${t}/`));

/** The path below a root with forward slashes; undefined when it is not below it. */
export function belowRoot(root: string, path: string): string | undefined {
  const short = relative(root, path);
  if (short === "") return ".";
  return short === ".." || short.startsWith(`..${sep}`) || short.startsWith("/")
    ? undefined
    : short.split(sep).join("/");
}

const reads =
  /^(?:search|get|list|read|query|fetch|find|resolve|describe|lookup|look_up|show|view|count|check|status|browse|retrieve|download|inspect|explain|ask|docs?|scan|resource|analy[sz]e|compare|diff|validate|preview|suggest|summari[sz]e|navigate|screenshot|snapshot)(?:$|[_A-Z-])/i;
const writes =
  /(?:^|[_-])(?:write|create|update|delete|remove|push|merge|fork|add|edit|set|put|post|move|rename|send|execute|run|apply|insert|upload|deploy|publish|commit|close|assign|drop|exec)(?:$|[_A-Z-])/i;

/** A server nobody declared is judged by the verb its tool is named after; a verb of change anywhere in the name wins. */
function mcpChanges({ event, effects }: Facts): Change[] {
  const { mcp, name } = event.tool!;
  const shown = mcp ? `${mcp.server}/${mcp.tool}` : name;
  const [effect] = effects;
  if (!effect || effect.kind === "read") return [];
  if (effect.kind === "unknown" && mcp && reads.test(mcp.tool) && !writes.test(mcp.tool)) return [];
  return [
    {
      kind: effect.kind === "write" || writes.test(mcp?.tool ?? "") ? "write" : "unknown",
      shown,
      reason: effect.reason,
    },
  ];
}
