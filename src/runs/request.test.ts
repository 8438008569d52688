// Requests: what passes, what is refused and why, field by field.
import assert from "node:assert/strict";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isObject } from "../model/json.js";
import { temporary } from "../testing/temporary.js";
import { kitActions, requestableActions } from "./actions.js";
import { makeRunId } from "./ids.js";
import { makeRequest, type NewRequest, parseRequest, type RequestRules } from "./request.js";
import { createRun, fileRunRecords } from "./run.js";
import type { InteropRequest } from "./schemas.js";

function place() {
  const project = temporary("request");
  const outside = temporary("outside");
  writeFileSync(join(outside, "secret.md"), "secret");
  for (const folder of ["specs", "docs", ".git", "experiments"]) mkdirSync(join(project, folder));
  writeFileSync(join(project, "specs/a.md"), "a");
  symlinkSync(outside, join(project, "specs/out"));
  symlinkSync(join(outside, "secret.md"), join(project, "specs/secret.md"));
  linkSync(join(outside, "secret.md"), join(project, "specs/hard.md"));
  const rules: RequestRules = { project, records: fileRunRecords(project) };
  const parent = createRun(project, {
    kit: "research",
    phase: "run",
    args: ["experiments/e.md"],
    readBudget: { max_files: 5, max_total_bytes: 100_000, allowed_paths: ["docs/**", "specs/*.md"] },
    timeoutSeconds: 600,
  });
  return { project, rules, parent };
}

const { rules, parent, project } = place();
const given: NewRequest = { action: "math.full", args: ["specs/a.md"], runId: parent.id };
const good = makeRequest(given, rules).request;
const withField = (change: (r: InteropRequest) => unknown): string => {
  const copy = structuredClone(good);
  const other = change(copy);
  return JSON.stringify(isObject(other) ? other : copy);
};
const findings = (text: string, at: RequestRules = rules) =>
  parseRequest(text, good.request_id, at).findings.map((f) => `${f.field}: ${f.problem}`);

test("a request of the parent's own making holds, within its budget", () => {
  assert.deepEqual(findings(JSON.stringify(good)), []);
  assert.deepEqual(good.read_budget, { max_files: 5, max_total_bytes: 100_000, allowed_paths: [] });
  assert.equal(good.timeout_seconds, 600);
  assert.equal(good.from_kit, "research");
  assert.equal(good.from_phase, "run");
  assert.equal(good.lineage?.depth, 1);
  assert.deepEqual(good.lineage?.ancestors, [
    { run_id: parent.id, action: "research.run", args: ["experiments/e.md"] },
  ]);
});

const passes: [string, Partial<NewRequest>][] = [
  ["a spec that is not there yet", { args: ["specs/new.md"] }],
  ["a question in words", { action: "research.survey", args: ["Which parser is fastest? (2>1)"] }],
  ["a question that mentions a path outside", { action: "research.survey", args: ["what is in ../x"] }],
  ["a question and a spec", { action: "research.full", args: ["why", "experiments/x.md"] }],
  ["several specs", { action: "research.batch", args: ["experiments/a.md", "experiments/b.md"] }],
  ["no arguments where none are taken", { action: "tdd.green", args: [] }],
  ["a narrower glob than the parent's", { allowedPaths: ["docs/api/*.md", "specs/a.md"] }],
  ["a smaller budget", { maxFiles: 1, maxTotalBytes: 10 }],
  ["a file called ..data", { args: ["specs/..data.md"] }],
];
for (const [what, more] of passes)
  test(`passes: ${what}`, () => assert.deepEqual(makeRequest({ ...given, ...more }, rules).findings, []));

type Row = [string, (r: InteropRequest) => unknown, RegExp];
const refused: Row[] = [
  ["an action nobody knows", (r) => (r.action = "math.destroy"), /action/],
  ["a look, which ends never", (r) => (r.action = "tdd.watch"), /action/],
  ["an inherited property as action", (r) => (r.action = "math.constructor"), /action/],
  ["the wrong kit", (r) => (r.to_kit = "tdd"), /to_kit: math\.full belongs to math/],
  ["an option as argument", (r) => (r.args = ["--dangerously-skip-permissions"]), /args\.0.*option/],
  [
    "an option as text",
    (r) => Object.assign(r, { to_kit: "research", action: "research.survey", args: [" --x"] }),
    /option/,
  ],
  ["one argument too many", (r) => (r.args = ["specs/a.md", "specs/a.md"]), /2 given/],
  ["no argument", (r) => (r.args = []), /0 given; math\.full takes path/],
  ["a path up and out", (r) => (r.args = ["../../etc/passwd"]), /'\.\.'/],
  ["an absolute path", (r) => (r.args = ["/etc/passwd"]), /not relative/],
  ["a home path", (r) => (r.args = ["~/.ssh/id_rsa"]), /not relative/],
  ["a file URL", (r) => (r.args = ["file:///etc/passwd"]), /not relative/],
  ["a link out of the project", (r) => (r.args = ["specs/secret.md"]), /outside/],
  ["a path below a link", (r) => (r.args = ["specs/out/secret.md"]), /outside/],
  ["a hard link", (r) => (r.args = ["specs/hard.md"]), /hard links/],
  ["the git folder", (r) => (r.args = [".git/hooks/pre-commit"]), /\.git/],
  ["a NUL in a path", (r) => (r.args = ["specs/a\0.md"]), /one line/],
  ["must_read outside", (r) => (r.must_read = ["../x"]), /must_read\.0/],
  ["must_read as a glob", (r) => (r.must_read = ["**"]), /it is a glob/],
  ["must_read with a list in it", (r) => (r.must_read = ["docs/a,/etc/passwd"]), /separate/],
  ["inputs outside", (r) => (r.inputs = ["/etc/shadow"]), /inputs\.0/],
  ["allowed paths outside", (r) => (r.read_budget.allowed_paths = ["/etc/**"]), /allowed_paths\.0/],
  ["allowed paths below a link", (r) => (r.read_budget.allowed_paths = ["specs/out/**"]), /outside/],
  ["allowed paths wider than the parent's", (r) => (r.read_budget.allowed_paths = ["**"]), /the parent may not/],
  ["a glob beside the parent's", (r) => (r.read_budget.allowed_paths = ["docsx/**"]), /the parent may not/],
  ["deliverables outside", (r) => (r.deliverables_expected = ["../**"]), /deliverables_expected\.0/],
  ["more files than the parent has", (r) => (r.read_budget.max_files = 6), /more than the parent's 5/],
  ["more bytes than the parent has", (r) => (r.read_budget.max_total_bytes = 100_001), /more than the parent's/],
  ["more time than the parent has", (r) => (r.timeout_seconds = 601), /more than the parent's 600/],
  ["no budget at all", (r) => (r.read_budget.max_files = Number.POSITIVE_INFINITY), /max_files/],
  ["a run that is not there", (r) => (r.run_id = makeRunId()), /there is no run/],
  ["a run id that leads elsewhere", (r) => (r.run_id = "../../x"), /run_id/],
  ["depth made smaller", (r) => (r.lineage!.depth = 0), /differs from the parent run's record/],
  ["ancestors left out", (r) => (r.lineage!.ancestors = []), /differs/],
  ["another kit as sender", (r) => (r.from_kit = "tdd"), /from_kit/],
  ["another phase as sender", (r) => (r.from_phase = "log"), /from_phase/],
  ["an extra field", (r) => ({ ...r, transcript: "everything I said" }), /unknown field transcript/],
  ["another id than the file's", (r) => (r.request_id = "RQ999"), /file's name/],
  ["a number for a path", (r) => ({ ...r, args: [7] }), /args\.0/],
];
for (const [what, change, reason] of refused)
  test(`refused: ${what}`, () => assert.match(findings(withField(change)).join("\n"), reason));

for (const [what, text, reason] of [
  ["not JSON", "{", /not JSON/],
  ["a list", "[]", /not a JSON object/],
  ["huge", JSON.stringify({ ...good, args: ["x".repeat(70_000)] }), /larger than/],
] as const)
  test(`refused: ${what}`, () => assert.match(findings(text).join("\n"), reason));

test("refused: too deep, and the same work as an ancestor", () => {
  let at = parent.id;
  for (const phase of ["specify", "construct"])
    at = createRun(project, { kit: "math", phase, args: ["specs/a.md"], parentRunId: at }).id;
  const third = { action: "math.full", args: ["specs/a.md"], runId: at };
  assert.deepEqual(makeRequest(third, rules).findings, []);
  const again = makeRequest({ ...third, action: "math.specify" }, rules).findings;
  assert.match(again[0]!.problem, /cycle: run .* is already doing math\.specify/);
  assert.deepEqual(makeRequest({ ...third, action: "math.specify", args: ["specs/b.md"] }, rules).findings, []);
  at = createRun(project, { kit: "math", phase: "prove", args: ["specs/a.md"], parentRunId: at }).id;
  assert.match(makeRequest({ ...third, runId: at }, rules).findings[0]!.problem, /depth 4, at most 3/);
  assert.deepEqual(makeRequest({ ...third, runId: at }, { ...rules, maxDepth: 4 }).findings, []);
});

test("a root narrower than the project", () => {
  const narrow = { ...rules, roots: ["specs"] };
  assert.deepEqual(makeRequest(given, narrow).findings, []);
  assert.match(
    makeRequest({ ...given, args: ["docs/a.md"] }, narrow).findings[0]!.problem,
    /outside the allowed folders/,
  );
});

test("every action takes what the table says", () => {
  assert.ok(requestableActions.includes("research.program"));
  assert.ok(!requestableActions.includes("math.status"));
  for (const [kit, verbs] of Object.entries(kitActions))
    for (const verb of Object.keys(verbs)) assert.match(`${kit}.${verb}`, /^[a-z]+\.[a-z-]+$/);
});
