// Agent Trace records: the examples of the specification are valid, what breaks a rule is not, and other writers'
// records can be read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkTrace,
  contentHash,
  intentsOf,
  intentUri,
  metadataKey,
  parseTraceLine,
  pathsOf,
  readTraceLine,
  type TraceRecord,
} from "./trace-record.js";
import { traceRecordSchema } from "./trace-schema.js";

const id = "550e8400-e29b-41d4-a716-446655440000";
const conversation = {
  url: "https://api.cursor.com/v1/conversations/12345",
  contributor: { type: "ai", model_id: "anthropic/claude-opus-4-5-20251101" },
};

/** The record of section 6.2 of the specification. */
const publishedExample = {
  version: "0.1.0",
  id,
  timestamp: "2026-01-23T14:30:00Z",
  vcs: { type: "git", revision: "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0" },
  tool: { name: "cursor", version: "2.4.0" },
  files: [
    {
      path: "src/utils/parser.ts",
      conversations: [
        {
          ...conversation,
          ranges: [{ start_line: 42, end_line: 67, content_hash: "murmur3:9f2e8a1b" }],
          related: [{ type: "session", url: "https://api.cursor.com/v1/sessions/67890" }],
        },
      ],
    },
    {
      path: "src/utils/helpers.ts",
      conversations: [
        {
          url: conversation.url,
          contributor: { type: "ai", model_id: "openai/gpt-4o" },
          ranges: [{ start_line: 10, end_line: 25 }],
        },
      ],
    },
  ],
  metadata: { confidence: 0.95, "dev.cursor": { workspace_id: "ws-abc123" } },
};
/** The record of appendix A. */
const publishedMinimum = {
  version: "0.1.0",
  id,
  timestamp: "2026-01-25T10:00:00Z",
  files: [
    {
      path: "src/app.ts",
      conversations: [{ contributor: { type: "ai" }, ranges: [{ start_line: 1, end_line: 50 }] }],
    },
  ],
};
const own: TraceRecord = {
  ...(publishedMinimum as unknown as TraceRecord),
  metadata: {
    [metadataKey]: {
      intent_id: "INT-001",
      mutation_class: "AST_REFACTOR",
      pre_hash: contentHash(["a"]),
      post_hash: contentHash(["b"]),
      deleted: [{ path: "src/old.ts", lines: 3 }],
      symbols: { "src/app.ts": ["f"] },
      provisional: true,
    },
  },
};

for (const [what, record] of Object.entries({ publishedExample, publishedMinimum, own }))
  test(`${what} is valid, and is read as it stands`, () => {
    assert.deepEqual(checkTrace(record), []);
    const line = JSON.stringify(record);
    assert.deepEqual(readTraceLine(line), { record: JSON.parse(line), dialect: false });
  });

const removed = Symbol("removed");
const range = "files.0.conversations.0.ranges.0";

/** A copy of a record with the member at a dotted path set or removed. */
function changed(record: object, path: string, value: unknown): unknown {
  const copy: unknown = structuredClone(record);
  const keys = path.split(".");
  let at = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  if (value === removed) delete at[keys.at(-1)!];
  else at[keys.at(-1)!] = value;
  return copy;
}

for (const [what, path, value, problem] of [
  ["no version", "version", removed, "version is missing"],
  ["the version that the specification's own writer emits", "version", "1.0", "version does not match"],
  ["no id", "id", removed, "id is missing"],
  ["an id that is no uuid", "id", "42", "id is no uuid"],
  ["a time without a zone", "timestamp", "2026-01-23T14:30:00", "timestamp is no date-time"],
  ["a date alone", "timestamp", "2026-01-23", "timestamp is no date-time"],
  ["no files", "files", removed, "files is missing"],
  ["files as an object", "files", {}, "files is no array"],
  ["a file without a path", "files.0.path", removed, "files[0].path is missing"],
  ["a conversation without ranges", "files.0.conversations.0.ranges", removed, "ranges is missing"],
  ["line 0", `${range}.start_line`, 0, "start_line is less than 1"],
  ["half a line", `${range}.end_line`, 1.5, "end_line is no integer"],
  ["an unknown contributor", "files.0.conversations.0.contributor.type", "robot", "is none of human"],
  ["a model id too long", "files.0.conversations.0.contributor.model_id", "x".repeat(251), "is longer than 250"],
  ["a url that is none", "files.0.conversations.0.url", "session 1", "url is no uri"],
  ["a link without a url", "files.0.conversations.0.related", [{ type: "x" }], "url is missing"],
  ["an unknown vcs", "vcs", { type: "cvs", revision: "1" }, "vcs.type is none of"],
  ["a vcs without revision", "vcs", { type: "git" }, "vcs.revision is missing"],
  ["our metadata without a class", "metadata", { [metadataKey]: {} }, "mutation_class is missing"],
  ["an unknown class", "metadata", { [metadataKey]: { mutation_class: "FEATURE" } }, "is none of AST_REFACTOR"],
] as const)
  test(`not valid: ${what}`, () => {
    const problems = checkTrace(changed(publishedMinimum, path, value));
    assert.equal(problems.length, 1, problems.join("; "));
    assert.ok(problems[0]!.includes(problem), problems[0]);
  });

test("unknown members are allowed anywhere, as the specification allows them", () => {
  for (const path of ["more", "files.0.more", `${range}.more`])
    assert.deepEqual(checkTrace(changed(publishedMinimum, path, { a: 1 })), []);
});

test("what is no record at all", () => {
  for (const value of [undefined, null, 1, "x", [], {}]) assert.notDeepEqual(checkTrace(value), []);
  for (const line of ["", "null", "[1]", "{", '{"a":1}', '{"id":"x","timestamp":"y","files":[1]}', "x".repeat(99)])
    assert.equal(parseTraceLine(line), undefined, line);
});

test("the published schema file is the schema that is enforced", () => {
  const file = JSON.parse(readFileSync(join(process.cwd(), "schema/agent-trace.schema.json"), "utf8"));
  assert.deepEqual(file, JSON.parse(JSON.stringify(traceRecordSchema)));
});

test("the seed's dialect is read as a valid record", () => {
  const seed = {
    id,
    timestamp: "2026-02-01T00:00:00.000Z",
    vcs: { revision_id: "abc123" },
    files: [
      {
        relative_path: "src\\auth\\login.ts",
        conversations: [
          {
            url: "session 7",
            contributor: { entity_type: "AI", model_identifier: "claude-3-5-sonnet" },
            ranges: [{ start_line: 3, end_line: 5, content_hash: "00ff" }],
            related: [{ type: "specification", value: "INT-001" }],
          },
        ],
      },
    ],
    mutation_class: "BUG_FIX",
  };
  const { record, dialect } = readTraceLine(JSON.stringify(seed))!;
  assert.equal(dialect, true);
  assert.deepEqual(checkTrace(record), []);
  assert.deepEqual(record.vcs, { type: "git", revision: "abc123" });
  assert.deepEqual(record.files, [
    {
      path: "src/auth/login.ts",
      conversations: [
        {
          url: "session:session%207",
          contributor: { type: "ai", model_id: "claude-3-5-sonnet" },
          ranges: [{ start_line: 3, end_line: 5, content_hash: "sha256:00ff" }],
          related: [{ type: "specification", url: "intent:INT-001" }],
        },
      ],
    },
  ]);
  assert.deepEqual(intentsOf(record), ["INT-001"]);
  assert.equal(record.metadata?.[metadataKey]?.declared_class, "BUG_FIX");
});

test("the dialect with ranges and links at the file, as the seed's text has them", () => {
  const line = JSON.stringify({
    id,
    timestamp: "2026-02-01T00:00:00Z",
    files: [
      {
        relative_path: "./a.ts",
        ranges: [{ start_line: 1, end_line: 2 }],
        related: [{ type: "specification", value: "INT 2" }],
      },
    ],
    intent_id: "INT-003",
  });
  const record = parseTraceLine(line)!;
  assert.deepEqual(checkTrace(record), []);
  assert.deepEqual(pathsOf(record), ["a.ts"]);
  assert.deepEqual(intentsOf(record).sort(), ["INT 2", "INT-003"]);
});

test("hostile shapes do not get through as typed records", () => {
  for (const [path, value] of [
    ["files.0.conversations.0.related", [{ type: 1, url: 2 }, 3]],
    ["files.0.conversations", "x"],
    ["files.0.conversations.0.ranges", [{ start_line: "1" }, null]],
    ["files.0.conversations.0.contributor", 5],
    ["metadata", "x"],
    ["metadata", { [metadataKey]: 7 }],
    ["metadata", { [metadataKey]: { mutation_class: "AST_REFACTOR", deleted: "x", intent_id: 4 } }],
    ["metadata", { [metadataKey]: { mutation_class: "AST_REFACTOR", deleted: [null, 1, { path: 2 }] } }],
    ["vcs", 1],
  ] as const) {
    const read = parseTraceLine(JSON.stringify(changed(publishedMinimum, path, value)))!;
    assert.deepEqual(pathsOf(read), ["src/app.ts"], path);
    assert.deepEqual(intentsOf(read), [], path);
  }
});

test("a content hash is the same for the same lines anywhere, with LF or CRLF", () => {
  assert.equal(contentHash(["a", "b"]), contentHash(["a\r", "b\r\n"]));
  assert.notEqual(contentHash(["a", "b"]), contentHash(["a b"]));
  assert.notEqual(contentHash(["a", "b"]), contentHash(["b", "a"]));
  assert.match(contentHash([]), /^sha256:[0-9a-f]{64}$/);
});

test("an intent's URI holds any id", () => {
  for (const intent of ["INT-001", "a b/ü?#", "%41"]) {
    const record = structuredClone(own);
    record.metadata = {};
    record.files[0]!.conversations[0]!.related = [{ type: "intent", url: intentUri(intent) }];
    assert.deepEqual(checkTrace(record), []);
    assert.deepEqual(intentsOf(record), [intent]);
  }
});
