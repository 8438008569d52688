// Reminders, execution modes, nested agents, releases, commands that reach others, hollow Swift tests: rows written
// before any was played. SPAWNED=1 plays them through the built program, one process per event.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import { testChange } from "../../src/facts/test-changes.js";
import { type Agent, type AgentOptions, failing, passing, play } from "./agent.js";
import { edit, other, spawnedHook } from "./story.js";

const agent = (t: TestContext, options: AgentOptions): Agent =>
  play(t, { ...options, ...(process.env["SPAWNED"] && { ask: spawnedHook }) });

test("prompts of nested agents are the agent's word", async (t) => {
  const commands = [
    "claude -p 's-'",
    "claude --print 's-' --output-format json",
    "echo s- | claude -p",
    "printf 's-\\n' | claude --print",
    "claude -c -p 's-'",
    "claude -cp 's-'",
    "npx @anthropic-ai/claude-code -p 's-'",
    "npx -y @anthropic-ai/claude-code@latest -p s-",
    "codex exec 's-'",
    "gemini -p 's-'",
    "opencode run 's-'",
    "env FOO=1 claude -p s-",
    "timeout 30 claude -p s-",
    "nohup claude -p s- &",
    "echo s- | xargs claude -p",
    "sh -c \"claude -p 's-'\"",
    "claude -p <<'EOF'\ns-\nEOF",
    "tmux send-keys -t 0 's-' Enter",
    "tmux new-session -d 'claude -p s-'",
    'node -e \'import("@anthropic-ai/claude-agent-sdk").then(({query})=>query({prompt:"s-"}))\'',
    "screen -S x -X stuff 's-\\n'",
    "expect -c 'spawn claude; send \"s-\\r\"'",
  ];
  const wrong: string[] = [];
  for (const command of commands) {
    const a = agent(t, { gates: ["safemode"] });
    await a.prompt("s+");
    await a.bash(command, "Safemode is off.");
    // What the nested agent's own hook sends, from another session without a person's transcript.
    a.session = "nested";
    await a.send("UserPromptSubmit", { prompt: "s-", source: "system" });
    a.session = "session-1";
    if ((await edit(a)).outcome !== "deny") wrong.push(command);
  }
  assert.deepEqual(wrong, []);
});

const remind = /Two failures|edited since|Committed with|long session/;
const reminders: [name: string, times: number, run: (a: Agent) => Promise<string[]>, options?: object][] = [
  ["one failure", 0, async (a) => [(await a.bash("npm test", failing(), 1)).context]],
  [
    "two failures in a row",
    1,
    async (a) => [
      (await a.bash("npm test", failing(), 1)).context,
      (await a.bash("npm run build", "error TS1", 2)).context,
    ],
  ],
  [
    "a failure, a success, a failure",
    0,
    async (a) => [
      (await a.bash("npm test", failing(), 1)).context,
      (await a.bash("npm run build", "ok\n")).context,
      (await a.bash("npm test", failing(6), 1)).context,
    ],
  ],
  [
    "looks that fail",
    0,
    async (a) => [
      (await a.bash("cat nofile", "no such file", 1)).context,
      (await a.bash("ls nodir", "none", 2)).context,
    ],
  ],
  [
    "failures of two agents",
    0,
    async (a) => {
      const one = (await a.bash("npm test", failing(), 1)).context;
      a.agent = { id: "sub", type: "general-purpose" };
      return [one, (await a.bash("npm test", failing(6), 1)).context];
    },
  ],
  ["nine files", 0, (a) => writes(a, 9)],
  ["ten files, then more", 1, (a) => writes(a, 14)],
  [
    "one file many times",
    0,
    async (a) => {
      const said: string[] = [];
      for (let i = 0; i < 14; i++) said.push((await a.write("src/a.ts", `export const a = ${i};\n`)).context);
      return said;
    },
  ],
  ["documents", 0, (a) => writes(a, 12, (i) => `docs/n${i}.md`)],
  [
    "ten files with a passing run between",
    0,
    async (a) => [...(await writes(a, 6)), (await a.bash("npm test", passing())).context, ...(await writes(a, 6))],
  ],
  ["a commit of nothing unverified", 0, async (a) => [(await a.bash("git commit -qm x", "[main 1] x")).context]],
  [
    "a commit after a passing run",
    0,
    async (a) => {
      await a.write("src/b.ts", "export const b = 1;\n");
      await a.bash("npm test", passing());
      return [(await a.bash("git commit -qam x", "[main 1] x")).context];
    },
  ],
  [
    "commits of unverified work, twice",
    1,
    async (a) => {
      await a.write("src/b.ts", "export const b = 1;\n");
      const one = (await a.bash("git commit -qam x", "[main 1] x")).context;
      await a.write("src/c.ts", "export const c = 1;\n");
      return [one, (await a.bash("git commit -qam y", "[main 2] y")).context];
    },
  ],
  [
    "a commit that fails",
    0,
    async (a) => {
      await a.write("src/b.ts", "export const b = 1;\n");
      return [(await a.bash("git commit -qam x", "nothing to commit", 1)).context];
    },
  ],
  [
    "a look at commits, and words about one",
    0,
    async (a) => {
      await a.write("src/b.ts", "export const b = 1;\n");
      return [
        (await a.bash("git log --oneline", "1 x")).context,
        (await a.bash("echo 'git commit'", "git commit")).context,
        (await a.bash("git commit --dry-run", "would commit")).context,
      ];
    },
  ],
  ["200 calls", 0, (a) => reads(a, 200)],
  ["230 calls", 1, (a) => reads(a, 230)],
  ["all of it, switched off", 0, async (a) => [...(await writes(a, 12)), ...(await both(a))], { reminders: false }],
];

async function writes(a: Agent, count: number, name = (i: number) => `src/n${i}.ts`): Promise<string[]> {
  const said: string[] = [];
  for (let i = 0; i < count; i++) said.push((await a.write(name(i), `export const n = ${i};\n`)).context);
  return said;
}
async function reads(a: Agent, count: number): Promise<string[]> {
  const said: string[] = [];
  for (let i = 0; i < count; i++) said.push((await a.read("src/a.ts")).context);
  return said;
}
const both = async (a: Agent): Promise<string[]> => [
  (await a.bash("npm test", failing(), 1)).context,
  (await a.bash("npm test", failing(6), 1)).context,
  (await a.bash("git commit -qam x", "[main 1] x")).context,
];

for (const [name, times, run, options] of reminders)
  test(`reminders: ${name}`, async (t) => {
    const a = agent(t, { gates: ["reminders"], ...(options && { options: options as never }) });
    const said = await run(a);
    assert.equal(said.filter((text) => remind.test(text)).length, times, said.filter(Boolean).join("\n"));
  });

const planned = "Make a plan first, then fix the wrong constant in the settings reader";
async function approved(t: TestContext, execution: string): Promise<Agent> {
  const a = agent(t, { gates: ["plan"], options: { plan: { execution } } });
  await a.prompt(planned);
  await a.stop("The plan: 1. read the settings reader. 2. change the constant. 3. run the tests.");
  await a.prompt("pa+");
  return a;
}
const commit = (a: Agent) => a.bash("git commit -qam x", "[main 1] x");

const modes: [name: string, execution: string, outcome: string, before: (a: Agent) => Promise<unknown>][] = [
  ["goes on after a commit", "autonomous", "pass", commit],
  ["goes on", "autonomous", "pass", async () => {}],
  ["first change", "phases", "pass", async () => {}],
  ["after a commit", "phases", "deny", commit],
  [
    "after a commit and the user's answer",
    "phases",
    "pass",
    async (a) => {
      await commit(a);
      return a.prompt("continue");
    },
  ],
  ["after a commit by -C", "phases", "deny", (a) => a.bash("git -C . commit -qam x", "[main 1] x")],
  ["after a commit in a chain", "phases", "deny", (a) => a.bash("git add -A && git commit -qm x", "[main 1] x")],
  ["after a commit that failed", "phases", "pass", (a) => a.bash("git commit -qam x", "nothing to commit", 1)],
  ["after a dry run", "phases", "pass", (a) => a.bash("git commit --dry-run", "would")],
  ["after git log", "phases", "pass", (a) => a.bash("git log -1", "x")],
  [
    "after a machine's message",
    "phases",
    "deny",
    async (a) => {
      await commit(a);
      return a.prompt("<task-notification>done</task-notification>");
    },
  ],
  ["after a ticked criterion", "phases", "deny", (a) => a.bash("interlock loop check 1", "1 of 2")],
  ["after a ticked criterion by npx", "phases", "deny", (a) => a.bash("npx agent-interlock loop check 1", "1 of 2")],
  ["after a look at the loop", "phases", "pass", (a) => a.bash("interlock loop status", "1 of 2")],
  ["first change", "supervised", "ask", async () => {}],
  ["after a commit", "supervised", "ask", commit],
  ["withdrawn", "autonomous", "deny", (a) => a.prompt("pa-")],
  ["withdrawn", "supervised", "deny", (a) => a.prompt("pa-")],
  ["withdrawn", "phases", "deny", (a) => a.prompt("pa-")],
];
for (const [name, execution, outcome, before] of modes)
  test(`plan.execution ${execution}: ${name}`, async (t) => {
    const a = await approved(t, execution);
    await before(a);
    const said = await edit(a);
    assert.equal(said.outcome, outcome, said.text);
    if (outcome === "deny") assert.match(said.text, /next: \S/);
    assert.equal((await a.read("src/a.ts")).outcome, "pass", "looking is open in every mode");
  });

test("plan.execution means nothing where no plan was asked for", async (t) => {
  for (const execution of ["phases", "supervised"]) {
    const a = agent(t, { gates: ["plan"], options: { plan: { execution } } });
    await a.prompt(other);
    await commit(a);
    assert.equal((await edit(a)).outcome, "pass", execution);
  }
});

test("the loop is told with the prompt, where one is due", async (t) => {
  const rows: [told: boolean, prompt: string, options?: object][] = [
    [true, "Rewrite the whole backend to use the new client"],
    [true, "Migrate all our tests from mocha to vitest"],
    [true, "Fix the parser in a loop until all tests pass"],
    [false, "Fix the wrong constant in the settings reader"],
    [false, "What does the whole backend do?"],
    [false, "Rewrite the whole backend to use the new client", { loop: { bigTasks: false } }],
  ];
  const wrong: string[] = [];
  for (const [told, prompt, options] of rows) {
    const a = agent(t, { gates: ["loop", "prompt-notes"], ...(options && { options: options as never }) });
    if (/interlock loop start/.test((await a.prompt(prompt)).context) !== told) wrong.push(prompt);
  }
  assert.deepEqual(wrong, []);
});

const swift = (body: string) => `@Test func works() async throws {\n${body}\n}\n`;
const xctest = (body: string) => `final class ATests: XCTestCase {\n  func testA() throws {\n${body}\n  }\n}\n`;
test("Swift tests that can't fail, and near misses", () => {
  const hollow = [
    swift("  #expect(true)"),
    swift("  #expect(1 == 1)"),
    swift("  #expect(true == true)"),
    swift("  let x = 3\n  #expect(x == 3)"),
    swift('  let name: String = "a"\n  #expect(name == "a")'),
    swift("  let on = true\n  #expect(on)"),
    swift("  var n = 0\n  n = 2\n  #expect(n == 2)"),
    swift("  #expect([1, 2].count == 2)"),
    swift("  #expect(nil == nil)"),
    swift("  try #require(true)"),
    xctest("    XCTAssertTrue(true)"),
    xctest("    XCTAssert(true)"),
    xctest("    XCTAssertEqual(2 + 2, 4)"),
    xctest("    XCTAssertNil(nil)"),
    xctest("    let expected = 5\n    XCTAssertEqual(expected, 5)"),
    xctest("    XCTAssertNotEqual(1, 2)"),
    swift("  let mock = MockStore()\n  mock.items = [1]\n  #expect(mock.items.count == 1)"),
    swift("  let mock = MockAPI()\n  mock.stubbed = 5\n  let got = mock.stubbed\n  #expect(got == 5)"),
    xctest("    let mock = MockSender()\n    mock.send()\n    XCTAssertTrue(mock.sendCalled)"),
  ];
  const sound = [
    swift("  let x = compute()\n  #expect(x == 3)"),
    swift("  let x = 3\n  #expect(double(x) == 6)"),
    swift('  #expect(Parser().parse("1") == 1)'),
    swift("  #expect([3, 1].sorted() == expected)"),
    swift("  let mock = MockStore()\n  let cart = Cart(store: mock)\n  cart.add(1)\n  #expect(mock.items.count == 1)"),
    swift("  let mock = MockAPI()\n  await sut.load(from: mock)\n  #expect(mock.calls == 1)"),
    swift("  await confirmation { done in\n    sut.onDone = { done() }\n    sut.run()\n  }"),
    swift("  #expect(throws: Never.self) { try load() }"),
    xctest("    let sut = Counter()\n    sut.add(2)\n    XCTAssertEqual(sut.value, 2)"),
    xctest("    let expected = 5\n    XCTAssertEqual(sum(2, 3), expected)"),
    xctest("    XCTAssertTrue(view.isHidden)"),
    // An assertion that always fails marks a place that must not be reached.
    swift('  #expect(Bool(false), "must not be reached")'),
    xctest('    XCTAssertTrue(false, "not reached")'),
    swift("  var called = false\n  sut.onDone = { called = true }\n  sut.run()\n  #expect(called)"),
    swift("  var n = 0\n  fill(&n)\n  #expect(n == 2)"),
    swift("  let x = 3\n  #expect(x.doubled == 6)"),
    xctest("    let mock = MockSender()\n    Mailer(sender: mock).mail()\n    XCTAssertTrue(mock.sendCalled)"),
  ];
  const missed = hollow.filter((text) => testChange("", text).hollow.length === 0);
  const wrong = sound.filter((text) => testChange("", text).hollow.length > 0);
  assert.deepEqual([missed, wrong], [[], []]);
});

const image = "dmg bytes";
const hash = createHash("sha256").update(image).digest("hex");
const release = { release: { profiles: ["sparkle"] } };
const files = { "dist/App.dmg": image, "dist/App.zip": "zip", "docs/a.md": "x\n", "notes.txt": "x\n" };

test("more ways a release leaves the machine, and what only looks like one", async (t) => {
  const rows: [outcome: string, command: string][] = [
    ["deny", "aws s3 sync dist s3://bucket --exclude '*' --include '*.dmg'"],
    ["deny", "AWS_PROFILE=prod aws s3 sync ./dist/ s3://bucket/app/"],
    ["deny", "env AWS_REGION=eu aws s3 cp dist/App.dmg s3://bucket"],
    ["deny", "aws s3 mv dist/App.zip s3://bucket/App.zip"],
    ["deny", "curl -T dist/App.dmg https://up.example.org/"],
    ["deny", "curl -sS -T ./dist/App.dmg -u u:p https://up.example.org/App.dmg"],
    ["deny", "curl --upload-file=dist/App.dmg https://up.example.org/"],
    ["deny", "cat dist/App.dmg | curl -T - https://up.example.org/App.dmg"],
    ["deny", "curl -X POST -F 'file=@dist/App.dmg;type=application/octet-stream' https://up.example.org"],
    ["deny", "gh release create v1 dist/App.dmg dist/App.zip"],
    ["deny", "gh release create v1 --title x --notes y ./dist/App.dmg"],
    ["deny", "gh release upload v1 dist/App.zip"],
    ["deny", "cd dist && gh release upload v1 App.dmg"],
    ["deny", "rclone copyto dist/App.dmg r2:bucket/App.dmg"],
    ["deny", "rclone copy dist r2:bucket --progress"],
    ["deny", "rclone sync dist r2:bucket"],
    ["deny", "timeout 60 scp dist/App.dmg host:/srv/"],
    ["deny", "sh -c 'aws s3 cp dist/App.dmg s3://b/'"],
    ["deny", "aws s3 cp --recursive dist s3://bucket"],
    ["deny", "scp -r dist host:/srv/"],
    ["deny", "gsutil -m cp -r dist gs://bucket"],
    ["pass", "rclone sync dist r2:bucket --dry-run"],
    ["pass", "scp -r docs host:/srv/"],
    ["pass", "aws s3 sync s3://bucket dist"],
    ["pass", "aws s3 sync dist s3://bucket --dryrun"],
    ["pass", "aws s3 cp docs/a.md s3://bucket/"],
    ["pass", "curl https://up.example.org/App.dmg -o dist/New.dmg"],
    ["pass", "curl -T notes.txt https://up.example.org/"],
    ["pass", "curl -I https://up.example.org/App.dmg"],
    ["pass", "gh release view v1"],
    ["pass", "gh release list"],
    ["pass", "rclone copyto r2:bucket/App.dmg dist/App.dmg"],
    ["pass", "rclone ls r2:bucket"],
    ["pass", "echo 'aws s3 cp dist/App.dmg s3://b/'"],
    ["pass", "grep -rn 'gh release upload' docs"],
  ];
  const wrong: string[] = [];
  for (const [outcome, command] of rows) {
    const a = agent(t, { gates: ["release"], options: release as never, files });
    const said = await a.before("Bash", { command });
    if (said.outcome !== outcome) wrong.push(`${outcome}: ${command}`);
    else if (outcome === "deny" && !/next: \S/.test(said.text)) wrong.push(`no step: ${command}`);
  }
  assert.deepEqual(wrong, []);
});

test("more casks and appcasts", async (t) => {
  const cask = (lines: string, url = "https://x.org/App.dmg") =>
    `cask "app" do\n  version "1.1"\n${lines}\n  url "${url}"\nend\n`;
  const other = "b".repeat(64);
  const sig = "MC0CFQCGnKqHnDpJzXkq1sU9HhVbqzYk7QIUZ1";
  const item = (text: string) => `<rss><channel><item>${text}</item></channel></rss>\n`;
  const rows: [outcome: string, path: string, text: string][] = [
    ["deny", "Casks/a/app.rb", cask("  sha256 :no_check")],
    ["deny", "Casks/app.rb", cask("  sha256(:no_check)")],
    ["deny", "Casks/app.rb", cask("  sha256 'TODO'")],
    ["deny", "Casks/app.rb", cask(`  sha256 "${hash.slice(1)}"`)],
    ["deny", "Casks/app.rb", cask(`  sha256 "${other}"`)],
    ["deny", "Casks/app.rb", cask(`  sha256 arm:   :no_check,\n         intel: "${hash}"`)],
    [
      "deny",
      "Casks/app.rb",
      cask(`  on_arm do\n    sha256 :no_check\n  end\n  on_intel do\n    sha256 "${hash}"\n  end`),
    ],
    ["deny", "Casks/app.rb", 'cask "app" do\n  version "1.1"\n  url "https://x.org/App.dmg"\nend\n'],
    ["pass", "Casks/app.rb", cask(`  sha256 "${hash.toUpperCase()}"`)],
    ["pass", "Casks/app.rb", cask(`  # sha256 :no_check was used before\n  sha256 "${hash}"`)],
    [
      "pass",
      "Casks/app.rb",
      cask(`  sha256 arm:   "${hash}",\n         intel: "${other}"`, "https://x.org/#{arch}.dmg"),
    ],
    ["pass", "lib/casks.rb", "sha256 :no_check\n"],
    ["deny", "appcast.xml", item(`<enclosure sparkle:edSignature="${sig}" length="9"/>`)],
    ["deny", "appcast.xml", item(`<enclosure url="" sparkle:edSignature="${sig}"/>`)],
    ["deny", "updates/appcast-beta.xml", item(`<enclosure length="9" sparkle:edSignature="${sig}"></enclosure>`)],
    ["deny", "appcast.xml", item(`<enclosure URL="https://x.org/A.dmg" sparkle:edSignature="${sig}"/>`)],
    ["deny", "appcast.xml", item('<enclosure url="https://x.org/A.dmg" length="9"/>')],
    ["pass", "appcast.xml", item(`<enclosure url="https://x.org/A.dmg" length="9" sparkle:edSignature="${sig}"/>`)],
    ["pass", "appcast.xml", item("<title>no enclosure yet</title>")],
    ["pass", "feed.xml", item('<enclosure length="9"/>')],
  ];
  const wrong: string[] = [];
  for (const [outcome, path, text] of rows) {
    const a = agent(t, { gates: ["release-manifest"], options: release as never, files });
    if ((await a.write(path, text)).outcome !== outcome) wrong.push(`${outcome} ${path}: ${text}`);
  }
  assert.deepEqual(wrong, []);
});

test("more commands that reach others, where research is configured for them", async (t) => {
  const external = ["git push", "gh pr create", "gh issue create"];
  const rows: [outcome: string, command: string][] = [
    ["deny", "git push"],
    ["deny", "git push origin HEAD:refs/heads/topic"],
    ["deny", "git -C sub push"],
    ["deny", "git -c core.sshCommand=ssh push origin topic"],
    ["deny", "git --git-dir=.git push"],
    ["deny", "GIT_SSH_COMMAND='ssh -i k' git push"],
    ["deny", "env GIT_TRACE=1 git push"],
    ["deny", "timeout 60 git push"],
    ["deny", "sudo git push"],
    ["deny", "git add -A && git commit -m x && git push || true"],
    ["deny", "(cd src; git push)"],
    ["deny", "git config alias.p push && git p"],
    ["deny", "git -c alias.p=push p"],
    ["deny", "alias gp='git push'\ngp"],
    ["deny", "gh pr create --fill"],
    ["deny", "gh pr create -t x -b y -R o/r"],
    ["deny", "gh -R o/r pr create --fill"],
    ["deny", "GH_HOST=ghe.example gh issue create -t x -b y"],
    ["deny", "xargs -n1 gh issue create -b y -t < titles.txt"],
    ["pass", "git push --dry-run"],
    ["pass", "git pull"],
    ["pass", "git fetch origin"],
    ["pass", "git status"],
    ["pass", "gh pr list"],
    ["pass", "gh pr checks"],
    ["pass", "gh issue view 3"],
    ["pass", "git log --grep 'push'"],
    ["pass", "man git-push"],
    ["pass", "git help push"],
  ];
  const wrong: string[] = [];
  for (const [outcome, command] of rows) {
    const a = agent(t, { gates: ["research"], options: { research: { external } } });
    await a.prompt(other);
    const said = await a.before("Bash", { command });
    if (said.outcome !== outcome) wrong.push(`${outcome}: ${command}`);
  }
  assert.deepEqual(wrong, []);
});
