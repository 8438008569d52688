// Refuses commands only a person may give: lifting refusals, shortening the record, switching Interlock off,
// starting an agent without its hooks.
// Invariant: judges what would run, however it is wrapped; no override lifts it.

import type { Facts } from "../../../facts/index.js";
import { lifecycleVerb, ownWords } from "../../../facts/interlock-calls.js";
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import type { Ran } from "../../../shell/analyze/analysis.js";
import { endsInterlock } from "./ending-own-server.js";
import { talksToInterlock } from "./talking-to-server.js";

/** Commands of `interlock` that change what it enforces or records. */
const persons = new Set([
  "allow",
  "pause",
  "resume",
  "recover",
  "trust",
  "uninstall",
  "hook",
  "down",
  "seal",
  "erase",
  "key",
  "serve",
  "enable",
  "preset",
  "feedback",
  "dashboard",
]);

/** Commands an agent may give in part: asking for a state is free. "?" is a word not known before it runs. */
const partly: Record<string, (words: readonly string[], given: readonly string[]) => boolean> = {
  up: (words) => words.some((word) => word === "?" || /^--(?:new-port|idle)\b/.test(word)),
  doctor: (words) => words.includes("--fix"),
  config: ([verb]) => verb === "set" || verb === "?",
  learn: (words) => words.some((word) => word === "?" || /^--(?:accept|run-help)\b/.test(word)),
  init: (words) => words.includes("--yes"),
  restore: ([verb = "list"]) => !verb.startsWith("-") && verb !== "list",
  discipline: ([topic = "status"]) =>
    !topic.startsWith("-") && !["status", "summary", "evidence", "log", "metrics"].includes(topic),
  orphans: (words) => words.some((word) => word === "?" || word.startsWith("--end")),
  lifecycle: (_, given) => /^(?:approve|accept|\?)$/.test(lifecycleVerb(given)?.verb ?? ""),
  "?": () => true,
};

export const privileged = gate({
  id: "guard/privileged",
  title: "The agent does not act as the user towards Interlock",
  about:
    "Refuses shell commands that lift refusals, feed events to Interlock (also over its port, socket or spool), " +
    "settle or shorten its record, stop or uninstall it, or start a coding agent with its hooks switched off.",
  remedy: "Ask the user to run it in their own terminal.",
  on: before("shell"),
  onError: "deny",
  protecting: true,
  judge({ facts }) {
    for (const ran of facts.shell?.commands ?? []) {
      const command = asPerson(ran);
      if (command)
        return refuse(command, "only a person may do that; run by the agent it would be the agent's own permission");
    }
    const talk = talksToInterlock(facts);
    if (talk) return refuse(talk, "it talks to Interlock's own server: an event it sent would be the agent's own word");
    const ending = mayEnd(facts) ? endsInterlock(facts) : undefined;
    if (ending)
      return refuse(
        ending,
        "it ends Interlock's own server",
        "end only a process you started, by its number or by a name no other process has",
      );
    const agent = facts.effects.find((e) => e.kind === "spawn-agent" && e.hazard?.id === "hookless-agent");
    if (agent) return refuse(agent.reason, "the agent it starts would run without the user's hooks");
  },
});

/** Few commands end a process; only for those is it looked up which. */
const mayEnd = ({ shell }: Facts): boolean =>
  shell !== undefined &&
  (shell.commands.some(({ program }) => /kill|systemctl|launchctl|pm2/.test(program)) ||
    shell.effects.some((e) => e.hazard?.class === "kill"));

const refuse = (
  what: string,
  why: string,
  next = "go on without it, and ask the user to run it in a terminal of their own if it is needed",
) => deny({ what: inert(what, 110), why, next, overridable: false });

function asPerson(ran: Ran): string | undefined {
  const words = ownWords(ran) ?? [];
  const at = words.findIndex((word) => !word.startsWith("-"));
  const command = words[at];
  if (command === undefined) return undefined;
  const rest = words.slice(at + 1);
  const plain = rest.filter((word) => !word.startsWith("-"));
  const options = rest.filter((word) => word.startsWith("-"));
  if (!persons.has(command) && !partly[command]?.([...plain, ...options], rest)) return undefined;
  const verb = partly[command] ? (plain[0] ?? options[0]) : undefined;
  return `interlock ${command}${verb ? ` ${verb}` : ""}`;
}
