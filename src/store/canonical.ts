// Canonical JSON (RFC 8785): keys sorted by UTF-16 code unit, ECMAScript number format, no white space.
// Invariant: one value has exactly one text, that text is valid UTF-8 and holds no line break, so it can be hashed and framed by line.

const deepest = 512;

/** Properties that are undefined are left out; lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
export function canonical(value: unknown): string {
  return write(value, 0);
}

/** A part that already has its canonical text. */
export class Written {
  constructor(readonly text: string) {}
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
  if (value instanceof Written) return value.text;
  if (depth >= deepest) throw new RangeError(`JSON is nested deeper than ${deepest} levels`);
  if (Array.isArray(value))
    return `[${value.map((item) => (item === undefined ? "null" : write(item, depth + 1))).join(",")}]`;
  const object = value as Record<string, unknown>;
  let members = "";
  for (const key of Object.keys(object).sort()) {
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

/** As RFC 8785 wants it, but for lone surrogates, which come out as escapes. No pattern of ours: it would have to be compiled in every hook. */
function text(value: string): string {
  const quoted = JSON.stringify(value);
  return quoted.includes("\\ud") ? JSON.stringify(wellFormed(value)) : quoted;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export const wellFormed = (value: string): string => value.replace(loneSurrogate, "\ufffd");
