// The words an agent or a person reads. Invariant: data inside a sentence is one line, inert and short; a refusal has at most five lines.
import type { Ask, Deny } from "./verdict.js";

const unseen =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Makes foreign text safe to show: control, bidi and zero-width characters spelled out, tags defused, length cut. */
export function inert(text: string, max = 120): string {
  const cut = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const shown = cut
    .replace(unseen, (c) => (c === "\n" || c === "\t" ? " " : `\\u{${c.charCodeAt(0).toString(16)}}`))
    .replace(/<(?=\/?[a-z])/gi, "‹");
  return shown.length > max || cut !== text ? `${shown.slice(0, max - 1)}…` : shown;
}

const line = (text: string, max: number) => inert(text.replace(/\s+/g, " ").trim(), max);

/** S1 of the interface: rule id, what, why, the one next step, and how a person may lift it. */
export function refusal(gate: string, id: string, opinion: Deny | Ask, times = 1): string {
  if (times > 1 && opinion.kind === "deny") return repeated(gate, id, opinion, times);
  const lines = [`BLOCKED ${gate} [${id}]`, `what: ${line(opinion.what, 160)}`, `why: ${line(opinion.why, 220)}`];
  if (opinion.next) lines.push(`next: ${line(opinion.next, 260)}`);
  if (opinion.kind === "deny" && opinion.overridable !== false) {
    lines.push(
      `Do not look for another route. If the user wants it anyway they can run: interlock allow ${id} --reason "..."`,
    );
  }
  return lines.join("\n");
}

/** The same refusal again: shorter and firmer, and from the third time on it is the user's turn. */
function repeated(gate: string, id: string, opinion: Deny, times: number): string {
  const head = `BLOCKED ${gate} [${id}] again (${ordinal(times)} time, nothing changed)`;
  const why = `why: ${line(opinion.why, 220)}`;
  if (times === 2) return [head, why, `Do this first, not the same call again: ${line(opinion.next, 260)}`].join("\n");
  const lift = opinion.overridable === false ? "" : ` They can run: interlock allow ${id} --reason "..."`;
  return [head, why, `Stop trying. Ask the user now: tell them what you need and why it is refused.${lift}`].join("\n");
}

/** The same in one sentence, for warn mode and for notes. */
export const warning = (gate: string, opinion: Deny | Ask): string =>
  `${gate} would refuse this: ${line(opinion.what, 160)}; ${line(opinion.why, 220)}${opinion.next ? `; next: ${line(opinion.next, 260)}` : ""}`;

function ordinal(n: number): string {
  if (n === 2 || n === 3) return n === 2 ? "second" : "third";
  const teens = n % 100 > 10 && n % 100 < 14;
  return `${n}${(!teens && ["th", "st", "nd", "rd"][n % 10]) || "th"}`;
}
