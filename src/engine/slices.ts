// The state of one event's gates: slices of the project's state, read from a snapshot, changed in memory, returned as
// one patch.
// Invariant: a slice is plain JSON without nulls (a null in a merge patch deletes), keyed by owner and scope, and
// private to its owner.
import type { Event } from "../model/event.js";
import type { Scope, Slice, StateSpec } from "../model/gate.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";

const plain = /^[A-Za-z0-9_-]{1,80}$/;

/** Host-given names become keys; anything odd is spelled in hex so that it can't collide or reach a prototype. */
const keyPart = (name: string): string =>
  plain.test(name) && name !== "__proto__" ? name : `x${Buffer.from(name).toString("hex").slice(0, 160)}`;

/** The session as slices name it. */
export const sessionName = (event: Event): string => keyPart(event.session);

const sessionKey = (event: Event): string => `@${sessionName(event)}`;

export const sliceKey = (id: string, scope: Scope, event: Event): string =>
  scope === "project" ? id : scoped(id, scope, event, sessionKey(event));

function scoped(id: string, scope: Scope, { agent }: Event, session: string): string {
  if (scope === "project") return id;
  return scope === "session" ? id + session : `${id}${session}/${agent ? keyPart(agent.id) : "main"}`;
}

export class Slices {
  readonly #changed = new Map<string, Json>();
  readonly #session: string;

  constructor(
    private readonly state: JsonObject,
    private readonly event: Event,
  ) {
    this.#session = sessionKey(event);
  }

  slice<S>(id: string, spec: StateSpec<S>): Slice<S> {
    const key = scoped(id, spec.scope, this.event, this.#session);
    return new OwnSlice(key, this.state, this.#changed, spec);
  }

  get changed(): ReadonlyMap<string, Json> {
    return this.#changed;
  }

  /** RFC 7386 patch of everything that changed; undefined when nothing did. */
  patch(): JsonObject | undefined {
    const patch: JsonObject = {};
    for (const [key, next] of this.#changed) {
      const change = difference(this.state[key], next);
      if (change !== undefined) patch[key] = change;
    }
    return Object.keys(patch).length ? patch : undefined;
  }
}

/** A class: some forty are made for every call, and closures cost several times as much. */
class OwnSlice<S> implements Slice<S> {
  constructor(
    private readonly key: string,
    private readonly state: JsonObject,
    private readonly changed: Map<string, Json>,
    private readonly spec: StateSpec<S>,
  ) {}

  get value(): Readonly<S> {
    return (this.changed.get(this.key) ?? this.state[this.key] ?? this.spec.initial) as Readonly<S>;
  }

  update(change: (draft: S) => S | void): void {
    const draft = copyOf(this.value as Json) as S;
    this.changed.set(this.key, withoutNulls((change(draft) ?? draft) as Json));
  }

  replace(next: S): void {
    this.changed.set(this.key, withoutNulls(next as Json));
  }
}

/** The merge patch that turns `from` into `to`; undefined when they are equal. */
export function difference(from: Json | undefined, to: Json): Json | undefined {
  if (!isObject(from) || !isObject(to)) return equal(from, to) ? undefined : to;
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) if (to[key] === undefined && from[key] !== undefined) patch[key] = null;
  for (const key of Object.keys(to)) {
    const value = to[key];
    if (value === undefined) continue;
    const change = difference(from[key], value);
    if (change !== undefined) patch[key] = change;
  }
  return Object.keys(patch).length ? patch : undefined;
}

function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false;
    return true;
  }
  return isObject(a) && isObject(b) && difference(a, b) === undefined;
}

/** Slices are plain JSON: a general clone would cost several times as much, for each update of each event. */
function copyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) if (key !== "__proto__") copy[key] = copyOf(value[key]!);
  return copy;
}

/** The value itself where there are none. */
function withoutNulls(value: Json): Json {
  if (!holdsNulls(value)) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (inner !== null && inner !== undefined && key !== "__proto__") copy[key] = withoutNulls(inner);
  }
  return copy;
}

/** In members, where they would delete; in lists they are values. */
function holdsNulls(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsNulls);
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (inner === null || inner === undefined || key === "__proto__" || holdsNulls(inner)) return true;
  }
  return false;
}
