// All packs, in the order they judge. A pack is loaded only for events that one of its gates listens to.
// Invariant: `hears` lists exactly the event kinds of the pack's gates and memories; a test compares.
import type { GenericSchema } from "valibot";
import type { Config, PackConfig } from "../model/config.js";
import type { EventKind } from "../model/event.js";
import type { Pack } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import { usesKits } from "./kits/uses-kits.js";
import { usesLifecycle } from "./lifecycle/detect.js";

export interface PackConfigModule {
  schema: GenericSchema;
  /** Every option with its default; what the user wrote is laid over it. */
  defaults: JsonObject;
  /** Turns checked options into what the gates get. Throws an error with a sentence for the user. */
  compile?(options: JsonObject): JsonObject;
}

export interface Where {
  /** The folder the event is in. */
  start: string;
  repository: { root: string };
  /** Interlock's own folder for the project. */
  folder: string;
  /** The agent's environment, where it is known. */
  env?: Readonly<Record<string, string | undefined>>;
  settings?: { config: Config };
}

export interface PackEntry {
  id: string;
  hears: readonly EventKind[];
  load(): Promise<{ default: Pack }>;
  config(): Promise<PackConfigModule>;
  standard: Pick<PackConfig, "enabled" | "mode">;
  /** Whether the project has anything for the pack to do; without it, always. Must be cheap. */
  concerns?(where: Where): boolean;
}

export const registry: readonly PackEntry[] = [
  {
    id: "guard",
    hears: ["tool.before", "config.change"],
    load: () => import("./guard/index.js"),
    config: () => import("./guard/config.js"),
    standard: { enabled: true, mode: "enforce" },
  },
  {
    id: "discipline",
    hears: [
      "tool.before",
      "tool.after",
      "tool.failed",
      "permission.denied",
      "prompt",
      "session.start",
      "session.end",
      "turn.end",
      "agent.end",
    ],
    load: () => import("./discipline/index.js"),
    config: () => import("./discipline/config.js"),
    standard: { enabled: true, mode: "observe" },
  },
  {
    id: "lifecycle",
    hears: ["tool.before", "tool.after", "tool.failed", "session.start", "turn.end", "agent.end"],
    load: () => import("./lifecycle/index.js"),
    config: () => import("./lifecycle/config.js"),
    standard: { enabled: true, mode: "enforce" },
    concerns: usesLifecycle,
  },
  {
    id: "kits",
    hears: ["tool.before", "tool.after", "tool.failed", "session.start"],
    load: () => import("./kits/index.js"),
    config: () => import("./kits/config.js"),
    standard: { enabled: true, mode: "enforce" },
    concerns: usesKits,
  },
  {
    id: "rules",
    hears: ["tool.before", "prompt", "turn.end"],
    load: () => import("./rules/index.js"),
    config: () => import("./rules/config.js"),
    standard: { enabled: true, mode: "enforce" },
  },
];
