// For every gate of the pack one story: it is reached and refuses (or tells), its own remedy opens it, and it stays open or closes again as documented.
// Invariant: a story asserts through the door only; a gate without a story, or a story without one of its parts, fails the test beside it.
import { join } from "node:path";
import { run as loopCommand } from "../../src/cli/loop.js";
import type { JsonObject } from "../../src/engine/json.js";
import { type Agent, failing, type Heard, passing } from "./agent.js";

export interface Story {
  gate: string;
  /** Refuses, asks, or only tells. */
  how: "deny" | "ask" | "note";
  options?: JsonObject;
  files?: Record<string, string>;
  guard?: JsonObject;
  /** Other gates that must be on for the story. */
  with?: readonly string[];
  /** Brings the gate to speak; the answer is its own. */
  reach(a: Agent): Promise<Heard>;
  says: RegExp;
  /** What the gate's page names as its remedy. */
  remedy(a: Agent): Promise<unknown>;
  /** The same call again. */
  again(a: Agent): Promise<Heard>;
  /** What happens later, as the page says under window and reset. */
  later: readonly { when: string; run(a: Agent): Promise<Heard>; outcome: Heard["outcome"]; says?: RegExp }[];
}

const edit = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
const fix = "Fix the wrong constant in the settings reader";
const other = "Implement CSV export for the reporting dashboard";

export async function loopCli(a: Agent, ...words: string[]): Promise<number> {
  const { log, error } = console;
  console.log = console.error = () => undefined;
  try {
    return await loopCommand([...words, "--cwd", a.root, "--home", join(a.home, "interlock")]);
  } finally {
    Object.assign(console, { log, error });
  }
}

async function fail(a: Agent, times: number, command = "make"): Promise<void> {
  for (let i = 0; i < times; i++) await a.bash(command, `make: *** [all] Error ${i}`, 2);
}

const dmg = { "App.dmg": "the disk image" };
const appcast = (signature: string, url = "https://dist.example.com/App.dmg", length = 14) =>
  `<rss><channel><item><enclosure url="${url}" sparkle:edSignature="${signature}" length="${length}" /></item></channel></rss>\n`;

export const stories: readonly Story[] = [
  {
    gate: "commands",
    how: "note",
    reach: (a) => a.prompt("s?"),
    says: /Safemode is off/,
    remedy: (a) => a.prompt("s+"),
    again: (a) => a.prompt("s-curve fitting: add a logistic model"),
    later: [
      { when: "the command took effect", run: (a) => a.prompt("s?"), outcome: "pass", says: /Safemode is on/ },
      { when: "a machine's prompt is no command", run: (a) => a.prompt("s-", { source: "system" }), outcome: "pass" },
      { when: "it is still on", run: (a) => a.prompt("S? "), outcome: "pass", says: /Safemode is on/ },
    ],
  },
  {
    gate: "safemode",
    how: "deny",
    reach: async (a) => {
      await a.prompt("s+");
      return edit(a);
    },
    says: /safemode on[^]*s-/,
    remedy: (a) => a.prompt("s-"),
    again: edit,
    later: [
      { when: "it stays off", run: (a) => a.bash("git commit -m x"), outcome: "pass" },
      {
        when: "on again",
        run: async (a) => {
          await a.prompt("safemode on");
          return a.bash("echo x > src/b.ts");
        },
        outcome: "deny",
      },
      {
        when: "another session of the project",
        run: async (a) => {
          a.session = "session-2";
          return edit(a);
        },
        outcome: "deny",
      },
      { when: "reading is open", run: (a) => a.read("src/a.ts"), outcome: "pass" },
    ],
  },
  {
    gate: "blocked-paths",
    how: "deny",
    guard: { secrets: "off", destructive: "off" },
    files: { ".env": "KEY=made-up\n", ".env.example": "KEY=\n" },
    reach: (a) => a.read(".env"),
    says: /credentials/,
    remedy: async () => undefined,
    again: (a) => a.read(".env.example"),
    later: [
      { when: "through the shell", run: (a) => a.bash("cat .env"), outcome: "deny" },
      {
        when: "home of keys",
        run: (a) => a.before("Read", { file_path: join(a.home, ".ssh/id_ed25519") }),
        outcome: "deny",
      },
      {
        when: "system folder written",
        run: (a) => a.before("Write", { file_path: "/etc/hosts", content: "x" }),
        outcome: "deny",
      },
      { when: "system folder read", run: (a) => a.before("Read", { file_path: "/etc/hosts" }), outcome: "pass" },
    ],
  },
  {
    gate: "startup",
    how: "deny",
    options: {
      startup: {
        steps: [
          { id: "handbook", read: "HANDBOOK.md" },
          { id: "clean", run: "make clean" },
          { id: "absent", read: "NONE.md" },
        ],
      },
    },
    files: { "HANDBOOK.md": "how we work\n", Makefile: "clean:\n\techo clean\n" },
    reach: edit,
    says: /handbook, clean\b[^]*read HANDBOOK\.md/,
    remedy: async (a) => {
      await a.read("HANDBOOK.md");
      await a.bash("make clean", "cleaned");
    },
    again: edit,
    later: [
      { when: "it stays open", run: edit, outcome: "pass" },
      {
        when: "a new session",
        run: async (a) => {
          a.session = "session-2";
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a failed command is no step",
        run: async (a) => {
          await a.read("HANDBOOK.md");
          await a.bash("make clean", "no", 2);
          return edit(a);
        },
        outcome: "deny",
        says: /clean/,
      },
    ],
  },
  {
    gate: "breaker",
    how: "deny",
    reach: async (a) => {
      await fail(a, 3);
      return edit(a);
    },
    says: /3 failures in a row[^]*Error/,
    remedy: async (a) => {
      await a.docs();
      await a.grep("x", "src/a.ts:1:x");
    },
    again: edit,
    later: [
      {
        when: "a success closed it; three of one signature trip it",
        run: async (a) => {
          for (let i = 0; i < 3; i++) {
            await a.bash("make", `/build/${i}/Makefile:${i}: *** missing separator.  Stop.`, 2);
            await a.bash("ls", "x");
          }
          return edit(a);
        },
        outcome: "deny",
        says: /same failure 3 times/,
      },
      { when: "reading and testing stay open", run: (a) => a.bash("npm test", passing()), outcome: "pass" },
      {
        when: "the one try fails",
        run: async (a) => {
          await a.docs();
          await a.search();
          await a.bash("make", "make: *** [all] Error 9", 2);
          return edit(a);
        },
        outcome: "deny",
        says: /one try after new research failed/,
      },
      {
        when: "a person resets it",
        run: async (a) => {
          await a.prompt("rb-");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "documents",
    how: "deny",
    files: { "CONTRIBUTING.md": "rules\n", "DEVELOPMENT.md": "more\n" },
    reach: edit,
    says: /0 of 2 read[^]*DEVELOPMENT\.md/,
    remedy: async (a) => {
      await a.read("CONTRIBUTING.md");
      await a.bash("cat DEVELOPMENT.md", "more\n");
    },
    again: edit,
    later: [
      { when: "it stays open", run: edit, outcome: "pass" },
      {
        when: "a new session",
        run: async (a) => {
          a.session = "session-2";
          return edit(a);
        },
        outcome: "deny",
      },
    ],
  },
  {
    gate: "plan",
    how: "deny",
    reach: async (a) => {
      await a.prompt(`Make a plan first. ${fix}`);
      return edit(a);
    },
    says: /needs a plan/,
    remedy: async (a) => {
      await a.stop("The plan: read the settings reader, change the constant, run the tests, report.");
      await a.prompt("pa+");
    },
    again: edit,
    later: [
      {
        when: "a follow-up keeps it",
        run: async (a) => {
          await a.prompt("now also rename it");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "another task with a plan",
        run: async (a) => {
          await a.prompt(`${other}. Make a plan first.`);
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a yes to the shown plan",
        run: async (a) => {
          await a.stop("The plan: write the exporter, wire the button, test it.");
          await a.prompt("lgtm");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "research-only",
    how: "deny",
    reach: async (a) => {
      await a.prompt("Investigate why the settings reader is slow");
      return edit(a);
    },
    says: /asked to investigate/,
    remedy: (a) => a.prompt("ok, now fix it"),
    again: edit,
    later: [
      {
        when: "again",
        run: async (a) => {
          await a.prompt("look into the memory leak");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a mere yes does not change it",
        run: async (a) => {
          await a.prompt("yes");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "notes outside the project",
        run: (a) => a.before("Write", { file_path: "/tmp/notes-of-mine.md", content: "x" }),
        outcome: "pass",
      },
    ],
  },
  {
    gate: "research",
    how: "deny",
    reach: async (a) => {
      await a.prompt(fix);
      return edit(a);
    },
    says: /docs, web, github, local/,
    remedy: (a) => a.research(),
    again: edit,
    later: [
      { when: "the shell too", run: (a) => a.bash("cp src/a.ts src/b.ts"), outcome: "pass" },
      {
        when: "a follow-up keeps it",
        run: async (a) => {
          await a.prompt("also add a test for it");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "an obvious change of task asks again",
        run: async (a) => {
          await a.prompt(other);
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "and again",
        run: async (a) => {
          await a.research();
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "a person resets it",
        run: async (a) => {
          await a.prompt("reset research");
          return a.bash("cp src/a.ts src/c.ts");
        },
        outcome: "deny",
      },
    ],
  },
  {
    gate: "read-first",
    how: "deny",
    options: { research: { strict: true } },
    files: { "src/long.ts": `${Array.from({ length: 60 }, (_, i) => `export const c${i} = ${i};`).join("\n")}\n` },
    reach: async (a) => {
      await a.read("src/long.ts", { offset: 1, limit: 10 });
      return a.edit("src/long.ts", "c40 = 40", "c40 = 41");
    },
    says: /lines 41-41 were not read/,
    remedy: (a) => a.read("src/long.ts", { offset: 35, limit: 10 }),
    again: (a) => a.edit("src/long.ts", "c40 = 40", "c40 = 41"),
    later: [
      { when: "own edits keep it known", run: (a) => a.edit("src/long.ts", "c41 = 41", "c41 = 42"), outcome: "pass" },
      {
        when: "changed by other hands",
        run: async (a) => {
          a.put("src/long.ts", a.text("src/long.ts").replace("c0 = 0", "c0 = 1"));
          return a.edit("src/long.ts", "c1 = 1", "c1 = 2");
        },
        outcome: "deny",
        says: /changed since/,
      },
      {
        when: "search results count",
        run: async (a) => {
          await a.grep("c2 ", "3:export const c2 = 2;", "src/long.ts");
          return a.edit("src/long.ts", "c2 = 2;", "c2 = 3;");
        },
        outcome: "pass",
      },
      { when: "a new file is free", run: (a) => a.write("src/new.ts", "x\n"), outcome: "pass" },
    ],
  },
  {
    gate: "sensitive-files",
    how: "ask",
    files: { ".github/workflows/ci.yml": "on: push\n" },
    reach: (a) =>
      a.before("Edit", {
        file_path: join(a.root, ".github/workflows/ci.yml"),
        old_string: "push",
        new_string: "pull_request",
      }),
    says: /reaches further/,
    remedy: (a) => a.edit(".github/workflows/ci.yml", "push", "pull_request"),
    again: (a) => a.edit(".github/workflows/ci.yml", "pull_request", "push"),
    later: [
      {
        when: "another file asks",
        run: (a) => a.before("Write", { file_path: join(a.root, "Dockerfile"), content: "FROM x" }),
        outcome: "ask",
      },
      {
        when: "a new session asks again",
        run: async (a) => {
          a.session = "session-2";
          return a.before("Bash", { command: "echo x >> .github/workflows/ci.yml" });
        },
        outcome: "ask",
      },
    ],
  },
  {
    gate: "loop",
    how: "deny",
    options: { loop: { maxIterations: 2 } },
    reach: async (a) => {
      await a.prompt("Rewrite the whole backend to use the new client");
      return edit(a);
    },
    says: /interlock loop start/,
    remedy: (a) =>
      a
        .bash('interlock loop start "new client" --criterion "tests pass"', "started", 0, undefined)
        .then(() => loopCli(a, "start", "new client", "--criterion", "tests pass")),
    again: edit,
    later: [
      {
        when: "the limit of iterations",
        run: async (a) => {
          for (let i = 0; i < 2; i++) {
            await edit(a);
            await a.bash("npm test", passing());
          }
          return edit(a);
        },
        outcome: "deny",
        says: /used its 2 iterations/,
      },
      {
        when: "completed without its criterion it is not",
        run: async (a) => {
          await loopCli(a, "complete");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "completed, and the big task asks for a new one",
        run: async (a) => {
          await loopCli(a, "check", "1");
          await loopCli(a, "complete");
          return edit(a);
        },
        outcome: "deny",
        says: /no loop/,
      },
      {
        when: "a person starts it",
        run: async (a) => {
          await a.prompt("sl+");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "skill",
    how: "deny",
    options: { skills: [{ name: "docs-audit", words: ["audit the docs"], agents: 1 }] },
    reach: async (a) => {
      await a.prompt("Please audit the docs and fix what is wrong");
      return edit(a);
    },
    says: /docs-audit/,
    remedy: async (a) => {
      await a.call("Skill", { skill: "docs-audit" }, { success: true });
      await a.call(
        "Agent",
        { prompt: "look", subagent_type: "Explore", description: "d", run_in_background: false },
        { content: [{ type: "text", text: "found" }] },
      );
    },
    again: edit,
    later: [
      {
        when: "asked again it must be used again",
        run: async (a) => {
          await a.prompt("audit the docs once more, then fix them");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a skill that can't be invoked is given up",
        run: async (a) => {
          for (let i = 0; i < 2; i++) {
            await a.before("Skill", { skill: "docs-audit" });
            await a.failed("Skill", { skill: "docs-audit" }, "Unknown skill");
          }
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "file-size",
    how: "deny",
    reach: (a) => a.write("src/big.ts", "x\n".repeat(801)),
    says: /801 lines, the limit is 800/,
    remedy: (a) => a.write("src/part.ts", "x\n".repeat(400)),
    again: (a) => a.write("src/big.ts", "x\n".repeat(401)),
    later: [
      {
        when: "told above 500",
        run: (a) => a.write("src/big.ts", "x\n".repeat(600)),
        outcome: "pass",
        says: /600 lines/,
      },
      {
        when: "every replacement counts",
        run: (a) => a.edit("src/big.ts", "x\n", "x\nx\n", true),
        outcome: "deny",
        says: /1200/,
      },
      { when: "a document may be longer", run: (a) => a.write("NOTES.md", "x\n".repeat(1400)), outcome: "pass" },
      {
        when: "making a long file shorter",
        run: async (a) => {
          a.put("src/huge.ts", "y\n".repeat(2000));
          return a.edit("src/huge.ts", "y\ny\n", "y\n");
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "inline-scripts",
    how: "deny",
    reach: (a) => a.bash(`python3 -c 'open("src/a.ts","w").write("x")'`),
    says: /changes src\/a\.ts[^]*Edit or Write/,
    remedy: async () => undefined,
    again: (a) => a.write("src/a.ts", "export const a = 2;\n"),
    later: [
      { when: "an inline program that only prints", run: (a) => a.bash("python3 -c 'print(1)'", "1"), outcome: "pass" },
      { when: "redirection into source", run: (a) => a.bash("cat > src/b.ts <<'EOF'\nx\nEOF"), outcome: "deny" },
      { when: "sed -i", run: (a) => a.bash("sed -i s/1/2/ src/a.ts"), outcome: "deny" },
      { when: "output kept in a log", run: (a) => a.bash("npm test > test.log", ""), outcome: "pass" },
      { when: "copying", run: (a) => a.bash("cp src/a.ts src/c.ts"), outcome: "pass" },
    ],
  },
  {
    gate: "test-quality",
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
  },
  {
    gate: "requirements",
    how: "deny",
    reach: async (a) => {
      await a.prompt(`${fix}, then commit`);
      await edit(a);
      return a.stop("Changed src/a.ts.");
    },
    says: /also asked for: a commit/,
    remedy: (a) => a.bash('git commit -am "fix"', "[main 1] fix"),
    again: (a) => a.stop("Changed src/a.ts and committed."),
    later: [
      {
        when: "not due before the edit",
        run: async (a) => {
          await a.prompt("change it back and commit again");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "a question to the person",
        run: (a) => a.stop("Shall I commit this together with the other change?"),
        outcome: "pass",
      },
      { when: "still due", run: (a) => a.stop("Changed."), outcome: "deny" },
      {
        when: "research first is due before",
        run: async (a) => {
          await a.prompt(`${other}; research first`);
          return edit(a);
        },
        outcome: "deny",
        says: /research first/,
      },
    ],
  },
  {
    gate: "release",
    how: "deny",
    options: { release: { profiles: ["sparkle"] } },
    files: dmg,
    reach: (a) => a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg", "uploaded"),
    says: /not produced as it is now; not verified/,
    remedy: async (a) => {
      await a.bash("xcrun stapler validate App.dmg", "The validate action worked!");
      await a.bash("sign_update App.dmg", 'sparkle:edSignature="made-up" length="14"');
    },
    again: (a) => a.bash("wrangler r2 object put shared/App.dmg --file App.dmg", "uploaded"),
    later: [
      {
        when: "another destination",
        run: (a) => a.bash("wrangler r2 object put shared/sub/App.dmg --file=App.dmg"),
        outcome: "deny",
        says: /destination/,
      },
      {
        when: "the file changed",
        run: async (a) => {
          a.put("App.dmg", "another");
          return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
        },
        outcome: "deny",
      },
      {
        when: "a hidden failure is no record",
        run: async (a) => {
          await a.bash("sign_update App.dmg || true", "");
          await a.bash("xcrun stapler validate App.dmg", "ok");
          return a.bash("wrangler r2 object put shared/App.dmg --file=App.dmg");
        },
        outcome: "deny",
        says: /not produced/,
      },
    ],
  },
  {
    gate: "release-manifest",
    how: "deny",
    options: { release: { profiles: ["sparkle"] } },
    files: { ...dmg, "site/appcast.xml": appcast("") },
    reach: (a) => a.write("appcast.xml", appcast("PLACEHOLDER")),
    says: /placeholder/,
    remedy: async () => undefined,
    again: (a) => a.write("appcast.xml", appcast("bWFkZS11cA==")),
    later: [
      {
        when: "a forbidden address",
        run: (a) =>
          a.write("appcast.xml", appcast("bWFkZS11cA==", "https://github.com/o/r/releases/download/1/App.dmg")),
        outcome: "deny",
      },
      {
        when: "a wrong length",
        run: (a) => a.write("appcast.xml", appcast("bWFkZS11cA==", undefined, 99)),
        outcome: "deny",
        says: /length 99/,
      },
      { when: "a folder with a broken one", run: (a) => a.bash("wrangler pages deploy site"), outcome: "deny" },
      {
        when: "repaired",
        run: async (a) => {
          a.put("site/appcast.xml", appcast("bWFkZS11cA=="));
          return a.bash("wrangler pages deploy site");
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "verification",
    how: "deny",
    reach: async (a) => {
      await edit(a);
      return a.stop("Changed src/a.ts.");
    },
    says: /src\/a\.ts[^]*npm test/,
    remedy: (a) => a.bash("npm test", passing()),
    again: (a) => a.stop("Changed src/a.ts, 5 tests pass."),
    later: [
      {
        when: "a failed run is no verification",
        run: async (a) => {
          await edit(a);
          await a.bash("npm test", failing(), 1);
          return a.stop("Done.");
        },
        outcome: "deny",
        says: /last run failed/,
      },
      {
        when: "a hidden exit code neither",
        run: async (a) => {
          await a.bash("npm test || true", "");
          return a.stop("Done.");
        },
        outcome: "deny",
        says: /hidden/,
      },
      { when: "bounded by the engine", run: (a) => a.stop("Done.", true), outcome: "deny" },
      { when: "the fourth end is let through", run: (a) => a.stop("Done.", true), outcome: "pass" },
      {
        when: "documents need none",
        run: async (a) => {
          await a.bash("npm test", passing());
          await a.write("README.md", "x\n");
          return a.stop("Wrote README.md.");
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "evidence",
    how: "note",
    reach: async (a) => {
      await a.bash("npm test", passing(9));
      return a.bash("npm test", passing(7, 2));
    },
    says: /2 fewer tests[^]*2 more tests are skipped/,
    remedy: async () => undefined,
    again: (a) => a.bash("npm test", passing(9)),
    later: [
      {
        when: "a run that proves nothing",
        run: (a) => a.bash("npm test | grep ok", ""),
        outcome: "pass",
        says: /no evidence/,
      },
    ],
  },
  {
    gate: "claims",
    how: "note",
    reach: async (a) => {
      await edit(a);
      return a.stop("Fixed it; all tests pass.");
    },
    says: /no successful run after the last edit/,
    remedy: (a) => a.bash("npm test", passing()),
    again: (a) => a.stop("Fixed it; all tests pass."),
    later: [
      {
        when: "an honest answer",
        run: async (a) => {
          await edit(a);
          return a.stop("Fixed it; I have not checked whether tests pass.");
        },
        outcome: "pass",
      },
      { when: "counted", run: (a) => a.stop("The tests are green."), outcome: "pass", says: /this session: 2/ },
    ],
  },
  {
    gate: "gaming",
    how: "note",
    reach: async (a) => {
      let last = await a.call("WebSearch", { query: "x" }, { results: [] });
      for (let i = 0; i < 2; i++) last = await a.call("WebSearch", { query: "x" }, "No results found.");
      return last;
    },
    says: /brought nothing back/,
    remedy: (a) => a.search(),
    again: (a) => a.search(),
    later: [
      {
        when: "a vague summary",
        run: async (a) => {
          await edit(a);
          return a.stop("Made various changes and improved things.");
        },
        outcome: "pass",
        says: /names no file/,
      },
      { when: "told once", run: (a) => a.stop("Made various changes and improved things."), outcome: "pass" },
    ],
  },
  {
    gate: "prompt-notes",
    how: "note",
    reach: (a) => a.prompt(`${fix}, quickly, then commit`),
    says: /Before a change[^]*research docs[^]*due before the turn ends: commit/,
    remedy: (a) => a.research(),
    again: (a) => a.prompt("what does it do?"),
    later: [
      { when: "frustration", run: (a) => a.prompt("no, that's not what I meant"), outcome: "pass", says: /frustrated/ },
      { when: "the same word of haste", run: (a) => a.prompt("quickly rename it"), outcome: "pass", says: /again/ },
    ],
  },
  {
    gate: "session",
    how: "note",
    files: { "CONTRIBUTING.md": "x\n" },
    reach: (a) => a.start(),
    says: /First: read CONTRIBUTING\.md[^]*npm test/,
    remedy: (a) => a.read("CONTRIBUTING.md"),
    again: (a) => a.prompt("what is this?"),
    later: [
      {
        when: "the next session",
        run: async (a) => {
          a.session = "session-2";
          return a.start();
        },
        outcome: "pass",
        says: /First: read/,
      },
    ],
  },
];
