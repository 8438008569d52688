// What the engine is given for one event: the packs, the project, its record, and what the caller alone can know or do.
import type { SharedFacts } from "../facts/index.js";
import type { Config } from "../model/config.js";
import type { Event } from "../model/event.js";
import type { Pack, Project } from "../model/gate.js";
import type { RegistrationLoss } from "../model/registration-loss.js";
import type { Fault, Judged } from "../model/verdict.js";
import type { ProtectedPlaces } from "../project/protected/protected.js";
import type { TreeSnapshot } from "../project/tree-snapshot.js";
import type { Store } from "../store/index.js";
import type { Deadline } from "./deadline.js";
import type { HookOrigin } from "./typed-commands/provenance.js";

export interface EngineWorld {
  packs: readonly Pack[];
  config: Config;
  project: Project;
  store: Store;
  userHome: string;
  places: ProtectedPlaces;
  /** Interlock's own folder. */
  home: string;
  disarms?(path: string | undefined): string | undefined;
  /** Checks Interlock's own entries in settings files that a call changed, and puts back what is missing. */
  registration?(files: readonly string[], before: TreeSnapshot): Promise<RegistrationLoss[]>;
  /** Who started this hook, where that can be seen. */
  origin?(): HookOrigin;
  /** Whether the event ends a watched call, where the caller has checked already. */
  watched?: boolean;
  /** Runs the adopted hooks: after our gates, and only if those do not refuse. */
  adopted?(event: Event): Promise<Judged[]>;
  /** What the caller itself has to say about this event. */
  callers?: { opinions: Judged[]; faults: Fault[] };
  deadline?: Deadline;
  /** Whether somebody else has recorded this event, from this record on: then nothing is written. */
  recordedSince?: ((from: number) => boolean) | undefined;
  /** How long to wait for the lock of the record (ms). */
  lockWaitMs?: number;
  wallClock?: () => number;
  shared?: SharedFacts;
}
