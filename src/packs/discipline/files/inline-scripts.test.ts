import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../../../../test/discipline/agent.js";
import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/inline-scripts",
  how: "deny",
  spawned: true,
  reach: (a) => a.bash(`python3 -c 'open("src/a.ts","w").write("x")'`),
  says: /overwrites src\/a\.ts, which was not read[^]*read src\/a\.ts first/,
  remedy: (a) => a.read("src/a.ts"),
  again: (a) => a.bash(`python3 -c 'open("src/a.ts","w").write("x")'`),
  later: [
    { when: "an inline program that only prints", run: (a) => a.bash("python3 -c 'print(1)'", "1"), outcome: "pass" },
    { when: "output kept in a log", run: (a) => a.bash("npm test > test.log", ""), outcome: "pass" },
    { when: "copying", run: (a) => a.bash("cp src/a.ts src/c.ts"), outcome: "pass" },
  ],
});

const files = { "src/old.ts": "export const old = 1;\n", "src/empty.ts": "\n", "docs/a.md": "# a\n" };

for (const [outcome, command] of [
  ["deny", "cat > src/old.ts <<'EOF'\nx\nEOF"],
  ["deny", "echo 'export const old = 2' > src/old.ts"],
  ["deny", "printf x | tee src/old.ts"],
  ["deny", `node -e "require('fs').writeFileSync('src/old.ts', 'x')"`],
  ["deny", `ruby -e 'File.write("src/old.ts", "x")'`],
  ["deny", "python3 - <<'PY'\nopen('src/old.ts', 'w').write('x')\nPY"],
  ["deny", "cd src && cat > old.ts <<'EOF'\nx\nEOF"],
  ["pass", "cat > src/new.ts <<'EOF'\nx\nEOF"],
  ["pass", "cat >> src/old.ts <<'EOF'\nx\nEOF"],
  ["pass", "printf x | tee -a src/old.ts"],
  ["pass", "sed -i s/1/2/ src/old.ts"],
  ["pass", "python3 - <<'PY'\np = 'src/old.ts'\ns = open(p).read()\nopen(p, 'w').write(s.replace('1', '2'))\nPY"],
  ["pass", "cat src/old.ts && echo x > src/old.ts"],
  ["pass", "echo x > src/empty.ts"],
  ["pass", "echo '# b' > docs/a.md"],
  ["pass", "node -e \"require('./src/old.ts').go()\""],
] as const)
  test(`unread source files: ${command.replace(/\n/g, " ").slice(0, 60)} -> ${outcome}`, async (t) => {
    const a = play(t, { gates: ["inline-scripts"], guard: { destructive: "observe" }, files });
    assert.equal((await a.before("Bash", { command })).outcome, outcome);
  });

test("unread source files: what was edited, made or searched by name in this session is known", async (t) => {
  const a = play(t, { gates: ["inline-scripts"], guard: { destructive: "observe" }, files });
  await a.write("src/mine.ts", "export const mine = 1;\n");
  assert.equal((await a.before("Bash", { command: "echo x > src/mine.ts" })).outcome, "pass");
  await a.bash("grep -n old src/old.ts", "1:export const old = 1;");
  assert.equal((await a.before("Bash", { command: "echo x > src/old.ts" })).outcome, "pass");
});
