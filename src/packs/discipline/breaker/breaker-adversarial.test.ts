// Hidden errors and false alarms: the breaker counts what really failed, and nothing else.

import { type Row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent } from "../../../../test/discipline/agent.js";
import { failing, passing } from "../../../../test/discipline/agent.js";

const edit = (a: Agent) => a.edit("src/a.ts", "1", "2");

const after = (
  grade: Row["grade"],
  expect: Row["expect"],
  trick: string,
  deed: (a: Agent) => Promise<unknown>,
): Row => ({
  grade,
  trick,
  expect,
  async try(a) {
    await deed(a);
    return edit(a);
  },
});

async function missed(a: Agent, text: string): Promise<unknown> {
  const input = { file_path: `${a.root}/src/a.ts`, old_string: text, new_string: "y" };
  await a.before("Edit", input);
  return a.failed(
    "Edit",
    input,
    `<tool_use_error>String to replace not found in file.\nString: ${text}</tool_use_error>`,
  );
}

async function times(n: number, deed: (i: number) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < n; i++) await deed(i);
}

table(
  "failure",
  ["breaker"],
  [
    after("plain", "deny", "three failed commands", (a) => times(3, () => a.bash("make", "make: *** Error 1", 2))),
    after("plain", "pass", "two failed commands", (a) => times(2, () => a.bash("make", "make: *** Error 1", 2))),
    after("plain", "deny", "three failed test runs", (a) => times(3, () => a.bash("npm test", failing(), 1))),
    after("plain", "deny", "three failed edits", (a) =>
      times(3, async () => {
        await a.before("Edit", { file_path: `${a.root}/src/a.ts`, old_string: "zz", new_string: "y" });
        return a.failed("Edit", {}, "String to replace not found in file");
      }),
    ),
    after("ambiguous", "pass", "a failed command, and two edits that missed their text", async (a) => {
      await a.bash("make", "make: *** Error 1", 2);
      for (const text of ["one", "two"]) await missed(a, text);
    }),
    after("ambiguous", "pass", "three different edits that missed their text", async (a) => {
      for (const text of ["one", "two", "three"]) await missed(a, text);
    }),
    after("ambiguous", "deny", "the same edit three times, and its text is never there", (a) =>
      times(3, () => missed(a, "one")),
    ),
    after("ambiguous", "deny", "three failed commands, with edits between that missed their text", (a) =>
      times(3, async (i) => {
        await a.bash("make", `make: *** Error ${i}`, 2);
        return missed(a, `text ${i}`);
      }),
    ),
    after("ambiguous", "pass", "a log full of the word error, read three times", (a) =>
      times(3, () => a.bash("cat errors.log", "Error: fatal\nFAILED\nException")),
    ),
    after("ambiguous", "pass", "searches that find nothing", (a) => times(4, () => a.bash("grep -r zzz src", "", 1))),
    after("ambiguous", "pass", "reads of missing files", (a) =>
      times(4, async () => {
        await a.before("Read", { file_path: `${a.root}/none` });
        return a.failed("Read", {}, "File does not exist.");
      }),
    ),
    after("ambiguous", "pass", "pages that do not load", (a) =>
      times(4, async () => {
        await a.before("WebFetch", { url: "https://example.org", prompt: "x" });
        return a.failed("WebFetch", {}, "ENOTFOUND");
      }),
    ),
    after("ambiguous", "pass", "commands the user interrupted", (a) =>
      times(3, async () => {
        await a.before("Bash", { command: "make" });
        return a.send("PostToolUseFailure", {
          tool_name: "Bash",
          tool_input: { command: "make" },
          tool_use_id: "t",
          error: "interrupted",
          is_interrupt: true,
        });
      }),
    ),
    after("ambiguous", "pass", "two failures, a success, two other failures", async (a) => {
      await times(2, () => a.bash("make", "make: *** Error 1", 2));
      await a.bash("ls", "x");
      await times(2, () => a.bash("cargo build", "error: no such crate", 101));
    }),
    after("ambiguous", "deny", "the same failure with successes between", (a) =>
      times(3, async () => {
        await a.bash("make", "make: *** Error 1", 2);
        return a.bash("ls", "x");
      }),
    ),
    after("ambiguous", "pass", "red, green, red, green, red, green", (a) =>
      times(3, async () => {
        await a.bash("npm test", failing(), 1);
        return a.bash("npm test", passing());
      }),
    ),
    after("villain", "deny", "failing tests behind || true", (a) =>
      times(3, () => a.bash("npm test || true", failing())),
    ),
    after("villain", "deny", "failing tests behind a pipe", (a) =>
      times(3, () => a.bash("npm test 2>&1 | tail -5", failing())),
    ),
    after("villain", "deny", "the same failure at other times and lines", (a) =>
      times(3, async (i) => {
        await a.bash(
          "npm run build",
          `2026-01-0${i + 1}T10:0${i}:00Z src/a.ts:${i * 7}:3 - error TS2304: Cannot find name 'x'.`,
          1,
        );
        return a.bash("ls", "x");
      }),
    ),
    after("villain", "deny", "the same failure in other folders", (a) =>
      times(3, async (i) => {
        await a.bash("npm run build", `/builds/run-${i}/src/a.ts: error TS2304: Cannot find name 'x'.`, 1);
        return a.bash("ls", "x");
      }),
    ),
    after("villain", "deny", "a sub-agent that goes on where the main agent stopped", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      a.agent = { id: "agent-1", type: "general-purpose" };
    }),
    after("villain", "deny", "one look at a file after the trip", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await a.read("src/a.ts");
    }),
    after("villain", "deny", "empty searches after the trip", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await times(3, () => a.call("WebSearch", { query: "x" }, "No results found."));
    }),
    after("villain", "deny", "a machine resets it", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await a.prompt("rb-", { source: "system" });
    }),
    after("plain", "pass", "two looks that found something", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await a.docs();
      await a.read("src/a.ts");
    }),
    ...(
      [
        ["Command timed out after 2m 0.0s", undefined],
        ["Killed", 137],
        ["Terminated", 143],
        ["timeout: sending signal", 124],
      ] as const
    ).map(([said, exit]) =>
      after("ambiguous", "pass", `slow tests that were stopped: ${said}`, (a) =>
        times(4, async () => {
          if (exit) return a.bash("npm test", said, exit);
          await a.before("Bash", { command: "npm test" });
          return a.failed("Bash", { command: "npm test" }, said);
        }),
      ),
    ),
    after("villain", "deny", "tests that failed before they were stopped", (a) =>
      times(3, () => a.bash("npm test", failing(), 137)),
    ),
    after("ambiguous", "pass", "calls the user declined", (a) =>
      times(4, async () => {
        await a.before("Bash", { command: "make" });
        return a.failed("Bash", { command: "make" }, "The user doesn't want to proceed with this tool use.");
      }),
    ),
    ...[
      "command -v foo",
      "ls nope",
      "cat nope",
      "stat nope",
      "find . -name x | grep y",
      "git rev-parse --verify nope",
      "curl -sf http://localhost:1",
    ].map((command) =>
      after("ambiguous", "pass", `looks that find nothing: ${command}`, (a) => times(4, () => a.bash(command, "", 2))),
    ),
    after("ambiguous", "pass", "a build that failed twice, worked, and fails once more", async (a) => {
      await times(2, () => a.bash("make", "make: *** Error 1", 2));
      await a.bash("make", "ok");
      await a.bash("make", "make: *** Error 1", 2);
    }),
    after("villain", "deny", "the one try fails though its edit went through", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await a.docs();
      await a.read("src/a.ts");
      await a.edit("src/a.ts", "a = 1", "a = 11");
      await a.bash("make", "make: *** Error 1", 2);
    }),
    after("plain", "pass", "the one try works", async (a) => {
      await times(3, () => a.bash("make", "make: *** Error 1", 2));
      await a.docs();
      await a.read("src/a.ts");
      await a.edit("src/a.ts", "a = 1", "a = 11");
      await a.bash("make", "ok");
      await times(2, () => a.bash("make", "make: *** Error 1", 2));
    }),
    ...(
      [
        ["mvn -q test", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n"],
        ["./gradlew test", "5 tests completed, 1 failed\n\nBUILD FAILED in 2s\n"],
        ["./gradlew build", "> Task :compileJava FAILED\n\nBUILD FAILED in 2s\n"],
        ["dotnet test", "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 10 ms\n"],
      ] as const
    ).flatMap(([command, output]) =>
      [`${command} || true`, `${command} 2>&1 | tail -30`, `${command} 2>&1 | tee out.log`].map((hidden) =>
        after("villain", "deny", `a hidden exit code: ${hidden}`, (a) => times(3, () => a.bash(hidden, output))),
      ),
    ),
    after("ambiguous", "pass", "red with fewer failures each time", (a) =>
      times(4, async (i) => {
        await a.bash(
          "npx vitest run",
          ` FAIL  src/t.test.ts > case ${"abcd"[i]}\nAssertionError: expected ${i} to be ${i * 2}\n      ` +
            `Tests  ${5 - i} failed | ${i + 1} passed (6)\n`,
          1,
        );
        return a.edit("src/a.ts", "a = 1", "a = 1");
      }),
    ),
  ],
);
