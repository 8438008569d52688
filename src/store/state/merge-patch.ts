// RFC 7386 merge patch over JSON values.
// Invariant: `mergePatch` never changes its target, and no key (`__proto__` included) reaches a prototype.
import { isObject, type Json, type JsonObject } from "../../model/json.js";

export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else putMember(result, key, mergePatch(own(result, key), value));
  }
  return result;
}

/** The same for one object, which is changed; what lies in its members is not. */
export function foldInto(target: JsonObject, patch: JsonObject): void {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete target[key];
    else putMember(target, key, mergePatch(own(target, key), value));
  }
}

/** The same, but changes the target and what lies in it. */
export function mergeInto(target: JsonObject, patch: JsonObject): JsonObject {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete target[key];
    else if (!isObject(value)) putMember(target, key, value);
    else {
      const before = own(target, key);
      if (isObject(before)) mergeInto(before, value);
      else putMember(target, key, mergeInto({}, value));
    }
  }
  return target;
}

const own = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** `__proto__` is a name like any other. */
export function putMember(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
