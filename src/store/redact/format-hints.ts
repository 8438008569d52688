// The formats of secrets a text can hold at all: it is looked over once, not once per format.
// Invariant: a format is skipped only where none of its hints occurs; a false match costs time, never a secret.
import { formats, hinted, type SecretFormat } from "./secret-formats.js";

/** Before it pays to prepare: a hook writes one record and is gone. */
const few = 4;
let asked = 0;
let prepared: number[][][] | undefined;

/** Whether a text is looked over quickly enough to do it one by one. */
export const isPrepared = (): boolean => asked >= few;

/** Which pairs of characters the text at hand holds: those marked with its number. */
const marks = new Uint32Array(1 << 14);
let number = 0;

const pair = (a: number, b: number): number => ((a & 127) << 7) | (b & 127);

export function formatsFor(text: string): SecretFormat[] {
  if (asked < few) {
    asked++;
    return formats.filter((format) => hinted(text, format));
  }
  prepared ??= formats.map(({ hints }) => hints.map(pairsOf));
  mark(text);
  const found: SecretFormat[] = [];
  for (let i = 0; i < formats.length; i++)
    if (prepared[i]!.some(marked) && hinted(text, formats[i]!)) found.push(formats[i]!);
  return found;
}

function pairsOf(hint: string): number[] {
  const pairs: number[] = [];
  for (let i = 1; i < hint.length; i++) pairs.push(pair(hint.charCodeAt(i - 1), hint.charCodeAt(i)));
  return pairs;
}

function mark(text: string): void {
  if (number === 0xffff_ffff) marks.fill((number = 0));
  number++;
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    const next = text.charCodeAt(i);
    marks[pair(last, next)] = number;
    last = next;
  }
}

function marked(pairs: readonly number[]): boolean {
  for (const one of pairs) if (marks[one] !== number) return false;
  return true;
}
