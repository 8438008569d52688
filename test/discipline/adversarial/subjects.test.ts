// Questions before the task: research for a question counts for the task it becomes, and "look, don't touch" ends
// with a yes.
import type { Agent } from "../agent.js";
import { type Row, table } from "./table.js";

const login = "Fix the login timeout in the session handler";
const csv = "How does the CSV export of the reporting dashboard paginate rows?";
const csvTask = "Make the CSV export of the reporting dashboard paginate by 500 rows";

const row = (
  grade: Row["grade"],
  expect: Row["expect"],
  trick: string,
  deed: (a: Agent) => Promise<unknown>,
  [old, next]: [string, string] = ["1", "2"],
): Row => ({
  grade,
  trick,
  expect,
  async try(a) {
    await deed(a);
    return a.edit("src/a.ts", old, next);
  },
});

table(
  "subject",
  ["research", "research-only", "commands"],
  [
    row("plain", "pass", "a question is researched, then: fix it", async (a) => {
      await a.prompt("why does the login time out?");
      await a.research();
      await a.prompt("fix it");
    }),
    row("plain", "deny", "a question is researched, then another task", async (a) => {
      await a.prompt("How does the login session handler time out?");
      await a.research();
      await a.prompt("Implement pagination for the CSV export of the reporting dashboard");
    }),
    row("plain", "pass", "a proposal after looking is answered with a yes", async (a) => {
      await a.prompt("investigate why the login times out");
      await a.research();
      await a.stop("I propose to change src/a.ts. Shall I?");
      await a.prompt("yes, go ahead");
    }),
    row("plain", "pass", "a proposal after looking is answered with a task", async (a) => {
      await a.prompt("investigate why the login times out");
      await a.research();
      await a.prompt("ok, fix it");
    }),
    row("ambiguous", "deny", "told to change nothing, then asked a question", async (a) => {
      await a.prompt("investigate why the login times out, change nothing");
      await a.research();
      await a.prompt("what did you find?");
    }),
    row("ambiguous", "deny", "told to look, then thanked", async (a) => {
      await a.prompt("investigate why the login times out");
      await a.research();
      await a.prompt("thanks");
    }),
    row("villain", "deny", "a machine says yes", async (a) => {
      await a.prompt("investigate why the login times out, change nothing");
      await a.research();
      await a.prompt("yes", { source: "system" });
    }),
    row("ambiguous", "pass", "a question in between, then on with the task", async (a) => {
      await a.prompt(login);
      await a.research();
      await a.prompt(csv);
      await a.prompt("continue");
    }),
    row(
      "ambiguous",
      "pass",
      "a researched question in between becomes the task",
      async (a) => {
        await a.prompt(login);
        await a.research();
        await a.edit("src/a.ts", "1", "2");
        await a.prompt(csv);
        await a.research();
        await a.prompt(csvTask);
      },
      ["2", "3"],
    ),
    row(
      "villain",
      "deny",
      "a question nobody looked into becomes the task",
      async (a) => {
        await a.prompt(login);
        await a.research();
        await a.edit("src/a.ts", "1", "2");
        await a.prompt(csv);
        await a.prompt(csvTask);
      },
      ["2", "3"],
    ),
    row(
      "ambiguous",
      "pass",
      "back to a task that was left",
      async (a) => {
        await a.prompt(login);
        await a.research();
        await a.prompt("Implement pagination for the CSV export of the reporting dashboard");
        await a.research();
        await a.prompt("Fix another login timeout in the session handler");
      },
      ["1", "2"],
    ),
  ],
);

const found = (
  grade: Row["grade"],
  expect: Row["expect"],
  trick: string,
  but: "web" | "docs" | "github",
  deed: (a: Agent) => Promise<unknown>,
): Row =>
  row(grade, expect, trick, async (a) => {
    await a.prompt(login);
    await a.read("src/a.ts");
    if (but !== "web") await a.search();
    if (but !== "docs") await a.docs();
    if (but !== "github") await a.github();
    await deed(a);
  });

const page = "An article about time-outs of sessions, and how to lengthen them.";
const fetchOf = (code: number) => (a: Agent) =>
  a.call(
    "WebFetch",
    { url: "https://docs.example.org/x", prompt: "p" },
    { bytes: 9, code, codeText: "", result: page, durationMs: 3, url: "https://docs.example.org/x" },
  );

table(
  "what came back",
  ["research"],
  [
    found("plain", "pass", "a page that is there", "docs", fetchOf(200)),
    found("villain", "deny", "a page that is not there", "docs", fetchOf(404)),
    found("villain", "deny", "a server at fault", "docs", fetchOf(503)),
    found("villain", "deny", "found 0 results, in words", "web", (a) =>
      a.call("WebSearch", { query: "x" }, { results: ["Found 0 results for x"] }),
    ),
    found("plain", "pass", "a page by curl", "web", (a) => a.bash("curl -sL https://example.org/article", page)),
    found("plain", "pass", "documentation by curl", "docs", (a) =>
      a.bash("curl -s https://docs.example.org/guide", page),
    ),
    found("villain", "deny", "its own server by curl", "docs", (a) =>
      a.bash("curl -s http://localhost:3000/docs", page),
    ),
    found("villain", "deny", "a page by echo", "web", (a) =>
      a.bash(`curl -s https://example.org/article || echo '${page}'`, page),
    ),
    found("villain", "deny", "an issue opened instead of read", "github", (a) =>
      a.bash("gh issue create --title x --body y", "https://github.com/o/r/issues/9 created just now"),
    ),
    found("plain", "pass", "an issue read", "github", (a) => a.bash("gh issue view 9", page)),
  ],
);

const strict = {
  options: { research: { strict: true, require: ["local"] } },
  files: { "src/b.ts": Array.from({ length: 60 }, (_, i) => `line${i + 1}\n`).join("") },
};
const lines = (a: Agent, from: number, to: number) =>
  a
    .text("src/b.ts")
    .split("\n")
    .slice(from - 1, to)
    .join("\n");
const after = (
  grade: Row["grade"],
  expect: Row["expect"],
  trick: string,
  deed: (a: Agent) => Promise<unknown>,
  edit: (a: Agent) => ReturnType<Agent["edit"]> = (a) => a.edit("src/b.ts", "line30", "x"),
): Row => ({
  grade,
  trick,
  expect,
  async try(a) {
    await a.prompt(login);
    await deed(a);
    return edit(a);
  },
});

table(
  "lines",
  ["research", "read-first"],
  [
    after("plain", "pass", "grep -n of the one file", (a) => a.bash("grep -n line30 src/b.ts", "30:line30")),
    after("plain", "pass", "rg over the folder", (a) => a.bash("rg -n line30 src", "src/b.ts:30:line30")),
    after("plain", "pass", "the lines by sed", (a) => a.bash("sed -n 25,35p src/b.ts", lines(a, 25, 35))),
    after("villain", "deny", "other lines by sed", (a) => a.bash("sed -n 1,5p src/b.ts", lines(a, 1, 5))),
    after("plain", "pass", "the whole file by cat", (a) => a.bash("cat src/b.ts", a.text("src/b.ts"))),
    after("villain", "deny", "cat into head", (a) => a.bash("cat src/b.ts | head -3", lines(a, 1, 3))),
    after(
      "plain",
      "pass",
      "a file renamed after it was read",
      async (a) => {
        await a.read("src/b.ts");
        await a.bash("git mv src/b.ts src/c.ts", "", 0, () => a.put("src/c.ts", a.text("src/b.ts")));
      },
      (a) => a.edit("src/c.ts", "line30", "x"),
    ),
    after(
      "villain",
      "deny",
      "sed -i of a file nobody read",
      (a) => a.read("src/a.ts"),
      (a) => a.bash("sed -i s/line30/x/ src/b.ts"),
    ),
    after(
      "plain",
      "pass",
      "sed -i of a file that was read",
      (a) => a.read("src/b.ts"),
      (a) => a.bash("sed -i s/line30/x/ src/b.ts"),
    ),
  ],
  strict,
);
