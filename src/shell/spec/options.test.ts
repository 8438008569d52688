import assert from "node:assert/strict";
import { test } from "node:test";
import { words } from "../tools/tool-table.js";
import { parse, type Style, syntax } from "./options.js";

const sort = "o|output= r|reverse k|key= compress-program= in-place=?";

function shown(text: string, items = sort, style: Style = {}): string {
  const parsed = parse(words(text), syntax(items, style));
  const shownItems = parsed.order.map((item) =>
    "operand" in item
      ? (item.operand.value ?? "?")
      : `-${item.option.name}${item.option.value ? `=${item.option.value.value ?? "?"}` : ""}`,
  );
  return shownItems.join(" ") + (parsed.unsure ? " unsure" : "");
}

const rows: [string, string][] = [
  ["-r a", "-reverse a"],
  ["-ro out a", "-reverse -output=out a"],
  ["-roout a", "-reverse -output=out a"],
  ["a -o out", "a -output=out"],
  ["--output out a", "-output=out a"],
  ["--output=out a", "-output=out a"],
  ["--out=out a", "-output=out a"],
  ["--comp sh a", "-compress-program=sh a"],
  ["-- -o out", "-o out"],
  ["- a", "- a"],
  ["-o", "-output"],
  ["--in-place a", "-in-place a"],
  ["--in-place=.bak a", "-in-place=.bak a"],
  ["--unlisted a", "-unlisted a"],
  ["-o$X a", "-output=? a"],
  ["--output=$X a", "-output=? a"],
  ["$X a", "? a unsure"],
  ["--$X a", "- a unsure"],
  ["dir/$X", "?"],
];

for (const [text, expected] of rows) test(`options: ${text}`, () => assert.equal(shown(text), expected));

test("options end at the first operand where the tool says so", () => {
  assert.equal(shown("-r cmd -o x", sort, { posix: true }), "-reverse cmd -o x");
});

test("one dash can begin a whole word", () => {
  assert.equal(shown("-auto-approve -key k a", "key= auto-approve", { oneDash: true }), "-auto-approve -key=k a");
});
