// The lifecycle framework's own hooks, which the lifecycle pack replaces.
// Invariant: only hooks whose checks the pack makes are listed; what a newer framework adds runs on as it is.

const replaced = new Set([
  "iteration-corridor",
  "skill-validator",
  "gate-blocker",
  "constitution-validator",
  "log-skill-usage",
  "menu-tracker",
  "skill-delegation-enforcer",
  "test-watcher",
  "review-reminder",
  "model-provider-router",
  "delegation-gate",
  "phase-loop-controller",
  "plan-surfacer",
  "phase-sequence-guard",
  "branch-guard",
  "state-write-validator",
  "walkthrough-tracker",
  "discover-menu-guard",
]);

/** The hook's command runs one of them from a hooks folder. */
export function isReplacedHook(command: unknown): boolean {
  const name = typeof command === "string" ? /[\\/]hooks[\\/]+([a-z-]+)\.cjs\b/.exec(command)?.[1] : undefined;
  return name !== undefined && replaced.has(name);
}
