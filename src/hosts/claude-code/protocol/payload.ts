// Bytes from the client to one JSON object, with limits that are checked before anything large is built.
// Invariant: never throws, never recurses; what comes out has no own `__proto__` key anywhere.
import { isObject, type JsonObject } from "../../../model/json.js";

export const payloadLimits = { bytes: 8 * 1024 * 1024, depth: 64, keys: 50_000, values: 1_000_000 } as const;

export type ParsedPayload = { ok: true; payload: JsonObject } | { ok: false; reason: string };

const no = (reason: string): ParsedPayload => ({ ok: false, reason });
const tooDeep = `the payload nests deeper than ${payloadLimits.depth}`;

export function parsePayload(bytes: Buffer): ParsedPayload {
  if (bytes.length > payloadLimits.bytes)
    return no(`the payload is ${bytes.length} bytes, more than ${payloadLimits.bytes}`);
  // So few bytes hold no more keys than are allowed; how deep they nest is seen when they are walked.
  const excess = bytes.length > payloadLimits.keys ? scan(bytes) : undefined;
  if (excess) return no(excess);
  let value: unknown;
  try {
    value = JSON.parse(text(bytes));
  } catch (fault) {
    return no(`the payload is not JSON: ${String((fault as Error).message).slice(0, 120)}`);
  }
  if (!isObject(value)) return no("the payload is not a JSON object");
  if (!dropProto(value)) return no(tooDeep);
  return { ok: true, payload: value };
}

/** Invalid UTF-8 becomes U+FFFD, as in the client's own reading. */
function text(bytes: Buffer): string {
  const bom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", bom ? 3 : 0);
}

function scan(bytes: Buffer): string | undefined {
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      i = stringEnd(bytes, i);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > payloadLimits.depth) return tooDeep;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === 0x3a) {
      if (++keys > payloadLimits.keys) return `the payload has more than ${payloadLimits.keys} keys`;
    } else if (byte === 0x2c) {
      if (++values > payloadLimits.values) return `the payload has more than ${payloadLimits.values} values`;
    }
  }
  return undefined;
}

/** Index of the quote that closes the string opened at `start`: the first after an even number of backslashes. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(0x22, start + 1); end >= 0; end = bytes.indexOf(0x22, end + 1)) {
    let at = end;
    while (bytes[at - 1] === 0x5c) at--;
    if ((end - at) % 2 === 0) return end;
  }
  return bytes.length;
}

/**
 * `JSON.parse` makes `__proto__` an own key; a later copy by assignment would make it the prototype.
 * False if it nests too deep.
 */
function dropProto(root: JsonObject): boolean {
  let depth = 0;
  for (let level: object[] = [root]; level.length; depth++) {
    const below: object[] = [];
    for (const one of level) {
      if (Object.hasOwn(one, "__proto__")) Reflect.deleteProperty(one, "__proto__");
      for (const value of Array.isArray(one) ? one : Object.values(one))
        if (typeof value === "object" && value !== null) below.push(value);
    }
    level = below;
  }
  return depth <= payloadLimits.depth;
}
