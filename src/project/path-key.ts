// The comparison key of a path: two spellings that any file system could take for the same file have the same key.
// Invariant: used only to recognise, never to open; a key may equate more than this machine's disk does, never less.

/** Nearly every path: names of letters, digits, "_", "-" and "." that do not end in a dot. */
const ordinary = /^(?:\/[\w.-]*[\w-])+$/;
const plain = /^[\x20-\x7e]*$/;
/** What the ASCII shortcut cannot handle: backslashes, dots or blanks at segment edges, 8.3 names, streams. */
const odd = /\\|\/\/|\/ |[. ](?:\/|$)|~\d|:\w*:?\$/;
/**
 * Controls and invisible characters (zero-width, bidi, soft hyphen, tags, variation selectors). HFS+ ignores many of
 * them in names.
 */
let invisible: RegExp | undefined;
/** NTFS names of the unnamed stream and of a directory's index: "settings.json::$DATA". */
const stream = /:[^:/]*:?\$[a-z_]+$/;

/** What NTFS calls a long or dotted name for old programs (git's `git~1` check, for the names we guard). */
const shortNames: [RegExp, string][] = [
  [/^(git|claude|gemini|codex|cursor|github|opencod)~\d$/, "."],
  [/^settin~\d\.jso$/, "settings.json"],
];

/** Takes "/" and "\" as separators; the answer has "/", no "." or "..", and no trailing slash. */
export function comparisonKey(path: string): string {
  if (ordinary.test(path) || (plain.test(path) && !odd.test(path))) return path.toLowerCase();
  const absolute = /^[/\\]/.test(path);
  const out: string[] = [];
  for (const raw of path.split(/[/\\]+/)) {
    if (raw === "" || raw === ".") continue;
    if (raw === "..") {
      out.pop();
      continue;
    }
    // Folding can bring forth a separator (fullwidth "／"); dots it brings forth are noise, not a step up.
    for (const part of fold(raw).split(/[/\\]+/)) {
      const name = segment(part);
      if (name) out.push(name);
    }
  }
  return (absolute ? "/" : "") + out.join("/");
}

function segment(name: string): string {
  const bare = name
    .replace(stream, "")
    .replace(/^\s+/, "")
    .replace(/[.\s]+$/, "");
  for (const [short, long] of shortNames) {
    const hit = short.exec(bare);
    if (hit) return long === "." ? `.${hit[1] === "opencod" ? "opencode" : hit[1]}` : long;
  }
  return bare;
}

/** Compatibility form, then case folded through upper case: "ſ", "ß" and the Kelvin sign fold as file systems do. */
function fold(name: string): string {
  invisible ??= /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu; // costly to make: only for the names that need it
  return name.normalize("NFKC").replace(invisible, "").toUpperCase().toLowerCase().normalize("NFKC");
}
