// A settings file that no longer registers Interlock, found after a call.

export interface RegistrationLoss {
  file: string;
  why: string;
  /** Where the changed file was kept before the entries came back; empty if it was gone. Undefined: left as it is. */
  putBack?: string;
  /** Why it was not put back. */
  left?: string;
}
