// All packs, in the order they judge. A pack is loaded only for events that one of its gates listens to.
// Invariant: `hears` lists exactly the event kinds of the pack's gates and memories; a test compares.
import type { Config, PackConfig } from "../model/config.js";
import type { EventKind } from "../model/event.js";
import type { Pack } from "../model/gate.js";
import { usesIntents } from "./intent/uses-intents.js";
import { usesKits } from "./kits/uses-kits.js";
import { usesLifecycle } from "./lifecycle/detect.js";

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
  /** What it sees to, in a few words for people. */
  about: string;
  hears: readonly EventKind[];
  load(): Promise<Pack>;
  standard: Pick<PackConfig, "enabled" | "mode">;
  /** Whether the project has anything for the pack to do; without it, always. Must be cheap. */
  concerns?(where: Where): boolean;
}

export const registry: readonly PackEntry[] = [
  {
    id: "guard",
    about: "destructive commands, secrets, Interlock's own files",
    hears: ["tool.before", "config.change"],
    load: async () => (await import("./guard/index.js")).guardPack,
    standard: { enabled: true, mode: "enforce" },
  },
  {
    id: "discipline",
    about: 'research and plan before a change, tests before "done"',
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
    load: async () => (await import("./discipline/index.js")).disciplinePack,
    standard: { enabled: true, mode: "observe" },
  },
  {
    id: "lifecycle",
    about: "phases of a workflow, each with its gate",
    hears: ["tool.before", "tool.after", "tool.failed", "prompt", "session.start", "turn.end", "agent.end"],
    load: async () => (await import("./lifecycle/index.js")).lifecyclePack,
    standard: { enabled: true, mode: "enforce" },
    concerns: usesLifecycle,
  },
  {
    id: "kits",
    about: "phases of kits, each with the files it may touch",
    hears: ["tool.before", "tool.after", "tool.failed", "session.start"],
    load: async () => (await import("./kits/index.js")).kitsPack,
    standard: { enabled: true, mode: "enforce" },
    concerns: usesKits,
  },
  {
    id: "intent",
    about: "changes only within a declared purpose",
    hears: ["tool.before", "tool.after", "tool.failed", "session.start", "prompt"],
    load: async () => (await import("./intent/index.js")).intentPack,
    standard: { enabled: true, mode: "enforce" },
    concerns: usesIntents,
  },
  {
    id: "sred",
    about: "R&D tax trailers in commits",
    hears: ["tool.before", "tool.after"],
    load: async () => (await import("./sred/index.js")).sredPack,
    // A tax guard on every repository is intolerable: each one says that it wants it.
    standard: { enabled: false, mode: "enforce" },
  },
  {
    id: "rules",
    about: "your own rules in interlock.yaml",
    hears: ["tool.before", "prompt", "turn.end"],
    load: async () => (await import("./rules/index.js")).rulesPack,
    standard: { enabled: true, mode: "enforce" },
  },
];
