// The schema of users' own rules, and their compilation: patterns are checked and globs compiled once, not per event.
import { RE2JS } from "re2js";
import * as v from "valibot";
import type { JsonObject } from "../../model/json.js";
import { mode } from "../../model/setting.js";
import { compileGlob } from "../../project/globs.js";

export const subjectKinds = [
  "shell",
  "write",
  "read",
  "delete",
  "commit",
  "push",
  "web",
  "agent",
  "mcp",
  "tool",
  "prompt",
  "stop",
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(2000));
const oneOrMore = <S extends v.GenericSchema>(schema: S) =>
  v.union([schema, v.pipe(v.array(schema), v.minLength(1), v.maxLength(50))]);

export const rule = v.strictObject({
  id: v.optional(
    v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,60}$/, "an id is lower-case letters, digits and hyphens")),
  ),
  on: oneOrMore(v.picklist(subjectKinds)),
  where: v.optional(oneOrMore(text)),
  match: v.optional(text),
  unless: v.optional(text),
  action: v.optional(v.picklist(["deny", "ask", "note"]), "deny"),
  message: text,
  next: v.optional(text),
});

export interface CompiledRule {
  id: string;
  on: SubjectKind[];
  /** Regular expression sources of the globs. */
  where?: string[];
  match?: string;
  unless?: string;
  action: "deny" | "ask" | "note";
  message: string;
  next?: string;
}

export const schema = v.strictObject({ mode: v.optional(mode()), rules: v.array(rule) });
export const defaults: JsonObject = { rules: [] };

export function compile(options: JsonObject): JsonObject {
  const rules = options["rules"] as v.InferOutput<typeof rule>[];
  const seen = new Set<string>();
  const compiled = rules.map((r, i): CompiledRule => {
    const id = r.id ?? `rule-${i + 1}`;
    if (seen.has(id)) throw new Error(`rules: the id "${id}" is used twice; give each rule its own`);
    seen.add(id);
    for (const part of ["match", "unless"] as const) checkPattern(id, part, r[part]);
    return {
      id,
      on: list(r.on),
      where: r.where === undefined ? undefined : list(r.where).map(compileGlob),
      match: r.match,
      unless: r.unless,
      action: r.action,
      message: r.message,
      next: r.next,
    };
  });
  return { rules: compiled as unknown as JsonObject[] };
}

function checkPattern(id: string, part: string, pattern: string | undefined): void {
  if (pattern === undefined) return;
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `rule "${id}": ${part} is not a pattern Interlock can run in linear time (RE2 syntax, no ` +
        `look-around or back-references): ${why}`,
    );
  }
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
