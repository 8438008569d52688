// Canonical JSON (RFC 8785): keys sorted by UTF-16 code unit, ECMAScript number format, no white space.
// Invariant: one value has exactly one text, that text is valid UTF-8 and holds no line break, so it can be hashed and framed by line.

const deepest = 512;

/** Properties that are undefined are left out; lone surrogates, which UTF-8 cannot hold, become U+FFFD. */
export function canonical(value: unknown): string {
  return write(value, 0);
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
  const members: string[] = [];
  let last: string | undefined;
  for (const [key, name] of names(object)) {
    const item = object[key];
    if (item === undefined || name === last) continue;
    last = name;
    members.push(`${text(name)}:${write(item, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

/** Own keys beside their well-formed spelling, sorted by it. */
function names(object: Record<string, unknown>): [string, string][] {
  const keys = Object.keys(object);
  const pairs = keys.map((key): [string, string] => [key, wellFormed(key)]);
  return pairs.sort((a, b) => (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0));
}

const text = (value: string): string => JSON.stringify(wellFormed(value));

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const anySurrogate = /[\ud800-\udfff]/;

export function wellFormed(value: string): string {
  return anySurrogate.test(value) ? value.replace(loneSurrogate, "\ufffd") : value;
}
