// The files a patch names: unified diffs, and the markers of apply_patch.
// Invariant: pure text; both names of a rename or move count, `/dev/null` does not.
import type { ProgramCall } from "../../facts/test-runners.js";

const markers = [
  /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm,
  /^\*\*\* Move to: (.+)$/gm,
  /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm,
  /^(?:rename|copy) (?:from|to) (.+)$/gm,
  /^diff --git a\/(\S+) b\/\S+$/gm,
];
const mostText = 2_000_000;

export function patchTargets(text: string): string[] {
  if (!/^(?:\*\*\* |--- |\+\+\+ |rename |copy |diff --git )/m.test(text)) return [];
  const names = markers.flatMap((marker) =>
    [...text.slice(0, mostText).matchAll(marker)].map((match) => match[1]!.trim().replace(/^"(.*)"$/, "$1")),
  );
  return [...new Set(names)].filter((name) => name !== "" && name !== "/dev/null");
}

/** Programs that change the files their patch names. */
export const isPatchProgram = ({ program, argv }: ProgramCall): boolean =>
  program === "patch" ||
  program === "apply_patch" ||
  (program === "git" && ["apply", "am"].includes(argv.find((word) => !word?.startsWith("-")) ?? ""));
