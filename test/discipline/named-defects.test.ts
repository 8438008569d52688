// Each row is a nonsensical refusal, or a hole, that was found in honest and recorded sessions; named after it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrompt } from "../../src/facts/prompts/prompt.js";
import { selfRating } from "../../src/packs/discipline/session/history-memory.js";
import { type Agent, failing, type Heard, passing, play } from "./agent.js";

const task = "Fix the rounding in the totals of the cart";
const more = {
  "src/b.ts": "export const b = 1;\n",
  "test/a.test.ts": 'test("a", () => assert.equal(a, 1));\ntest("b", () => assert.equal(b, 1));\n',
};

async function changed(a: Agent, prompt = task): Promise<void> {
  await a.prompt(prompt);
  await a.research();
  await a.edit("src/a.ts", "1", "2");
}
const green = (a: Agent, command = "npm test") => a.bash(command, passing());

type Row = [name: string, expect: Heard["outcome"], deed: (a: Agent) => Promise<Heard>, says?: RegExp];
const goOn = (prompt: string) => async (a: Agent) => {
  await changed(a);
  await green(a);
  await a.stop("Rounded in src/a.ts; 5 tests pass.");
  await a.prompt(prompt);
  return a.edit("src/b.ts", "1", "3");
};
const ends = (prompt: string) => async (a: Agent) => {
  await changed(a, `${task} and commit it`);
  await green(a);
  await a.bash("git commit -qam x", "[main 1] x");
  await a.stop("Committed.");
  await a.prompt(prompt);
  return a.stop("It is in src/a.ts, and it rounds half up.");
};
const runs =
  (command: string, output = passing()) =>
  async (a: Agent) => {
    await changed(a);
    await a.bash(command, output);
    return a.stop("Rounded in src/a.ts.");
  };
const free = (command: string) => async (a: Agent) => {
  await a.prompt(task);
  return a.before("Bash", { command });
};

const rows: readonly Row[] = [
  ["a question after a finished task", "pass", ends("where is that done?")],
  ["a question about tests orders no test run", "pass", ends("should we add tests for that too?")],
  [
    "a traceback that names the edited file",
    "pass",
    goOn("Traceback:\n  File src/a.ts line 1, in totals\nRangeError: bad value here"),
  ],
  ["looks good, but ...", "pass", goOn("looks good, but use 3 retries")],
  [
    "a report of what is still wrong",
    "pass",
    goOn("the sidebar footer vanished when window shrinks below tablet width"),
  ],
  ["a new task is a new task", "deny", goOn("Implement CSV export for the reporting dashboard")],
  ["READ THE PROMPT", "pass", goOn("READ THE PROMPT")],
  ["read CONTRIBUTING.md first", "pass", goOn("read CONTRIBUTING.md first")],
  ["look at the error again", "pass", goOn("look at the error again")],
  ["a message of a machine", "pass", goOn("<ci-monitor-event>investigate the failing job</ci-monitor-event>")],
  ["a task notification", "pass", goOn("<task-notification><summary>review it</summary></task-notification>")],
  ["git pull", "pass", free("git pull --rebase origin main")],
  ["git merge", "pass", free("git merge main")],
  ["git rebase", "pass", free("git rebase main")],
  ["git checkout of a branch", "pass", free("git checkout main && git pull")],
  ["what was set aside comes back", "pass", free("git stash && git pull && git stash pop")],
  ["git checkout of a file is a change", "deny", free("git checkout -- src/a.ts")],
  ["mkdir -p", "pass", free("mkdir -p src/new/deep")],
  ["the project's own program, asked", "pass", free("./bin/tool list")],
  ["the project's own program, told", "deny", free("./bin/tool rewrite")],
  ["mise run test", "pass", runs("mise run test")],
  ["pnpm --filter x test", "pass", runs("pnpm --filter web test")],
  [
    "go test in a chain through tail",
    "pass",
    runs("cd . && go vet ./... && go test ./... 2>&1 | tail -20", "ok  \tx/y\t0.1s\n"),
  ],
  ["bin/test", "pass", runs("bin/test")],
  ["script/test", "pass", runs("./script/test test/a.test.ts")],
  ["turbo, nx, just, task", "pass", runs("npx turbo run test --filter=web")],
  ["a filter that keeps failures", "pass", runs('npm test 2>&1 | grep -E "pass|fail"')],
  ["a filter that drops failures", "deny", runs("npm test 2>&1 | grep -v fail")],
  ["a file the summary is shown from", "pass", runs("npm test > out.log 2>&1; tail -8 out.log")],
  ["a printed summary is no summary", "deny", runs("npm test >/dev/null; echo 'ℹ tests 5'; echo 'ℹ pass 5'")],
  ["preparing tests is no run", "deny", runs("npm run test:setup", "")],
];
for (const [name, expect, deed, says] of rows)
  test(`named: ${name} -> ${expect}`, async (t) => {
    const heard = await deed(play(t, { files: more }));
    assert.equal(heard.outcome, expect, heard.text);
    if (says) assert.match(heard.text, says);
  });

test("named: one refusal names everything that is missing", async (t) => {
  const a = play(t, { files: { "CONTRIBUTING.md": "rules\n" } });
  await a.prompt("Rewrite the whole backend in Go");
  const { text } = await a.edit("src/a.ts", "1", "2");
  assert.match(text, /CONTRIBUTING\.md[^]*web:[^]*or docs or github instead[^]*2 more places[^]*interlock loop start/);
  assert.match(text, /interlock loop start "THE TASK" --criterion/);
  assert.ok(text.split("\n").length <= 5);
});

const wide = {
  ...more,
  "src/c.ts": "export const c = 1;\n",
  "CONTRIBUTING.md": "rules\n",
  "package.json": '{"scripts":{"test":"node --test"}}\n',
};
const lookAround = async (a: Agent, names = ["src/a.ts", "src/b.ts", "src/c.ts"]) => {
  for (const name of names) await a.read(name);
};
const readers: readonly [name: string, expect: Heard["outcome"], prompt: string, deed: (a: Agent) => Promise<Heard>][] =
  [
    ["three files read for an ordinary task", "pass", task, (a) => a.edit("src/a.ts", "1", "2")],
    [
      "a big task needs an outside source",
      "deny",
      "Rewrite the whole backend in Go",
      (a) => a.edit("src/a.ts", "1", "2"),
    ],
    [
      "a new version needs outside sources",
      "deny",
      "Upgrade the client to version 4 of the payment API",
      (a) => a.edit("src/a.ts", "1", "2"),
    ],
    ["a script of the package is none", "pass", task, (a) => a.edit("package.json", "node --test", "vitest")],
    ["a dependency too", "deny", task, (a) => a.edit("package.json", "}}", '},"dependencies":{"left-pad":"^1.3.0"}}')],
  ];
for (const [name, expect, prompt, deed] of readers)
  test(`named: well read, ${name} -> ${expect}`, async (t) => {
    const a = play(t, { files: wide });
    await a.prompt(prompt);
    await lookAround(a);
    assert.equal((await deed(a)).outcome, expect);
  });

test("named: two files, or one in pieces, are not enough; the refusal says how many more", async (t) => {
  const a = play(t, { files: wide });
  await a.prompt(task);
  for (const offset of [1, 10, 20]) await a.read("src/a.ts", { offset, limit: 5 });
  await a.read("src/b.ts");
  const { outcome, text } = await a.edit("src/a.ts", "1", "2");
  assert.equal(outcome, "deny");
  assert.match(text, /read or search 1 more place of the code concerned/);
  await a.read("src/c.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
});

test("named: a small task needs its file read, and nothing else", async (t) => {
  const a = play(t, { files: wide });
  await a.prompt("Please fix the wording of the label in the cart");
  assert.match((await a.edit("src/a.ts", "1", "2")).text, /not yet researched for this task: local$/m);
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  await a.prompt("Implement CSV export for the reporting dashboard");
  await a.read("src/b.ts");
  assert.equal((await a.edit("src/b.ts", "1", "2")).outcome, "deny");
});

test("named: what was looked at is known to the next task of the session; outside sources are its own", async (t) => {
  const a = play(t, { files: { ...wide, "src/d.ts": "export const d = 1;\n" } });
  await a.prompt(task);
  await lookAround(a);
  await a.search("how others export");
  await a.edit("src/a.ts", "1", "2");
  await a.prompt("Implement CSV export for the reporting dashboard");
  assert.equal((await a.edit("src/d.ts", "1", "2")).outcome, "pass");
  await a.prompt("New task: rewrite the whole backend in Go");
  assert.match((await a.edit("src/b.ts", "1", "2")).text, /not yet researched for this task: web/);
});

test("named: documents that the user listed are asked for, however much was read", async (t) => {
  const a = play(t, { files: wide, options: { documents: ["CONTRIBUTING.md"] } });
  await a.prompt(task);
  await lookAround(a);
  assert.equal((await a.edit("src/a.ts", "1", "2")).gate, "documents");
  const b = play(t, { files: { ...wide, "README.md": "x\n" } });
  await b.prompt("Explain the installation in the README");
  assert.equal((await b.edit("README.md", "x", "y")).outcome, "pass", "prose");
});

test("named: a plan that was approved says what goes into a new file", async (t) => {
  const a = play(t, { files: wide });
  await a.prompt("Implement the following plan:\n\n# Plan: round the totals\n\n1. Add src/round.ts\n");
  assert.equal((await a.write("src/round.ts", "export {};\n")).outcome, "pass");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "deny", "the code that is there is read");
});

test("named: tests may be twice as long", async (t) => {
  const a = play(t, { gates: ["file-size"] });
  assert.equal((await a.write("src/a.test.ts", "x\n".repeat(1200))).outcome, "pass");
  assert.equal((await a.write("src/b.test.ts", "x\n".repeat(1700))).outcome, "deny");
});

test("named: a lint task is no change", async (t) => {
  const a = play(t);
  await a.prompt("mise run lint is showing errors, can you take a look?");
  assert.equal((await a.before("Bash", { command: "mise run lint" })).outcome, "pass");
  assert.equal((await a.before("Bash", { command: "mise run deploy" })).outcome, "deny");
});

const page = 'export const P = () => <p className="a b" onClick={go}>Old words</p>;\n';
const dressed = (old: string, next: string) => async (a: Agent) => {
  a.put("src/p.tsx", page);
  await a.prompt(task);
  await a.research("src/p.tsx");
  await a.edit("src/p.tsx", old, next);
  return a.stop("Done.");
};
const proved: readonly [name: string, expect: Heard["outcome"], deed: (a: Agent) => Promise<Heard>][] = [
  [
    "classes and words of a page",
    "pass",
    dressed('className="a b" onClick={go}>Old', 'className="c" onClick={go}>New'),
  ],
  ["what a page does", "deny", dressed('"a b" onClick={go}', '"a b" onClick={stay}')],
  [
    "a file that git put back",
    "pass",
    async (a) => {
      await changed(a);
      await a.bash("git checkout -- src/a.ts", "", 0, () => a.put("src/a.ts", "export const a = 1;\n"));
      return a.stop("Reset; nothing is changed.");
    },
  ],
  [
    "a branch of that name puts nothing back",
    "deny",
    async (a) => {
      await changed(a);
      await a.bash("git checkout src", "");
      return a.stop("Done.");
    },
  ],
  [
    "a machine that wakes the agent after its turn",
    "pass",
    async (a) => {
      await changed(a);
      await a.stop("Changed. Shall I commit it?");
      await a.prompt("<task-notification><status>completed</status></task-notification>");
      return a.stop("The background task has ended.");
    },
  ],
  [
    "an edit after it is due again",
    "deny",
    async (a) => {
      await changed(a);
      await a.stop("Changed. Shall I commit it?");
      await a.prompt("<task-notification><status>completed</status></task-notification>");
      await a.edit("src/a.ts", "2", "3");
      return a.stop("Done.");
    },
  ],
  [
    "tests through a browser are a system's, not a file's",
    "pass",
    async (a) => {
      a.put("e2e/package.json", '{"scripts":{"test":"playwright test"}}');
      a.put("e2e/page.ts", "export const p = 1;\n");
      await changed(a);
      await green(a);
      await a.edit("e2e/page.ts", "1", "2");
      return a.stop("The page object is changed.");
    },
  ],
  [
    "a silent type check through tail, after tests",
    "pass",
    async (a) => {
      await changed(a);
      await green(a);
      await a.edit("src/a.ts", "2", "3");
      await a.bash("npx tsc --noEmit 2>&1 | tail -5", "");
      return a.stop("Done.");
    },
  ],
  [
    "one that prints errors",
    "deny",
    async (a) => {
      await changed(a);
      await green(a);
      await a.edit("src/a.ts", "2", "3");
      await a.bash("npx tsc --noEmit 2>&1 | tail -5", "src/a.ts(1,1): error TS1005");
      return a.stop("Done.");
    },
  ],
  [
    "silent tests are none",
    "deny",
    async (a) => {
      await changed(a);
      await a.bash("npm test 2>&1 | tail -5", "");
      return a.stop("Done.");
    },
  ],
];
for (const [name, expect, deed] of proved)
  test(`named: proof, ${name} -> ${expect}`, async (t) => {
    const heard = await deed(play(t, { files: more, guard: { destructive: "observe" } }));
    assert.equal(heard.outcome, expect, heard.text);
  });

test("named: the third refusal still names the step", async (t) => {
  const a = play(t, { gates: ["research"] });
  await a.prompt(task);
  for (let i = 0; i < 2; i++) await a.edit("src/a.ts", "1", "2");
  assert.match((await a.edit("src/a.ts", "1", "2")).text, /third time[^]*docs:[^]*ask the user/i);
});

test("named: what the client sends after plan mode is an approved plan of ordinary size", async (t) => {
  const a = play(t, { files: { "CONTRIBUTING.md": "rules\n" }, options: { plan: { when: "task" } } });
  const steps = Array.from({ length: 12 }, (_, i) => `${i + 1}. Change part ${i} of the whole system and commit`).join(
    "\n",
  );
  await a.prompt(`Implement the following plan:\n\n# Plan: round the totals\n\n${steps}\n`);
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  await green(a);
  assert.equal((await a.stop("Done in src/a.ts.")).outcome, "pass");
});

test("named: a file that is too long already can be worked on, and data files have a step", async (t) => {
  const a = play(t, {
    gates: ["file-size"],
    files: { "src/long.ts": "x\n".repeat(1000), "data.yaml": "a: 1\n".repeat(2990) },
  });
  assert.equal((await a.edit("src/long.ts", "x\nx\n", "x\ny\ny\nx\n")).outcome, "pass");
  assert.match((await a.edit("src/long.ts", "x\ny\n", `x\n${"z\n".repeat(100)}`)).text, /such as long-more\.ts/);
  assert.match((await a.edit("data.yaml", "a: 1\n", "b: 1\n".repeat(50))).text, /byExtension\.yaml/);
});

test("named: a file the agent made may go, a moved test is not dropped", async (t) => {
  const a = play(t, { files: more });
  await changed(a);
  await a.write("src/scratch.ts", "export {};\n");
  await a.prompt("Implement CSV export for the reporting dashboard");
  assert.equal((await a.before("Bash", { command: "rm src/scratch.ts" })).outcome, "pass");
  const b = play(t, { gates: ["test-quality"], files: more });
  assert.equal((await b.bash("git mv test/a.test.ts test/c.test.ts", "")).context, "");
  assert.equal((await b.bash("mv test/a.test.ts test/d.test.ts", "")).context, "");
});

test("named: make targets and scripts kept in files may write source", async (t) => {
  const a = play(t, {
    gates: ["inline-scripts"],
    files: {
      Makefile: "gen:\n\tsed -i s/1/2/ src/a.ts\n",
      "tools/gen.sh": "sed -i s/1/2/ src/a.ts\necho x > src/z.ts\n",
    },
  });
  for (const command of ["make gen", "bash tools/gen.sh", "sh tools/gen.sh > out.log"])
    assert.equal((await a.before("Bash", { command })).outcome, "pass", command);
  assert.equal((await a.before("Bash", { command: "echo x > src/a.ts" })).outcome, "deny");
  const image = `python3 -c "open('test/x.png','wb').write(b'1')"`;
  assert.equal((await a.before("Bash", { command: image })).outcome, "pass", "binaries are no code");
});

test("named: the command to run fits the package manager and the file's own package", async (t) => {
  const a = play(t, {
    gates: ["verification"],
    files: {
      "package.json": '{"scripts":{"test":"vitest run"}}',
      "pnpm-lock.yaml": "x\n",
      "native/Cargo.toml": "[package]\n",
      "native/src/lib.rs": "fn a() {}\n",
      "scripts/install.sh": "echo 1\n",
    },
  });
  await a.edit("src/a.ts", "1", "2");
  assert.match((await a.stop("Done.")).text, /run `pnpm test`/);
  await green(a, "pnpm test");
  await a.prompt("now the native part");
  await a.edit("native/src/lib.rs", "a", "b");
  assert.match((await a.stop("Done.")).text, /run `cd native && cargo test`/);
  await a.bash("cd native && cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored\n");
  await a.prompt("now the installer");
  await a.edit("scripts/install.sh", "1", "2");
  assert.equal((await a.stop("Done.")).outcome, "pass", "the tests say nothing about it");
});

test("named: big and small orders", () => {
  const small = [
    "commit everything",
    "fix all lint errors",
    "make the whole row clickable",
    "run all tests",
    "print the full command in the log",
    "center the whole iframe",
    "push all my changes",
    "make sure all tests pass",
    "fix all type errors in the build",
    "remove all references to gql also",
    "fix all instances of the repo directory called old-name",
    "okay, fix it, but we will still check the generator after all code updates",
    "add coupons to the pricing:\n- percent\n- fixed\n- a minimum\n- an end date\n- rounding\n- one per order",
  ];
  const big = [
    "refactor all callbacks to async/await",
    "Rewrite the whole backend in Go",
    "migrate everything to the new client",
    "convert every component to hooks",
    "update the entire codebase to ESM",
  ];
  for (const text of small) assert.equal(readPrompt(text).kind, "task", text);
  for (const text of big) assert.equal(readPrompt(text).kind, "big-task", text);
});

test("named: 10/10 tests pass is no self-rating", () => {
  assert.equal(selfRating("10/10 tests pass"), undefined);
  assert.equal(selfRating("Rating: 8/10"), 8);
});

const empty = [
  "No libraries found matching the query 'zzz'.",
  "Nothing found for your search query.",
  "I could not find anything about that.",
  "Unfortunately there are no matching documents.",
  "Your search did not return any results.",
  "Sorry, no documentation available for this library.",
];
const answers = [
  "No. Use the retry option instead: it takes the number of attempts and a delay in ms.",
  "Call find() with a filter; if nothing matches it returns null, see the example below.",
];
for (const [text, counts] of [...empty.map((e) => [e, false] as const), ...answers.map((e) => [e, true] as const)])
  test(`named: ${counts ? "an answer" : "an empty answer"}: ${text.slice(0, 40)}`, async (t) => {
    const a = play(t, { gates: ["research"], options: { research: { require: ["docs"] } } });
    await a.prompt(task);
    await a.call("mcp__context7__get-library-docs", { topic: "x" }, text);
    assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, counts ? "pass" : "deny");
  });

test("named: three refused edits that the client never tried are no failures", async (t) => {
  const a = play(t, { gates: ["breaker"] });
  for (const error of [
    "Sibling tool call errored",
    "File has not been read yet. Read it first",
    "Sibling tool call errored",
  ]) {
    await a.before("Edit", { file_path: `${a.root}/src/a.ts`, old_string: "1", new_string: "2" });
    await a.failed("Edit", { file_path: `${a.root}/src/a.ts` }, `<tool_use_error>${error}</tool_use_error>`);
  }
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  for (let i = 0; i < 3; i++) await a.bash("npm test", failing(), 1);
  assert.equal((await a.edit("src/a.ts", "2", "1")).gate, "breaker");
});

test("named: memory open_nodes and TeamCreate change nothing", async (t) => {
  const a = play(t);
  await a.prompt(task);
  for (const tool of ["mcp__memory__open_nodes", "TeamCreate", "TeamDelete"])
    assert.equal((await a.before(tool, { names: ["x"] })).outcome, "pass", tool);
});

test("named: git push and gh pr create need research where configured", async (t) => {
  const external = ["git push", "gh pr create", "gh issue create"];
  const a = play(t, { gates: ["research"], options: { research: { external } } });
  await a.prompt(task);
  for (const command of ["git push origin x", "gh pr create --fill", "gh issue create --title x"])
    assert.equal((await a.before("Bash", { command })).outcome, "deny", command);
  await a.research();
  assert.equal((await a.before("Bash", { command: "git push origin x" })).outcome, "pass");
});
