// Colour for people.
// Invariant: none without a terminal or with NO_COLOR; foreign text is made inert before it is shown.
import { inert } from "../../model/text.js";

const on = Boolean(process.stdout.isTTY) && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
const wrap = (code: number) => (text: string) => (on ? `\u001b[${code}m${text}\u001b[0m` : text);

export const red = wrap(31);
export const green = wrap(32);
export const yellow = wrap(33);
export const dim = wrap(2);
export const bold = wrap(1);

/** One line of foreign text. */
export const shown = (text: string, max = 200): string => inert(text, max);

/** A time of day in the person's own time zone: 14:05:09. */
export const clock = (at: number | Date): string => new Date(at).toTimeString().slice(0, 8);

export const ago = (ms: number): string => {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < 90) return `${s} s ago`;
  if (s < 5400) return `${Math.round(s / 60)} min ago`;
  if (s < 48 * 3600) return `${Math.round(s / 3600)} h ago`;
  return `${Math.round(s / 86400)} days ago`;
};
