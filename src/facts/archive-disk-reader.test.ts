// What is predicted of an extraction against what the system's own tar and unzip really do.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { analyse } from "../shell/index.js";
import { type Member, makeTar, makeZip } from "../testing/make-archive.js";
import { temporary } from "../testing/temporary.js";
import { archivesOnDisk as archives } from "./archive-disk-reader.js";

const has = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** Every file and link below a folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

const members: Member[] = [
  { name: "./pkg/", type: "5" },
  { name: "./pkg/src/a.ts", content: "a" },
  { name: "./pkg/src/deep/b.json", content: "{}" },
  { name: "pkg/.claude/settings.json", content: "{}" },
  { name: "/abs/c.txt", content: "c" },
  { name: "pkg/link", type: "2", link: "src/a.ts" },
  { name: "top.txt", content: "t" },
];

const commands = [
  "tar xf a.tar",
  "tar -xzf a.tgz -C out",
  "tar xf a.tar --strip-components=1",
  "tar xf a.tar --strip-components=2 -C out",
  "tar xf a.tar --one-top-level",
  "tar xf a.tar --one-top-level=new",
  "tar xf a.tar ./pkg/src",
  "tar xf a.tar --wildcards '*.json'",
  "tar xf a.tar --exclude='*.json' --exclude=deep",
  "tar xf a.tar --exclude=src",
  "tar xkf a.tar",
  "tar x < a.tar",
  "gzip -dc a.tgz | tar x -C out",
  "tar tf a.tar",
  "unzip -qo a.zip",
  "unzip -qo a.zip -d out",
  "unzip -qoj a.zip",
  "unzip -qo a.zip 'pkg/*'",
  "unzip -qn a.zip -d out",
];

for (const command of commands)
  test(`what ${command} writes is what was predicted`, (t) => {
    const program = command.split(" ")[0]!;
    if (program === "unzip" && !has(program)) return t.skip("no unzip on this machine");
    const folder = temporary("extraction");
    mkdirSync(join(folder, "out"));
    writeFileSync(join(folder, "top.txt"), "before");
    writeFileSync(join(folder, "a.tar"), makeTar(members));
    writeFileSync(join(folder, "a.tgz"), gzipSync(makeTar(members)));
    writeFileSync(join(folder, "a.zip"), makeZip(members.map((m) => ({ ...m, name: m.name.replace("./", "") }))));
    const before = new Set(filesIn(folder));
    const { effects } = analyse(command, { cwd: folder, root: folder, archives: () => archives });
    const predicted = effects
      .filter((effect) => effect.kind === "write")
      .map(({ path }) => relative(folder, path!))
      .filter((path) => !before.has(path));
    assert.equal(existsSync(join(folder, "pkg")), false);
    spawnSync("sh", ["-c", command], { cwd: folder });
    const made = filesIn(folder).filter((path) => !before.has(path));
    assert.deepEqual([...new Set(predicted)].sort(), made.sort());
  });

test("what is no regular file is no archive", () => {
  const folder = temporary("no-archive");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const read = (name: string) => archives.list(join(folder, name));
  assert.equal(read("pipe"), undefined);
  assert.equal(read("."), undefined);
  assert.equal(read("absent"), undefined);
  assert.equal(archives.stateOf(join(folder, "pipe", "x")), undefined);
  assert.equal(archives.treeFiles(folder, "HEAD", []), undefined);
  assert.equal(archives.treeFiles(folder, "--output=x", []), undefined);
});
