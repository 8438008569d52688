// interlock trace as a person types it, through the built program.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { before, gate } from "../../src/model/gate.js";
import { deny } from "../../src/model/verdict.js";
import { identify } from "../../src/project/identify.js";
import { stage } from "../../src/testing/stage.js";
import { TracedRepository } from "../../src/testing/traced-repository.js";
import { recordChanges } from "../../src/trace/record-change.js";
import { checkTrace } from "../../src/trace/trace-record.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));

async function worked(): Promise<TracedRepository> {
  const r = new TracedRepository(program);
  r.try("interlock", "trace", "install-hooks");
  r.person("src/a.ts", "one", "two");
  r.commitAll("start");
  await r.agent("src/a.ts", "one", "const byAgent = 1;", "two");
  r.person("src/a.ts", "one", "const byAgent = 1;", "typed between", "two");
  await r.agent("src/a.ts", "one", "const byAgent = 1;", "typed between", "two", "const last = 2;");
  r.commitAll("work");
  return r;
}

test("blame names agent, outside and unknown lines; one line in full", async () => {
  const r = await worked();
  const all = r.try("interlock", "trace", "blame", "src/a.ts");
  assert.equal(all.code, 0, all.err);
  const rows = all.out.trim().split("\n");
  assert.deepEqual(
    rows.map((row) => row.split(" ")[0]),
    ["unknown", "agent", "outside", "unknown", "agent"],
  );
  assert.match(rows[1]!, /INT-001 +claude-opus-5 +[0-9a-f]{8} +2 {2}const byAgent = 1;/);
  const one = r.try("interlock", "trace", "blame", "src/a.ts:2");
  assert.match(one.out, /who +an agent wrote it\n/);
  for (const name of ["model", "session", "intent", "record", "commit"])
    assert.match(one.out, new RegExp(`  ${name} +\\S`));
  const { lines } = JSON.parse(r.try("interlock", "trace", "blame", "src/a.ts:3", "--json").out);
  assert.equal(lines.length, 1);
  assert.equal(lines[0].by, "outside");
});

test("stats, export and verify agree with the commits", async () => {
  const r = await worked();
  const stats = JSON.parse(r.try("interlock", "trace", "stats", "--json", "src").out);
  assert.deepEqual(stats.total, { ai: 2, outside: 1, unknown: 2 });
  assert.deepEqual(stats.intents, { "INT-001": 2 });
  assert.match(r.try("interlock", "trace", "stats").out, /intent INT-001: 2 lines/);
  const whole = JSON.parse(r.try("interlock", "trace", "stats", "--json").out);
  assert.equal(existsSync(join(r.root, ".orchestration/agent_trace.jsonl")), true);
  assert.equal(whole.folders[".orchestration"], undefined, "what the trace keeps of itself is nobody's code");
  r.try("interlock", "trace", "export", "--out", "out.jsonl");
  const records = readFileSync(join(r.root, "out.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(records.flatMap(checkTrace), []);
  const [last] = records.slice(-1);
  assert.equal(last.vcs.revision, r.git("rev-parse", "HEAD").trim());
  assert.deepEqual(
    last.files[0].conversations[0].ranges.map((range: { start_line: number }) => range.start_line),
    [2, 5],
  );
  assert.match(
    r.try("interlock", "trace", "verify").out,
    /3 records \(1 of commits, 0 of lines in no commit\), 1 note,/,
  );
  const file = join(r.root, ".orchestration/agent_trace.jsonl");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll('"start_line":5', '"start_line":4'));
  const broken = r.try("interlock", "trace", "verify");
  assert.equal(broken.code, 1);
  assert.match(broken.out, /finding agent_trace\.jsonl:3: .*has other content\n {2}next: /);
});

test("refused attempts on the way to a line are shown", async (t) => {
  const no = gate({
    id: "test/no",
    title: "no",
    about: "",
    remedy: "",
    on: before("write"),
    onError: "deny",
    judge: () => deny({ what: "write a.ts", why: "not yet", next: "select an intent" }),
  });
  const s = stage(t, { packs: [{ id: "test", title: "test", gates: [no] }] });
  const path = join(s.root, "a.ts");
  assert.equal((await s.call("Write", { file_path: path, content: "x\n" })).outcome, "deny");
  s.write("a.ts", "by the agent\n");
  const where = { root: s.root, folder: join(s.home, "projects", identify(s.root).id) };
  const change = { path: "a.ts", before: undefined, after: "by the agent\n" };
  await recordChanges(where, { session: s.session, tool: "Write" }, [change], Date.now());
  const args = [program, "trace", "blame", "a.ts:1", "--json", "--home", s.home];
  const { stdout } = spawnSync(process.execPath, args, { cwd: s.root, encoding: "utf8" });
  const { lines, refused } = JSON.parse(stdout);
  assert.equal(lines[0].by, "ai");
  assert.deepEqual(
    refused.map(({ gate: id, what }: { gate: string; what: string }) => [id, what]),
    [["test/no", "write a.ts"]],
  );
});

const wrong: [args: string[], says: RegExp][] = [
  [[], /say what to do/],
  [["blam", "a.ts"], /unknown command "blam"; did you mean blame/],
  [["blame"], /say which file/],
  [["blame", "gone.ts"], /gone\.ts is no text file/],
  [["blame", "src/a.ts:99"], /has 5 lines, not 99/],
  [["blame", "../elsewhere.ts"], /outside the repository/],
  [["reconcile", "no..such"], /git knows no commits "no\.\.such"/],
  [["verify", "more"], /takes no word "more"/],
];

test("wrong usage is exit code 2 with the remedy", async () => {
  const r = await worked();
  for (const [args, says] of wrong) {
    const { code, err } = r.try("interlock", "trace", ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(err, says);
  }
  const outside = spawnSync(process.execPath, [program, "trace", "stats"], { cwd: "/", encoding: "utf8" });
  assert.match(outside.stderr, /is in no git repository/);
});
