// Ids of runs and requests. Invariant: an id is safe as a file name; whatever does not match the pattern is no id.
import { randomBytes } from "node:crypto";

export const runIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;
/** Also short names a person chose, such as RQ123. */
export const requestIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

const stamp = (now: number): string => `${new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;

/** `20260213T091500Z-1a2b3c4d`: sorts by time. */
export const makeRunId = (now = Date.now()): string => `${stamp(now)}-${randomBytes(4).toString("hex")}`;
export const makeRequestId = (now = Date.now()): string => `rq-${stamp(now)}-${randomBytes(3).toString("hex")}`;
export const isRunId = (text: string): boolean => runIdPattern.test(text);
export const isRequestId = (text: string): boolean => requestIdPattern.test(text);
