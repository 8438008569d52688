import { join } from "node:path";
import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/test-quality",
  how: "deny",
  files: {
    "test/a.test.ts":
      'test("one", () => assert.equal(add(1, 1), 2));\ntest("two", () => assert.equal(add(1, 2), 3));\n',
  },
  reach: async (a) => {
    const told = await a.write("test/b.test.ts", 'test("b", () => { expect(true).toBe(true); });\n');
    if (!/can't fail/.test(told.context)) return told;
    return a.write("test/c.test.ts", 'test("c", () => { assert.equal(x, x); });\n');
  },
  says: /can't fail/,
  remedy: async () => undefined,
  again: (a) => a.write("test/c.test.ts", 'test("c", () => { assert.equal(add(1, 1), 2); });\n'),
  later: [
    {
      when: "a dropped test is told first",
      run: (a) => a.edit("test/a.test.ts", 'test("two", () => assert.equal(add(1, 2), 3));\n', ""),
      outcome: "pass",
      says: /drops 1 test/,
    },
    {
      when: "then a person is asked",
      run: (a) =>
        a.before("Edit", {
          file_path: join(a.root, "test/a.test.ts"),
          old_string: "test(",
          new_string: "test.skip(",
        }),
      outcome: "ask",
    },
    { when: "deleting a test file", run: (a) => a.before("Bash", { command: "rm test/a.test.ts" }), outcome: "ask" },
    {
      when: "what the person asked for",
      run: async (a) => {
        await a.prompt("remove the obsolete tests in test/a.test.ts");
        return a.before("Bash", { command: "rm test/a.test.ts" });
      },
      outcome: "pass",
    },
  ],
});
