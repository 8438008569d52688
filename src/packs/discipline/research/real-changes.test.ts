// Changes that recorded sessions showed, and what they need: renamed reports, temporary files, installed programs.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type Agent, play } from "../../../../test/discipline/agent.js";
import { fix } from "../../../../test/discipline/story.js";
import { changesOf } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { analyse } from "../../../shell/index.js";

const files = {
  "final report.pdf": "x",
  "package.json": '{"scripts":{"format":"biome check --write src","test":"node --test"}}\n',
};
const run = (command: string) => (a: Agent) => a.before("Bash", { command: command.replace("HOME", a.home) });
const create = (a: Agent) =>
  a.before("Write", { file_path: join(a.root, "src/new.ts"), content: "export const b = 2;\n" });

for (const [outcome, name, deed, research] of [
  ["deny", "a new file after nothing", create, async () => undefined],
  ["deny", "a new file after one look", create, (a: Agent) => a.read("src/a.ts")],
  [
    "pass",
    "a new file after a look and two outside sources",
    create,
    (a: Agent) => a.read("src/a.ts").then(() => a.search().then(() => a.github())),
  ],
  [
    "deny",
    "a new file after a look and the same source twice",
    create,
    (a: Agent) => a.read("src/a.ts").then(() => a.search("one").then(() => a.search("two"))),
  ],
  [
    "pass",
    "a report that gets another name",
    run('mv "final report.pdf" "docs/2025 report.pdf"'),
    async () => undefined,
  ],
  ["deny", "code that gets another name", run("mv src/a.ts src/b.ts"), async () => undefined],
  ["deny", "a report that goes", run('rm "final report.pdf"'), async () => undefined],
  [
    "pass",
    "an installed program by its path",
    run("HOME/.nvm/versions/node/v23/bin/pnpm --version"),
    async () => undefined,
  ],
  ["pass", "a formatter", run("npx prettier --write src"), async () => undefined],
  ["pass", "a script of the package that formats", run("npm run format"), async () => undefined],
  ["deny", "a formatter and an edit", run("npx prettier --write src && sed -i s/1/2/ src/a.ts"), async () => undefined],
  ["deny", "a program in scratch space", run("/tmp/bin/pnpm --version"), async () => undefined],
] as const)
  test(`research: ${name} -> ${outcome}`, async (t) => {
    const a = play(t, { gates: ["research"], files });
    await a.prompt(fix);
    await research(a);
    assert.equal((await deed(a)).outcome, outcome);
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
