// interlock learn with the built program: proposals from the record, acceptance by a person, and nobody else.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { atTerminal } from "../guard/terminal.js";

const script = join(process.cwd(), "dist/interlock.cjs");

interface Listed {
  programs: { name: string; calls: number; effect?: string; seems: string; evidence: string[]; rule: string | null }[];
}

function desk(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-learn-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const [root, home, bin] = ["project", "home", "bin"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [root, home, bin]) mkdirSync(folder);
  spawnSync("git", ["init", "-q", root]);
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: home, INTERLOCK_HOME: join(base, "interlock") };
  const userFile = join(env.INTERLOCK_HOME, "interlock.yaml");
  mkdirSync(env.INTERLOCK_HOME);
  writeFileSync(userFile, "# mine\npacks:\n  guard: { preset: paranoid } # careful\n");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { cwd: root, env, encoding: "utf8", input: "" });
  let calls = 0;
  const call = (command: string) => {
    const payload = {
      session_id: "s-1",
      cwd: root,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `toolu_${++calls}`,
    };
    const input = JSON.stringify(payload);
    const done = spawnSync(process.execPath, [script, "hook", "claude-code"], {
      input,
      env,
      encoding: "utf8",
      cwd: root,
    });
    const answer = JSON.parse(done.stdout) as {
      hookSpecificOutput?: { permissionDecision?: string; permissionDecisionReason?: string };
    };
    return answer.hookSpecificOutput ?? {};
  };
  return {
    root,
    home,
    bin,
    userFile,
    run,
    call,
    list: (...args: string[]) => JSON.parse(run("learn", "--json", ...args).stdout) as Listed,
    explain: (command: string) =>
      JSON.parse(run("explain", "--json", "--command", command).stdout) as {
        effects: { kind: string }[];
        unknown: unknown[];
        verdict: { outcome: string };
      },
    type: (args: string[], answer?: string) => atTerminal([process.execPath, script, ...args], root, env, answer),
  };
}

test("a program met through a hook is proposed, a person accepts it, and then it is known", (t) => {
  const d = desk(t);
  assert.equal(d.call("glimpse src").permissionDecision, "ask", "paranoid asks before what it does not know");
  d.call("glimpse lib && cat README.md");
  d.call("git status");
  const folder = join(d.home, ".config/fish/completions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "glimpse.fish"), "complete -c glimpse -l lines -d 'Show the first lines of each file'\n");
  const [found, ...others] = d.list().programs;
  assert.deepEqual(others, []);
  assert.equal(found!.name, "glimpse");
  assert.equal(found!.calls, 2);
  assert.equal(found!.effect, "read");
  assert.match(found!.evidence.join(), /glimpse\.fish/);
  assert.equal(found!.rule, "shell:\n  programs:\n    glimpse: read\n");
  assert.match(d.run("learn").stdout, /glimpse {2}met in 2 calls[^]*glimpse: read[^]*--accept glimpse/);

  assert.ok(d.explain("glimpse src").unknown.length);
  const before = readFileSync(d.userFile, "utf8");
  assert.match(d.type(["learn", "--accept", "glimpse"], "n").text, /Nothing was changed/);
  assert.equal(readFileSync(d.userFile, "utf8"), before);
  const typed = d.type(["learn", "--accept", "glimpse"], "y");
  assert.equal(typed.status, 0, typed.text);
  const after = readFileSync(d.userFile, "utf8");
  assert.match(after, /# mine[^]*# careful[^]*shell:\n {2}programs:\n {4}glimpse: read\n/);
  assert.equal(existsSync(join(d.root, "interlock.yaml")), false);

  const known = d.explain("glimpse src");
  assert.deepEqual(known.unknown, []);
  assert.deepEqual([...new Set(known.effects.map(({ kind }) => kind))], ["read"]);
  assert.equal(known.verdict.outcome, "pass");
  assert.equal(d.call("glimpse src").permissionDecision, undefined);
  assert.equal(d.call("glimpse sh -c 'rm -rf ~'").permissionDecision, "ask", "another command in its words");
  assert.equal(d.call("sh -c 'glimpse src; rm -rf ~'").permissionDecision, "deny");
  assert.equal(d.call("glimpse ~/.ssh/id_rsa").permissionDecision, "deny", "what it reads is judged");
  assert.equal(d.call("./glimpse src").permissionDecision, "ask", "a file of that name is another program");
  assert.deepEqual(d.list().programs, []);
  assert.match(d.run("learn", "glimpse").stdout, /known already: you taught it as "read"/);
});

test("the same entry in a project's file changes nothing and is reported", (t) => {
  const d = desk(t);
  writeFileSync(join(d.root, "interlock.yaml"), "shell:\n  programs:\n    glimpse: read\n");
  assert.equal(d.call("glimpse src").permissionDecision, "ask");
  assert.ok(d.explain("glimpse src").unknown.length);
  const check = d.run("config", "check");
  assert.match(check.stdout, /Ignored[^]*shell\.programs: \{"glimpse":"read"\}/);
  const set = d.run("config", "set", "shell.programs.other", "read");
  assert.equal(set.status, 1);
  assert.match(set.stderr, /may only tighten/);
});

test("an agent can neither accept a rule nor have a program run, in its shell or through the hook", (t) => {
  const d = desk(t);
  d.call("glimpse src");
  const before = readFileSync(d.userFile, "utf8");
  for (const command of [
    "interlock learn --accept glimpse --as read --yes",
    "npx agent-interlock learn --accept=glimpse --yes",
    "interlock learn glimpse --run-help",
    "interlock config set --user shell.programs.glimpse read",
    `echo 'shell: {programs: {glimpse: read}}' >> ${d.userFile}`,
  ])
    assert.equal(d.call(command).permissionDecision, "deny", command);
  for (const args of [
    ["--accept", "glimpse", "--as", "read", "--yes"],
    ["glimpse", "--run-help"],
  ]) {
    const { status, stderr } = d.run("learn", ...args);
    assert.equal(status, 1);
    assert.match(stderr, /only a person may do this/);
  }
  assert.equal(readFileSync(d.userFile, "utf8"), before);
});

test("evidence: a saved help text, package scripts, and --help after a yes", (t) => {
  const d = desk(t);
  const program = (name: string, help: string) => {
    writeFileSync(join(d.bin, name), `#!/bin/sh\ntouch "${d.home}/ran-${name}"\ncat <<'E'\n${help}\nE\n`);
    chmodSync(join(d.bin, name), 0o755);
  };
  program("shiner", "Usage: shiner [--in-place] FILE: writes the file anew");
  d.call("shiner a.ts; zapper x; shipit now; mystery");
  const help = join(d.home, "help.txt");
  writeFileSync(help, "zapper: deletes old builds");
  writeFileSync(join(d.root, "package.json"), '{"scripts":{"deploy":"tsc && shipit now"}}');
  const by = Object.fromEntries(d.list().programs.map((found) => [found.name, found]));
  assert.deepEqual(Object.keys(by).sort(), ["mystery", "shiner", "shipit", "zapper"]);
  assert.equal(by["shipit"]!.effect, "network");
  assert.match(by["shipit"]!.evidence.join(), /package\.json, script deploy/);
  assert.equal(by["mystery"]!.rule, null);
  assert.match(by["mystery"]!.seems, /no evidence/);
  assert.match(d.list("zapper", "--from-help", help).programs[0]!.seems, /may delete/);
  assert.equal(existsSync(join(d.home, "ran-shiner")), false, "nothing was run");
  assert.match(d.type(["learn", "shiner", "--run-help"], "n").text, /Nothing was changed/);
  assert.equal(existsSync(join(d.home, "ran-shiner")), false);
  assert.match(d.type(["learn", "shiner", "--run-help"], "y").text, /shiner: write/);
  assert.equal(existsSync(join(d.home, "ran-shiner")), true);
  const silent = d.type(["learn", "--accept", "mystery", "--yes"]);
  assert.match(silent.text, /say what it does: --as read/);
  assert.equal(d.type(["learn", "--accept", "mystery", "--as", "write", "--yes"]).status, 0);
  assert.match(readFileSync(d.userFile, "utf8"), /mystery: write/);
});

test("wrong input is named", (t) => {
  const d = desk(t);
  const rows: [string[], number, RegExp][] = [
    [["--accept", "bin/x"], 2, /no program's name/],
    [["x", "--as", "read"], 2, /--as belongs to --accept/],
    [["--accept", "x", "--as", "reed"], 2, /did you mean read/],
    [["--run-help"], 2, /whose help/],
    [["x", "--from-help", "nowhere.txt"], 2, /can't be read/],
    [["x", "y"], 2, /takes no word "y"/],
    [["--accept", "x"], 1, /never met x/],
    [["git"], 0, /known already: a table has it/],
    [[], 0, /Nothing to learn/],
  ];
  for (const [args, status, says] of rows) {
    const done = d.run("learn", ...args);
    assert.equal(done.status, status, `${args.join(" ")}: ${done.stderr}`);
    assert.match(done.stdout + done.stderr, says);
  }
  writeFileSync(join(d.root, "interlock.yaml"), "shell: { programs: { ./x: read, y: all } }\n");
  const { stdout, status } = d.run("config", "check");
  assert.equal(status, 1);
  assert.match(stdout, /named as it is called, without a folder/);
  assert.match(stdout, /is not one of read, write, network/);
});
