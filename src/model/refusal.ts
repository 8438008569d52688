// Every text that begins with BLOCKED is made here: refusals of gates, and those Interlock gives by itself.
// Invariant: a refusal has an id with a page in docs/gates and says what, why and the one next step in five lines at
// most; only a gate whose texts are fixed elsewhere gives lines of its own.
import { oneLine } from "./text.js";
import { type Ask, type Deny, deny } from "./verdict.js";

/** Rule id, what, why, the one next step, and how a person may lift it. `id`: the verdict's, if it is recorded. */
export function refusal(gate: string, id: string | undefined, opinion: Deny | Ask, repeats = first): string {
  if (repeats.action > 1 && opinion.kind === "deny") return repeated(gate, id, opinion, repeats.action);
  const lines = [head(gate, id)];
  if (opinion.kind === "deny" && opinion.lines) lines.push(...opinion.lines);
  else {
    lines.push(`what: ${oneLine(opinion.what, 160)}`, `why: ${whyOf(opinion)}`);
    if (opinion.next) lines.push(`next: ${nextOf(opinion)}`);
  }
  const lift = opinion.kind === "deny" && opinion.overridable !== false;
  if (repeats.reason > 2) lines.push(stuck(id, lift, repeats.reason));
  else if (lift)
    lines.push(
      `Do not look for another route. If the user wants it anyway they can run: interlock allow ${id} --reason "..."`,
    );
  return lines.join("\n");
}

/** How often this was refused since the user last spoke, this time included. */
export interface Repeats {
  /** The same action for the same reason. */
  action: number;
  /** Any action for the same reason. */
  reason: number;
}

const first: Repeats = { action: 1, reason: 1 };

/** Other actions, refused for the same reason: from the third on it is the user's turn as well. */
const stuck = (id: string | undefined, lift: boolean, times: number): string =>
  `The ${ordinal(times)} call refused for this reason. Do the next step; if you can't, stop and ask the user.` +
  (lift ? ` They can run: interlock allow ${id} --reason "..."` : "");

/** The same action again: shorter and firmer, and from the third time on it is the user's turn. */
function repeated(gate: string, id: string | undefined, opinion: Deny, times: number): string {
  const top = `${head(gate, id)} again (${ordinal(times)} time, nothing changed)`;
  if (times === 2 && opinion.lines) return [top, ...opinion.lines].join("\n");
  const why = `why: ${whyOf(opinion)}`;
  const step = `Do this first, not the same call again: ${nextOf(opinion)}`;
  if (times === 2) return [top, why, step].join("\n");
  const lift = opinion.overridable === false ? "" : ` They can run: interlock allow ${id} --reason "..."`;
  const stop = `If you can't, stop trying. Ask the user now: tell them what you need and why it is refused.${lift}`;
  return [top, why, step, stop].join("\n");
}

/** Several steps in one refusal need more room than one; a command in them stays whole. */
const whyOf = (opinion: Deny | Ask): string => oneLine(opinion.why, "joins" in opinion && opinion.joins ? 400 : 220);
const nextOf = (opinion: Deny | Ask): string =>
  oneLine(opinion.next ?? "", "joins" in opinion && opinion.joins ? 700 : 260);

const head = (gate: string, id: string | undefined): string => `BLOCKED ${gate}${id === undefined ? "" : ` [${id}]`}`;

/** The same in one sentence, for warn mode and for notes. */
export function warning(gate: string, opinion: Deny | Ask): string {
  const next = opinion.next ? `; next: ${oneLine(opinion.next, 260)}` : "";
  return `${gate} would refuse this: ${oneLine(opinion.what, 160)}; ${oneLine(opinion.why, 220)}${next}`;
}

function ordinal(n: number): string {
  if (n === 2 || n === 3) return n === 2 ? "second" : "third";
  const teens = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teens && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** A refusal that no gate of a pack gives, as its page in docs/gates shows it. */
export interface BuiltInRefusal {
  title: string;
  /** When it is given, and by which part of the program. */
  when: string;
  what: string;
  next: string;
  /** Where it can be seen afterwards. */
  recorded: string;
}

const doctor = "ask the user to run `interlock doctor`; it names the repair";
const inWhy = "in the record of the event: `interlock why` shows it";

/** What is refused outside the packs, and nothing else is. */
export const builtInRefusals = {
  "guard/record": {
    title: "No changes while the record is damaged",
    when: "The record ends before its own high-water mark. Given by the engine before any gate is asked.",
    what: "a change while Interlock's record is damaged",
    next: 'ask the user to run `interlock verify`, then `interlock recover --reason "..."`; reading is still possible',
    recorded: inWhy,
  },
  "interlock/payload": {
    title: "No call whose description cannot be read",
    when: "The payload is too large, is not JSON, or names no tool. Given before the event is decoded.",
    what: "a call whose description could not be read",
    next: `make the call smaller and try again; if it persists, ${doctor}`,
    recorded:
      "as a fault with its own id where the project is known, else nowhere: there is no project to record it in",
  },
  "interlock/fault": {
    title: "No changes while Interlock itself is broken",
    when: "The project cannot be opened or judging threw an error. Calls that only read or ask pass with a message.",
    what: "a call Interlock could not judge",
    next: doctor,
    recorded: "as an event with its own id where the record can be written",
  },
  "interlock/timeout": {
    title: "No call that was not judged in time",
    when:
      "The call took longer than its time limit (docs/server.md lists them all). Given by the engine while it writes " +
      "the record, or by the server when no worker answered.",
    what: "a call that was not judged in time",
    next: `try again; if it persists, ${doctor}`,
    recorded: `${inWhy}; where the server gave it, the worker records the call as refused when it gets to it`,
  },
  "interlock/server": {
    title: "No call that the server could not judge",
    when: "No worker can be started, too many calls are waiting, or the payload is too large. Given by the server.",
    what: "a call Interlock's server could not judge",
    next: `try again; if it persists, ${doctor}`,
    recorded: "in the server's log only: nothing was judged and no project was opened",
  },
  "interlock/shim": {
    title: "No call that nobody judged",
    when: "Neither the server nor a process of its own answered the sh shim in time. Given by the shim.",
    what: "a call nobody judged",
    next: "try again; if it persists, ask the user to run `interlock doctor --fix`",
    recorded: "nowhere: nothing of Interlock ran",
  },
  "interlock/port": {
    title: "No prompts while another program answers in the server's place",
    when: "Another program listens on the port the registered http hooks call. Other events pass with a message.",
    what: "a prompt while another program answers in the place of Interlock's server",
    next: "run interlock doctor --fix, which moves Interlock to another port; then send the prompt again",
    recorded: inWhy,
  },
} as const satisfies Record<string, BuiltInRefusal>;

export type BuiltInRefusalId = keyof typeof builtInRefusals;

/** As an opinion for the engine. No person lifts it for one call: its cause has to be repaired. */
export const builtInDeny = (id: BuiltInRefusalId, why: string): Deny => {
  const { what, next } = builtInRefusals[id];
  return deny({ what, why, next, overridable: false });
};

/** As the text of an answer. */
export const builtInRefusal = (id: BuiltInRefusalId, why: string, verdict?: string): string =>
  refusal(id, verdict, builtInDeny(id, why));
