// Branches people build on, by the names they usually have.

/** Where finished work goes. */
export const mainBranches = ["main", "master"] as const;

/** Pushing over or deleting one of these hurts others; `release/*` and `release-*` count too. */
export const protectedBranches = [
  ...mainBranches,
  "trunk",
  "develop",
  "production",
  "prod",
  "staging",
  "stable",
] as const;

export const protectedBranch = new RegExp(`^(refs/heads/)?(${protectedBranches.join("|")}|release([/-].*)?)$`);
