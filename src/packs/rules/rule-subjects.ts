// What a rule's `on` can watch in an event: a name, a place for `where` and a text for `match`.
import { relative } from "node:path";
import type { Facts } from "../../facts/index.js";
import type { Effect } from "../../model/effect.js";
import type { SubjectKind } from "./config.js";

export interface RuleSubject {
  subject: SubjectKind;
  name: string;
  /** Path below the project root, tool, server/tool, agent type or URL. */
  where?: string;
  /** `where` stands for everything below it. */
  broad?: boolean;
  text?: string;
}

export function ruleSubjectsOf(subject: SubjectKind, facts: Facts): RuleSubject[] {
  const { event } = facts;
  const { tool } = event;
  if (subject === "prompt")
    return event.prompt && event.kind === "prompt" ? [{ subject, name: "", text: event.prompt.text }] : [];
  if (subject === "stop")
    return event.kind === "turn.end" ? [{ subject, name: "", text: event.turn?.lastMessage }] : [];
  if (!tool || event.kind !== "tool.before") return [];
  switch (subject) {
    case "tool":
      return [{ subject, name: tool.name, where: tool.name, text: JSON.stringify(tool.input) }];
    case "shell":
      return tool.command === undefined
        ? []
        : [{ subject, name: tool.command, where: below(facts, event.cwd), text: tool.command }];
    case "web":
      return tool.kind === "web"
        ? [{ subject, name: tool.url ?? tool.query ?? "", where: tool.url, text: tool.url ?? tool.query }]
        : effects(facts, "network").flatMap(({ host }) =>
            host?.includes("://") ? [{ subject, name: host, where: host, text: host }] : [],
          );
    case "agent":
      return tool.kind === "agent"
        ? [{ subject, name: tool.agent?.type ?? "", where: tool.agent?.type, text: tool.agent?.prompt }]
        : [];
    case "mcp": {
      const name = tool.mcp ? `${tool.mcp.server}/${tool.mcp.tool}` : tool.name;
      return tool.kind === "mcp" ? [{ subject, name, where: name, text: JSON.stringify(tool.input) }] : [];
    }
    case "commit":
      return effects(facts, "commit").map((e) => ({
        subject,
        name: e.message ?? "",
        where: facts.git.branch,
        text: e.message,
      }));
    case "push":
      return effects(facts, "push").map((e) => ({
        subject,
        name: e.refs?.join(" ") ?? "",
        where: e.remote,
        text: tool.command,
      }));
    default:
      return effects(facts, subject).map((e) => {
        const place = e.path === undefined ? undefined : below(facts, e.path);
        return {
          subject,
          name: place ?? e.word ?? "",
          where: place,
          // A checkout, stash or clean of everything concerns the tree as a whole; a delete concerns each part of it.
          ...(subject === "delete" && e.how !== "git" && (e.recursive || e.path?.includes("**")) && { broad: true }),
          text:
            subject === "write"
              ? (facts.edit?.added ?? tool.command ?? given(facts) ?? foundText(facts, e))
              : tool.command,
        };
      });
  }
}

/** The arguments of an MCP tool, the only sign of what it writes. */
const given = ({ event: { tool } }: Facts): string | undefined =>
  tool!.kind === "mcp" ? JSON.stringify(tool!.input) : undefined;

/** The current text of a file that was found changed after the call. */
const foundText = (facts: Facts, e: Effect): string | undefined =>
  e.path === undefined ? undefined : facts.world.project.read(e.path);

const effects = (facts: Facts, kind: Effect["kind"]): Effect[] => facts.effects.filter((e) => e.kind === kind);
const below = (facts: Facts, path: string): string => relative(facts.world.project.root, path) || ".";
