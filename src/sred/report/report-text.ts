// Commit text made safe for each format: HTML, Markdown, CSV.
// Invariant: whatever a commit says, it stays text: no markup, no formula, no hidden character, no other row or cell.

const hidden = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]", // control characters; tab and line feed stay
    "[\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]", // zero-width, bidi
    "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]", // halves of pairs
    "\\udb40[\\udc00-\\udc7f]", // tag characters
  ].join("|"),
  "g",
);

/** Characters that are not seen, or change how others are shown, are spelled out. */
export const visible = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(hidden, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);

/** Longer texts are cut where people read; the JSON form keeps them whole. */
const longest = 4000;

export function shortened(text: string, max = longest): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")} … [cut here; ${text.length} characters in the commit]`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string =>
  visible(shortened(text)).replace(/[&<>"']/g, (c) => entities[c] ?? "");

/** One line; everything Markdown, or the HTML in it, could take as markup is escaped. */
export const escapeMarkdown = (text: string): string =>
  visible(shortened(text))
    .replace(/\s+/g, " ")
    .trim()
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/@/g, "&#64;")
    .replace(/[\\`*_{}[\]#|~!$>]/g, "\\$&")
    .replace(/^([-+=]|\d+[.)])/, (mark) => mark.replace(/.$/, "\\$&"))
    .replace(/\b(https?|ftp|mailto):/gi, "$1&#58;")
    .replace(/\bwww\./gi, "www&#46;");

/** RFC 4180; a cell a spreadsheet would compute gets an apostrophe in front. */
export function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = visible(value);
  const inertText = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inertText) || inertText !== inertText.trim()
    ? `"${inertText.replaceAll('"', '""')}"`
    : inertText;
}

export const csvRow = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(",")}\r\n`;
