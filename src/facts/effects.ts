// Every tool's call as effects, in the same terms as the shell's.
// Invariant: a tool we can't see into is `unknown`, never silent.

import type { Effect } from "../model/effect.js";
import { ownMcpServer, ownMcpTools } from "../model/own-mcp.js";
import { type CanonicalPath, canonicalPath } from "../project/canonical-path.js";
import type { Facts } from "./index.js";

export interface NamedPath extends CanonicalPath {
  op: "read" | "write";
  /** As the tool was given it. */
  given: string;
}

const fileOps = { read: "read", write: "write", edit: "write", notebook: "write" } as const;

export function targetsOf(facts: Facts): NamedPath[] {
  const { tool, cwd } = facts.event;
  if (!tool || tool.path === undefined) return [];
  const op = tool.kind === "search" ? "read" : fileOps[tool.kind as keyof typeof fileOps];
  if (!op) return [];
  const path = tool.path.startsWith("/") ? facts.canonical(tool.path) : canonicalPath(tool.path, cwd);
  return [{ ...path, op, given: tool.path }];
}

export function effectsOf(facts: Facts): Effect[] {
  const { tool } = facts.event;
  if (!tool) return [];
  const unknown = (reason: string): Effect[] => [{ kind: "unknown", reason, program: tool.name }];
  switch (tool.kind) {
    case "shell":
      return facts.shell ? facts.shell.effects : unknown(`${tool.name} without a command`);
    case "read":
    case "write":
    case "edit":
    case "notebook":
      return facts.targets.length
        ? facts.targets.map((t) => ({ kind: t.op, path: t.path, word: t.given, reason: `${tool.name} of the file` }))
        : unknown(`${tool.name} without a path`);
    case "search":
      return facts.targets.map((t) => ({
        kind: t.op,
        path: t.path,
        word: t.given,
        recursive: true,
        reason: `${tool.name}`,
      }));
    case "web":
      return [{ kind: "network", program: tool.name, host: tool.url, reason: `${tool.name} reads from the web` }];
    case "agent":
      return [{ kind: "spawn-agent", program: tool.agent?.type ?? tool.name, reason: `${tool.name} starts an agent` }];
    case "mcp":
      return mcpEffects(facts);
    case "skill":
    case "plan":
    case "ask":
    case "control":
      return [];
    case "script":
      return unknown(`${tool.name} runs a program that can't be analysed`);
    default:
      return unknown(`${tool.name} is a tool Interlock does not know`);
  }
}

function mcpEffects(facts: Facts): Effect[] {
  const { event, world } = facts;
  const mcp = event.tool!.mcp;
  const name = mcp ? `${mcp.server}/${mcp.tool}` : event.tool!.name;
  if (mcp?.server === ownMcpServer && ownMcpTools.has(mcp.tool))
    return [{ kind: "read", program: name, reason: "Interlock's own tool: the hook does what it asks for" }];
  const declared = world.mcp?.[name] ?? (mcp ? world.mcp?.[mcp.server] : undefined);
  if (declared === "read") return [{ kind: "read", program: name, reason: `MCP ${name}, declared read` }];
  if (declared === "exec") return [{ kind: "exec", program: name, reason: `MCP ${name}, declared exec` }];
  const written = declared === "write" || writesByName(mcp?.tool ?? "") ? writtenBy(facts, name) : [];
  if (declared === "write")
    return [{ kind: "write", program: name, reason: `MCP ${name}, declared write` }, ...written];
  return [
    { kind: "unknown", program: name, reason: `MCP ${name} is not declared in interlock.yaml (mcp:)` },
    ...written,
  ];
}

/** A writer's arguments that name a file by their own name. */
const writtenBy = (facts: Facts, program: string): Effect[] =>
  facts.arguments
    .filter((a) => /path|file|dest|target|output/i.test(a.key))
    .map((a) => ({ kind: "write", path: a.path, word: a.given, program, reason: `MCP ${program} is given ${a.key}` }));

const writeVerbs =
  "write create update delete remove push merge fork add edit set put post move rename send execute run apply " +
  "insert upload deploy publish commit close assign drop exec replace patch save install rollback";
const readVerbs =
  "search get list read query fetch find resolve describe lookup look_up show view count check status browse " +
  "retrieve inspect explain ask docs? scan resource analy[sz]e compare diff validate preview suggest " +
  "summari[sz]e screenshot snapshot open_nodes? open_(?:file|document|page|url|resource) read_graph recall peek load";
const verb = (verbs: string) => `(?:${verbs.split(" ").join("|")})(?:$|[_A-Z-])`;
const writes = new RegExp(`(?:^|[_-])${verb(writeVerbs)}`, "i");
const reads = new RegExp(`(?:^|[_-])${verb(readVerbs)}`, "i");

/** A verb of change anywhere in a tool's name wins over one of reading. */
export const writesByName = (tool: string): boolean => writes.test(tool);
export const readsByName = (tool: string): boolean => reads.test(tool) && !writes.test(tool);
