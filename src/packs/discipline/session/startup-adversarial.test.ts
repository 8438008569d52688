// Start-up steps: what is a step done, what only looks like one, and what stays open meanwhile.

import { type Row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent } from "../../../../test/discipline/agent.js";

const steps = [
  { id: "handbook", read: "HANDBOOK.md" },
  { id: "check", run: "npm run check" },
  { id: "swift", run: "swift build", when: "Package.swift" },
  { id: "absent", read: "docs/NONE.md" },
];
const files = { "HANDBOOK.md": "how we work\n", "docs/other/HANDBOOK.md": "another\n", "docs/guide.md": "guide\n" };
const change = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
const shell = (command: string) => (a: Agent) => a.before("Bash", { command });
const asked = (tool: string, input: (a: Agent) => Record<string, string>) => (a: Agent) => a.before(tool, input(a));
const read = (a: Agent) => a.read("HANDBOOK.md");
const check = (a: Agent) => a.bash("npm run check", "all fine");

/** Everything but the handbook is done; then this. */
const after =
  (...acts: ((a: Agent) => Promise<unknown>)[]) =>
  async (a: Agent) => {
    for (const act of acts) await act(a);
    return change(a);
  };
const ran = (command: string, output = "all fine", exit = 0) => after(read, (a) => a.bash(command, output, exit));
const row = (expect: Row["expect"], trick: string, run: Row["try"], grade: Row["grade"] = "plain"): Row => ({
  grade,
  trick,
  expect,
  try: run,
});

const closed: Row[] = [
  row("deny", "Edit", change),
  row("deny", "Write", (a) => a.write("src/b.ts", "x\n")),
  row(
    "deny",
    "MultiEdit",
    asked("MultiEdit", (a) => ({ file_path: `${a.root}/src/a.ts`, edits: "[]" })),
  ),
  row(
    "deny",
    "NotebookEdit",
    asked("NotebookEdit", (a) => ({ notebook_path: `${a.root}/n.ipynb`, new_source: "x" })),
  ),
  row(
    "deny",
    "an MCP writer",
    asked("mcp__fs__write_file", (a) => ({ path: `${a.root}/src/a.ts`, content: "x" })),
  ),
  row(
    "deny",
    "a sub-agent",
    asked("Task", () => ({ prompt: "fix it", subagent_type: "general-purpose", description: "d" })),
  ),
  row(
    "deny",
    "a sub-agent by its new name",
    asked("Agent", () => ({ prompt: "fix it", subagent_type: "general-purpose", description: "d" })),
  ),
  row("deny", "a redirect", shell("echo x > src/a.ts")),
  row("deny", "a change behind a look", shell("git status && rm -rf src"), "villain"),
  row("deny", "an installation behind an echo", shell("echo x; npm install left-pad"), "villain"),
  row("deny", "a change behind the step", shell("npm run check && rm -rf src"), "villain"),
  row("deny", "a change before the step", shell("rm -rf src; npm run check"), "villain"),
  row("deny", "a change in the step's argument", shell('npm run check "$(rm -rf src)"'), "villain"),
  row("deny", "the step's output over a source", shell("npm run check > src/a.ts"), "villain"),
  row("deny", "a commit", shell("git commit -am x")),
  row(
    "pass",
    "Read",
    asked("Read", (a) => ({ file_path: `${a.root}/src/a.ts` })),
  ),
  row(
    "pass",
    "Grep",
    asked("Grep", () => ({ pattern: "x" })),
  ),
  row(
    "pass",
    "WebSearch",
    asked("WebSearch", () => ({ query: "x" })),
  ),
  row(
    "pass",
    "a question",
    asked("AskUserQuestion", () => ({ question: "x" })),
  ),
  row(
    "pass",
    "a list of things to do",
    asked("TodoWrite", () => ({ todos: "[]" })),
  ),
  row(
    "pass",
    "looking up a tool",
    asked("ToolSearch", () => ({ query: "x" })),
  ),
  row(
    "pass",
    "an MCP reader",
    asked("mcp__context7__get-library-docs", () => ({ topic: "x" })),
  ),
  row("pass", "a look", shell("git status && git log --oneline | head -5")),
  row("pass", "reading by shell", shell("cat HANDBOOK.md | head -50")),
  row("pass", "the step", shell("npm run check")),
  row("pass", "the step, cut", shell("npm run check 2>&1 | tail -20")),
  row("pass", "the step with a log elsewhere", shell("npm run check > /tmp/check-of-mine.log 2>&1")),
  row("pass", "the step with a variable before", shell("CI=1 npm run check")),
  row("pass", "the step with time", shell("timeout 60 npm run check")),
  row(
    "pass",
    "notes in scratch space",
    asked("Write", () => ({ file_path: "/tmp/notes-of-mine.md", content: "x" })),
  ),
];

const reading: Row[] = [
  row("pass", "Read", after(read, check)),
  row(
    "pass",
    "cat",
    after((a) => a.bash("cat HANDBOOK.md", "how we work"), check),
  ),
  row(
    "pass",
    "cat with a dot",
    after((a) => a.bash("cat ./HANDBOOK.md", "how we work"), check),
  ),
  row(
    "pass",
    "sed -n",
    after((a) => a.bash("sed -n 1,200p HANDBOOK.md", "how we work"), check),
  ),
  row(
    "pass",
    "head",
    after((a) => a.bash("head -100 HANDBOOK.md", "how we work"), check),
  ),
  row(
    "pass",
    "from a folder",
    after((a) => a.bash("cd docs && cat ../HANDBOOK.md", "how we work"), check),
  ),
  row(
    "pass",
    "among others",
    after((a) => a.bash("cat docs/guide.md HANDBOOK.md", "guide\nhow we work"), check),
  ),
  row(
    "pass",
    "by an MCP reader",
    after((a) => a.call("mcp__fs__read_file", { path: `${a.root}/HANDBOOK.md` }, "how we work"), check),
    "ambiguous",
  ),
  row(
    "pass",
    "a part of it",
    after((a) => a.read("HANDBOOK.md", { offset: 1, limit: 1 }), check),
    "ambiguous",
  ),
  row(
    "pass",
    "by a sub-agent",
    after(async (a) => {
      a.agent = { id: "s1", type: "Explore" };
      await read(a);
      a.agent = undefined;
    }, check),
    "ambiguous",
  ),
  row(
    "deny",
    "another of the name",
    after((a) => a.read("docs/other/HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "listing it",
    after((a) => a.bash("ls -l HANDBOOK.md", "HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "naming it",
    after((a) => a.bash("echo HANDBOOK.md", "HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "reading it to nowhere",
    after((a) => a.bash("cat HANDBOOK.md > /dev/null"), check),
    "villain",
  ),
  row(
    "deny",
    "counting it",
    after((a) => a.bash("wc -l HANDBOOK.md", "1 HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "hashing it",
    after((a) => a.bash("sha256sum HANDBOOK.md", "ab HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "no line of it",
    after((a) => a.bash("head -n 0 HANDBOOK.md"), check),
    "villain",
  ),
  row(
    "deny",
    "a read that failed",
    after(async (a) => {
      await a.before("Read", { file_path: `${a.root}/HANDBOOK.md` });
      await a.failed("Read", { file_path: `${a.root}/HANDBOOK.md` }, "EACCES");
    }, check),
  ),
  row(
    "deny",
    "asked and never done",
    after((a) => a.before("Read", { file_path: `${a.root}/HANDBOOK.md` }), check),
    "villain",
  ),
  row(
    "deny",
    "a pattern that finds nothing",
    after((a) => a.call("Grep", { pattern: "zzz", path: `${a.root}/HANDBOOK.md` }, ""), check),
    "villain",
  ),
  row(
    "deny",
    "cat that was not reached",
    after((a) => a.bash("true || cat HANDBOOK.md"), check),
    "villain",
  ),
];

const running: Row[] = [
  row("pass", "plain", ran("npm run check")),
  row("pass", "spaced", ran("npm  run   check")),
  row("pass", "with a variable before", ran("CI=1 npm run check")),
  row("pass", "with its errors in the output", ran("npm run check 2>&1")),
  row("pass", "with its output in a file", ran("npm run check > /tmp/check-of-mine.log 2>&1", "")),
  row("pass", "with time", ran("timeout 60 npm run check")),
  row("pass", "with time measured", ran("time npm run check")),
  row("deny", "in a shell of its own: not on its own", ran("bash -c 'npm run check'"), "ambiguous"),
  row("pass", "from the project's root", async (a) => ran(`cd ${a.root} && npm run check`)(a)),
  row("pass", "before another", ran("npm run check && npm test")),
  row("pass", "after another", ran("npm ci --dry-run && npm run check"), "ambiguous"),
  row("pass", "last of a list", ran("echo begin; npm run check")),
  row("pass", "cut, with the pipe's failure kept", ran("set -o pipefail; npm run check | tail -5")),
  row(
    "pass",
    "the second try",
    after(read, (a) => a.bash("npm run check", "bad", 1), check),
  ),
  row("deny", "that failed", ran("npm run check", "bad", 1)),
  row("deny", "failure hidden by or", ran("npm run check || true"), "villain"),
  row("deny", "failure hidden by a list", ran("npm run check; echo ok"), "villain"),
  row("deny", "failure hidden by exit", ran("npm run check; exit 0"), "villain"),
  row("deny", "failure hidden by a pipe", ran("npm run check | tee /tmp/check-of-mine.log"), "villain"),
  row("deny", "failure turned round", ran("! npm run check"), "villain"),
  row("deny", "in the background", ran("npm run check &"), "villain"),
  row("deny", "not reached", ran("true || npm run check"), "villain"),
  row("deny", "not reached, by condition", ran("if false; then npm run check; fi"), "villain"),
  row("deny", "as a condition", ran("if npm run check; then echo good; fi"), "villain"),
  row("deny", "said", ran("echo npm run check"), "villain"),
  row("deny", "quoted", ran("echo 'npm run check'"), "villain"),
  row("deny", "in a comment", ran("true # npm run check"), "villain"),
  row("deny", "another script", ran("npm run check-all"), "villain"),
  row("deny", "only half of it", ran("npm run"), "villain"),
  row("deny", "its failure covered by another call of the program", ran("npm run check; npm run lint"), "villain"),
  row("pass", "two of the program, one after the other", ran("npm run check && npm run lint")),
  row("deny", "its help", ran("npm run check --help"), "villain"),
  row("deny", "a function of the name", ran("npm() { true; }; npm run check"), "villain"),
  row("deny", "elsewhere", ran("cd /tmp && npm run check"), "villain"),
  row("deny", "elsewhere, by option", ran("npm --prefix /tmp run check"), "villain"),
  row(
    "deny",
    "stopped",
    after(read, async (a) => {
      await a.before("Bash", { command: "npm run check" });
      await a.after("Bash", { command: "npm run check" }, { stdout: "", stderr: "", interrupted: true });
    }),
    "villain",
  ),
  row(
    "deny",
    "handed to the background",
    after(read, async (a) => {
      await a.before("Bash", { command: "npm run check", run_in_background: true });
      await a.after(
        "Bash",
        { command: "npm run check", run_in_background: true },
        { stdout: "", stderr: "", interrupted: false, backgroundTaskId: "b1" },
      );
    }),
    "villain",
  ),
];

const applying: Row[] = [
  {
    ...row("deny", "the condition's file is there", after(read, check)),
    more: { files: { ...files, "Package.swift": "// swift" } },
  },
  {
    ...row(
      "pass",
      "and its step is done",
      after(read, check, (a) => a.bash("swift build", "Build complete!")),
    ),
    more: { files: { ...files, "Package.swift": "// swift" } },
  },
  { ...row("pass", "no step at all", change), more: { options: { startup: { steps: [] } } } },
  {
    ...row("pass", "the document is a folder", after(check)),
    more: { files: { "HANDBOOK.md/x": "y" } },
  },
  { ...row("pass", "the document is empty", after(read, check)), more: { files: { "HANDBOOK.md": "" } } },
  {
    ...row("pass", "a resumed session", async (a) => {
      await read(a);
      await check(a);
      await a.start("resume");
      return change(a);
    }),
  },
  {
    ...row("pass", "a compacted session", async (a) => {
      await read(a);
      await check(a);
      await a.start("compact");
      return change(a);
    }),
  },
  {
    ...row("pass", "a sub-agent after the steps", async (a) => {
      await read(a);
      await check(a);
      a.agent = { id: "s1", type: "general-purpose" };
      return change(a);
    }),
  },
  {
    ...row(
      "deny",
      "a sub-agent before them",
      async (a) => {
        a.agent = { id: "s1", type: "general-purpose" };
        return change(a);
      },
      "villain",
    ),
  },
  {
    ...row(
      "pass",
      "a program that is not there",
      after(async (a) => {
        for (let i = 0; i < 2; i++)
          await a.bash("no-such-tool-here report", "bash: no-such-tool-here: command not found", 127);
      }),
    ),
    more: { options: { startup: { steps: [{ id: "report", run: "no-such-tool-here report" }] } } },
  },
  {
    ...row("pass", "a script that is not there", change),
    more: { options: { startup: { steps: [{ id: "report", run: "./scripts/report.sh --all" }] } } },
  },
  {
    ...row("pass", "a script that is not there, by its interpreter", change),
    more: { options: { startup: { steps: [{ id: "report", run: "ruby scripts/validation_report.rb" }] } } },
  },
  {
    ...row("deny", "a script that is there", change),
    more: {
      files: { "scripts/report.sh": "true\n" },
      options: { startup: { steps: [{ id: "report", run: "./scripts/report.sh --all" }] } },
    },
  },
  {
    ...row(
      "pass",
      "a script that is there, run by its interpreter",
      after((a) => a.bash("./scripts/report.sh --all", "ok")),
    ),
    more: {
      files: { "scripts/report.sh": "true\n" },
      options: { startup: { steps: [{ id: "report", run: "./scripts/report.sh --all" }] } },
    },
  },
];

const home: Row[] = [
  row("deny", "a document in the home folder", (a) => {
    a.put("../home/.claude/SKILLS.md", "skills\n");
    return change(a);
  }),
  row("pass", "a document in the home folder, read", async (a) => {
    a.put("../home/.claude/SKILLS.md", "skills\n");
    await a.call(
      "Read",
      { file_path: `${a.home}/.claude/SKILLS.md` },
      { type: "text", file: { filePath: "x", content: "skills" } },
    );
    return change(a);
  }),
  row("pass", "a document in the home folder, by cat", async (a) => {
    a.put("../home/.claude/SKILLS.md", "skills\n");
    await a.bash("cat ~/.claude/SKILLS.md", "skills");
    return change(a);
  }),
  row("pass", "a document in the home folder that is not there", change),
];

/** With every gate on, a step may be taken at once, whatever it does. */
const first: Row[] = [
  ["make doctor", { Makefile: "doctor:\n\t./tools/doctor.bin --all\n" }],
  ["make doctor", {}],
  ["npm run setup", { "package.json": '{"scripts":{"setup":"node tools/setup.mjs && touch src/gen.ts"}}' }],
  ["./scripts/setup.rb --all", { "scripts/setup.rb": "File.write('src/gen.ts', 'x')\n" }],
  ["git pull --ff-only", {}],
].map(([run, made]) => ({
  ...row("pass", `first of all: ${run}`, (a) => a.before("Bash", { command: run as string })),
  more: {
    options: { mode: "enforce", startup: { steps: [{ id: "s", run: run as string }] } },
    files: { "CONTRIBUTING.md": "rules\n", ...(made as Record<string, string>) },
  },
}));
table("startup, before everything else", ["startup", "documents", "research", "plan", "inline-scripts"], first);

table(
  "startup, safemode",
  ["safemode", "commands"],
  [
    row("deny", "a step that writes, while nothing may be changed", async (a) => {
      await a.prompt("s+");
      return a.before("Bash", { command: "touch src/gen.ts" });
    }),
  ],
  { options: { startup: { steps: [{ id: "s", run: "touch src/gen.ts" }] } } },
);
table(
  "startup, two steps of one id",
  ["startup"],
  [
    row(
      "deny",
      "the one is not the other",
      after((a) => a.bash("make one", "ok")),
      "villain",
    ),
    row(
      "pass",
      "both",
      after(
        (a) => a.bash("make one", "ok"),
        (a) => a.bash("make two", "ok"),
      ),
    ),
  ],
  {
    files: { Makefile: "one:\n\ttrue\ntwo:\n\ttrue\n" },
    options: {
      startup: {
        steps: [
          { id: "s", run: "make one" },
          { id: "s", run: "make two" },
        ],
      },
    },
  },
);
table("startup, closed", ["startup"], closed, { files, options: { startup: { steps } } });
table("startup, reading", ["startup"], reading, { files, options: { startup: { steps } } });
table("startup, running", ["startup"], running, { files, options: { startup: { steps } } });
table("startup, applying", ["startup"], applying, { files, options: { startup: { steps } } });
table("startup, home", ["startup"], home, {
  options: { startup: { steps: [{ id: "skills", read: "~/.claude/SKILLS.md" }] } },
});
