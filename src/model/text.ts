// Foreign text made safe to show. Invariant: what goes into a sentence is one line, inert and short.

/** Characters that are not seen or change how others are shown, as parts of one expression. */
const invisible = [
  /[\u0000-\u001f\u007f-\u009f]/, // control characters
  /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/, // zero-width, bidi, separators
  /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/, // halves of surrogate pairs
];
const unseen = new RegExp(invisible.map(({ source }) => source).join("|"), "g");

/** Makes foreign text safe to show: control, bidi and zero-width characters spelled out, tags defused, length cut. */
export function inert(text: string, max = 120): string {
  const cut = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const shown = cut
    .replace(unseen, (c) => (c === "\n" || c === "\t" ? " " : `\\u{${c.charCodeAt(0).toString(16)}}`))
    .replace(/<(?=\/?[a-z])/gi, "‹");
  return shown.length > max || cut !== text ? `${shown.slice(0, max - 1)}…` : shown;
}

/** Without line breaks and runs of blanks. */
export const oneLine = (text: string, max: number): string => inert(text.replace(/\s+/g, " ").trim(), max);

/** A number and its noun: 1 call, 2 calls. */
export const counted = (n: number, word: string): string => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
