// active_intents.yaml: what is read, what is refused with its line and its fix, and that edits touch nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addIntentScope, addIntents, nextIntentId, parseIntents, setIntentStatus, tickCriteria } from "./document.js";

const file = `# our intents
# keep this order
active_intents:
- id: INT-002   # the first
  name: "Second: with a colon"
  status:   PENDING  # soon
  owned_scope: [src/a/**, '!src/a/x.ts']
  acceptance_criteria:
  - plain text
  - { criterion: done already, met: true, by: ann }
  custom_field: { kept: yes }

- id: INT-001
  status: COMPLETE
  owned_scope:
    - docs   # all below
`;

test("reads ids, names, statuses, scopes, criteria; unknown fields are the user's own", () => {
  const { intents, problem } = parseIntents(file);
  assert.equal(problem, undefined);
  assert.deepEqual(
    intents.map(({ id, name, status, scope, criteria }) => ({
      id,
      name,
      status,
      scope,
      met: criteria.map((c) => c.met),
    })),
    [
      {
        id: "INT-002",
        name: "Second: with a colon",
        status: "PENDING",
        scope: ["src/a/**", "!src/a/x.ts"],
        met: [false, true],
      },
      { id: "INT-001", name: "INT-001", status: "COMPLETED", scope: ["docs"], met: [] },
    ],
  );
});

const entry = (fields: string) => `active_intents:\n  - id: A-1\n    status: PENDING\n${fields}`;
const broken: [name: string, yaml: string, line: number | undefined, what: RegExp, fix?: RegExp][] = [
  ["an open bracket", "active_intents:\n  - id: [A\n", 3, /not valid YAML/],
  ["a tab", "active_intents:\n\t- id: A\n", 2, /not valid YAML/],
  ["a key twice", entry("    status: PENDING\n"), 4, /unique/],
  ["a star without quotes", entry("    owned_scope: [**/*.md]\n"), 4, /YAML alias/, /put it in quotes/],
  ["a negation without quotes", entry("    owned_scope:\n      - !src/x.ts\n"), 5, /YAML tag/, /put it in quotes/],
  ["a list on top", "- id: A\n", 1, /mapping/, /active_intents:/],
  ["another key on top", "intents: []\n", 1, /`active_intents` is missing/],
  ["no id", "active_intents:\n  - status: PENDING\n", 2, /id: is missing/],
  ["an unknown status", "active_intents:\n  - id: A-1\n    status: RUNNING\n", 3, /status/],
  ["an id that is no id", "active_intents:\n  - id: ../x\n    status: PENDING\n", 2, /letters, digits/],
  ["an id twice", `${entry("")}  - { id: A-1, status: PENDING }\n`, 4, /the id A-1 is there twice/],
  ["a misspelt field", entry("    owned_scop: [src]\n"), 4, /unknown field "owned_scop"/, /did you mean "owned_scope"/],
  ["a scope that leads out", entry("    owned_scope: [../x]\n"), 4, /`\.\.` leads out/],
  ["a parent that is not there", entry("    parent_intent: B-1\n"), 4, /parent B-1, which is not in the file/],
  ["a number for a scope", entry("    owned_scope: [1]\n"), 4, /owned_scope\[0\]/],
];
for (const [name, yaml, line, what, fix] of broken)
  test(`broken: ${name} is named with its line and its fix`, () => {
    const { intents, problem } = parseIntents(yaml);
    assert.deepEqual(intents, []);
    assert.match(problem!.what, what);
    assert.equal(problem!.line, line, problem!.what);
    if (fix) assert.match(problem!.fix, fix);
  });

test("an empty file has no intents and no problem", () => {
  for (const text of ["", "# only a comment\n", "active_intents:\n", "active_intents: []\n"])
    assert.deepEqual(parseIntents(text), { intents: [] });
});

const edited = (result: { text: string } | { refused: string }): string => {
  assert.ok("text" in result, JSON.stringify(result));
  return result.text;
};

test("a status is changed in place: not a byte beside it", () => {
  const text = edited(setIntentStatus(file, "INT-002", "IN_PROGRESS", 0));
  assert.equal(text, file.replace("status:   PENDING  # soon", "status:   IN_PROGRESS  # soon"));
});

test("scope and criteria: comments, order and other entries stay", () => {
  const more = edited(addIntentScope(file, "INT-001", ["lib/**", "docs"], 0));
  assert.deepEqual(parseIntents(more).intents[1]!.scope, ["docs", "lib/**"]);
  const ticked = edited(tickCriteria(more, "INT-002", [{ number: 1, evidence: "seen" }], "ann", 0));
  assert.deepEqual(parseIntents(ticked).intents[0]!.criteria, [
    { text: "plain text", met: true, evidence: "seen" },
    { text: "done already", met: true },
  ]);
  for (const kept of [
    "# our intents\n# keep this order\n",
    "# the first",
    "# soon",
    "# all below",
    "custom_field: {kept: yes}",
  ])
    assert.ok(ticked.replaceAll("{ kept", "{kept").replaceAll("yes }", "yes}").includes(kept), `${kept}\n${ticked}`);
  assert.match(ticked, /^active_intents:\n- id: INT-002/m);
});

test("new intents go to the end; ids are counted on; a bad one is refused and nothing is lost", () => {
  const text = edited(addIntents(file, [{ id: "INT-003", name: "New", scope: ["x/**"], criteria: ["c"] }], 0));
  assert.deepEqual(
    parseIntents(text).intents.map((i) => i.id),
    ["INT-002", "INT-001", "INT-003"],
  );
  assert.ok(text.startsWith("# our intents\n# keep this order\n"));
  assert.equal(nextIntentId(parseIntents(text)), "INT-004");
  assert.deepEqual(addIntents(file, [{ id: "INT-001", name: "x" }], 0), {
    refused: "there is an intent INT-001 already",
  });
  assert.ok("refused" in addIntents(file, [{ id: "INT-005", name: "x", scope: ["../y"] }], 0));
  const first = edited(addIntents(undefined, [{ id: "INT-001", name: "First", anyScope: true }], 0));
  assert.equal(parseIntents(first).intents[0]!.anyScope, true);
});

test("an edit of a broken file is refused with the place", () => {
  assert.match(
    JSON.stringify(setIntentStatus("active_intents: [", "A", "PENDING", 0)),
    /active_intents\.yaml:\d+: not valid YAML/,
  );
});
