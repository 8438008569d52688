// Test cases by name and body, to tell a test that moved to another file from one that was dropped.
// Invariant: pure; a case counts as moved only where its name stands with at least half of its lines.
import { bareCode, testCases } from "./test-changes.js";

export interface TestCase {
  name: string;
  /** Its lines without layout. */
  lines: string[];
}

export function casesOf(text: string): TestCase[] {
  const code = bareCode(text);
  const title = /^[^\n]{0,80}?\(\s*(?:"([^"\n]+)"|'([^'\n]+)'|`([^`\n]+)`)|\b(?:def|fn|func|void|fun|function)\s+(\w+)/;
  const starts = [...code.matchAll(testCases)].map((m) => m.index);
  return starts.flatMap((from, i) => {
    const body = code.slice(from, starts[i + 1] ?? code.length).trimStart();
    const found = title.exec(body.slice(0, 400));
    const name = found?.slice(1).find((n) => n !== undefined);
    if (name === undefined) return [];
    const lines = body
      .split("\n")
      .map((line) => line.replace(/\s+/g, ""))
      .filter((line) => /\w/.test(line));
    return [{ name, lines }];
  });
}

/** The cases of one text that another does not have, by name. */
export function lostCases(before: string, after: string): TestCase[] {
  const kept = new Set(casesOf(after).map((c) => c.name));
  return casesOf(before).filter((c) => !kept.has(c.name));
}

/** Those of the lost cases that stand in one of these texts. */
export function movedCases(lost: readonly TestCase[], texts: readonly string[]): TestCase[] {
  if (!lost.length) return [];
  const there = texts.flatMap(casesOf);
  return lost.filter((c) => there.some((t) => t.name === c.name && sharesHalf(c.lines, t.lines)));
}

function sharesHalf(old: readonly string[], now: readonly string[]): boolean {
  const known = new Set(now);
  return old.filter((line) => known.has(line)).length * 2 >= old.length;
}
