// JSON values as types, and RFC 7386 merge patch over them.
// Invariant: a patch never changes the object it is applied to, and no key (`__proto__` included) reaches a prototype.
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else put(result, key, mergePatch(own(result, key), value));
  }
  return result;
}

/** The same, changing the target itself. */
export function mergeInto(target: JsonObject, patch: JsonObject): JsonObject {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete target[key];
    else if (!isObject(value)) put(target, key, value);
    else {
      const before = own(target, key);
      if (isObject(before)) mergeInto(before, value);
      else put(target, key, mergeInto({}, value));
    }
  }
  return target;
}

const own = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

function put(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
