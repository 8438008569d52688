// How languages without a parser here are cut into tokens: comments, strings, and which blanks mean something.
// Invariant: in doubt a blank, a line break or a quote counts.

export interface TokenRules {
  line: string[];
  block: [string, string][];
  /** Block comments may hold block comments. */
  nested?: boolean;
  /** Quotes of strings in which a backslash escapes. */
  quotes: string[];
  /** Quotes of strings without escapes, longest first: open, close. */
  raw: [string, string][];
  /** A string ends with its line. */
  stringsEndAtLine: boolean;
  /** "free": no blank counts; "lines": line breaks count; "blanks": both count, but not how many blanks. */
  layout: "free" | "lines" | "blanks" | "indented";
  /** `'` may also begin a lifetime or label, so it is a quote only as 'x' or '\x'. */
  charQuote?: boolean;
  /** Lines that start with # end at their end. */
  preprocessor?: boolean;
}

const cLike: TokenRules = {
  line: ["//"],
  block: [["/*", "*/"]],
  quotes: ['"', "'"],
  raw: [],
  stringsEndAtLine: true,
  layout: "free",
};
const hashed: TokenRules = { ...cLike, line: ["#"], block: [], stringsEndAtLine: false, layout: "blanks" };

const rules: Record<string, TokenRules> = {
  "c h m mm cc cpp cxx hpp hh hxx ino cu": { ...cLike, charQuote: true, preprocessor: true },
  cs: { ...cLike, charQuote: true, preprocessor: true },
  "java groovy": { ...cLike, raw: [['"""', '"""']] },
  dart: {
    ...cLike,
    raw: [
      ['"""', '"""'],
      ["'''", "'''"],
    ],
    layout: "blanks",
  },
  rs: { ...cLike, nested: true, charQuote: true, stringsEndAtLine: false },
  go: { ...cLike, raw: [["`", "`"]], layout: "lines" },
  "kt kts scala swift": { ...cLike, nested: true, raw: [['"""', '"""']], layout: "blanks" },
  "css scss less": { ...cLike, line: [], layout: "blanks" },
  "proto thrift graphql gql": { ...cLike, line: ["//", "#"], layout: "blanks" },
  "rb rake gemspec ex exs cr": hashed,
  "r jl": hashed,
  "sh bash zsh": { ...hashed, quotes: ['"'], raw: [["'", "'"]] },
  "sql pgsql": {
    ...cLike,
    line: ["--"],
    quotes: [],
    raw: [
      ["'", "'"],
      ['"', '"'],
    ],
    layout: "blanks",
  },
  "hs elm": { ...cLike, line: ["--"], block: [["{-", "-}"]], nested: true, charQuote: true, layout: "indented" },
  "fs fsx": { ...cLike, block: [["(*", "*)"]], nested: true, charQuote: true, layout: "indented" },
  nim: { ...hashed, raw: [['"""', '"""']], layout: "indented" },
};

const byExtension = new Map<string, TokenRules>();
for (const [extensions, rule] of Object.entries(rules))
  for (const extension of extensions.split(" ")) byExtension.set(extension, rule);

/** What makes tokens hard to find: the text is compared line by line instead. */
const tooHard: Record<string, RegExp> = {
  cs: /[@$]+"|"""/,
  rs: /\bb?r#*"/,
  "cc cpp cxx hpp hh hxx h": /\bu?8?R"|[uUL]R"|\\\r?$/m,
  "rb rake gemspec cr": /<<[~-]?["'`]?\w|%[qQwWiIrsx]?[^\w\s]|=begin|\/|\?['"#]/,
  "ex exs": /~[a-zA-Z]|"""|'''|\?['"#]/,
  "swift kt kts scala": /#+"|\$\{|\\\(|\bs"|\bf"|\braw"/,
  "sh bash zsh": /<<|\$\(|`|\\['"#]|\$'/,
  groovy: /\/|\$\{|'''/,
  "scss less css": /url\(|\/\//,
  dart: /\$\{|\br["']/,
  "sql pgsql": /\$\w*\$|\\'|\bE'/i,
  "r jl": /"""|'''|\br"|`/,
};

/** Undefined: only line ends and blanks at the end of lines are ignored. */
export function tokenRulesFor(extension: string, texts: readonly string[]): TokenRules | undefined {
  const hard = Object.entries(tooHard).find(([extensions]) => extensions.split(" ").includes(extension))?.[1];
  return hard && texts.some((text) => hard.test(text)) ? undefined : byExtension.get(extension);
}
