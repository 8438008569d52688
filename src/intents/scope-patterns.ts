// Which files a list of patterns means: scopes of intents and the lines of .intentignore.
// Invariant: paths are repository-relative with forward slashes, links resolved by the caller; the last pattern that
// matches decides; an empty list matches nothing.
import { compileGlob, GlobError, matchCompiled } from "../project/globs.js";

/**
 * A scope pattern as globs. A folder means all below it, also without a slash. A pattern with a wildcard and without a
 * slash means that name in any folder, as in .gitignore; a plain name means the top folder, so that `src` is not also
 * `packages/x/src`. Throws GlobError.
 */
export function compileScope(pattern: string): string {
  const negated = pattern.startsWith("!");
  const body = (negated ? pattern.slice(1) : pattern).trim().replace(/^\.\//, "");
  if (body === "" || body === "/") throw new GlobError("an empty pattern; `scope: any` means every file");
  if (/(?:^|\/)\.\.(?:\/|$)/.test(body)) throw new GlobError("`..` leads out of the repository");
  if (/^[A-Za-z]:[\\/]/.test(body)) throw new GlobError("an absolute path; write it from the repository's root");
  const anywhere = !body.slice(0, -1).includes("/") && /[*?[{]/.test(body) && !/^\*\*?\/?$/.test(body);
  return compiled(anywhere ? `**/${body}` : body, negated);
}

/** A line of .intentignore: a name without a slash is meant in every folder. */
export function compileIgnored(pattern: string): string {
  const negated = pattern.startsWith("!");
  const body = (negated ? pattern.slice(1) : pattern).trim();
  return compiled(body.slice(0, -1).includes("/") ? body : `**/${body}`, negated);
}

/** The pattern itself and everything below it. */
function compiled(body: string, negated: boolean): string {
  const sign = negated ? "!" : "";
  const one = compileGlob(sign + body);
  if (/\*\*\/?$/.test(body) || body.endsWith("/")) return one;
  return `${one}\n${compileGlob(`${sign}${body}/`)}`;
}

export const inScope = (intent: { globs: readonly string[]; anyScope?: true }, below: string): boolean =>
  intent.anyScope === true || matchCompiled(intent.globs, below);

export interface IgnoreRules {
  /** Compiled patterns of files nobody may change. */
  paths: string[];
  /** The lines they were made of. */
  lines: string[];
  /** Intents nobody may work on. */
  intents: string[];
  /** A line that is no pattern: everything counts as ignored until it is repaired. */
  problem?: { line: number; what: string };
}

/** Comments begin with `#`; `intent:ID` excludes an intent; other lines are patterns. */
export function readIgnoreFile(text: string): IgnoreRules {
  const rules: IgnoreRules = { paths: [], lines: [], intents: [] };
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (!line || line.startsWith("#")) continue;
    const intent = /^intent:\s*(\S+)$/i.exec(line)?.[1];
    if (intent !== undefined) {
      rules.intents.push(intent);
      continue;
    }
    try {
      rules.paths.push(compileIgnored(line));
      rules.lines.push(line);
    } catch (error) {
      if (!(error instanceof GlobError)) throw error;
      rules.problem ??= { line: index + 1, what: error.message };
    }
  }
  return rules;
}

export const isIgnoredPath = (rules: IgnoreRules, below: string): boolean => matchCompiled(rules.paths, below);
