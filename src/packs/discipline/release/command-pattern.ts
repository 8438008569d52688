// Matches command patterns of release rules, such as "wrangler r2 object put {to} --file {file}", against commands.
// Invariant: pure. A word that is not static binds nothing; a publish command is recognised even without its file.
import { basename } from "node:path";
import type { ProgramCall } from "../../../facts/test-runners.js";
import { asksForHelp } from "../command-success.js";
import { matchesName } from "../name-patterns.js";

export interface BoundNames {
  file?: string;
  to?: string;
  dir?: string;
}

/** `artifact`: the names `{file}` may have. `loose`: match even if the command names no such file. */
export function matchCommand(
  pattern: string,
  { program, argv }: ProgramCall,
  { artifact, loose = false }: { artifact?: string; loose?: boolean } = {},
): BoundNames | undefined {
  const [name, ...words] = pattern.split(/\s+/);
  if (program !== name || asksForHelp(argv, pattern)) return undefined;
  const bound: BoundNames = {};
  const args = argv.map((a) => a ?? unknown);
  const wanted: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const option = words[i]!;
    if (!option.startsWith("-")) wanted.push(option);
    else if (words[i + 1]?.startsWith("{")) {
      const at = args.findIndex((a) => a === option || a.startsWith(`${option}=`));
      const value = at < 0 ? undefined : take(args, at, option);
      // Without fixed words the option alone makes it this command: curl -T sends, curl -O fetches.
      if (value === undefined && (!loose || !words.some((w) => /^[a-z]/.test(w)))) return undefined;
      bind(bound, words[++i]!, value);
    } else if (!args.includes(option)) return undefined;
  }
  const rest = afterWords(
    args,
    wanted.filter((w) => !w.startsWith("{")),
  );
  if (!rest) return undefined;
  for (const word of wanted.filter((w) => w.startsWith("{"))) {
    const fits = (a: string) =>
      word !== "{file}" || artifact === undefined || a === unknown || matchesName(artifact, basename(fileIn(a)));
    const found = rest.find(fits);
    if (found === undefined && word === "{file}" && !loose) return undefined;
    if (found !== undefined) rest.splice(rest.indexOf(found), 1);
    bind(bound, word, found);
  }
  return bound;
}

const unknown = "\0";

function take(args: string[], at: number, option: string): string | undefined {
  if (args[at] === option) return args.splice(at, 2)[1];
  return args.splice(at, 1)[0]!.slice(option.length + 1);
}

/** The operands after the fixed words. A word after an option may be the option's value, so it comes last. */
function afterWords(args: readonly string[], fixed: readonly string[]): string[] | undefined {
  const sure: string[] = [];
  const perhaps: string[] = [];
  let at = 0;
  args.forEach((word, i) => {
    if (word.startsWith("-")) return;
    const before = args[i - 1] ?? "";
    const value = before.startsWith("-") && !before.includes("=") && !letters.test(before);
    if (at < fixed.length) {
      // A script is recognised by its file name, in any folder.
      const same = word === fixed[at] || (fixed[at]!.includes(".") && basename(word) === fixed[at]);
      if (same) at++;
      else if (!value) at = Number.POSITIVE_INFINITY;
    } else (value ? perhaps : sure).push(word);
  });
  return at === fixed.length ? [...sure, ...perhaps] : undefined;
}

/** Several letters at once are switches, as is "with all below it": `-av`, `-r`. */
const letters = /^(?:-[a-zA-Z]{2,}|-r|--recursive)$/;

function bind(bound: BoundNames, word: string, value: string | undefined): void {
  const key = word.slice(1, -1) as keyof BoundNames;
  if (value !== undefined && !value.includes(unknown)) bound[key] = key === "file" ? fileIn(value) : value;
}

/** The file in `@file`, `name=@file;type=x` (curl) and `file#label` (gh). */
const fileIn = (word: string): string => word.replace(/^(?:[\w-]*=)?@(.*?)(?:;.*)?$/, "$1").replace(/(.)#[^/]*$/, "$1");
