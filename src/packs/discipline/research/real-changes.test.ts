// Changes that recorded sessions showed, and what they need: reports, temporary files, formatters.
import assert from "node:assert/strict";
import { test } from "node:test";
import { play } from "../../../../test/discipline/agent.js";
import { fix } from "../../../../test/discipline/story.js";
import { changesOf } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { analyse } from "../../../shell/index.js";

const files = {
  "final report.pdf": "x",
  "src/main.ts": 'import { run } from "./run.js";\nawait run(process.argv[2]);\n',
  "package.json": '{"scripts":{"format":"biome check --write src","test":"node --test"}}\n',
};
for (const [outcome, name, command] of [
  ["pass", "a report that gets another name", 'mv "final report.pdf" "docs/2025 report.pdf"'],
  ["deny", "code that gets another name", "mv src/a.ts src/b.ts"],
  ["deny", "a report that goes", 'rm "final report.pdf"'],
  ["pass", "an installed program by its path", "HOME/.nvm/versions/node/v23/bin/pnpm --version"],
  ["pass", "a plug-in's script", 'node "HOME/.claude/plugins/cache/a/scripts/review.mjs" review'],
  ["pass", "a plug-in's program", "HOME/.claude/plugins/cache/a/start.sh --quiet"],
  ["deny", "a script that leaves the plug-ins", "HOME/.claude/plugins/../../project/src/a.sh"],
  ["pass", "a new repository", "git init && git remote add origin git@example.org:o/r.git"],
  ["pass", "the project's own program is asked", "bun run src/main.ts status 2>&1"],
  ["deny", "the project's own program is told to change something", "bun run src/main.ts migrate"],
  ["deny", "a program text with a word behind it", "python3 -c 'import src; src.go(1); src.a' list"],
  ["pass", "a plug-in of git is asked", "which git-ai && git-ai version 2>&1"],
  ["deny", "a plug-in of git is told to change something", "git-ai rewrite"],
  ["deny", "a program in scratch space", "/tmp/bin/pnpm --version"],
  ["pass", "a formatter", "npx prettier --write src"],
  ["pass", "a script of the package that formats", "npm run format"],
  ["deny", "a formatter and an edit", "npx prettier --write src && sed -i s/1/2/ src/a.ts"],
] as const)
  test(`research: ${name} -> ${outcome}`, async (t) => {
    const a = play(t, { gates: ["research"], files });
    await a.prompt(fix);
    assert.equal((await a.before("Bash", { command: command.replace("HOME", a.home) })).outcome, outcome);
  });

test("a file with a made-up name in the temporary folder is no change of the project", () => {
  const changed = (command: string, root: string) => {
    const { effects } = analyse(command, { cwd: root, home: "/home/u" });
    const facts = { event: { tool: { kind: "shell", command } }, effects, world: { project: { root } } };
    return changesOf({ ...facts, canonical: (path: string) => ({ path }) } as unknown as Facts).map((c) => c.shown);
  };
  const jar = 'jar=$(mktemp); curl -s -c "$jar" https://example.org/';
  assert.deepEqual(changed(jar, "/home/u/p"), ["/tmp/tmp.XXXXXXXXXX"]);
  assert.deepEqual(changed('echo x > "src/$name"', "/home/u/p"), ['"src/$name"']);
  assert.equal(changed(jar, "/tmp/p").length, 2, "the project itself lies there");
});

test("an approved plan says which packages are added", async (t) => {
  const add = async (prompt: string) => {
    const a = play(t, { gates: ["research"] });
    await a.prompt(prompt);
    return (await a.before("Bash", { command: "bun add zod" })).outcome;
  };
  assert.equal(await add("Implement the following plan:\n\n# Forms\n\n1. Install zod\n2. Check the form"), "pass");
  assert.equal(await add("Check the form with zod"), "deny");
});
