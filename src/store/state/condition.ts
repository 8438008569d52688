// How the record stands: findings of the moment joined with those that stick until a person recovers.
// Invariant: what was once found as tampering stays in the condition until a `recover` record.

import { isObject, type JsonObject } from "../../model/json.js";
import type { Finding, RecordCondition } from "../types.js";

const slice = "store/condition";

export function conditionOf(state: JsonObject, live: Finding[]): RecordCondition {
  const kept = keptFindings(state);
  const findings = [...kept, ...live.filter((one) => !kept.some((old) => same(old, one)))];
  const tampered = findings.some((one) => one.level === "tampering");
  const degraded = findings.some((one) => one.level === "degraded");
  return { ok: !tampered && !degraded, tampered, locked: keptLock(state), degraded, findings };
}

/** The patch of a `tamper` record. */
export function stick(state: JsonObject, found: Finding[], locked: boolean): JsonObject {
  const kept = keptFindings(state);
  const findings = [...kept, ...found.filter((one) => !kept.some((old) => same(old, one)))].slice(-50);
  return { [slice]: { tampered: true, locked: locked || keptLock(state), findings: asJson(findings) } };
}

/** The state as a person leaves it behind after recovering. */
export function unstuck(state: JsonObject): JsonObject {
  const { [slice]: _, ...rest } = state;
  return rest;
}

export const asJson = (findings: object[]): JsonObject[] => findings as JsonObject[];

const keptLock = (state: JsonObject): boolean => isObject(state[slice]) && state[slice]["locked"] === true;

function keptFindings(state: JsonObject): Finding[] {
  const found = isObject(state[slice]) ? state[slice]["findings"] : undefined;
  return Array.isArray(found) ? (found as unknown as Finding[]) : [];
}

const same = (a: Finding, b: Finding): boolean => a.kind === b.kind && a.what === b.what;
