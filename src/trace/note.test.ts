// Notes are read back as they were written, also joined, and nothing else is believed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { doubtful, marksOf } from "./marks.js";
import { formatNote, hashesOf, parseNote, type TraceNote } from "./note.js";

const blob = "0123456789abcdef0123456789abcdef01234567";
const id = "11111111-2222-4333-8444-555555555555";
const other = "99999999-2222-4333-8444-555555555555";

function noteOf(path: string, mark: string): TraceNote {
  const ranges: TraceNote["files"][number]["ranges"] = [
    [1, 2, mark],
    [4, 4, "outside"],
  ];
  const hashes = hashesOf(ranges, ["a", "b", "c", "d"]);
  return { files: [{ path, blob, ranges, hashes }], authors: { [mark]: { session: "s", intent: "INT-001" } } };
}

for (const path of ["src/a.ts", "with space.ts", 'quote".ts', "umlaut-\u00e4.ts", "line\nbreak.ts", "---"])
  test(`a note about ${JSON.stringify(path)} reads back`, () => {
    assert.deepEqual(parseNote(formatNote(noteOf(path, id))), noteOf(path, id));
  });

test("two notes joined by git: equal ones are one, different ones are doubtful", () => {
  const one = formatNote(noteOf("a.ts", id));
  assert.deepEqual(parseNote(`${one}\n${one}`)!.files, noteOf("a.ts", id).files);
  const joined = parseNote(`${one}\n${formatNote(noteOf("a.ts", other))}`)!;
  assert.deepEqual(marksOf(joined.files[0]!.ranges, 4), [doubtful, doubtful, "", "outside"]);
});

test("foreign and damaged notes are not believed", () => {
  assert.equal(parseNote("Reviewed-by: somebody\n"), undefined);
  const marks = `  ${id} 5-1#ab,x,0,3#zz\n  __proto__ 1#ab\n  ${id} 2#ab\n`;
  const damaged = `interlock-trace 1\na.ts ${blob}\n${marks}---\n{"authors": [`;
  assert.deepEqual(parseNote(damaged)!.files, [{ path: "a.ts", blob, ranges: [[2, 2, id]], hashes: ["ab"] }]);
  assert.deepEqual(parseNote(damaged)!.authors, {});
});
