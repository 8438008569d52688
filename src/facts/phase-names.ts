// The phases of the lifecycle framework by key, with every older spelling of each.
// Invariant: one canonical key per phase; a key in neither table is unknown and is reported, never ignored.

export const phaseKeys = [
  "00-quick-scan",
  "01-requirements",
  "02-impact-analysis",
  "02-tracing",
  "03-architecture",
  "04-design",
  "05-test-strategy",
  "06-implementation",
  "07-testing",
  "08-code-review",
  "09-validation",
  "10-cicd",
  "11-local-testing",
  "12-remote-build",
  "12-test-deploy",
  "13-production",
  "14-operations",
  "15-upgrade",
  "16-quality-loop",
  "16-upgrade-plan",
  "16-upgrade-execute",
  "r1-behavior-extraction",
  "r2-characterization-tests",
  "r3-artifact-integration",
  "r4-atdd-bridge",
] as const;
export type PhaseKey = (typeof phaseKeys)[number];

/** Keys of earlier numberings, and of workflows that used newer keys than the requirement tables. */
const olderKeys: Readonly<Record<string, PhaseKey>> = {
  "02-architecture": "03-architecture",
  "03-design": "04-design",
  "04-test-strategy": "05-test-strategy",
  "05-implementation": "06-implementation",
  "06-testing": "07-testing",
  "07-code-review": "08-code-review",
  "08-validation": "09-validation",
  "09-cicd": "10-cicd",
  "10-local-testing": "11-local-testing",
  "10-dev-environment": "11-local-testing",
  "11-test-deploy": "12-test-deploy",
  "12-production": "13-production",
  "13-operations": "14-operations",
  "13-test-deploy": "12-test-deploy",
  "14-production": "13-production",
  "14-upgrade": "15-upgrade",
  "15-upgrade-plan": "16-upgrade-plan",
  "15-upgrade-execute": "16-upgrade-execute",
  "15-operations": "14-operations",
};

const known: ReadonlySet<string> = new Set(phaseKeys);

/** The canonical key; undefined if the phase is not defined. `own`: phases the user's configuration adds. */
export function canonicalPhase(key: string, own?: ReadonlySet<string>): string | undefined {
  if (own?.has(key)) return key;
  const lower = key.trim().toLowerCase();
  if (own?.has(lower) || known.has(lower)) return lower;
  return Object.hasOwn(olderKeys, lower) ? olderKeys[lower] : undefined;
}

/** Both spellings of a phase mean the same; an unknown key is only itself. */
export const samePhase = (a: string, b: string, own?: ReadonlySet<string>): boolean =>
  a === b || (canonicalPhase(a, own) ?? a) === (canonicalPhase(b, own) ?? b);

/** GATE-06 for 06-implementation; user-defined phases have no number. */
export const gateName = (phase: string): string => {
  const number = /^(\d\d)-/.exec(phase);
  return number ? `GATE-${number[1]}` : `the gate of ${phase}`;
};
