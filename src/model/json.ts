// JSON values as types. Payloads, configuration, state and records are made of nothing else.
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy without undefined members. Not by `delete`: that makes an object slow to read. */
export function defined<T extends object>(object: T): T {
  const copy = {} as T;
  for (const key of Object.keys(object) as (keyof T)[]) if (object[key] !== undefined) copy[key] = object[key];
  return copy;
}

export const asString = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
export const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
export const asBoolean = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
