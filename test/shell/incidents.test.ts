// Commands from incident reports and harmless look-alikes, judged by the built program in two real projects.
// Invariant: a dangerous row that passes and a look-alike that is refused say why in their third column.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = join(root, "dist/interlock.cjs");
// Not in a temporary folder, even in a clone that lies there: what is in one may be deleted.
const apart = realpathSync(root).startsWith(realpathSync(tmpdir())) ? homedir() : root;
const place = join(realpathSync(apart), `.incidents-${process.pid}`);
const home = join(place, "home");
const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
after(() => rmSync(place, { recursive: true, force: true }));

interface Row {
  verdict: string;
  command: string;
  why?: string;
}

function rowsOf(name: string): Row[] {
  const read = (file: string) => readFileSync(new URL(`incidents/${file}.tsv`, import.meta.url), "utf8");
  const text = `${read(name)}\n${read(`third-${name}`)}`;
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const [verdict = "", written = "", why] = line.split("\t");
    const command = written.startsWith('"') ? (JSON.parse(written) as string) : written;
    return { verdict, command, ...(why !== undefined && { why }) };
  });
}

const wipes = '#!/bin/sh\nrm -rf "$HOME/Documents"\n';
const asks = "const k=process.env.API_KEY; fetch('https://api.example.com',{headers:{authorization:k}})\n";
const asksInPython =
  'import os,urllib.request\nkey=os.environ["API_KEY"]\n' +
  'urllib.request.urlopen(urllib.request.Request("https://api.example.com",headers={"a":key}))\n';

const committed: Record<string, string> = {
  ".gitignore": "node_modules\ndist\nbuild\n.env\n*.log\ncoverage\n",
  "src/app.ts": "export const a = 1;\n",
  "src/secrets.ts": "x\n",
  "README.md": "r\n",
  ".env.example": "API_KEY=\n",
  "dist/x.js": "1\n",
  "build/x.js": "1\n",
  "old.txt": "a\n",
  "a.txt": "a\n",
  "b.txt": "a\n",
  "tests/fixtures/fake.pem": "fake\n",
  "docs/credentials.md": "d\n",
  "migrations/001_drop_users.sql": "s\n",
  "config/credentials.example.yml": "c\n",
  "list.txt": "l\n",
  "template/src/app.ts": "export {};\n",
  "payload.json": "{}\n",
  "ask.js": asks,
  "ask.py": asksInPython,
  "scripts/wipe.sh": wipes,
  "scripts/wipe.py": "import shutil,os; shutil.rmtree(os.path.expanduser('~/Documents'))\n",
  "scripts/wipe.js": "require('fs').rmSync(process.env.HOME+'/Documents',{recursive:true})\n",
};

const inDirty: Record<string, string> = {
  test: wipes,
  "tools/ls": wipes,
  "bin/cat": wipes,
  "package.json": '{"name":"app","scripts":{"clean":"rm -rf ~/Documents/*","test":"vitest run"}}',
  Makefile: "nuke:\n\trm -rf $(HOME)/Documents\n",
  justfile: "wipe:\n  rm -rf ~/Documents\n",
};

const scripts = { clean: "rm -rf dist", test: "vitest run", build: "tsc", start: "node src/app.js", dev: "vite" };
const inClean: Record<string, string> = {
  "package.json": JSON.stringify({ name: "app", scripts }),
  Makefile: "clean:\n\trm -rf dist\n",
};

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    if (text.startsWith("#!")) chmodSync(path, 0o755);
  }
}

function makeHome(): void {
  const names = "Music .gnupg .password-store Documents Pictures .ssh .aws Desktop Downloads .config/gh .kube .docker";
  for (const name of names.split(" ")) mkdirSync(join(home, name), { recursive: true });
  const files = [
    ..."Documents/thesis.docx .ssh/id_rsa .ssh/id_ed25519 .ssh/id_ed25519.pub .aws/credentials .npmrc".split(" "),
    ...".netrc .git-credentials .pgpass .pypirc .zshrc .bashrc .docker/config.json .kube/config".split(" "),
    ".config/gh/hosts.yml",
  ];
  write(home, Object.fromEntries(files.map((name) => [name, "x\n"])));
  write(home, { ".gitconfig": "[user]\n\tname = A\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n" });
}

/** Everything committed, .env ignored; app.db and data/ are not in git. */
function makeProject(kind: "dirty" | "clean"): string {
  const folder = join(home, kind);
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, env, stdio: "ignore" });
  write(folder, { ...committed, ...(kind === "dirty" ? inDirty : inClean) });
  mkdirSync(join(folder, "data"));
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "init");
  for (const name of ["done", "feature/x", "develop"]) git("branch", name);
  git("tag", "v1.0.0");
  if (kind === "dirty") spoil(folder, git);
  write(folder, { ".env": "API_KEY=sk-test-1234567890abcdef\nDB=x\n", "app.db": "x\n", "data/production.sqlite": "" });
  return folder;
}

/** Stashed, changed and new files, branches with commits of their own, and a .env that git does not ignore. */
function spoil(folder: string, git: (...words: string[]) => unknown): void {
  write(folder, { "README.md": "r\ns\n" });
  git("stash", "-q");
  git("checkout", "-q", "-b", "topic");
  write(folder, { "onlyhere.txt": "u\n" });
  git("add", "onlyhere.txt");
  git("commit", "-qm", "only");
  git("checkout", "-q", "develop");
  write(folder, { "z.txt": "z\n" });
  git("add", "z.txt");
  git("commit", "-qm", "z");
  git("checkout", "-q", "main");
  write(folder, { ".gitignore": committed[".gitignore"]!.replace(".env\n", "") });
  git("commit", "-qam", "ign");
  write(folder, { "src/app.ts": "export const a = 1;\nmore\n", "src/new.ts": "new\n" });
}

makeHome();

for (const [set, kind] of [
  ["dangerous", "dirty"],
  ["lookalikes", "clean"],
] as const)
  test(`${set}: each command has the verdict its row says`, () => {
    const rows = rowsOf(set);
    assert.ok(rows.length > 400);
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, "explain", "--jsonl"], {
      cwd: makeProject(kind),
      input: rows.map(({ command }) => JSON.stringify({ command })).join("\n"),
      env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    assert.equal(status, 0, stderr);
    const judged = stdout.trim().split("\n");
    assert.equal(judged.length, rows.length);
    const wrong = rows.flatMap(({ verdict, command }, at) => {
      const { outcome } = (JSON.parse(judged[at]!) as { verdict: { outcome: string } }).verdict;
      return outcome === verdict ? [] : [`${command}: ${outcome} instead of ${verdict}`];
    });
    assert.deepEqual(wrong, []);
    const odd = rows.filter(({ verdict, why }) => (set === "dangerous") === (verdict === "pass") && !why);
    assert.deepEqual(odd, []);
  });
