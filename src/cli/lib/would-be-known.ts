// What would make an unknown effect known: the hint `interlock explain` gives with it.
// Invariant: a hint, never a rule; every unknown effect has one, and what it names can be done.
import type { Effect } from "../../model/effect.js";
import { shown } from "./paint.js";

/** The first whose pattern fits the reason. `{}` is the program or the word the effect names. */
const hints: readonly [RegExp, string][] = [
  [
    /neither on PATH nor in the project/,
    "if {} were in a table (docs/teach-a-command.md), taught (interlock learn) or a script of the project; " +
      "nobody can run it here",
  ],
  [
    /too much to follow|too long to be judged|more than \d+ effects/,
    "if it were run in parts, each as a call of its own",
  ],
  [
    /archive packed by|archive is (?:damaged|too large)|archive (?:has|ends)|parts of the archive|archive's own count/,
    "if the archive were a whole tar, tar.gz or zip file of at most 4 MB",
  ],
  [/program (?:is too long|makes more calls)/, "if the program were in several files, each run on its own"],
  [/program loads \.{0,2}\//, "if what it loads were readable files of the project (64 KB together at most)"],
  [/too deeply/, "if the inner command were run on its own"],
  [/too many options no table lists/, "if the options of {} were in its table (docs/teach-a-command.md)"],
  [/^MCP .*not declared/, "if {} were declared in interlock.yaml (mcp:)"],
  [/downloaded|decoded/, "if it were saved to a file of the project, read, and run from there"],
  [/its text can't be read/, "if {} were plain text, or a readable file of the project (64 KB at most)"],
  [/is not static|unresolved word/, "if {} were plain text instead of a variable or a substitution"],
  [/the (?:script|recipe|task) .* is not known/, "if the project's file had it, under this name"],
  [/program (?:loads|calls)|calls a method|could not be read/, "if the program used only the language's own library"],
  [/^not understood/, "if the text had no syntax error and every step were written out"],
];

export function wouldBeKnown({ program, word, reason }: Effect): string {
  const named = shown(program ?? word ?? "it", 80);
  const hint = hints.find(([pattern]) => pattern.test(reason))?.[1];
  if (hint) return hint.replace("{}", named);
  if (program !== undefined)
    return `if ${named} were in a table (docs/teach-a-command.md), taught (interlock learn), or in shell.wrappers`;
  return word === undefined
    ? "if each step were written out as a command of its own"
    : `if ${named} were plain text, or a readable file of the project`;
}

/** One hint for each thing that is unknown, in the order of the effects. */
export function hintsFor(effects: readonly Effect[]): { reason: string; known: string }[] {
  const unknown = effects.filter(({ kind }) => kind === "unknown");
  const hinted = unknown.map((effect) => ({ reason: effect.reason, known: wouldBeKnown(effect) }));
  return hinted.filter(({ known }, at) => hinted.findIndex((other) => other.known === known) === at).slice(0, 8);
}
