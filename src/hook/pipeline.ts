// The way of one event, whatever brought it here: receive, decode, judge, append, answer, finish.
// Invariant: there is exactly one valid answer, and its record is in the ledger before it leaves; where the record
// cannot be written the answer says so. When judging itself fails, calls that could change something are refused.
import type { Deadline } from "../engine/deadline.js";
import type { Engine } from "../engine/engine.js";
import type { EngineWorld } from "../engine/engine-world.js";
import { messageOf } from "../engine/judge.js";
import type { HookOrigin } from "../engine/typed-commands/provenance.js";
import { isWatched } from "../engine/watch/open-calls.js";
import type { putBackEntries } from "../hosts/claude-code/install/put-back.js";
import { decode, pick } from "../hosts/claude-code/protocol/decode.js";
import { encode, encodeRefusal } from "../hosts/claude-code/protocol/encode.js";
import { hostEvent } from "../hosts/claude-code/protocol/events.js";
import { parsePayload } from "../hosts/claude-code/protocol/payload.js";
import type { Event, EventKind } from "../model/event.js";
import type { Pack } from "../model/gate.js";
import { builtInRefusal } from "../model/refusal.js";
import type { RegistrationLoss } from "../model/registration-loss.js";
import type { Verdict } from "../model/verdict.js";
import { adoptedHooks, adoptedRunner } from "./adopted-hooks.js";
import type { Env } from "./folders.js";
import { engineOf, keyOf, type Opened, open, packsFor } from "./open-project.js";
import { asInstalled } from "./own-command.js";
import type { PortConflict } from "./port-conflict.js";
import { encodeMessage } from "./unjudged.js";

/** One call of a hook, as a command hook or the server's worker received it. */
export interface HookCall {
  bytes: Buffer;
  env: Env;
  /** Sends the answer. Called once, when the record is in the ledger. */
  send?(answer: HookAnswer): void;
  /** The decoded bytes, where the caller has decoded them already. */
  received?: Received;
  /** The event the hook was registered for: decides the form of the answer when the payload cannot be read. */
  registered?: string;
  home?: string;
  packageDir?: string;
  /** How a project is opened; the server passes one that caches. */
  open?(...given: Parameters<typeof open>): Opened | Promise<Opened>;
  /** Monotonic milliseconds: when somebody else gives up on this call. */
  deadline?: number;
  lockWaitMs?: number;
  /** Set when somebody else had this call before and may have recorded it: when it first came, in monotonic ms. */
  firstSeen?: number;
  /** Whether the client closed its connection or the caller in the spool decides by itself. Asked under the lock. */
  gone?(): boolean;
  /** Loaded here when it may be needed. */
  replay?: typeof import("./replay.js");
  /** A message for the person, found out meanwhile. */
  notice?: Promise<string | undefined>;
  /** Another program that answers in the server's place. */
  portConflict?: PortConflict;
  /** Judge with this gate alone. */
  only?: string;
  /** Who started the hook, where that can be seen. */
  origin?(): HookOrigin;
  /** The caller is a hook process that waits in the spool: it can decide by itself, and it runs adopted hooks itself,
   * because only it has the agent's environment. */
  decidesItself?: boolean;
}

export interface HookAnswer {
  /** Empty: the caller decides by itself. */
  text: string;
  verdict?: Verdict;
  event?: Event;
}

export async function handleCall(call: HookCall): Promise<HookAnswer> {
  const received = call.received ?? receive(call.bytes, call.env, call.registered);
  const { answer, finish } = await judgeAndAppend(call, received);
  call.send?.(answer);
  await finish?.();
  return answer;
}

/** An answer whose record is in the ledger, and what remains to be done once the answer is on its way. */
interface Recorded {
  answer: HookAnswer;
  finish?(): Promise<void>;
}

async function judgeAndAppend(call: HookCall, received: Received): Promise<Recorded> {
  if ("unreadable" in received) return { answer: await refuseUnreadable(call, received.unreadable) };
  const { event } = received;
  let project: Opened | undefined;
  try {
    project = await (call.open ?? open)(event.projectDir ?? event.cwd, call);
    const earlier = await recordedBefore(call, project, event);
    if (earlier.verdict) return { answer: encoded(earlier.verdict, event, call) };
    const other = meanwhile(call, project, event, earlier.seq);
    const engine = await prepare(call, project, event, other);
    if (!engine) return { answer: nothingToSay(call, event) };

    const notice = await call.notice;
    const judged = await engine.judge(event);
    const { verdict, withdrawn, finish } = engine.append(judged);
    if (withdrawn && other?.verdict) return { answer: encoded(other.verdict, event, call) };
    if (withdrawn) return { answer: nothingToSay(call, event) };
    addMessages(project, event, verdict, notice);
    const keep = project;
    return { answer: encoded(verdict, event, call), finish: () => finish().then(() => keepConfiguration(keep)) };
  } catch (error) {
    return { answer: await refuseFaulty(project, event, messageOf(error)) };
  }
}

export type Received = { event: Event } | { unreadable: string };

/** Bytes to an event. Says why when they cannot be read. */
export function receive(bytes: Buffer, env: Env, registered?: string): Received {
  const parsed = parsePayload(bytes);
  if (!parsed.ok) return { unreadable: parsed.reason };
  const event = decode(parsed.payload, env, [], registered);
  if (event.kind === "tool.before" && !event.tool) return { unreadable: "it names no tool" };
  return { event };
}

const encoded = (verdict: Verdict, event: Event, { env }: HookCall): HookAnswer => {
  const text = verdict.text === undefined ? undefined : asInstalled(verdict.text, env["PATH"]);
  return { text: encode({ ...verdict, text }, event.hostEvent), verdict, event };
};

/** Nothing was judged: a hook inside a hook has its answer already, a caller in the spool decides by itself. */
const nothingToSay = (call: HookCall, event: Event): HookAnswer => ({ text: call.decidesItself ? "" : "{}", event });

interface Earlier {
  verdict?: Verdict | undefined;
  /** The newest record that was searched. */
  seq?: number;
}

/** A call whose worker died after it was recorded is answered from that record and not recorded twice. */
async function recordedBefore(call: HookCall, { store }: Opened, event: Event): Promise<Earlier> {
  const { firstSeen, decidesItself } = call;
  if (firstSeen === undefined && !decidesItself) return {};
  call.replay = await import("./replay.js");
  return firstSeen === undefined ? {} : call.replay.recordedVerdict(store, event, firstSeen);
}

interface Meanwhile {
  verdict?: Verdict | undefined;
  recordedSince(from: number): boolean;
}

/** A caller that gave up on the server decides by itself: whoever comes second finds the record and writes none. Looks
 * from the end of the first search on: a dying worker may write between that and the reading of the state. */
function meanwhile({ firstSeen, decidesItself, replay }: HookCall, { store }: Opened, event: Event, seq?: number) {
  if (!replay || (firstSeen === undefined && !decidesItself)) return undefined;
  const other: Meanwhile = {
    recordedSince: (from) =>
      (other.verdict = replay.recordedMeanwhile(store, event, Math.min(from, (seq ?? from) + 1))) !== undefined,
  };
  return other;
}

/** The engine for this event; undefined where there is nothing to judge here. */
async function prepare(
  call: HookCall,
  project: Opened,
  event: Event,
  other: Meanwhile | undefined,
): Promise<Engine | undefined> {
  const adopted = adoptedHooks(project);
  if (call.decidesItself && adopted.length) return undefined;
  const { only } = call;
  if (only) await (await import("./only-gate.js")).gateNamed(only);
  // Changes a watched call made are put to the gates that judge calls.
  const watched = isWatched(project.folder, event);
  const kinds: EventKind[] = watched ? [event.kind, "tool.before"] : [event.kind];
  const loaded = await packsFor({ ...project, env: call.env }, ...kinds);
  const packs = only ? loaded.map((p) => ({ ...p, gates: p.gates.filter((g) => g.id === only) })) : loaded;
  const wanted = variablesOf(packs);
  if (wanted.length) event.env = pick(call.env, wanted);
  const nested = call.env[reentryVariable] === undefined ? undefined : await reentry(project.home, call.env, event);
  if (nested === "same") return undefined;
  const deadline = deadlineOf(call, event);
  const world: Partial<EngineWorld> = {
    origin: call.origin,
    watched,
    recordedSince: other?.recordedSince,
    deadline,
    lockWaitMs: call.lockWaitMs,
    adopted: nested || !adopted.length ? undefined : await adoptedRunner(project, call, adopted),
    callers: call.portConflict && (await import("./port-conflict.js")).conflictOpinions(call.portConflict, event),
    registration: watched ? (files, before) => putBack(project.home, files, before) : undefined,
    disarms: event.kind === "config.change" ? await disarming(project.home) : undefined,
  };
  return engineOf(project, packs, world);
}

/** Who waits decides what becomes of an event that is judged too late. */
function deadlineOf({ deadline, decidesItself, gone }: HookCall, event: Event): Deadline | undefined {
  if (deadline === undefined) return undefined;
  if (decidesItself) return { at: deadline, gone, late: "withdraw" };
  return { at: deadline, gone, late: hostEvent(event.hostEvent).failClosed ? "refuse" : "record" };
}

const variables = new WeakMap<readonly Pack[], string[]>();

/** Variables of the agent's environment that the gates read. */
function variablesOf(packs: readonly Pack[]): string[] {
  const known = variables.get(packs) ?? packs.flatMap((p) => p.gates.flatMap((g) => g.env ?? []));
  variables.set(packs, known);
  return known;
}

/** Set by us around adopted hooks. The token it names must be alive; the variable alone means nothing. */
const reentryVariable = "INTERLOCK_REENTRY";

async function reentry(home: string, env: Env, event: Event) {
  return (await import("../hosts/claude-code/adopt/reentry.js")).reentryOf(home, env, event);
}

async function putBack(...given: Parameters<typeof putBackEntries>): Promise<RegistrationLoss[]> {
  return (await import("../hosts/claude-code/install/put-back.js")).putBackEntries(...given);
}

async function disarming(home: string): Promise<(path: string | undefined) => string | undefined> {
  const { disarmedBy } = await import("../hosts/claude-code/settings/disarm.js");
  return (path) => disarmedBy(home, path);
}

/** A broken configuration is reported where the person looks: at the start of a session and with each prompt. */
function addMessages(project: Opened, event: Event, verdict: Verdict, notice: string | undefined): void {
  if (notice) verdict.messages.push(notice);
  if (event.kind !== "session.start" && event.kind !== "prompt") return;
  const { problems, loosened } = project.settings;
  for (const problem of problems.slice(0, 3))
    verdict.messages.push(`Interlock keeps its last good configuration: ${problem}`);
  for (const { path } of loosened.slice(0, 3))
    verdict.messages.push(`interlock.yaml would loosen ${path}; ignored until you run: interlock trust`);
}

/** The first event of all makes the key; the compiled configuration is signed with it and kept from then on. */
function keepConfiguration({ settings, home }: Opened): void {
  const key = settings.keep && keyOf(home);
  if (key) settings.keep!(key);
}

/** A single gate that passes when it is at fault passes here too; everything else is refused. Recorded either way. */
async function refuseUnreadable(call: HookCall, reason: string): Promise<HookAnswer> {
  const event = call.registered ?? "PreToolUse";
  const { passesUnreadable, recordUnreadable } = await import("./only-gate.js");
  let why = reason;
  try {
    if (call.only && (await passesUnreadable(call.only))) {
      await recordUnreadable(call, call.only, "pass", reason);
      return { text: "{}" };
    }
  } catch (error) {
    why = messageOf(error);
  }
  const id = await recordUnreadable(call, "interlock/payload", "deny", why).catch(() => undefined);
  return { text: encodeRefusal(event, builtInRefusal("interlock/payload", why, id)) };
}

const harmless = new Set(["read", "search", "web", "ask", "plan", "control", "skill"]);

/** Judging failed: what could change something is refused, the rest passes with a message. */
async function refuseFaulty(project: Opened | undefined, event: Event, why: string): Promise<HookAnswer> {
  const name = event.hostEvent;
  const guarded = hostEvent(name).kind === "tool.before" && !harmless.has(event.tool?.kind ?? "unknown");
  if (!guarded) return { text: encodeMessage(name, `${why}. Run: interlock doctor`), event };
  const { recordFault } = await import("./record-fault.js");
  const id = project && recordFault(project.store, event, "interlock/fault", why);
  return { text: encodeRefusal(name, builtInRefusal("interlock/fault", why, id)), event };
}
