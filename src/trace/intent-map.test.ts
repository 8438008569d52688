// intent_map.md: what is added, and that everything else in the file stays.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { addToIntentMap } from "./intent-map.js";

const intent = { id: "INT-001", name: "Sign in" };
const file = (path: string, ...symbols: string[]) => ({ path, symbols });

test("the file is made with its heading and one section", () => {
  const expected = "# Intent Map\n\n## INT-001: Sign in\n\n- `src/a.ts`: `f`, `g`\n- `src/b.ts`\n";
  const files = [file("src/b.ts"), file("src/a.ts", "g", "f")];
  assert.equal(addToIntentMap(undefined, intent, files), expected);
  assert.equal(addToIntentMap("  \n", intent, files), expected);
  assert.equal(addToIntentMap(expected, intent, files), expected, "adding the same changes nothing");
});

test("an intent without a name has its id as heading, and gets its name when it is known", () => {
  const bare = addToIntentMap(undefined, { id: "INT-002" }, [file("a")]);
  assert.match(bare, /\n## INT-002\n/);
  const named = addToIntentMap(bare, { id: "INT-002", name: "Named" }, [file("b")]);
  assert.equal(named, "# Intent Map\n\n## INT-002: Named\n\n- `a`\n- `b`\n");
});

const written = `# Intent Map

Kept by hand.

## INT-000: First

- \`z.ts\`
- my own remark
- \`a.ts\`: \`f\`

Words below.

### A heading inside

## INT-001: A name somebody chose
Text right below.

## Notes

- \`not/ours.ts\`
`;

test("sections, their order, hand-written lines and names stay", () => {
  const after = addToIntentMap(written, { id: "INT-000" }, [file("m.ts"), file("a.ts", "g")]);
  assert.equal(
    after,
    written.replace(
      "- `z.ts`\n- my own remark\n- `a.ts`: `f`\n",
      "- `a.ts`: `f`, `g`\n- `m.ts`\n- `z.ts`\n- my own remark\n",
    ),
  );
  const second = addToIntentMap(written, intent, [file("n.ts")]);
  assert.equal(second, written.replace("right below.\n\n", "right below.\n\n- `n.ts`\n\n"));
  const third = addToIntentMap(written, { id: "INT-009" }, [file("n.ts")]);
  assert.equal(third, `${written}\n## INT-009\n\n- \`n.ts\`\n`);
});

test("an id that begins another id is another intent", () => {
  const after = addToIntentMap(written, { id: "INT-00" }, [file("n.ts")]);
  assert.match(after, /\n## INT-00\n\n- `n.ts`\n$/);
});

test("CRLF stays CRLF", () => {
  const after = addToIntentMap(written.replaceAll("\n", "\r\n"), intent, [file("n.ts")]);
  assert.equal(after.replaceAll("\r\n", "\n"), addToIntentMap(written, intent, [file("n.ts")]));
  assert.equal(after.split("\n").length, after.split("\r\n").length);
});

test("a heading in a code block begins no section", () => {
  const text = "# Intent Map\n\n```\n## INT-001\n```\n";
  assert.equal(addToIntentMap(text, intent, [file("a")]), `${text}\n## INT-001: Sign in\n\n- \`a\`\n`);
});

test("names are data: no line break, tag or backtick gets out of its place", () => {
  const after = addToIntentMap(undefined, { id: "X", name: "a\n## INT-666: b <b>" }, [
    file("a`b.ts", "f\n- `evil`"),
    file("c\nd"),
  ]);
  assert.equal(after.match(/^## /gm)?.length, 1);
  assert.equal(after.match(/^- /gm)?.length, 2);
  assert.match(after, /`` a`b\.ts ``/);
  assert.equal(addToIntentMap(after, { id: "X" }, [file("a`b.ts", "g")]).match(/a`b\.ts/g)?.length, 1);
});

test("whatever is added in whatever order, each file stands once, sorted, and nothing else changes", () => {
  const paths = fc.constantFrom("a.ts", "b/c.ts", "d`e.ts", "f g.md", "ü.py");
  const names = fc.array(fc.constantFrom("f", "C.m", "x`y", "#p"), { maxLength: 3 });
  const adding = fc.record({
    id: fc.constantFrom("INT-000", "INT-001", "NEW"),
    files: fc.array(fc.record({ path: paths, symbols: names }), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(adding, { maxLength: 5 }), (steps) => {
      let text = written;
      for (const { id, files } of steps) text = addToIntentMap(text, { id }, files);
      for (const { id, files } of steps) assert.equal(addToIntentMap(text, { id }, files), text);
      const isOurs = (line: string): boolean => /^- `/.test(line) && !line.includes("not/ours");
      const rest = text.split("\n").filter((line) => line && !isOurs(line) && line !== "## NEW");
      assert.deepEqual(
        rest,
        written.split("\n").filter((line) => line && !isOurs(line)),
      );
      assert.match(text, /## Notes\n\n- `not\/ours\.ts`\n/);
    }),
    { numRuns: 200 },
  );
});
