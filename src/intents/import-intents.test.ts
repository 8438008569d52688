// Importing: spec-kit's tasks.md and GitHub issue exports become intents; what is done, closed or known is skipped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addIntents, parseIntents } from "./document.js";
import { importIntents } from "./import-intents.js";

const tasks = `# Tasks: Photo albums

## Phase 1: Setup
- [x] T001 Create project structure per implementation plan
- [ ] T002 [P] Configure linting in .eslintrc.json and src/lint/

## Phase 3: User Story 1
- [ ] T012 [P] [US1] Create Album model in src/models/album.py
- [ ] T013 [US1] Implement AlbumService in src/services/album_service.py (depends on T012)
- [ ] T014 [US1] Write "quick" docs
not a task
`;

test("spec-kit tasks", () => {
  const found = importIntents(tasks, { source: "tasks.md", known: ["T013"] });
  assert.ok("intents" in found);
  assert.equal(found.skipped, 2);
  assert.deepEqual(
    found.intents.map(({ id, name, scope, tags }) => ({ id, name, scope, tags })),
    [
      {
        id: "T002",
        name: "Configure linting in .eslintrc.json and src/lint/",
        scope: [".eslintrc.json", "src/lint/"],
        tags: undefined,
      },
      { id: "T012", name: "Create Album model in src/models/album.py", scope: ["src/models/album.py"], tags: ["US1"] },
      { id: "T014", name: 'Write "quick" docs', scope: [], tags: ["US1"] },
    ],
  );
  assert.deepEqual(found.intents[1]!.specs, [{ type: "spec-kit", ref: "tasks.md: Phase 3: User Story 1" }]);
  const yaml = addIntents(undefined, found.intents, 0);
  assert.ok("text" in yaml && parseIntents(yaml.text).intents.length === 3);
});

const issues = [
  {
    number: 12,
    title: "Login fails: <script>",
    body: "It fails.\n\nScope: `src/auth/**`, docs/login.md\n\n- [ ] a wrong password says so\n- [x] reproduced\n",
    state: "OPEN",
    labels: [{ name: "bug" }],
    url: "https://example.org/o/r/issues/12",
  },
  { number: 13, title: "Done", body: null, state: "CLOSED", labels: [] },
];

test("GitHub issues", () => {
  const found = importIntents(JSON.stringify(issues), { source: "issues.json", known: [] });
  assert.ok("intents" in found);
  assert.equal(found.skipped, 1);
  assert.deepEqual(found.intents, [
    {
      id: "GH-12",
      name: "Login fails: <script>",
      scope: ["src/auth/**", "docs/login.md"],
      criteria: ["a wrong password says so"],
      tags: ["bug"],
      specs: [{ type: "github-issue", ref: "https://example.org/o/r/issues/12" }],
    },
  ]);
});

for (const [text, why] of [
  ["# nothing here\n", /no task was found/],
  ["[{}]", /without number or title/],
  ["[1, 2", /not valid JSON/],
  ["[]", /no issue/],
] as const)
  test(`what is neither is refused: ${JSON.stringify(text)}`, () => {
    const found = importIntents(text, { source: "x", known: [] });
    assert.ok("problem" in found);
    assert.match(found.problem, why);
  });
