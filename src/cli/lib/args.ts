// Command-line options of one command.
// Invariant: an unknown option or an unexpected word is an error that names the nearest known option.
import { parseArgs } from "node:util";
import { nearest } from "../../model/nearest.js";
import { wrapUsage } from "./wrap.js";

export class UsageError extends Error {}

/** `texts` may be given more than once. */
type Kind = "flag" | "text" | "texts";
type Values<S extends Record<string, Kind>> = {
  [K in keyof S]?: S[K] extends "flag" ? boolean : S[K] extends "texts" ? string[] : string;
};

export function parseOptions<S extends Record<string, Kind>>(
  args: string[],
  spec: S,
  usage: string,
  /** Whether it takes words that are not options. */
  takes: "words" | "options" = "options",
): { values: Values<S>; words: string[] } {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(wrapUsage(usage));
    process.exit(0);
  }
  let parsed: { values: object; positionals: string[] };
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(spec).map(([k, kind]) => [
          k,
          { type: kind === "flag" ? ("boolean" as const) : ("string" as const), multiple: kind === "texts" },
        ]),
      ),
    });
  } catch (error) {
    const given = /'(--?[^' =]+)/.exec((error as Error).message)?.[1];
    const near = given && nearest(given.replace(/^-+/, ""), Object.keys(spec));
    const unknown = (error as { code?: string }).code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    throw new UsageError(
      unknown
        ? `unknown option ${given}${near ? `; did you mean --${near}?` : ""}\n${usage}`
        : `${(error as Error).message}\n${usage}`,
    );
  }
  const { values, positionals } = parsed;
  const [word] = positionals;
  if (word === undefined || takes === "words") return { values: values as Values<S>, words: positionals };
  const near = nearest(word, Object.keys(spec));
  throw new UsageError(`it takes no word "${word}"${near ? `; did you mean --${near}?` : ""}\n${usage}`);
}

/** An unexpected word is an error. */
export function atMost(words: readonly string[], most: number, usage: string): void {
  if (words.length > most) throw new UsageError(`it takes no word "${words[most]}"\n${usage}`);
}

/** The error for an unknown word; names the nearest known one. */
export function unknownWord(what: string, given: string, known: readonly string[], usage: string): UsageError {
  const near = nearest(given, [...known]);
  const choice = known.length > 0 && known.length <= 5 ? `; there is ${known.join(", ")}` : "";
  return new UsageError(`${what} "${given}"${near ? `; did you mean ${near}?` : choice}\n${usage}`);
}
