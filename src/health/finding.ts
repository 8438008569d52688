// What `interlock doctor` reports: findings, and the repairs `--fix` would make.
// Invariant: a repair says what it will change before anything is changed; it acts only in `apply`.

export interface HealthFinding {
  area: string;
  ok: boolean;
  /** Worth knowing, but no reason to fail. */
  mild?: true | undefined;
  tampering?: true | undefined;
  what: string;
  /** The command or action that repairs it. */
  fix?: string | undefined;
  /** What `--fix` does about it. Without one it is for the user to decide or do. */
  repair?: Repair;
}

/** Later stages rely on earlier ones: the server needs its folder, the entries need the server. */
const stages = ["files", "settings", "server", "registration"] as const;

export interface Repair {
  stage: (typeof stages)[number];
  /** Two repairs of the same thing are done once. */
  id: string;
  /** Wins over another repair with the same id. */
  specific?: boolean;
  /** One line for the plan: "start the server". */
  will: string;
  /** Done after this one. */
  followedBy?: Repair[];
  /** Returns what was done, if there is more to say than `will`. */
  apply(): Promise<string | undefined>;
}

/** Each repair once, in the order in which they are applied. */
export function planRepairs(findings: readonly HealthFinding[]): Repair[] {
  const wanted = new Map<string, Repair>();
  for (const { ok, repair } of findings)
    for (const each of !ok && repair ? [repair, ...(repair.followedBy ?? [])] : [])
      if (!wanted.has(each.id) || each.specific) wanted.set(each.id, each);
  return stages.flatMap((stage) => [...wanted.values()].filter((repair) => repair.stage === stage));
}
