// Checks a value against a JSON schema. Invariant: knows exactly the keywords of the type `Schema`, so that the schema
// that is published is the one that is enforced, without a schema library in what hooks load.
import { isObject } from "../model/json.js";

export interface Schema {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
  title?: string;
  description?: string;
  type?: "object" | "array" | "string" | "integer" | "boolean";
  required?: string[];
  properties?: Record<string, Schema>;
  /** Of members that `properties` does not name; absent: anything. */
  additionalProperties?: Schema;
  items?: Schema;
  enum?: string[];
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  format?: "uuid" | "date-time" | "uri";
}

const mostProblems = 50;

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i,
  uri: /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i,
};
const patterns = new Map<string, RegExp>();

/** Each problem with the place it is at; none: the value is valid. */
export function schemaProblems(schema: Schema, value: unknown): string[] {
  const problems: string[] = [];
  check(schema, value, "");
  return problems;

  function check(given: Schema, it: unknown, place: string): void {
    if (problems.length >= mostProblems) return;
    const rule = given.$ref ? (schema.$defs?.[given.$ref.slice("#/$defs/".length)] ?? {}) : given;
    const report = (text: string) => problems.push(`${place || "the record"} ${text}`);
    if (rule.type && !isOfType(rule.type, it)) return void report(`is no ${rule.type}`);
    if (typeof it === "string") {
      if (rule.enum && !rule.enum.includes(it)) report(`is none of ${rule.enum.join(", ")}`);
      if (rule.pattern && !patternOf(rule.pattern).test(it)) report(`does not match ${rule.pattern}`);
      if (rule.format && !formats[rule.format].test(it)) report(`is no ${rule.format}`);
      if (rule.maxLength !== undefined && [...it].length > rule.maxLength)
        report(`is longer than ${rule.maxLength} characters`);
    } else if (typeof it === "number") {
      if (rule.minimum !== undefined && it < rule.minimum) report(`is less than ${rule.minimum}`);
    } else if (Array.isArray(it)) {
      if (rule.items) for (const [i, item] of it.entries()) check(rule.items, item, `${place}[${i}]`);
    } else if (isObject(it)) {
      const at = (key: string) => (place ? `${place}.${key}` : key);
      for (const key of rule.required ?? []) if (it[key] === undefined) problems.push(`${at(key)} is missing`);
      for (const [key, member] of Object.entries(it)) {
        const known = rule.properties && Object.hasOwn(rule.properties, key) ? rule.properties[key] : undefined;
        const inner = known ?? rule.additionalProperties;
        if (inner && member !== undefined) check(inner, member, at(key));
      }
    }
  }
}

function isOfType(type: NonNullable<Schema["type"]>, value: unknown): boolean {
  if (type === "object") return isObject(value);
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function patternOf(source: string): RegExp {
  const made = patterns.get(source) ?? new RegExp(source, "u");
  patterns.set(source, made);
  return made;
}
