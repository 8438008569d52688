// The alignment of two texts: what is sure, and what is only a candidate.
import assert from "node:assert/strict";
import { test } from "node:test";
import { random } from "../../test/fuzz/hostile.js";
import { follow, linesOf, type Origin } from "./align.js";
import { recognise } from "./recognise.js";

/** Each line's origin: its number from 0, `+` for new, `?` for candidates. */
const shown = (origins: readonly Origin[]): string =>
  origins.map((origin) => (typeof origin === "number" ? (origin < 0 ? "+" : String(origin)) : "?")).join(" ");

const rows: [name: string, before: string, after: string, expected: string][] = [
  ["nothing changed", "a } b }", "a } b }", "0 1 2 3"],
  ["a line inserted", "a b", "a x b", "0 + 1"],
  ["a line deleted", "a x b", "a b", "0 2"],
  ["everything new", "", "a b", "+ +"],
  ["a block that could have slid", "a } b", "a } x } b", "0 ? + ? 2"],
  ["one brace kept between new lines", "a } b", "a x } y b", "0 + 1 + 2"],
  ["a brace among several added", "a } b", "a } } b", "0 ? ? 2"],
  ["braces away from the change", "a } b } c", "a } b } x c", "0 1 2 3 + 4"],
  ["a unique line moved", "a b c", "c a b", "2 0 1"],
  ["a repeated line moved with a unique one", "a } b } c", "b } c a }", "2 3 4 0 ?"],
  ["two repeated lines in another order", "} { a } { b", "} { a { } b", "0 1 2 ? ? 5"],
  ["a repeated line deleted from a run", "a } } b", "a } b", "0 ? 3"],
];

for (const [name, before, after, expected] of rows)
  test(`follow: ${name}`, () => {
    const split = (text: string) => text.split(" ").filter(Boolean);
    assert.equal(shown(follow(split(before), split(after))), expected);
  });

test("an origin has the same text, and none is used twice", () => {
  const r = random(7);
  for (let round = 0; round < 2_000; round++) {
    const text = () => Array.from({ length: Math.floor(r() * 12) }, () => "abcd}}}}"[Math.floor(r() * 8)]!);
    const [a, b] = [text(), text()];
    const used = new Set<number>();
    follow(a, b).forEach((origin, j) => {
      for (const i of typeof origin === "number" ? [origin] : origin.from) if (i >= 0) assert.equal(a[i], b[j]);
      if (typeof origin !== "number" || origin < 0) return;
      assert.ok(!used.has(origin), `${a} -> ${b}`);
      used.add(origin);
    });
  }
});

test("a large stretch of repeated lines has candidates, quickly", () => {
  const a = Array.from({ length: 4_000 }, (_, i) => (i % 3 ? "}" : "{"));
  const origins = follow(a, [...a.slice(7), "}", "{", "}"]);
  assert.ok(origins.every((origin) => typeof origin !== "number" || origin === -1));
});

test("line ends do not matter, and the last one starts no line", () => {
  assert.deepEqual(linesOf("a\r\nb\n"), ["a", "b"]);
  assert.deepEqual(linesOf("a\nb"), ["a", "b"]);
  assert.deepEqual(linesOf(""), []);
});

const telling = (n: number) => `const value${n} = compute(${n});`;

test("recognise takes long lines that stand once, and whole blocks between them", () => {
  const source = [telling(1), "}", telling(2), "return;", telling(3)];
  const all = () => true;
  assert.deepEqual(recognise(source, ["x", telling(1), "}", telling(2), "y"], all), [-1, 0, 1, 2, -1]);
  assert.deepEqual(recognise(source, [telling(1), "{", telling(2), "return;"], all), [0, -1, 2, -1]);
  assert.deepEqual(recognise(source, [telling(1), telling(1)], all), [-1, -1]);
  assert.deepEqual(recognise(source, ["return;", "}"], all), [-1, -1]);
  assert.deepEqual(
    recognise(source, [telling(1), "}", telling(2)], (j) => j !== 1),
    [0, -1, 2],
  );
});
