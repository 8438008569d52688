// A hook process of its own loads parts as it needs them, the server has them all: both must judge alike.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { projectOf } from "../engine/project-reader.js";
import { destructive } from "../packs/guard/destructive/destructive.js";
import { identify } from "../project/identify.js";
import { makeTar, makeZip } from "../testing/make-archive.js";
import { type Stage, stage } from "../testing/stage.js";
import { factsOf, type Loaded, loadAll } from "./load-facts.js";

const files = {
  "package.json": JSON.stringify({ scripts: { test: "tar xf a.tar", copy: "cp new.ts work.ts", ok: "node --test" } }),
  Makefile: "unpack:\n\ttar xf a.tar\ncopy:\n\tcp new.ts work.ts\n",
  "unpack.sh": "tar xf a.tar\n",
  "copy.sh": "cp new.ts work.ts\n",
  "unpack.mjs": 'import { execSync } from "node:child_process";\nexecSync("tar xf a.tar");\n',
  "work.ts": "not committed\n",
  "new.ts": "new\n",
  "data.db": "rows\n",
  "1.ts": "1\n",
  "2.ts": "2\n",
  "3.ts": "3\n",
};

const archive = ["archives"];
const lost = ["lost"];
const rows: [command: string, needs: string[], reaction: "deny" | "ask" | "pass"][] = [
  ["tar xf a.tar", archive, "deny"],
  ["npm test", archive, "deny"],
  ["npm t", archive, "deny"],
  ["make unpack", archive, "deny"],
  ["bash unpack.sh", archive, "deny"],
  [". ./unpack.sh", archive, "deny"],
  ["node unpack.mjs", archive, "deny"],
  ["find . -maxdepth 1 -name a.tar -exec tar xf a.tar \\;", archive, "deny"],
  ["echo a.zip | xargs unzip -o", archive, "deny"],
  ["env -S 'tar xf a.tar'", archive, "deny"],
  ["tar tf a.tar", [], "pass"],
  ["cp new.ts work.ts", lost, "deny"],
  ["npm run copy", lost, "deny"],
  ["make copy", lost, "deny"],
  ["bash copy.sh", lost, "deny"],
  ["find . -name new.ts -exec cp new.ts work.ts \\;", lost, "deny"],
  ["echo work.ts | xargs cp new.ts", lost, "deny"],
  ["rm data.db", lost, "ask"],
  ["> 1.ts; > 2.ts; > 3.ts; > work.ts", archive, "deny"],
  ["git reset --hard", ["git"], "deny"],
  ["sh -c 'git checkout -- work.ts'", ["git"], "deny"],
  ["find . -name '*.ts' -newer 1.ts -delete", ["lost", "git"], "pass"],
  // What needs nothing loads nothing.
  ["npm run ok", [], "pass"],
  ["rm work.ts", [], "pass"],
  ["git status --short && ls -la | tail -3", [], "pass"],
];

const all: Loaded = {};

for (const [command, needs, reaction] of rows)
  test(`${command}: a hook loads [${needs}] and says ${reaction}, as the server does`, async (t) => {
    await loadAll(all);
    const s = stage(t, { packs: [], files });
    const members = ["work.ts", "1.ts", "2.ts"].map((name) => ({ name, content: "from the archive" }));
    writeFileSync(join(s.root, "a.tar"), makeTar(members));
    writeFileSync(join(s.root, "a.zip"), makeZip(members));
    const own: Loaded = {};
    const hook = await judged(s, command, own);
    assert.deepEqual(
      Object.keys(own).filter((name) => name !== "shell"),
      needs,
    );
    const server = await judged(s, command, all);
    assert.deepEqual(hook, server);
    assert.equal(hook.opinion?.kind ?? "pass", reaction);
  });

async function judged(s: Stage, command: string, loaded: Loaded) {
  const event = s.event("PreToolUse", { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_1" });
  const project = projectOf(identify(s.root));
  const places = { home: s.userHome, projectRoot: s.root, interlockHome: s.home };
  const facts = await factsOf(event, { project, userHome: s.userHome, places }, loaded);
  const opinion = destructive.judge({
    event,
    facts,
    project,
    now: 0,
    recall: () => assert.fail("this gate remembers nothing"),
    config: {},
    state: { value: undefined, update: () => {}, replace: () => {} },
    amend: () => {},
    act: () => {},
  });
  assert.equal(facts.missing.size, 0, "no gate meets a part that is not there");
  return { effects: facts.effects, opinion: [opinion ?? []].flat()[0] };
}
