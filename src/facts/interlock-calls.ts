// Calls of our own command in a shell command: by name, through a package runner or as a script.
// Invariant: pure; a word that is not known before the command runs is "?".
import type { Ran } from "../shell/analyze/analysis.js";

const isOurs = (word: string | undefined): boolean =>
  /(?:^|\/)(?:agent-)?interlock(?:\.c?js)?(?:@[\w.^~-]+)?$/.test(word ?? "");
const runners = /^(?:npx|pnpx|bunx|node|nodejs|bun|deno|npm|pnpm|yarn|tsx)$/;

/** The words after our command's name; undefined where it is not called. */
export function ownWords({ program, argv }: Ran): string[] | undefined {
  const at = isOurs(program) ? -1 : runners.test(program) ? argv.findIndex(isOurs) : undefined;
  if (at === undefined || (at < 0 && !isOurs(program))) return undefined;
  const words = argv.slice(at + 1).map((word) => word ?? "?");
  return at < 0 ? words : words.filter((word) => word !== "--");
}

const valued = /^--(?:name|to|reason|articles|violation|project|cwd|home)$/;

/** The sub-command of `interlock lifecycle` and whether it records a check; options may stand before it. */
export function lifecycleVerb(words: readonly string[]): { verb: string; checks: boolean } | undefined {
  const verb = words.find((word, i) => !word.startsWith("-") && !valued.test(words[i - 1] ?? ""));
  return verb === undefined ? undefined : { verb, checks: words.some((w) => /^--(?:articles|violation)\b/.test(w)) };
}
