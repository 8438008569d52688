// Runs several hundred commands with the real bash in a scratch repository and compares outcome and prediction.
// A change below src/ or a new commit that was neither predicted nor unknown fails, and so do too many false alarms.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { type Analysis, analyse } from "../../src/shell/index.js";

const everything = Boolean(process.env["INTERLOCK_NIGHTLY"]);
const commands = (JSON.parse(readFileSync(new URL("commands.json", import.meta.url), "utf8")) as string[]).filter(
  (_, index) => everything || index % 9 === 0,
);

const place = mkdtempSync(join(tmpdir(), "interlock-real-"));
after(() => rmSync(place, { recursive: true, force: true }));
const env = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: join(place, "home"),
  LANG: "C.UTF-8",
  GIT_AUTHOR_NAME: "t",
  GIT_AUTHOR_EMAIL: "t@example.com",
  GIT_COMMITTER_NAME: "t",
  GIT_COMMITTER_EMAIL: "t@example.com",
  GIT_EDITOR: "true",
  GIT_CONFIG_NOSYSTEM: "1",
};
const run = (command: string, cwd: string) =>
  spawnSync("bash", ["-c", command], { cwd, env, input: "", encoding: "utf8", timeout: 20_000 });

const files: Record<string, string> = {
  "src/a.txt": "hello a\nworld b\n",
  "src/b.js": "const f = (x) => x;\n",
  "README.md": "read me: 1 2\nsecond 5 6\n",
  "package.json": '{"name":"p"}\n',
  Makefile: "build:\n\t@echo build\ntouchsrc:\n\ttouch src/made\n",
  "run.sh": "#!/bin/bash\necho x > src/run.txt\n",
  "quiet.sh": "#!/bin/bash\necho quiet\n",
  "list.txt": "README.md\n",
  "p.patch": "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,2 +1,2 @@\n-hello a\n+hello c\n world b\n",
};

function template(): string {
  const root = join(place, "template");
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(env.HOME, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const setup = run(
    [
      "chmod +x *.sh && git init -q -b main",
      "mkdir -p t/src && echo t > t/src/t.txt && tar cf t.tar -C t src && rm -r t",
      "git add -A && git commit -qm init",
      "git switch -q -c topic && echo topic > src/topic.txt && git add -A && git commit -qm topic",
      "git switch -q main && echo more >> README.md && git commit -qam second",
      "echo dirty >> src/a.txt && git stash -q && echo dirty2 >> src/b.js",
    ].join(" && "),
    root,
  );
  assert.equal(setup.status, 0, setup.stderr);
  return root;
}

function snapshot(directory: string): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const file = join(path, name);
      const stat = lstatSync(file);
      const content = stat.isFile() ? createHash("sha256").update(readFileSync(file)).digest("hex") : "";
      lines.push(`${relative(directory, file)} ${stat.mode} ${stat.isFile() ? stat.mtimeMs : ""} ${content}`);
      if (stat.isDirectory()) visit(file);
    }
  };
  if (existsSync(directory)) visit(directory);
  return lines.join("\n");
}

const commits = (root: string): string =>
  spawnSync("git", ["log", "-1", "--format=%H"], { cwd: root, env, encoding: "utf8" }).stdout;
const known = (root: string): Set<string> =>
  new Set(spawnSync("git", ["rev-list", "--all", "--reflog"], { cwd: root, env, encoding: "utf8" }).stdout.split("\n"));

function predictsChange({ effects }: Analysis, root: string): boolean {
  const source = join(root, "src");
  const below = (path: string) => path === source || path.startsWith(`${source}/`);
  return effects.some((effect) => {
    if (effect.kind !== "write" && effect.kind !== "delete") return false;
    if (effect.path === undefined) return !effect.within || below(effect.within) || source.startsWith(effect.within);
    return (
      below(effect.path) || ((effect.recursive || effect.glob) && source.startsWith(effect.path.replace(/\*.*$/, "")))
    );
  });
}

test(`${commands.length} commands run by bash do only what was predicted`, (context) => {
  if (spawnSync("bash", ["--version"]).status !== 0) return context.skip("no bash here");
  const from = template();
  const missed: string[] = [];
  let quiet = 0;
  let alarms = 0;
  for (const [index, command] of commands.entries()) {
    const root = join(place, `run-${index}`);
    cpSync(from, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    const analysis = analyse(command, {
      cwd: root,
      root,
      home: env.HOME,
      readFile: (path) => (existsSync(path) && lstatSync(path).isFile() ? readFileSync(path, "utf8") : undefined),
    });
    const before = snapshot(join(root, "src"));
    const old = known(root);
    const { status } = run(command, root);
    const changed = snapshot(join(root, "src")) !== before;
    const committed = !old.has(commits(root).trim());
    rmSync(root, { recursive: true, force: true });
    if (status === 127) continue;
    const unknown = analysis.effects.some((effect) => effect.kind === "unknown");
    const predicted = predictsChange(analysis, root);
    if (changed && !predicted && !unknown) missed.push(`not predicted: change below src/ by ${command}`);
    if (committed && !unknown && !analysis.effects.some((effect) => effect.kind === "commit"))
      missed.push(`not predicted: commit by ${command}`);
    if (changed || committed) continue;
    quiet++;
    if (predicted || unknown) alarms++;
  }
  assert.deepEqual(missed, []);
  assert.ok(alarms / quiet < 0.25, `${alarms} of ${quiet} commands without a change were taken for changes`);
});
