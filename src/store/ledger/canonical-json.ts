// Canonical JSON (RFC 8785): keys sorted by UTF-16 code unit, ECMAScript number format, no white space.
// Invariant: one value has exactly one text, which is valid UTF-8 without line breaks, so it can be hashed and framed
// by line.

const deepest = 512;

/** Properties that are undefined are left out; lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
export function canonical(value: unknown): string {
  const inOrder = ordered(value, 0);
  return inOrder === unfit ? write(value, 0) : canonicalOrdered(inOrder);
}

/** The same for a value whose keys are known to be in order everywhere. */
export function canonicalOrdered(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? write(value, 0) : text;
}

/** The keys of an object in their order, which objects that were made with care have already. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

const unfit = Symbol("cannot be left to JSON.stringify");

/** The value with the keys of every object in order, for JSON.stringify, which is much faster than our own writer. */
function ordered(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : unfit;
  if (typeof value !== "object" || depth >= deepest) return unfit;
  return Array.isArray(value) ? orderedList(value, depth) : orderedObject(value as Record<string, unknown>, depth);
}

function orderedList(list: unknown[], depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] === undefined ? null : list[i];
    const next = ordered(item, depth + 1);
    if (next === unfit) return unfit;
    if (next !== item) (copy ??= [...list])[i] = next;
  }
  return copy ?? list;
}

function orderedObject(object: Record<string, unknown>, depth: number): unknown {
  const keys = Object.keys(object);
  let last = "";
  let sorted = true;
  let changed: Map<string, unknown> | undefined;
  for (const key of keys) {
    if (key < last) sorted = false;
    last = key;
    const item = object[key];
    if (item === undefined) continue;
    const next = ordered(item, depth + 1);
    if (next === unfit) return unfit;
    if (next !== item) (changed ??= new Map()).set(key, next);
  }
  if (sorted && !changed) return object;
  const copy: Record<string, unknown> = {};
  for (const key of keys.sort()) {
    // Names that are numbers come first whatever the order they are put in; this one would reach the prototype.
    if (key === "__proto__" || (key >= "0" && key <= "9~")) return unfit;
    copy[key] = changed?.has(key) ? changed.get(key) : object[key];
  }
  return copy;
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return text(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
      return Object.is(value, -0) ? "0" : String(value);
    case "object":
      break;
    default:
      throw new TypeError(`a ${typeof value} has no JSON form`);
  }
  if (value === null) return "null";
  if (depth >= deepest) throw new RangeError(`JSON is nested deeper than ${deepest} levels`);
  if (Array.isArray(value))
    return `[${value.map((item) => (item === undefined ? "null" : write(item, depth + 1))).join(",")}]`;
  const object = value as Record<string, unknown>;
  let members = "";
  for (const key of sortedKeys(object)) {
    const item = object[key];
    const name = JSON.stringify(key);
    if (name.includes("\\ud") && wellFormed(key) !== key) return write(wellKeyed(object), depth);
    if (item !== undefined) members += `${members && ","}${name}:${write(item, depth + 1)}`;
  }
  return `{${members}}`;
}

/** Keys that become the same when made well-formed: the last one wins, as in any JSON reader. */
const wellKeyed = (object: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(object).map((key) => [wellFormed(key), object[key]]));

/** As RFC 8785 wants it, except for lone surrogates, which come out as escapes. No regular expression: compiling one
 * costs every hook time. */
function text(value: string): string {
  const quoted = JSON.stringify(value);
  return quoted.includes("\\ud") ? JSON.stringify(wellFormed(value)) : quoted;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const wellFormed = (value: string): string => value.replace(loneSurrogate, "\ufffd");
