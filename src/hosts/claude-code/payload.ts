// Bytes from the client -> one JSON object, within limits that are checked on the bytes before anything is built from them.
// Invariant: never throws, never recurses; what comes out has no own `__proto__` key anywhere.
import { isObject, type JsonObject } from "../../engine/json.js";

export const limits = { bytes: 8 * 1024 * 1024, depth: 64, keys: 50_000, values: 1_000_000 } as const;

export type Parsed = { ok: true; payload: JsonObject } | { ok: false; reason: string };

const no = (reason: string): Parsed => ({ ok: false, reason });

export function parsePayload(bytes: Buffer): Parsed {
  if (bytes.length > limits.bytes) return no(`the payload is ${bytes.length} bytes, more than ${limits.bytes}`);
  const excess = scan(bytes);
  if (excess) return no(excess);
  let value: unknown;
  try {
    value = JSON.parse(text(bytes));
  } catch (fault) {
    return no(`the payload is not JSON: ${String((fault as Error).message).slice(0, 120)}`);
  }
  if (!isObject(value)) return no("the payload is not a JSON object");
  dropProto(value);
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
      if (++depth > limits.depth) return `the payload nests deeper than ${limits.depth}`;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte === 0x3a) {
      if (++keys > limits.keys) return `the payload has more than ${limits.keys} keys`;
    } else if (byte === 0x2c) {
      if (++values > limits.values) return `the payload has more than ${limits.values} values`;
    }
  }
  return undefined;
}

/** Index of the closing quote of the string that opens at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let i = start + 1; i < bytes.length; i++) {
    if (bytes[i] === 0x5c) i++;
    else if (bytes[i] === 0x22) return i;
  }
  return bytes.length;
}

/** `JSON.parse` makes `__proto__` an own key; a later copy by assignment would make it the prototype. */
function dropProto(root: JsonObject): void {
  const open: object[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    if (Object.hasOwn(next, "__proto__")) Reflect.deleteProperty(next, "__proto__");
    for (const value of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof value === "object" && value !== null) open.push(value);
    }
  }
}
