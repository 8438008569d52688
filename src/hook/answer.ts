// A host's payload in, the host's answer out: what the command hook and the server share.
// Invariant: there is always exactly one valid answer; when judging itself fails, calls that could change something are refused with the repair named.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../engine/judge.js";
import type { Standing } from "../engine/typed-commands/provenance.js";
import { isWatched } from "../engine/watch/open-calls.js";
import { decode, pick } from "../hosts/claude-code/protocol/decode.js";
import { encode, encodeRefusal } from "../hosts/claude-code/protocol/encode.js";
import { hostEvent } from "../hosts/claude-code/protocol/events.js";
import { type ParsedPayload, parsePayload } from "../hosts/claude-code/protocol/payload.js";
import type { AdoptedHook } from "../model/config.js";
import type { Event, EventKind } from "../model/event.js";
import type { Gate, Pack } from "../model/gate.js";
import { nearest } from "../model/nearest.js";
import { inert } from "../model/text.js";
import type { Judged, Verdict } from "../model/verdict.js";
import { registry } from "../packs/registry.js";
import { adoptedHooks } from "./adopted-hooks.js";
import type { Env } from "./folders.js";
import { engineOf, keyOf, type Opened, open, packsFor } from "./open-project.js";
import type { Stranger } from "./port-conflict.js";

export interface Asked {
  bytes: Buffer;
  /** The bytes as read, where the door has read them already. */
  parsed?: ParsedPayload;
  env: Env;
  /** The event the hook was registered for: what to answer when the payload can't be read. */
  registered?: string;
  home?: string;
  packageDir?: string;
  /** How a project is opened; a process that stays has one with a memory. */
  open?(...given: Parameters<typeof open>): Opened | Promise<Opened>;
  /** Given the answer as soon as its record counts, where it can be known then; what is returned later is the same. */
  early?(text: string): void;
  /** The same before there is a record, where nothing hangs on it. Whoever wants this brings the event `again` should this process die first. */
  foretold?(text: string): void;
  /** The event was given to a process that died: when it first came, in monotonic milliseconds. */
  again?: number;
  /** Something for the person to know, found out meanwhile. */
  notice?: Promise<string | undefined>;
  /** Who answers in the server's place. */
  stranger?: Stranger;
  /** Judge with this gate alone. */
  only?: string;
  /** Who started the hook, where the door can see it. */
  standing?(): Standing;
  /** Whoever asks has the agent's environment, which hooks of others need, and runs them itself. */
  adoptsItself?: boolean;
}

export interface Answered {
  /** Empty: whoever asks is to decide by itself. */
  text: string;
  verdict?: Verdict;
  event?: Event;
}

export async function answer(asked: Asked): Promise<Answered> {
  const parsed = asked.parsed ?? parsePayload(asked.bytes);
  if (!parsed.ok) return unread(asked, parsed.reason);
  const event = decode(parsed.payload, asked.env, [], asked.registered);
  const name = event.hostEvent;
  if (event.kind === "tool.before" && !event.tool) return unread(asked, "it names no tool");
  try {
    const opened = await (asked.open ?? open)(event.projectDir ?? event.cwd, asked);
    const adopted = adoptedHooks(opened);
    if (asked.adoptsItself && adopted.length) return { text: "", event };
    if (asked.only) await gateNamed(asked.only);
    const given = asked.again === undefined ? undefined : await givenBefore(opened, event, asked.again);
    if (given) return { text: encode(given, name), verdict: given, event };
    // What a watched call did is put to the gates that judge calls.
    const watched = isWatched(opened.folder, event);
    const kinds: EventKind[] = watched ? [event.kind, "tool.before"] : [event.kind];
    const packs = only(await packsFor({ ...opened, env: asked.env }, ...kinds), asked.only);
    const wanted = variablesOf(packs);
    if (wanted.length) event.env = pick(asked.env, wanted);
    const inner = asked.env[reentryVariable] === undefined ? undefined : await reentry(opened.home, asked.env, event);
    if (inner === "same") return { text: "{}", event };
    let said: string | undefined;
    const say = (verdict: Verdict): string => {
      tellProblems(event, opened, verdict);
      return encode(verdict, name);
    };
    const engine = engineOf(opened, packs, {
      companions: inner || !adopted.length ? undefined : await companions(opened, asked, adopted),
      standing: asked.standing,
      watched,
      foretold: asked.foretold && ((verdict) => asked.foretold!((said = say(verdict)))),
      recorded: asked.early && ((verdict) => asked.early!((said = say(verdict)))),
      disarms: event.kind === "config.change" ? await disarming(opened.home) : undefined,
    });
    const { verdict } = await engine.handle(event);
    keepConfiguration(opened);
    const notice = await asked.notice;
    if (notice) verdict.messages.push(notice);
    if (asked.stranger)
      return (await import("./port-conflict.js")).tellStranger(asked.stranger, opened, event, verdict);
    return { text: said ?? say(verdict), verdict, event };
  } catch (error) {
    return fault(name, event, messageOf(error));
  }
}

async function givenBefore({ store }: Opened, event: Event, since: number): Promise<Verdict | undefined> {
  const { verdictGiven } = await import("./replay.js");
  return verdictGiven(store, event, since);
}

const variables = new WeakMap<readonly Pack[], string[]>();

/** What the gates want to see of the agent's environment. */
function variablesOf(packs: readonly Pack[]): string[] {
  const known = variables.get(packs) ?? packs.flatMap((p) => p.gates.flatMap((g) => g.env ?? []));
  variables.set(packs, known);
  return known;
}

function only(packs: Pack[], gate: string | undefined): Pack[] {
  if (!gate) return packs;
  return packs.map((p) => ({ ...p, gates: p.gates.filter((g) => g.id === gate) }));
}

/** Set by us around adopted hooks; the token it names must be alive, the variable alone means nothing. */
const reentryVariable = "INTERLOCK_REENTRY";

async function reentry(home: string, env: Env, event: Event) {
  return (await import("../hosts/claude-code/adopt/reentry.js")).reentryOf(home, env, event);
}

/** Adopted hooks run only where there are some; their code is loaded only then. */
async function companions(
  opened: Opened,
  asked: Asked,
  list: readonly AdoptedHook[],
): Promise<(event: Event) => Promise<Judged[]>> {
  const { runAdopted } = await import("../hosts/claude-code/adopt/run-adopted.js");
  const { trace } = opened.settings.config;
  const file = join(opened.folder, "trace.jsonl");
  return (event) =>
    runAdopted(list, asked.bytes.toString("utf8"), event, {
      home: opened.home,
      cwd: event.cwd,
      env: asked.env,
      limitMs: adoptedLimitMs,
      trace: trace
        ? (line) => appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`)
        : undefined,
    });
}

/** Below the time limit the hook is registered with. */
const adoptedLimitMs = 25_000;

async function disarming(home: string): Promise<(path: string | undefined) => string | undefined> {
  const { disarmedBy } = await import("../hosts/claude-code/settings/disarm.js");
  return (path) => disarmedBy(home, path);
}

/** The first event of all makes the key; the compiled configuration waits for it, so that there is a last good one from then on. */
function keepConfiguration({ settings, home }: Opened): void {
  const key = settings.keep && keyOf(home);
  if (key) settings.keep!(key);
}

/** A broken configuration is told to the person where they look: at the start of a session and with each prompt. */
function tellProblems(event: Event, { settings }: Opened, verdict: Verdict): void {
  if (event.kind !== "session.start" && event.kind !== "prompt") return;
  for (const problem of settings.problems.slice(0, 3))
    verdict.messages.push(`Interlock keeps its last good configuration: ${problem}`);
  for (const { path } of settings.loosened.slice(0, 3))
    verdict.messages.push(`interlock.yaml would loosen ${path}; ignored until you run: interlock trust`);
}

const repair = "ask the user to run `interlock doctor`; it names the repair";

/** A single gate that passes where it is at fault passes here too, and the record says so; everything else refuses. */
async function unread(asked: Asked, reason: string): Promise<Answered> {
  try {
    if (asked.only && (await gateNamed(asked.only)).onError === "pass") return await passUnread(asked, reason);
  } catch (error) {
    return refuseUnread(asked, messageOf(error));
  }
  return refuseUnread(asked, reason);
}

async function passUnread(asked: Asked, reason: string): Promise<Answered> {
  const { store } = await open(asked.env["CLAUDE_PROJECT_DIR"] ?? asked.env["PWD"] ?? process.cwd(), asked);
  const body = { faults: [{ gate: asked.only!, policy: "pass", message: reason }] };
  store.transact(() => ({ type: "fault", body }));
  return { text: "{}" };
}

async function gateNamed(id: string): Promise<Gate> {
  const entry = registry.find((p) => id.startsWith(`${p.id}/`));
  const gates = entry ? (await entry.load()).default.gates : [];
  const found = gates.find((g) => g.id === id);
  if (!found) {
    const near = nearest(
      id,
      gates.map((g) => g.id),
    );
    throw new Error(`--only ${inert(id, 60)}: there is no such gate${near ? `; did you mean ${near}?` : ""}`);
  }
  return found;
}

function refuseUnread(asked: Asked, reason: string): Answered {
  const text = `BLOCKED interlock/payload\nwhat: a call whose description could not be read\nwhy: ${reason}\nnext: make the call smaller and try again; if it persists, ${repair}`;
  return { text: encodeRefusal(asked.registered ?? "PreToolUse", text) };
}

/** For a door that cannot ask the engine at all: what can be refused is, otherwise the person is told. */
export function unjudged(name: string, why: string): string {
  if (!hostEvent(name).failClosed)
    return encode({ outcome: "pass", context: [], messages: [`Interlock could not judge this event: ${why}`] }, name);
  const text = `BLOCKED interlock/server\nwhat: a call Interlock's server could not judge\nwhy: ${why}\nnext: try again; if it persists, ${repair}`;
  return encodeRefusal(name, text);
}

const harmless = new Set(["read", "search", "web", "ask", "plan", "control", "skill"]);

function fault(name: string, event: Event, message: string): Answered {
  const guarded = hostEvent(name).kind === "tool.before" && !harmless.has(event.tool?.kind ?? "unknown");
  if (!guarded)
    return {
      text: encode(
        {
          outcome: "pass",
          context: [],
          messages: [`Interlock could not judge this event: ${message}. Run: interlock doctor`],
        },
        name,
      ),
      event,
    };
  const text = `BLOCKED interlock/fault\nwhat: a call Interlock could not judge\nwhy: ${message}\nnext: ${repair}`;
  return { text: encodeRefusal(name, text), event };
}
