// A connection string that is taken from a file into a variable and only handed to a database client:
// `URL=$(grep '^DATABASE_URL=' .env | cut -d= -f2-); psql "$URL" -c '...'`.
// Invariant: only a proof by the whole text counts; any other use of the name, or anything that could show it, is none.

const plain = "[^|;&<>`$()\\n]*";
/** The value comes from lines of one key that names an address, through filters that write nothing else. */
const capture = new RegExp(
  String.raw`^\w+=("?)\$\((?:e?grep)(?: -[a-zA-Z]+)* (["']?)\^[A-Z0-9_]*(?:URL|URI|DSN)=?\2 ${plain}` +
    String.raw`(?:\| *(?:cut|head|tail|tr|sort|e?grep)(?: ${plain})?)*\)\1$`,
);

/** What could show a variable, or a command's words, without naming it; and what could make psql another program. */
const shows = new RegExp(
  String.raw`[^>&]&(?![&>])|\$_|\$\{!|\$[@*]|BASH_|/proc\b|\\!|\(\)|\bPATH=|(?:^|[\n;&|({])[ \t]*\.\s|` +
    String.raw`\b(?:set|declare|typeset|export|local|readonly|eval|env|printenv|source|trap|ps|history|` +
    String.raw`fc|compgen|alias|function|pgrep|top|script|strace|bash|sh|zsh)\b`,
);

export function onlyConnects(text: string, name: string, assignment: string): boolean {
  if (text.length > 20_000 || !/^[A-Za-z_]\w*$/.test(name) || !capture.test(assignment)) return false;
  const value = String.raw`"\$(?:${name}|\{${name}\})"`;
  const client = new RegExp(
    String.raw`(^|[\n;&|][ \t]*|\b(?:then|do|else) )(?:psql|mongosh) ${value}(?=[\s;|&]|$)`,
    "g",
  );
  const asked = new RegExp(String.raw`\[ -[nz] ${value} \]`, "g");
  const at = text.indexOf(assignment);
  if (at < 0) return false;
  const rest = text.slice(0, at) + text.slice(at + assignment.length);
  const left = rest.replace(client, "$1").replace(asked, "");
  return left !== rest && !new RegExp(String.raw`\b${name}\b`).test(left) && !shows.test(left);
}
