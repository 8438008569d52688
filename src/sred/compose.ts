// Writes trailers into a message, and one message for several squashed commits.
// Invariant: all trailers stand in the last paragraph, where git finds them, each value once; no other text is lost.
import { claimPattern, readSredMessage, sredTypes } from "./message.js";
import { blockStart, trailersOf } from "./trailers.js";

const sredLine = /^SRED-(?:Type|Claim)[ \t]*:/i;

/** The message with valid SR&ED trailers; those it has already and that are valid are kept. */
export function withSredTrailers(message: string, { type, claim }: { type: string; claim: string }): string {
  const read = readSredMessage(message);
  const types = read.types.filter((t) => (sredTypes as readonly string[]).includes(t));
  const claims = read.claims.filter((c) => claimPattern.test(c));
  const trailers = [
    ...(types.length ? types : [type]).map((t) => `SRED-Type: ${t}`),
    ...(claims.length ? claims : [claim]).map((c) => `SRED-Claim: ${c}`),
  ];
  return withTrailers(withoutSredLines(message), trailers);
}

function withoutSredLines(message: string): string {
  const lines = message.replace(/\r\n?/g, "\n").split("\n");
  return lines.filter((line, i) => i === 0 || !sredLine.test(line)).join("\n");
}

/** Appends to git's trailer block, or begins one. */
function withTrailers(message: string, trailers: readonly string[]): string {
  const text = message.replace(/\n{3,}/g, "\n\n").trim();
  const lines = text.split("\n");
  const inBlock = blockStart(lines) < lines.length;
  return `${text}${inBlock ? "\n" : "\n\n"}${trailers.join("\n")}`;
}

/** The body of a squash commit: every message's text, then all trailers of all of them as one last paragraph. */
export function squashMessage(subject: string | undefined, messages: readonly string[]): string {
  const trailers = new Map<string, string>();
  const texts: string[] = [];
  for (const message of messages) {
    const lines = message.replace(/\r\n?/g, "\n").trimEnd().split("\n");
    const start = blockStart(lines);
    for (const { key, value } of trailersOf(message)) {
      const name = lines.find((l) => l.toLowerCase().startsWith(key))?.slice(0, key.length) ?? key;
      if (value) trailers.set(`${key}: ${value}`, `${spelled(name)}: ${value}`);
    }
    const kept = lines.slice(0, start).filter((line, i) => i === 0 || !sredLine.test(line));
    texts.push(
      kept
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim(),
    );
  }
  const [only] = texts;
  const title = subject ?? firstLine(only ?? "");
  const bodies =
    messages.length === 1
      ? [
          only!
            .split("\n")
            .slice(subject === undefined ? 1 : 0)
            .join("\n")
            .trim(),
        ]
      : texts.map(
          (text) =>
            `* ${text
              .split("\n")
              .map((l, i) => (i === 0 || l === "" ? l : `  ${l}`))
              .join("\n")}`,
        );
  const last = [...trailers.values()].sort(sredLast).join("\n");
  return `${[title, ...bodies, last].filter(Boolean).join("\n\n")}\n`;
}

const firstLine = (text: string): string => text.split("\n")[0]!;
const spelled = (name: string): string =>
  /^sred-type$/i.test(name) ? "SRED-Type" : /^sred-claim$/i.test(name) ? "SRED-Claim" : name;
const sredLast = (a: string, b: string): number => Number(sredLine.test(a)) - Number(sredLine.test(b));
