// Spec Kit and BMAD projects as their installers leave them: the layout is recognised, and each artifact opens only
// its own gate.
import assert from "node:assert/strict";
import { test } from "node:test";
import { lifecycle } from "./drive.js";
import { framework } from "./project.js";

interface Layout {
  name: string;
  workflow: string;
  files: Record<string, string>;
  /** Phase by phase: what is no such artefact, what is one. */
  steps: [phase: string, not: string[], artefact: string][];
}

const x = "# x\n";
const out = "_bmad-output/planning-artifacts";
const layouts: Layout[] = [
  {
    name: "BMAD 4",
    workflow: "bmad",
    files: { ".bmad-core/core-config.yaml": "markdownExploder: true\nprd:\n  prdFile: docs/prd.md\n" },
    steps: [
      ["bmad-brief", ["README.md", "docs/notes.md"], "docs/brief.md"],
      ["bmad-prd", ["docs/prd-notes.txt"], "docs/prd.md"],
      ["bmad-architecture", ["docs/architect.md"], "docs/architecture.md"],
      ["bmad-stories", ["docs/story.md"], "docs/stories/1.1.login.md"],
    ],
  },
  {
    name: "BMAD 4, documents in pieces",
    workflow: "bmad",
    files: { ".bmad-core/core-config.yaml": "markdownExploder: true\n" },
    steps: [
      ["bmad-brief", [], "docs/project-brief.md"],
      ["bmad-prd", [], "docs/prd/epic-1.md"],
      ["bmad-architecture", [], "docs/architecture/tech-stack.md"],
      ["bmad-stories", [], "docs/stories/2.3.profile.story.md"],
    ],
  },
  {
    name: "BMAD 4, an existing code base",
    workflow: "bmad",
    files: { ".bmad-core/core-config.yaml": "x: 1\n" },
    steps: [
      ["bmad-brief", [], "docs/project-brief.md"],
      ["bmad-prd", [], "docs/brownfield-prd.md"],
      ["bmad-architecture", [], "docs/brownfield-architecture.md"],
      ["bmad-stories", [], "docs/stories/1.1.md"],
    ],
  },
  {
    name: "BMAD 4, other places by its configuration",
    workflow: "bmad",
    files: {
      ".bmad-core/core-config.yaml":
        "prd:\n  prdFile: spec/product.md\n  prdSharded: true\n  prdShardedLocation: " +
        "spec/product\narchitecture:\n  architectureFile: spec/arch.md\n  architectureShardedLocation: " +
        "spec/arch\ndevStoryLocation: work/stories\n",
    },
    steps: [
      ["bmad-brief", [], "docs/brief.md"],
      ["bmad-prd", ["spec/products.md"], "spec/product.md"],
      ["bmad-architecture", [], "spec/arch/tech.md"],
      ["bmad-stories", ["work/notes.md"], "work/stories/1.1.md"],
    ],
  },
  {
    name: "BMAD 6",
    workflow: "bmad",
    files: {
      "_bmad/bmm/config.yaml": `planning_artifacts: "{project-root}/${out}"\n`,
      "_bmad/core/config.yaml": "x: 1\n",
    },
    steps: [
      ["bmad-brief", [`${out}/notes.md`], `${out}/product-brief-shop-2026-01-04.md`],
      ["bmad-prd", [`${out}/prd-validation.txt`], `${out}/prd.md`],
      ["bmad-architecture", [], `${out}/architecture.md`],
      ["bmad-stories", ["_bmad-output/implementation-artifacts/.gitkeep"], `${out}/epics.md`],
    ],
  },
  {
    name: "BMAD 6, documents in pieces, stories of the sprint",
    workflow: "bmad",
    files: { "_bmad/_config/manifest.yaml": "x: 1\n" },
    steps: [
      ["bmad-brief", [], `${out}/product-brief.md`],
      ["bmad-prd", [], `${out}/prd/index.md`],
      ["bmad-architecture", [], `${out}/architecture/index.md`],
      ["bmad-stories", [], "_bmad-output/implementation-artifacts/1-1-user-login.md"],
    ],
  },
  {
    name: "BMAD 6, other places by its configuration",
    workflow: "bmad",
    files: {
      "_bmad/bmm/config.yaml":
        'planning_artifacts: "{project-root}/plans"\nimplementation_artifacts: "{project-root}/plans/build"\n',
    },
    steps: [
      ["bmad-brief", [], "plans/product-brief-shop.md"],
      ["bmad-prd", [], "plans/prd.md"],
      ["bmad-architecture", [], "plans/architecture.md"],
      ["bmad-stories", [], "plans/build/1-1-user-login.md"],
    ],
  },
  {
    name: "BMAD without a brief: it is optional where the PRD is there",
    workflow: "bmad",
    files: { "_bmad/bmm/config.yaml": "x: 1\n" },
    steps: [["bmad-brief", [], `${out}/prd.md`]],
  },
  {
    name: "Spec Kit",
    workflow: "spec-kit",
    files: { ".specify/memory/constitution.md": x, ".specify/templates/spec-template.md": x },
    steps: [
      ["speckit-specify", ["specs/readme.md", ".specify/templates/plan-template.md"], "specs/001-albums/spec.md"],
      ["speckit-plan", ["specs/001-albums/research.md"], "specs/001-albums/plan.md"],
      ["speckit-tasks", ["specs/001-albums/quickstart.md"], "specs/001-albums/tasks.md"],
    ],
  },
];

for (const { name, workflow, files, steps } of layouts)
  test(`${name}: recognised, and each artifact opens its gate`, (t) => {
    const p = framework(t, { manifest: false, files });
    assert.deepEqual(lifecycle(p, "status").json["layouts"], [workflow]);
    assert.equal(lifecycle(p, "start").code, 0, "the layout says which workflow");
    for (const [phase, nots, artefact] of steps) {
      assert.equal(p.state().active_workflow.current_phase, phase);
      for (const not of nots) p.write(not, x);
      const closed = lifecycle(p, "advance");
      assert.equal(closed.code, 1, `${phase} without its artefact: ${JSON.stringify(closed.json)}`);
      assert.match(String(closed.json["next"]), /^write /);
      p.write(artefact, x);
      const open = lifecycle(p, "advance");
      assert.equal(open.code, 0, `${phase} with ${artefact}: ${JSON.stringify(open.json)}`);
    }
  });

for (const [name, files] of [
  ["the folder of another tool", { "bmad.txt": x, ".speckit": x }],
  ["a file in the place of the folder", { _bmadge: x }],
] as const)
  test(`no layout: ${name}`, (t) => {
    const p = framework(t, { manifest: false, files });
    assert.deepEqual(lifecycle(p, "status").json["layouts"], []);
    assert.equal(lifecycle(p, "start").code, 2);
  });

test("with two layouts the workflow must be named", (t) => {
  const p = framework(t, {
    manifest: false,
    files: { ".specify/memory/constitution.md": x, "_bmad/bmm/config.yaml": x },
  });
  assert.deepEqual(lifecycle(p, "status").json["layouts"], ["spec-kit", "bmad"]);
  const { code, err } = lifecycle(p, "start");
  assert.equal(code, 2);
  assert.match(err, /spec-kit, bmad/);
});

test("with --name only the artifacts of that feature open the gates", (t) => {
  const p = framework(t, {
    manifest: false,
    files: { ".specify/memory/constitution.md": x, "specs/001-albums/spec.md": x, "specs/001-albums/plan.md": x },
  });
  assert.equal(lifecycle(p, "start", "spec-kit", "--name", "sharing").code, 0);
  assert.match(String(lifecycle(p, "advance").json["why"]), /spec\.md does not exist/);
  p.write("specs/002-sharing/spec.md", x);
  assert.equal(lifecycle(p, "advance").code, 0);
  assert.match(String(lifecycle(p, "advance").json["why"]), /plan\.md does not exist/);
});
