// Declarations in languages without a parser here, found line by line. Invariant: conservative: a declaration begins
// a line in its usual form, and ends by indentation; what is written in another way is not found.
import type { DeclaredSymbol } from "./symbols.js";

interface Finder {
  /** The first group that matched is the name. */
  pattern: RegExp;
  /** Names inside it begin with its own. */
  holds?: boolean;
}

const modifiers =
  "(?:(?:public|private|protected|internal|fileprivate|open|static|final|abstract|sealed|partial|async|override|" +
  "virtual|synchronized|native|default|readonly|unsafe|extern|inline|constexpr|data|suspend|operator|infix|mutating|" +
  "convenience|required|indirect|companion|inner|value|expect|actual|case|@\\w+)\\s+)*";
const types = (words: string): Finder => ({
  pattern: new RegExp(`^\\s*${modifiers}(?:${words})\\s+([A-Za-z_][\\w.:]*)`),
  holds: true,
});
const notCalls = "(?!(?:if|for|foreach|while|switch|catch|return|new|else|do|using|lock|throw|await|typeof|sizeof)\\b)";
/** `Type name(` without a semicolon at the end. */
const typedMethod: Finder = {
  pattern: new RegExp(
    `^\\s*${modifiers}(?:<[^>]+>\\s*)?${notCalls}(?:[\\w.:~][\\w<>\\[\\],.?:]*[\\s&*]+)+${notCalls}([A-Za-z_~][\\w:~]*)\\s*\\([^;]*$`,
  ),
};
const constructor_: Finder = {
  pattern: /^\s+(?:(?:public|private|protected|internal)\s+)+([A-Z]\w*)\s*\([^;]*$/,
};

const cFamily: Finder[] = [
  types("class|struct|union|enum(?: class)?|namespace"),
  { pattern: /^#\s*define\s+(\w+)/ },
  { pattern: /^typedef\b.*?\b(\w+)\s*;/ },
  typedMethod,
];

const finders: Record<string, Finder[]> = {
  go: [
    { pattern: /^func\s+(\([^)]*\)\s*\w+)/ },
    { pattern: /^func\s+(\w+)/ },
    { pattern: /^type\s+(\w+)/ },
    { pattern: /^(?:var|const)\s+(\w+)/ },
  ],
  rs: [
    { pattern: /^\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s+(?:[\w:<>, ']+\s+for\s+)?&?(?:mut\s+)?(\w+)/, holds: true },
    {
      pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|union|mod)\s+(\w+)/,
      holds: true,
    },
    { pattern: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe|default|extern(?:\s+"[^"]*")?)\s+)*fn\s+(\w+)/ },
    { pattern: /^(?:pub(?:\([^)]*\))?\s+)?(?:const|static(?:\s+mut)?|type)\s+(\w+)/ },
    { pattern: /^macro_rules!\s+(\w+)/ },
  ],
  java: [types("class|interface|enum|record|@interface"), typedMethod, constructor_],
  cs: [types("class|interface|enum|record(?: struct| class)?|struct|namespace"), typedMethod, constructor_],
  "c h cc cpp cxx hpp hh hxx m mm": cFamily,
  "rb rake": [
    { pattern: /^\s*(?:class|module)\s+([A-Z][\w:]*)/, holds: true },
    { pattern: /^\s*def\s+(?:self\.)?([\w]+[?!=]?)/ },
  ],
  php: [
    types("class|interface|trait|enum"),
    { pattern: new RegExp(`^\\s*${modifiers}function\\s+&?(\\w+)`) },
    { pattern: /^\s*(?:public\s+)?const\s+(\w+)/ },
  ],
  swift: [
    types("class|struct|enum|protocol|extension|actor"),
    { pattern: new RegExp(`^\\s*${modifiers}(?:class\\s+)?func\\s+(\\w+)`) },
    { pattern: new RegExp(`^\\s*${modifiers}(init)\\b[?!]?\\s*[(<]`) },
  ],
  "kt kts": [
    types("class|interface|object|enum class|annotation class"),
    { pattern: new RegExp(`^\\s*${modifiers}fun\\s+(?:<[^>]+>\\s*)?((?:\\w+\\.)?\\w+)`) },
    { pattern: /^(?:(?:private|internal|const)\s+)*va[lr]\s+(\w+)/ },
  ],
  "sh bash zsh": [{ pattern: /^\s*(?:function\s+([\w:.-]+)|([\w:.-]+)\s*\(\s*\))/ }],
};

const byExtension = new Map<string, Finder[]>();
for (const [extensions, list] of Object.entries(finders))
  for (const extension of extensions.split(" ")) byExtension.set(extension, list);

const longestLine = 1_000;

export function declarationsByLine(extension: string, text: string): DeclaredSymbol[] {
  const known = byExtension.get(extension);
  if (!known) return [];
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const found: DeclaredSymbol[] = [];
  const open: { name: string; end: number }[] = [];
  for (const [i, line] of lines.entries()) {
    if (!line.trim() || line.length > longestLine) continue;
    while (open.length && open.at(-1)!.end < i + 1) open.pop();
    for (const { pattern, holds } of known) {
      const match = pattern.exec(line);
      const written = match?.slice(1).find((group) => group);
      if (!written) continue;
      const own = nameOf(written);
      const name = [...(open.length ? [open.at(-1)!.name] : []), own].join(".");
      const end = endOf(lines, i);
      found.push({ name, start: i + 1, end });
      if (holds) open.push({ name, end });
      break;
    }
  }
  return found;
}

/** Go's `(s *Server) Start` is Server.Start, C++'s `A::b` is A.b. */
function nameOf(written: string): string {
  const method = /^\(\s*(?:\w+\s+)?\*?(\w+)[^)]*\)\s*(\w+)$/.exec(written);
  return (method ? `${method[1]}.${method[2]}` : written).replaceAll("::", ".");
}

/** The last line before one that stands as far left; a closing bracket or `end` there still belongs to it. */
function endOf(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start]!);
  let last = start;
  for (let i = start + 1; i < lines.length; i++) {
    const line = lines[i]!;
    if (!line.trim()) continue;
    if (indentOf(line) <= indent) {
      if (/^\s*\{/.test(line) && last === start) {
        last = i;
        continue;
      }
      return /^\s*(?:[})\]]|end\b)/.test(line) ? i + 1 : last + 1;
    }
    last = i;
  }
  return last + 1;
}

const indentOf = (line: string): number => /^\s*/.exec(line)![0].replaceAll("\t", "    ").length;
