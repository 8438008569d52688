// The queue of requests as the pump sees it. The directory queue implements it; a PostgreSQL one can.
// Invariant: a request is answered exactly once. A worker that dies or is too slow loses its lease, and another
// takes over.
import type { InteropRequest, InteropResponse } from "./schemas.js";

/** A request held by this worker until its lease runs out. */
export interface RequestClaim {
  id: string;
  /** 1 the first time; one more after each retry, crash or expiry. */
  attempt: number;
  /** Tried as often as the queue allows: answer it, do not run it. */
  exhausted: boolean;
  /** The request as it was submitted, not checked; absent when it can't be read. */
  text?: string;
  unreadable?: string;
  /** Names this lease; changes with every renewal. */
  token: string;
  expiresAt: number;
}

export type QueueState = "waiting" | "claimed" | "retrying" | "done";

export interface QueueEntry {
  id: string;
  state: QueueState;
  attempt: number;
  ownerPid?: number;
  expiresAt?: number;
  answered: boolean;
}

export interface RequestQueue {
  /** Throws `QueueError` when the id is taken. */
  enqueue(request: InteropRequest): Promise<void>;
  /** The next request (high priority first, then oldest id), or the named one; undefined when there is none to take. */
  claim(wanted?: { id?: string }): Promise<RequestClaim | undefined>;
  /** False: the lease was lost, stop working on it. */
  renew(claim: RequestClaim): Promise<boolean>;
  /** Records the answer and closes the request. False: somebody else answered it, or the lease was lost. */
  complete(claim: RequestClaim, response: InteropResponse): Promise<boolean>;
  /** Gives the request back, to be claimed again after the delay. */
  retry(claim: RequestClaim, delayMs: number): Promise<boolean>;
  /** Counts a request against its parent's fan-out. False: the parent has asked `limit` times already. */
  admit(parentRunId: string, requestId: string, limit: number): Promise<boolean>;
  response(id: string): Promise<InteropResponse | undefined>;
  list(): Promise<QueueEntry[]>;
}

export class QueueError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
  }
}
