// The closed set of kit actions and the arguments each takes. `interlock kit` and `interlock request` both go by
// this table.
// Invariant: an action that is not listed can't be run or requested.

export const kitNames = ["tdd", "research", "math"] as const;
export type KitName = (typeof kitNames)[number];

/** `path`: a file inside the project. `text`: one line in words. A trailing `?` is optional, `*` is one or more. */
export type ArgumentType = "path" | "text" | "path?" | "text?" | "path*";

/** They work on a file that must be there; the others may write it. */
export const needsFile = new Set([
  ...["tdd.red", "tdd.breadcrumbs", "tdd.ship", "tdd.full", "research.run", "research.read", "research.log"],
  ...["research.batch", "math.construct", "math.formalize", "math.prove", "math.polish", "math.audit", "math.log"],
]);

export interface KitAction {
  /** One phase, several phases in a row, or a look at the state. */
  kind: "phase" | "chain" | "look";
  args: readonly ArgumentType[];
}

const phase = (...args: ArgumentType[]): KitAction => ({ kind: "phase", args });
const chain = (...args: ArgumentType[]): KitAction => ({ kind: "chain", args });
const look = (...args: ArgumentType[]): KitAction => ({ kind: "look", args });

export const kitActions: Readonly<Record<KitName, Readonly<Record<string, KitAction>>>> = {
  tdd: {
    red: phase("path"),
    green: phase(),
    refactor: phase(),
    breadcrumbs: phase("path"),
    ship: chain("path"),
    full: chain("path"),
    watch: look("text?"),
  },
  research: {
    survey: phase("text"),
    frame: phase("path"),
    run: phase("path"),
    read: phase("path"),
    log: phase("path"),
    synthesize: phase("text?"),
    cycle: chain("path"),
    full: chain("text", "path"),
    batch: chain("path*"),
    program: chain(),
    "complete-handoff": look(),
    "validate-handoff": look(),
    status: look(),
    watch: look("text?"),
  },
  math: {
    survey: phase("path"),
    specify: phase("path"),
    construct: phase("path"),
    formalize: phase("path"),
    prove: phase("path"),
    polish: phase("path"),
    audit: phase("path"),
    log: phase("path"),
    full: chain("path"),
    program: chain(),
    status: look(),
    watch: look("text?"),
  },
};

/** What one kit may ask of another: work that ends by itself and leaves a capsule. */
export const requestableActions: readonly string[] = kitNames.flatMap((kit) =>
  Object.entries(kitActions[kit]).flatMap(([verb, action]) => (action.kind === "look" ? [] : [`${kit}.${verb}`])),
);

export function kitAction(name: string): (KitAction & { kit: KitName; verb: string }) | undefined {
  const [kit = "", verb = "", more] = name.split(".");
  if (more !== undefined || !isKitName(kit) || !Object.hasOwn(kitActions[kit], verb)) return undefined;
  return { ...kitActions[kit][verb]!, kit, verb };
}

export const isKitName = (name: string): name is KitName => (kitNames as readonly string[]).includes(name);
