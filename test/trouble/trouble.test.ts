// Broken surroundings: each test expects a clear message with the remedy, nothing lost, and the gates as docs/limits.md
// says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));

interface Answer {
  hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
  systemMessage?: string;
}

function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "interlock-trouble-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  const home = join(folder, "interlock");
  mkdirSync(join(root, ".git", "refs"), { recursive: true });
  mkdirSync(join(root, ".git", "objects"));
  writeFileSync(join(root, ".git", "HEAD"), "ref: refs/heads/main\n");
  const env: Record<string, string> = {
    PATH: process.env["PATH"]!,
    HOME: join(folder, "home"),
    INTERLOCK_HOME: home,
    INTERLOCK_SERVER: "off",
  };
  mkdirSync(env["HOME"]!);
  const run = (args: string[], input = "", wrap: string[] = [], over: Record<string, string | undefined> = {}) => {
    const [command, ...words] = [...wrap, process.execPath, script, ...args];
    return spawnSync(command!, words, {
      cwd: root,
      env: { ...env, ...over },
      input,
      encoding: "utf8",
      timeout: 60_000,
    });
  };
  const hook = (
    event: string,
    payload: object,
    wrap: string[] = [],
    over: Record<string, string | undefined> = {},
  ): Answer => {
    const done = run(
      ["hook", "claude-code", "--event", event],
      JSON.stringify({ session_id: "s", cwd: root, hook_event_name: event, ...payload }),
      wrap,
      over,
    );
    assert.equal(done.status, 0, done.stderr);
    return JSON.parse(done.stdout) as Answer;
  };
  const write = (path: string) => ({
    tool_name: "Write",
    tool_input: { file_path: join(root, path), content: "console.log(1)\n" },
    tool_use_id: "t",
  });
  return { folder, root, home, env, run, hook, write };
}

const refused = (a: Answer) => a.hookSpecificOutput?.permissionDecision === "deny";

test("a broken interlock.yaml: the last good one stays in force, and the person is told where it is broken", (t) => {
  const { root, hook, write, run } = place(t);
  const file = join(root, "interlock.yaml");
  writeFileSync(file, "rules:\n  - {id: log, on: write, match: 'console', message: use the logger}\n");
  assert.ok(refused(hook("PreToolUse", write("a.ts"))));
  writeFileSync(file, "rulez:\n  - nonsense\n");
  assert.ok(refused(hook("PreToolUse", write("a.ts"))), "the rule still holds");
  assert.match(
    hook("UserPromptSubmit", { prompt: "hi" }).systemMessage ?? "",
    /last good configuration.*unknown key "rulez"; did you mean "rules"\?/,
  );
  const check = run(["config", "check"]);
  assert.equal(check.status, 1);
  assert.match(check.stdout, /did you mean "rules"/);
  writeFileSync(file, "");
  assert.ok(!refused(hook("PreToolUse", write("a.ts"))), "repaired by emptying it");
});

test("an interlock.yaml that was never valid: the defaults hold", (t) => {
  const { root, hook, write } = place(t);
  writeFileSync(join(root, "interlock.yaml"), "packs: [\n");
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"))));
  assert.ok(!refused(hook("PreToolUse", write("a.ts"))));
});

test("no home folder and no HOME variable: Interlock's folder is still created", (t) => {
  const { hook, write, home, env } = place(t);
  rmSync(env["HOME"]!, { recursive: true });
  assert.ok(!refused(hook("PreToolUse", write("a.ts"), [], { HOME: undefined })));
  assert.ok(readdirSync(home).includes("key"));
});

test("Interlock's folder can't be created: gates still judge, the answer says that nothing is recorded", (t) => {
  const { hook, write, home, run } = place(t);
  writeFileSync(home, "a file where a folder should be");
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"))));
  const passed = hook("PreToolUse", write("a.ts"));
  assert.ok(!refused(passed));
  assert.match(passed.systemMessage ?? "", /could not write its record/);
  const doctor = run(["doctor"]);
  assert.notEqual(doctor.status, 0);
  assert.match(doctor.stdout, /fix:/);
});

test("a read-only disk: refusals hold, the answer says that nothing is recorded, nothing is lost", (t) => {
  const { hook, write, home, run } = place(t);
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"))));
  const readOnly = [
    "unshare",
    "-m",
    "sh",
    "-c",
    `mount --bind ${home} ${home} && mount -o remount,ro,bind ${home} && exec "$@"`,
    "sh",
  ];
  if (spawnSync(readOnly[0]!, [...readOnly.slice(1), "true"]).status !== 0)
    return t.skip("mounting is not possible here");
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"), readOnly)));
  const passed = hook("PreToolUse", write("a.ts"), readOnly);
  assert.ok(!refused(passed));
  assert.match(passed.systemMessage ?? "", /could not write its record/);
  const verified = run(["verify", "--json"]);
  assert.equal(verified.status, 0, verified.stdout);
  assert.equal(JSON.parse(verified.stdout).integrity.records, 1);
});

test("no git: init, judging and doctor work; doctor says what is unknown without it", (t) => {
  const { run, hook, write, folder } = place(t);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const from of process.env["PATH"]!.split(":").filter(existsSync))
    for (const tool of readdirSync(from))
      if (!tool.startsWith("git") && !existsSync(join(bin, tool))) symlinkSync(join(from, tool), join(bin, tool));
  const without = { PATH: bin };
  const init = run(["init", "--yes"], "", [], without);
  assert.equal(init.status, 0, init.stdout + init.stderr);
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"), [], without)));
  assert.match(run(["doctor"], "", [], without).stdout, /git was not found/);
});

test("gates also judge in a folder that is no repository", (t) => {
  const { root, hook, write, run } = place(t);
  rmSync(join(root, ".git"), { recursive: true });
  assert.ok(refused(hook("PreToolUse", write(".claude/settings.json"))));
  assert.ok(!refused(hook("PreToolUse", write("a.ts"))));
  assert.equal(run(["verify"]).status, 0);
});

test("gates also judge in a working directory that was deleted", (t) => {
  const { root, hook, write } = place(t);
  const gone = join(root, "gone");
  mkdirSync(gone);
  rmSync(gone, { recursive: true });
  assert.ok(refused(hook("PreToolUse", { ...write(".claude/settings.json"), cwd: gone })));
});

test("first steps: a missing file is no error, nothing is written unasked, probes are no session", (t) => {
  const { root, run } = place(t);
  const check = run(["config", "check"]);
  assert.equal(check.status, 0);
  assert.match(check.stdout, /There is no .*interlock\.yaml: your own settings and the defaults hold/);
  assert.equal(run(["config", "check", "other.yaml"]).status, 1);
  assert.doesNotMatch(run(["explain", "--command", "rm -rf /"]).stdout, /v-0/);
  const asked = run(["init", "--json", "--door", "command"]);
  assert.equal(asked.status, 1);
  assert.equal(JSON.parse(asked.stdout).applied, false);
  assert.equal(existsSync(join(root, ".claude/settings.local.json")), false);
  assert.equal(run(["init", "--json", "--yes", "--door", "command"]).status, 0);
  run(["doctor"]);
  assert.doesNotMatch(run(["status"]).stdout, /last session/);
  assert.equal(run(["uninstall", "--json"]).status, 1);
  assert.equal(run(["uninstall", "--json", "--yes"]).status, 0);
});

test("usage errors name the remedy and exit 2", (t) => {
  const { run } = place(t);
  const rows: [string[], RegExp][] = [
    [["inti"], /did you mean "init"/],
    [["init", "--scope", "world"], /--scope is/],
    [["why"], /which verdict/],
    [["recover"], /reason is needed/],
    [["explain"], /say what to explain/],
    [["status", "--jsn"], /did you mean --json/],
    [["hook", "emacs"], /unknown host "emacs"/],
    [["zzzz"], /unknown command "zzzz"\. Run: interlock help/],
    [["verify", "--seed", "x"], /no seed/],
    [["explain", "--event", "/nowhere/at/all.json"], /can't be read \(ENOENT\)/],
  ];
  for (const [args, said] of rows) {
    const done = run(args);
    assert.equal(done.status, 2, args.join(" "));
    assert.match(done.stderr, said, args.join(" "));
  }
  assert.equal(run(["why", "v-999"]).status, 1);
});

test("pipes, devices and endless files in place of files that are read: answered at once", (t) => {
  const traps: [string, (path: string) => void][] = [
    ["a pipe", (path) => assert.equal(spawnSync("mkfifo", [path]).status, 0)],
    ["a device", (path) => symlinkSync("/dev/zero", path)],
    ["an endless file that calls itself empty", (path) => symlinkSync("/proc/1/pagemap", path)],
  ];
  const places = [
    "interlock.yaml",
    ".git/HEAD",
    ".git/packed-refs",
    ".isdlc/state.json",
    ".mcp.json",
    "package.json",
    ".claude/settings.json",
    "a.ts",
  ];
  for (const [what, lay] of traps) {
    const { root, hook, write } = place(t);
    for (const folder of [".isdlc", ".claude"]) mkdirSync(join(root, folder));
    for (const name of places) {
      rmSync(join(root, name), { force: true });
      lay(join(root, name));
      const settings = hook("PreToolUse", write(".claude/settings.json"));
      assert.ok(refused(settings), `${what} as ${name}: ${JSON.stringify(settings)}`);
      for (const payload of [
        write("a.ts"),
        { tool_name: "Bash", tool_input: { command: "npm test && git commit -m x" }, tool_use_id: "u" },
      ])
        assert.ok(hook("PreToolUse", payload), `${what} as ${name}`);
    }
  }
});

test("a session in / does not look into kernel file systems", (t) => {
  const { hook } = place(t);
  const call = { cwd: "/", tool_name: "Bash", tool_use_id: "t", tool_input: { command: "make -C /nowhere all" } };
  assert.ok(hook("PreToolUse", call));
  assert.ok(hook("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "", interrupted: false } }));
});

test("init keeps the local file out of git where git would commit it, and says so if git has it already", (t) => {
  const { root, run } = place(t);
  rmSync(join(root, ".git"), { recursive: true });
  const said = (...args: string[]) => run(["init", "--dry-run", "--door", "command", ...args]).stdout;
  const git = (...args: string[]) => assert.equal(spawnSync("git", ["-C", root, ...args]).status, 0);
  assert.doesNotMatch(said(), /out of git|git has this file/, "no repository");
  git("init", "-q");
  assert.match(said(), /keep \.claude\/settings\.local\.json out of git by \.git\/info\/exclude/);
  for (const scope of ["user", "project"]) assert.doesNotMatch(said("--scope", scope), /out of git|git has this file/);
  writeFileSync(join(root, ".gitignore"), ".claude/\n");
  assert.doesNotMatch(said(), /out of git|git has this file/);
  mkdirSync(join(root, ".claude"));
  writeFileSync(join(root, ".claude/settings.local.json"), "{}\n");
  git("add", "-f", ".claude/settings.local.json");
  assert.match(said(), /git has this file.*git rm --cached/);
});
