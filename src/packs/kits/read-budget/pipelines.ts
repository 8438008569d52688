// How much a shell command can print, from its text: pipelines, their stages, and what bounds them.
// Invariant: linear in the text; a form that is not recognised is unbounded.

export interface Pipeline {
  /** As written. */
  text: string;
  stages: readonly (readonly string[])[];
  /** Its output goes to a file, not to the agent. */
  redirected: boolean;
}

/** What a pipeline can print at most: lines, bytes, or no bound. */
export type OutputBound = { lines: number } | { bytes: number } | "unbounded";

const longest = 20_000;

/** Quotes are blanked in place, so that positions stay. */
const blanked = (text: string): string =>
  text.replace(/\\[^]|'[^']*'|"(?:[^"\\]|\\[^])*"/g, (quoted) => "Q".repeat(quoted.length));

export function pipelinesOf(command: string): Pipeline[] {
  const text = command.slice(0, longest);
  const bare = blanked(text);
  const out: Pipeline[] = [];
  let from = 0;
  for (const cut of [...bare.matchAll(/&&|\|\||;|\n|(?<![<>&])&(?![&>])/g), undefined]) {
    const to = cut?.index ?? bare.length;
    const [part, whole] = [bare.slice(from, to), text.slice(from, to)];
    if (part.trim()) out.push(pipelineOf(part, whole));
    from = to + (cut?.[0].length ?? 0);
  }
  return out;
}

function pipelineOf(bare: string, text: string): Pipeline {
  const stages: string[][] = [];
  let from = 0;
  for (const cut of [...bare.matchAll(/\|&?/g), undefined]) {
    const to = cut?.index ?? bare.length;
    stages.push(wordsOf(bare.slice(from, to), text.slice(from, to)));
    from = to + (cut?.[0].length ?? 0);
  }
  const last = bare.slice(bare.lastIndexOf("|") + 1);
  return { text, stages, redirected: /(?:^|[^<>&\d])(?:1?>>?|&>>?)\s*[^&\s|>]/.test(` ${last}`) };
}

function wordsOf(bare: string, text: string): string[] {
  const tidy = bare.replace(/[{}()]/g, " ");
  return [...tidy.matchAll(/\S+/g)]
    .map((found) => text.slice(found.index, found.index + found[0].length).replace(/^(['"])([^]*)\1$/, "$2"))
    .filter((word, i, all) => !(i === 0 && /^\w+=/.test(word) && all.length > 1));
}

export function outputBound({ stages, redirected }: Pipeline): OutputBound {
  if (redirected) return { lines: 0 };
  let bound: OutputBound = "unbounded";
  for (const [program = "", ...words] of stages) {
    const own = stageBound(program.replace(/^.*\//, ""), words);
    if (own === "fresh") bound = "unbounded";
    else if (own !== "unbounded") bound = tighter(bound, own);
  }
  return bound;
}

const tighter = (a: OutputBound, b: Exclude<OutputBound, "unbounded">): OutputBound => {
  if (a === "unbounded") return b;
  if ("lines" in a && "lines" in b) return { lines: Math.min(a.lines, b.lines) };
  if ("bytes" in a && "bytes" in b) return { bytes: Math.min(a.bytes, b.bytes) };
  return b;
};

/** Programs that print nothing of what they read. */
const silent = new Set(
  (
    "wc sha1sum sha256sum sha512sum md5sum cksum b2sum stat file cp mv rm ln tar gzip zip rsync ls du test [ touch " +
    "cmp interlock agent-interlock true false cd mkdir chmod split"
  ).split(" "),
);
/** What these read comes from elsewhere: arguments on stdin, another program's output. */
const restarts = new Set(["xargs", "parallel"]);

function stageBound(program: string, words: readonly string[]): OutputBound | "fresh" {
  if (restarts.has(program)) return "fresh";
  if (silent.has(program)) return { lines: 20 };
  if (program === "head" || program === "tail") return headBound(words, program);
  if (/^(?:[efz]?grep|rg|ag)$/.test(program)) return grepBound(words);
  if (program === "sed") return sedBound(words);
  return "unbounded";
}

function headBound(words: readonly string[], program: string): OutputBound {
  for (const [i, word] of words.entries()) {
    const joined = /^(?:-n|-c|--lines=|--bytes=)([+-]?\d+)$/.exec(word) ?? /^-(\d+)$/.exec(word);
    const apart = /^(?:-n|-c|--lines|--bytes)$/.test(word) ? words[i + 1] : undefined;
    const count = joined?.[1] ?? apart;
    if (count === undefined) {
      if (program === "tail" && /^(?:-f|-F|--follow.*|\+\d+)$/.test(word)) return "unbounded";
      continue;
    }
    // `head -n -5` and `tail -n +5` show all but some.
    if (!/^\d+$/.test(count) && !(program === "tail" && /^-\d+$/.test(count))) return "unbounded";
    const n = Math.abs(Number(count));
    return /^(?:-c|--bytes)/.test(word) ? { bytes: n } : { lines: n };
  }
  return { lines: 10 };
}

function grepBound(words: readonly string[]): OutputBound {
  for (const [i, word] of words.entries()) {
    if (
      /^(?:--count|--quiet|--silent|--files-with-matches|--files-without-match|-[A-Za-z]*[clLq][A-Za-z]*)$/.test(word)
    )
      return { lines: 20 };
    const max =
      /^(?:-m|--max-count=)(\d+)$/.exec(word)?.[1] ?? (/^(?:-m|--max-count)$/.test(word) ? words[i + 1] : undefined);
    if (max !== undefined && /^\d+$/.test(max)) return { lines: Number(max) };
  }
  return "unbounded";
}

function sedBound(words: readonly string[]): OutputBound {
  if (!words.some((w) => /^-[a-zA-Z]*n/.test(w))) return "unbounded";
  const range = words.map((w) => /^(\d+)(?:,(\d+))?p$/.exec(w)).find((m) => m !== null);
  return range ? { lines: Number(range[2] ?? range[1]) - Number(range[1]) + 1 } : "unbounded";
}
