// `interlock lifecycle init`: a project with nothing else installed can follow every shipped workflow, and nothing that
// is there is touched.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { shippedRoles } from "../../src/facts/agent-roles.js";
import { agentsOf, catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { starterArticles } from "../../src/packs/lifecycle/starter/constitution.js";
import { starterAgents } from "../../src/packs/lifecycle/starter/starter-agents.js";
import { starterFiles } from "../../src/packs/lifecycle/starter/starter-files.js";
import { lifecycle } from "./drive.js";
import { framework } from "./project.js";

const made = ({ json }: { json: object }) => (json as { make: string[] }).make;
const kept = ({ json }: { json: object }) => (json as { keep: string[] }).keep;

test("a dry run writes nothing; the first run makes what it said, the second has nothing to do", (t) => {
  const p = framework(t, { manifest: false });
  const planned = made(lifecycle(p, "init", "--dry-run"));
  assert.equal(p.has(".claude"), false);
  const done = lifecycle(p, "init");
  assert.deepEqual([done.code, done.json["applied"]], [0, true]);
  assert.deepEqual(made(done), planned);
  for (const path of planned) assert.ok(p.has(path), path);
  const again = lifecycle(p, "init");
  assert.deepEqual([again.code, again.json["applied"], made(again)], [0, false, []]);
});

test("what is there stays: files, agents under other file names, a manifest and a constitution elsewhere", (t) => {
  const files = {
    ".claude/agents/05-developer.md": "---\nname: software-developer\n---\nMine.\n",
    ".claude/agents/qa-engineer.md": "mine\n",
    ".claude/skills/lifecycle/SKILL.md": "mine\n",
    ".isdlc/constitution.md": "# Ours\n",
  };
  const p = framework(t, { files });
  const result = lifecycle(p, "init");
  for (const [path, text] of Object.entries(files)) assert.equal(p.read(path), text);
  for (const path of [
    ...[".claude/agents/software-developer.md", "docs/isdlc/constitution.md", ".isdlc/config/skills-manifest.json"],
  ])
    assert.equal(p.has(path), false, path);
  for (const path of [...Object.keys(files), ".claude/hooks/config/skills-manifest.json"])
    assert.ok(kept(result).includes(path), path);
});

test("something in the way is named with its remedy; what could be made is there, and the next run goes on", (t) => {
  const p = framework(t, { manifest: false });
  writeFileSync(join(p.root, ".claude"), "a file\n");
  const result = lifecycle(p, "init");
  assert.equal(result.code, 1);
  assert.match(String(result.json["why"]), /\.claude\/agents\/.*can't be made/);
  assert.match(String(result.json["next"]), /interlock lifecycle init again/);
  rmSync(join(p.root, ".claude"));
  assert.equal(lifecycle(p, "init").code, 0);
});

test("from a folder below, and in a project of a monorepo, the files go to the framework's root", (t) => {
  const p = framework(t, { manifest: false, files: { "apps/web/a.ts": "" } });
  p.cwd = join(p.root, "apps", "web");
  assert.equal(lifecycle(p, "init").code, 0);
  assert.ok(p.has(".claude/agents/software-developer.md"));
  assert.equal(existsSync(join(p.cwd, ".claude")), false);
  mkdirSync(join(p.cwd, "src"));
});

test("every shipped workflow can be followed: each phase's agent and guide, every article, the plan's skill", () => {
  const catalogue = catalogueOf();
  const files = new Map(starterFiles(catalogue).map((f) => [f.path, f.text]));
  const articles = new Set(starterArticles.map((a) => a.number));
  for (const workflow of catalogue.workflows.values())
    for (const phase of workflow.phases) {
      const needs = needsOf(catalogue, workflow.id, phase)!;
      const [agent] = agentsOf(catalogue, shippedRoles, phase);
      if (needs.delegation) assert.match(files.get(`.claude/agents/${agent}.md`) ?? "", new RegExp(`name: ${agent}\n`));
      for (const article of needs.constitution?.articles ?? []) assert.ok(articles.has(article), article);
      if (!workflow.marks.length) {
        const guide = files.get(`.claude/skills/lifecycle/phases/${phase}.md`) ?? "";
        assert.match(guide, new RegExp(`^# ${phase}\n`));
        if (needs.constitution && !Object.keys(workflow.overrides).includes(phase))
          assert.ok(guide.includes(`--articles ${needs.constitution.articles.join(",")}`), phase);
      }
    }
  assert.ok(files.has(".claude/skills/generate-plan/SKILL.md"), "plan-surfacer names it");
  for (const { name } of starterAgents) assert.ok(shippedRoles.has(name), name);
  for (const [path, text] of files)
    if (path.endsWith(".md")) assert.ok(text.split("\n").length < 80, `${path} is short`);
});

test("agents and skills have the head that Claude Code reads", (t) => {
  const p = framework(t, { manifest: false });
  const paths = made(lifecycle(p, "init")).filter((f) => /agents\/|SKILL\.md$/.test(f));
  assert.ok(paths.length > 20);
  for (const path of paths)
    assert.match(
      readFileSync(join(p.root, path), "utf8"),
      /^---\nname: [a-z-]+\ndescription: "[^"\n]+"\n---\n\n/,
      path,
    );
});
