// The seed's tests A to E and the second line, with the built program and payloads of the real client.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sredProject, tags } from "./sred-project.js";

const program = join(process.cwd(), "dist/interlock.cjs");

test("A, B: the built hook suggests from history, or a new project; only where the repository opted in", () => {
  const project = sredProject(program);
  for (let i = 0; i < 4; i++) project.commit("src/cache/a.ts", `feat(cache): ${i}\n\n${tags("CACHE")}`);
  project.write("src/cache/a.ts", "new\n");
  project.git("add", "-A");
  const known = project.asks(`git commit -m "feat(cache): test"`);
  assert.equal(known.decision, "deny");
  assert.match(known.reason!, /\[SRED-GUARD\] Missing SRED-Claim trailer\.\nSuggested: SRED-Claim: CACHE\n/);
  assert.match(known.reason!, /Scope 'cache' matches 4 prior commits in CACHE\./);
  assert.match(
    known.reason!,
    /git commit -m 'feat\(cache\): test\n\nSRED-Type: experimental-development\nSRED-Claim: CACHE'/,
  );
  project.git("reset", "-q", "--hard");
  project.write("web/x.ts", "new\n");
  project.git("add", "-A");
  const fresh = project.asks(`git commit -m "feat(new-scope): init"`);
  assert.match(fresh.reason!, /1\. SRED-Claim: NEW-SCOPE {2}\(NEW\)/);
  // D of the examples: valid trailers, no word.
  assert.deepEqual(project.asks(`git commit -m "fix(cache): x" -m "${tags("CACHE")}"`).decision, undefined);
  const other = sredProject(program, { optIn: false });
  assert.equal(other.asks(`git commit -m "feat(cache): test"`).decision, undefined);
});

test("C: without network the fallback comes at once, and the gate says so", () => {
  const project = sredProject(program, { userYaml: "packs:\n  sred:\n    model: true\n" });
  project.write("a.txt", "1\n");
  project.git("add", "-A");
  // Nothing listens on port 9 of the loopback.
  const env = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" };
  const asked = project.interlock(["sred", "suggest", "--scope", "my-scope", "--json"], { env });
  assert.equal(asked.status, 0, asked.stderr);
  const answer = JSON.parse(asked.stdout) as Record<string, unknown>;
  assert.equal(answer["project"], "MY-SCOPE");
  assert.equal(answer["machineMade"], true);
  assert.equal(answer["failure"], "SDK_ERROR", "the optional dependency is not installed beside the program");
  const { decision, reason } = project.asks(`git commit -m "fix(my-scope): test"`);
  assert.equal(decision, "deny", "the commit stays refused");
  for (const line of [
    "[SRED-GUARD] Discovery failed (SDK error).",
    "Fallback suggestion: SRED-Claim: MY-SCOPE",
    "Please ask the user to confirm the fallback suggestion or enter manually:",
    "- MY-SCOPE (derived from scope)",
    "- Enter manually",
    "Then retry the commit with the selected SRED-Claim trailer.",
  ])
    assert.ok(reason!.split("\n").includes(line), `${line}\n---\n${reason}`);
});

test("check reads a message file as git does, and every commit of a range", () => {
  const project = sredProject(program);
  const file = join(project.root, "MSG");
  const rows: [text: string, status: number, said?: RegExp][] = [
    [`feat: x\n\n${tags("CACHE")}\n`, 0],
    [`feat: x\n\n${tags("CACHE")}\n\n# Please enter the commit message\n# SRED-Claim: none\n`, 0],
    ["feat: x\n\n# SRED-Type: support-work\n# SRED-Claim: CACHE\n", 1, /Missing SRED-Claim/],
    [
      `feat: x\n\n# ------------------------ >8 ------------------------\n# Do not\ndiff\n${tags("CACHE")}\n`,
      1,
      /Missing/,
    ],
    ["chore: x\n", 0],
    ["Merge branch 'x'\n", 0],
    ["fixup! feat: x\n", 0],
    ["feat: x\n\nSRED-Claim: none\n", 0],
    [`feat: x\n\n${tags("cache")}\n`, 1, /PROJECT\[-VARIANT\]/],
    [`feat: x\n\n${tags("A", "technical-innovation")}\n`, 1, /not a term of the Canada Revenue Agency/],
    ["# only comments\n", 0],
  ];
  for (const [text, status, said] of rows) {
    writeFileSync(file, text);
    const run = project.interlock(["sred", "check", file]);
    assert.equal(run.status, status, `${text}\n${run.stdout}${run.stderr}`);
    if (said) assert.match(run.stdout, said);
  }
  project.git("config", "core.commentChar", ";");
  writeFileSync(file, `feat: x\n\n; no\n${tags("CACHE")}\n`);
  assert.equal(project.interlock(["sred", "check", file]).status, 0);
  const start = project.git("rev-parse", "HEAD").trim();
  project.commit("a.txt", `feat: good\n\n${tags("CACHE")}`);
  const bad = project.commit("a.txt", "feat: bad");
  project.commit("a.txt", "docs: words");
  const range = project.interlock(["sred", "check", "--range", `${start}..HEAD`, "--json"]);
  assert.equal(range.status, 1);
  const { checked, commits } = JSON.parse(range.stdout) as {
    checked: number;
    commits: { commit: string; findings: string[] }[];
  };
  assert.equal(checked, 3);
  assert.deepEqual(
    commits.filter((c) => c.findings.length).map((c) => c.commit),
    [bad],
  );
  assert.equal(project.interlock(["sred", "check", "--range", "nowhere..HEAD"]).status, 2);
  assert.equal(project.interlock(["sred", "check"]).status, 2);
});

test("the commit-msg hook stands beside other hooks, refuses with real git, and goes without a trace", () => {
  const project = sredProject(program);
  const bin = join(project.root, "..", "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "interlock"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  const env = { ...project.env, PATH: `${bin}:${project.env["PATH"]}` };
  const hook = join(project.root, ".git", "hooks", "commit-msg");
  const others = [
    undefined,
    '#!/bin/sh\necho other >> "$HOME/other.log"\nexit 0\n',
    `#!${process.execPath}\nrequire("fs").appendFileSync(process.env.HOME + "/other.log", "other\\n");\n`,
  ];
  for (const other of others) {
    mkdirSync(join(project.root, ".git", "hooks"), { recursive: true });
    if (other !== undefined) writeFileSync(hook, other);
    if (other !== undefined) chmodSync(hook, 0o755);
    assert.equal(project.interlock(["sred", "install-hook"]).status, 0);
    assert.match(project.interlock(["sred", "install-hook"]).stdout, /nothing to do/);
    const commit = (message: string) =>
      spawnSync("git", ["-C", project.root, "commit", "--allow-empty", "-m", message], { env, encoding: "utf8" });
    const refused = commit("feat: untagged");
    assert.notEqual(refused.status, 0);
    assert.match(refused.stdout + refused.stderr, /\[SRED-GUARD\] feat: untagged\n {2}Missing SRED-Claim trailer/);
    const passed = commit(`feat: x\n\n${tags("CACHE")}`);
    assert.equal(passed.status, 0, passed.stderr);
    if (other !== undefined) assert.match(readFileSync(join(project.env["HOME"]!, "other.log"), "utf8"), /other/);
    // An editor's message is git's business now: the gate lets it through to the hook.
    assert.equal(project.asks("git commit -v").decision, undefined);
    assert.equal(project.interlock(["sred", "install-hook", "--remove"]).status, 0);
    assert.equal(commit("feat: untagged again").status, 0);
    const left = spawnSync("cat", [hook], { encoding: "utf8" }).stdout;
    assert.equal(left, other ?? "");
    assert.equal(project.asks("git commit -v").decision, "deny");
    if (other !== undefined) execFileSync("rm", [hook]);
  }
});

test("squash keeps every trailer where git log finds it", () => {
  const project = sredProject(program);
  const start = project.git("rev-parse", "HEAD").trim();
  project.commit("a.txt", `feat(cache): one\n\nHYPOTHESIS: h\n\n${tags("CACHE")}\nCo-authored-by: B <b@x.y>`);
  project.commit("b.txt", `fix(cache): two\n\n${tags("CACHE")}\n\nCo-authored-by: B <b@x.y>`);
  project.commit("c.txt", `perf(plan): three\n\nRESULT: FAILED\n\n${tags("PLANNER", "applied-research")}`);
  const made = project.interlock(["sred", "squash", `${start}..HEAD`, "--subject", "feat: all"]);
  assert.equal(made.status, 0, made.stderr);
  project.git("reset", "-q", "--soft", start);
  execFileSync("git", ["-C", project.root, "commit", "-q", "-F", "-"], { input: made.stdout, env: project.env });
  const values = (key: string) =>
    project.git("log", "-1", `--format=%(trailers:key=${key},valueonly)`).trim().split("\n").sort();
  assert.deepEqual(values("SRED-Claim"), ["CACHE", "PLANNER"]);
  assert.deepEqual(values("SRED-Type"), ["applied-research", "experimental-development"]);
  assert.deepEqual(values("Co-authored-by"), ["B <b@x.y>"]);
  const message = project.git("log", "-1", "--format=%B");
  for (const part of ["feat: all", "* feat(cache): one", "HYPOTHESIS: h", "RESULT: FAILED"])
    assert.ok(message.includes(part), `${part}\n---\n${message}`);
});

test("relink finds rewritten commits by their patch, and says what was lost", () => {
  const project = sredProject(program);
  const tell = (event: string, more: object) =>
    project.interlock(["hook", "claude-code"], {
      input: JSON.stringify({ session_id: "s", cwd: project.root, hook_event_name: event, ...more }),
    });
  const recorded = (path: string, message: string) => {
    const hash = project.commit(path, message);
    const call = { tool_name: "Bash", tool_input: { command: `git commit -m '${message}'` }, tool_use_id: `t-${path}` };
    tell("PreToolUse", call);
    tell("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "", interrupted: false } });
    return hash;
  };
  const first = recorded("a.txt", `feat: one\n\n${tags("CACHE")}`);
  const second = recorded("b.txt", `feat: two\n\n${tags("PLANNER")}`);
  assert.equal(project.interlock(["sred", "relink"]).status, 0);
  // The first gets another parent and hash; the second loses its trailer as well.
  project.git("reset", "-q", "--hard", "HEAD~2");
  project.commit("z.txt", "chore: before");
  project.git("cherry-pick", first);
  const moved = project.git("rev-parse", "HEAD").trim();
  project.git("cherry-pick", "-n", second);
  project.git("commit", "-q", "-m", "feat: two, squashed by a forge");
  const found = project.interlock(["sred", "relink", "--json"]);
  assert.equal(found.status, 1);
  const { recorded: count, rewritten } = JSON.parse(found.stdout) as {
    recorded: number;
    rewritten: { from: { commit: string }; to: string; lost: string[] }[];
  };
  assert.equal(count, 2);
  assert.deepEqual(
    rewritten.map((r) => [r.from.commit, r.to, r.lost]),
    [
      [first, moved, []],
      [second, project.git("rev-parse", "HEAD").trim(), ["PLANNER"]],
    ],
  );
});
