// The answer to a request: status and pointers, no content.
// Invariant: valid against its schema; notes are one short line made from facts, never words of the child.
import {
  assertValid,
  type FileFinding,
  type InteropResponse,
  interopLimits,
  responseSchema,
  schemaFindings,
} from "./schemas.js";

export function makeResponse(given: Omit<InteropResponse, "notes"> & { notes?: string }): InteropResponse {
  const response: InteropResponse = { ...given, notes: short(given.notes ?? "") };
  const { deliverables } = response;
  if (deliverables.length > interopLimits.deliverables) {
    response.deliverables = deliverables.slice(0, interopLimits.deliverables);
    response.omitted_deliverables = deliverables.length - interopLimits.deliverables;
  }
  assertValid(responseSchema, response, "the response");
  return response;
}

/** The answer to a request that was not run. */
export const refusedResponse = (requestId: string, reason: string, notes: string, attempts = 1): InteropResponse =>
  makeResponse({
    request_id: requestId,
    status: "failed",
    child_run_id: null,
    capsule_path: null,
    manifest_path: null,
    deliverables: [],
    notes,
    reason,
    attempts,
    finished_at: new Date().toISOString(),
  });

export function parseResponse(text: string): { response?: InteropResponse; findings: FileFinding[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = `not JSON: ${(error as Error).message.slice(0, 120)}`;
    return { findings: [{ field: "", problem, remedy: "responses are written by: interlock pump" }] };
  }
  const findings = schemaFindings(responseSchema, value);
  return findings.length ? { findings } : { response: value as InteropResponse, findings };
}

const short = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, " ").slice(0, 500);
