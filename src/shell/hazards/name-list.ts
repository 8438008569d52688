// Compiles lists of file names into one expression each.
// Invariant: the expression holds for the whole text and runs in linear time on names without nested patterns.

/**
 * Names separated by white space: "a/b", "a/*" for any text after "a/", "a/**" for the folder and all in it,
 * "{a,b}" for either. Names that need more are given as expressions.
 */
export function nameList(names: string, more: readonly RegExp[] = [], flags = ""): RegExp {
  const all = [...names.trim().split(/\s+/).map(nameSource), ...more.map((pattern) => pattern.source)];
  return new RegExp(`^(?:${all.join("|")})$`, flags);
}

const nameSource = (name: string): string =>
  name
    .replace(/[.+$^()|[\]\\]/g, "\\$&")
    .replace(/\/\*\*$|\*/g, (star) => (star === "*" ? ".*" : "(?:/.*)?"))
    .replace(/\{([^}]*)\}/g, (_, either: string) => `(?:${either.replaceAll(",", "|")})`);
