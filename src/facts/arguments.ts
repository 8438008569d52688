// The places a call names in its arguments, for tools we can't see into: MCP servers, other shells, tools nobody knows.
// Invariant: bounded; a name that only looks like a path proves nothing by itself, the gates decide what it means.
import type { Event } from "../model/event.js";
import { type CanonicalPath, canonicalPath } from "../project/canonical-path.js";

export interface Argument extends CanonicalPath {
  /** The argument's name. */
  key: string;
  given: string;
}

const MOST = 300;
const opaque = new Set(["mcp", "script", "unknown"]);
const placeKey = /path|file|uri|url|dir|folder|dest|target|source|output|location|name$/i;
/** Text that holds code: each word of it may be a place. */
const codeKey = /^(?:command|script|code|cmd|args?)$/i;

export function argumentsOf(event: Event, home: string): Argument[] {
  const { tool, cwd } = event;
  if (!tool || !opaque.has(tool.kind)) return [];
  const found: Argument[] = [];
  const add = (key: string, given: string) => {
    const path = given.replace(/^file:\/\/(?:localhost)?/, "");
    if (found.length < MOST) found.push({ ...canonicalPath(path, cwd, home), key, given });
  };
  const walk = (key: string, value: unknown, depth: number): void => {
    if (found.length >= MOST || depth > 6) return;
    if (typeof value === "string") {
      if (codeKey.test(key)) for (const word of wordsOf(value)) add(key, word);
      else if (isPlace(key, value)) add(key, value);
    } else if (Array.isArray(value)) for (const item of value) walk(key, item, depth + 1);
    else if (value && typeof value === "object")
      for (const [name, inner] of Object.entries(value)) walk(name, inner, depth + 1);
  };
  walk("", tool.input, 0);
  return found;
}

const isPlace = (key: string, value: string): boolean =>
  value.length > 0 &&
  value.length <= 1024 &&
  !/[\n\0]/.test(value) &&
  !/^(?!file:)[a-z][a-z0-9+.-]*:\/\//i.test(value) &&
  (placeKey.test(key) || /[\\/]/.test(value));

const wordsOf = (text: string): string[] =>
  text
    .slice(0, 100_000)
    .split(/[\s"'`,;()<>|={}[\]]+/)
    .map((word) => word.replaceAll("\\", "/"))
    .filter((word) => word.length > 1 && word.length <= 1024 && /[/.]/.test(word));
