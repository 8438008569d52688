// The door to the record: what other parts of Interlock may use.
// Invariant: everything is synchronous and typed; no caller touches the files behind it.

export type { Json, JsonObject } from "../model/json.js";
export { StoreBusy, StoreFault, StoreFull, StoreLocked } from "./fault.js";
export type { Io } from "./io.js";
export type { Clock } from "./record-clock.js";
export { systemClock } from "./record-clock.js";
export { openStore } from "./store.js";
export type * from "./types.js";
export { type VerifyReport, verify } from "./verify/verify.js";
