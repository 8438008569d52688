// Snapshots of real trees around real commands: what each command changed, and nothing else, is found.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, beforeEach, test } from "node:test";
import { restorePath } from "./restore.js";
import { keepSnapshot, keptSnapshot, restoreProtected } from "./snapshot-file.js";
import { compareSnapshots, type TreeChange } from "./tree-changes.js";
import { type SnapshotOptions, takeSnapshot } from "./tree-snapshot.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-tree-")));
after(() => rmSync(root, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
const run = (command: string, cwd: string) => execFileSync("sh", ["-c", command], { cwd, env, stdio: "pipe" });

let project = "";
let settings = "";
let made = 0;
beforeEach(() => {
  project = join(root, `p${made++}`);
  settings = join(project, ".claude/settings.json");
  mkdirSync(join(project, "src"), { recursive: true });
  mkdirSync(join(project, ".claude"));
  mkdirSync(join(project, "node_modules/x"), { recursive: true });
  writeFileSync(settings, '{"hooks":{}}');
  writeFileSync(join(project, "src/a.ts"), "one");
  writeFileSync(join(project, "src/b.ts"), "two");
  writeFileSync(join(project, ".gitignore"), "node_modules/\n*.log\n.env\n.claude/\n");
  writeFileSync(join(project, ".env"), "A=1");
  writeFileSync(join(project, "node_modules/x/index.js"), "");
  run(
    "git init -q -b main && git config user.name t && git config user.email t@example.invalid && " +
      "git add . && git commit -qm first",
    project,
  );
});

const options = (): SnapshotOptions => ({
  protectedFiles: [settings, join(project, ".claude/settings.local.json")],
  keepCopies: true,
});

async function changesOf(command: string, cwd = project, limits: SnapshotOptions["limits"] = {}): Promise<string[]> {
  const before = await takeSnapshot(cwd, { ...options(), limits });
  run(command, cwd);
  const { changes, truncated } = compareSnapshots(
    before,
    await takeSnapshot(cwd, { ...options(), limits, like: before }),
  );
  assert.equal(truncated, undefined);
  return shown(changes);
}
const shown = (changes: TreeChange[]) =>
  changes
    .map((c) => `${c.protected ? "!" : ""}${c.op} ${relative(project, c.path)}${c.path.endsWith("/") ? "/" : ""}`)
    .sort();

const rows: [command: string, expected: string[]][] = [
  ["true", []],
  ["git status && cat src/a.ts && ls -R", []],
  ["echo more >> src/a.ts", ["changed src/a.ts"]],
  ["sed -i s/one/eno/ src/a.ts", ["changed src/a.ts"]],
  ["echo two > src/c.ts", ["created src/c.ts"]],
  ["rm src/a.ts", ["deleted src/a.ts"]],
  ["mv src/a.ts src/z.ts", ["created src/z.ts", "deleted src/a.ts"]],
  ["chmod +x src/a.ts", ["mode src/a.ts"]],
  ["ln src/a.ts ../$$.link && rm ../$$.link && ln src/a.ts src/l.ts", ["created src/l.ts", "linked src/a.ts"]],
  ["cp -p src/a.ts keep && echo eno > src/a.ts && touch -r keep src/a.ts && rm keep", ["changed src/a.ts"]],
  ["echo A=2 > .env", ["changed .env"]],
  ["mkdir node_modules/new", ["changed node_modules/"]],
  ["echo x > run.log", ["created run.log"]],
  ["git add -A; git commit -qm nothing || true", []],
  ["echo dirty > src/a.ts && git stash -q", ["changed src/a.ts"]],
  ["git update-index --assume-unchanged src/a.ts && echo x >> src/a.ts", ["changed src/a.ts"]],
  [`echo '{}' > .claude/settings.json`, ["!changed .claude/settings.json"]],
  [`printf '{"hooks":{}}' > .claude/settings.json`, []],
  ["touch .claude/settings.json", []],
  ["chmod 666 .claude/settings.json", ["!mode .claude/settings.json"]],
  ["ln .claude/settings.json src/l.json", ["!linked .claude/settings.json", "created src/l.json"]],
  ["echo '{}' > .claude/settings.local.json", ["!created .claude/settings.local.json"]],
  ["rm -rf .claude", ["!deleted .claude/settings.json", "deleted .claude/"]],
  [
    "cp .claude/settings.json x && rm .claude/settings.json && ln -s ../x .claude/settings.json",
    ["!changed .claude/settings.json", "changed .claude/", "created x"],
  ],
  ["echo > src/__proto__", ["created src/__proto__"]],
];
for (const [command, expected] of rows)
  test(command, async () =>
    assert.deepEqual(
      (await changesOf(command)).filter((c) => expected.includes("changed .claude/") || c !== "changed .claude/"),
      expected,
    ),
  );

/** In a large tree permissions and links of committed files are not seen, and a touched file is read. */
const unseenInLarge = /^(?:mode|linked) src/;
const onlyLarge: [command: string, expected: string[]][] = [
  ["touch src/a.ts", []],
  ["echo x >> src/a.ts && git add -A && git commit -qm second", ["changed src/a.ts"]],
  ["echo x > src/c.ts && git add -A && git commit -qm second && git rm -q --cached src/b.ts", ["created src/c.ts"]],
  ["git rm -q --cached src/a.ts", []],
  ["git mv src/a.ts src/z.ts", ["created src/z.ts", "deleted src/a.ts"]],
  ["git checkout -qb other && echo x > src/a.ts && git commit -qam x && git checkout -q main", []],
  ["git checkout -q --orphan other && git rm -qrf src", ["deleted src/a.ts", "deleted src/b.ts"]],
  ["echo 'a b' > 'src/a b.ts' && git add . && echo c > 'src/a b.ts'", ["created src/a b.ts"]],
  ["git update-index --skip-worktree src/b.ts && rm src/b.ts", ["deleted src/b.ts"]],
];
const inLarge = rows.filter(([command]) => !command.includes("git stash"));
for (const [command, expected] of [
  ...inLarge,
  ["echo dirty > src/a.ts && git stash -q", []],
  ...onlyLarge,
] as typeof rows)
  for (const version of command.includes("update-index") ? [2, 4] : [2])
    test(`as in a large tree, index version ${version}: ${command}`, async () => {
      run(`git update-index --index-version ${version}`, project);
      assert.deepEqual(
        (await changesOf(command, project, { statusAbove: 0 })).filter(
          (c) => expected.includes("changed .claude/") || c !== "changed .claude/",
        ),
        expected.filter((c) => !unseenInLarge.test(c)),
      );
    });

test("in a large tree what was committed, staged, new or absent is put back", async () => {
  run("echo staged > src/s.ts && git add src/s.ts && echo new > src/n.ts && chmod +x src/b.ts", project);
  run("git commit -qm exec src/b.ts", project);
  const before = await takeSnapshot(project, { ...options(), keepUncommitted: true, limits: { statusAbove: 0 } });
  assert.equal(before.how, "status");
  run("echo x | tee src/a.ts src/b.ts src/s.ts src/n.ts src/made.ts && git commit -qam y && rm src/b.ts", project);
  for (const name of ["a", "b", "s", "n", "made"])
    assert.equal(restorePath(before, join(project, `src/${name}.ts`)), undefined, name);
  const read = (name: string) => readFileSync(join(project, `src/${name}.ts`), "utf8");
  assert.deepEqual(["a", "b", "s", "n"].map(read), ["one", "two", "staged\n", "new\n"]);
  assert.equal(statSync(join(project, "src/b.ts")).mode & 0o111, 0o111);
  assert.equal(existsSync(join(project, "src/made.ts")), false);
});

test("a look that git does not answer in time says so", async () => {
  const slow = join(root, "slow-bin");
  mkdirSync(slow, { recursive: true });
  writeFileSync(join(slow, "git"), "#!/bin/sh\nexec sleep 1000\n", { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${slow}:${path}`;
  try {
    for (const statusAbove of [0, 1 << 30]) {
      const look = await takeSnapshot(project, { ...options(), limits: { statusAbove, ms: 50 } });
      assert.match(look.truncated?.why ?? "", /git did not answer within 50 ms/);
      assert.ok(look.protected[settings], "protected files are looked at all the same");
    }
  } finally {
    process.env.PATH = path;
  }
});

test("our own program is compared and not copied", async () => {
  const program = join(project, "src/a.ts");
  const look = () => takeSnapshot(project, { protectedFiles: [program], program: [program], keepCopies: true });
  const before = await look();
  assert.deepEqual(Object.keys(before.protected[program]!), ["stat"]);
  run("echo x > src/a.ts", project);
  assert.deepEqual(shown(compareSnapshots(before, await look()).changes), ["!changed src/a.ts"]);
});

test("a commit moves HEAD and is told apart from a change of files", async () => {
  run("echo x >> src/a.ts", project);
  const before = await takeSnapshot(project);
  run("git commit -qam second && git pack-refs --all", project);
  const { head, changes } = compareSnapshots(before, await takeSnapshot(project));
  assert.deepEqual(changes, []);
  assert.match(head!.before!, /^[0-9a-f]{40}$/);
  assert.equal(head!.after, run("git rev-parse HEAD", project).toString().trim());
});

test("the whole work tree is seen from a folder inside it", async () => {
  assert.deepEqual(await changesOf("echo x > ../other.ts", join(project, "src")), ["created other.ts"]);
});

test("without git a bounded walk does the same", async () => {
  rmSync(join(project, ".git"), { recursive: true });
  assert.deepEqual(await changesOf("echo x > src/new.ts; rm src/b.ts; mkdir node_modules/y"), [
    "changed node_modules/",
    "created src/new.ts",
    "deleted src/b.ts",
  ]);
  assert.equal((await takeSnapshot(project)).how, "walk");
});

test("the question changes nothing in the repository and runs nothing it names", async () => {
  const trap = join(project, "ran");
  run(
    [
      `git config core.fsmonitor 'touch ${trap}; false'`,
      `git config core.pager 'touch ${trap}'`,
      `git config filter.x.clean 'touch ${trap}; cat'`,
      `git config filter.x.process 'touch ${trap}'`,
      "echo '* filter=x' > .git/info/attributes",
      "touch src/a.ts",
      `rm -f ${trap}`,
    ].join(" && "),
    project,
  );
  const index = statSync(join(project, ".git/index"), { bigint: true });
  await takeSnapshot(project, { ...options(), keepUncommitted: true });
  await takeSnapshot(project, { ...options(), keepUncommitted: true, limits: { statusAbove: 0 } });
  assert.equal(existsSync(trap), false);
  assert.equal(statSync(join(project, ".git/index"), { bigint: true }).mtimeNs, index.mtimeNs);
});

test("over the limit it says so and calls nothing unseen a change", async () => {
  for (let i = 0; i < 50; i++) writeFileSync(join(project, `src/f${i}.ts`), "");
  const limits = { entries: 20 };
  const before = await takeSnapshot(project, { ...options(), limits });
  assert.match(before.truncated!.why, /20 entries/);
  run("echo x > .aa && echo x > src/zz.ts && echo '{}' > .claude/settings.json", project);
  const { changes, truncated } = compareSnapshots(before, await takeSnapshot(project, { ...options(), limits }));
  assert.match(truncated!, /20 entries/);
  assert.deepEqual(shown(changes), ["!changed .claude/settings.json", "created .aa"]);
  assert.match((await takeSnapshot(project, { limits: { ms: 0 } })).truncated?.why ?? "", /ms/);
});

test("a snapshot survives its file, and a torn file is no snapshot", async () => {
  const file = join(root, "kept/one.json");
  const before = await takeSnapshot(project, options());
  keepSnapshot(file, before);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(compareSnapshots(keptSnapshot(file)!, before).changes, []);
  for (const text of ["", "{", "null", "[]", '{"version":2}', readFileSync(file, "utf8").slice(0, -5)]) {
    writeFileSync(file, text);
    assert.equal(keptSnapshot(file), undefined, text.slice(0, 20));
  }
  assert.equal(keptSnapshot(join(root, "none.json")), undefined);
});

test("protected files are put back: content, mode, link, absence", async () => {
  const before = await takeSnapshot(project, options());
  run(
    "echo '{}' > .claude/settings.json && chmod 777 .claude/settings.json && echo '{}' > .claude/settings.local.json",
    project,
  );
  assert.equal(restoreProtected(before, settings), true);
  assert.equal(restoreProtected(before, join(project, ".claude/settings.local.json")), true);
  assert.deepEqual(
    compareSnapshots(before, await takeSnapshot(project, options())).changes.filter((c) => c.protected),
    [],
  );
  assert.equal(readFileSync(settings, "utf8"), '{"hooks":{}}');

  run("rm -rf .claude", project);
  restoreProtected(before, settings);
  assert.equal(readFileSync(settings, "utf8"), '{"hooks":{}}');

  rmSync(settings);
  symlinkSync("elsewhere.json", settings);
  const linked = await takeSnapshot(project, options());
  run("rm .claude/settings.json && echo '{}' > .claude/settings.json", project);
  restoreProtected(linked, settings);
  assert.equal(readlinkSync(settings), "elsewhere.json");
});

test("a link put in a protected file's place is replaced, not followed", async () => {
  const before = await takeSnapshot(project, options());
  writeFileSync(join(project, "victim"), "keep me");
  run("rm .claude/settings.json && ln -s ../victim .claude/settings.json", project);
  restoreProtected(before, settings);
  assert.equal(readFileSync(join(project, "victim"), "utf8"), "keep me");
  assert.equal(readFileSync(settings, "utf8"), '{"hooks":{}}');
});

test("a file too big to keep is hashed all the same", async () => {
  writeFileSync(settings, "x".repeat(5_000));
  const before = await takeSnapshot(project, { ...options(), limits: { copyBytes: 4_096 } });
  assert.equal(before.protected[settings]!.copy, undefined);
  assert.equal(before.protected[settings]!.hash?.length, 64);
  assert.equal(restoreProtected(before, settings), false);
});

test("other work goes on while git runs", async () => {
  const slow = join(root, "slow");
  const go = join(slow, "go");
  mkdirSync(slow);
  const git = run("command -v git", project).toString().trim();
  // This git waits for a file that only a free event loop makes; it gives up after a minute.
  const wait = `i=0; until [ -e '${go}' ] || [ $i -gt 600 ]; do i=$((i + 1)); sleep 0.1; done`;
  writeFileSync(join(slow, "git"), `#!/bin/sh\n${wait}\n[ -e '${go}' ] && exec ${git} "$@"\nexit 1\n`, { mode: 0o755 });
  const path = process.env["PATH"];
  process.env["PATH"] = `${slow}:${path}`;
  const timer = setTimeout(() => writeFileSync(go, ""), 20);
  try {
    const snapshot = await takeSnapshot(project, { ...options(), keepUncommitted: true });
    assert.equal(snapshot.how, "git");
  } finally {
    clearTimeout(timer);
    process.env["PATH"] = path;
  }
});
