// Canonical paths against a real disk: every detour a tool or a shell accepts ends at the same file.
import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { canonicalPath } from "./canonical-path.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-canonical-")));
const home = join(root, "home");
const project = join(root, "project");
mkdirSync(join(home, ".claude"), { recursive: true });
mkdirSync(join(project, "src/deep"), { recursive: true });
mkdirSync(join(project, ".claude"));
mkdirSync(join(root, "elsewhere/inner"), { recursive: true });
writeFileSync(join(project, ".claude/settings.json"), "{}");
writeFileSync(join(project, "src/a.ts"), "");
symlinkSync(join(project, ".claude"), join(project, "dots"));
symlinkSync("../.claude/settings.json", join(project, "src/link.json"));
symlinkSync(join(project, ".claude/settings.local.json"), join(project, "dangling"));
symlinkSync("loop-b", join(project, "loop-a"));
symlinkSync("loop-a", join(project, "loop-b"));
symlinkSync(join(root, "elsewhere/inner"), join(project, "out"));
linkSync(join(project, ".claude/settings.json"), join(project, "hard.json"));
after(() => rmSync(root, { recursive: true, force: true }));

const settings = join(project, ".claude/settings.json");
const rows: [spelling: string, path: string][] = [
  [".claude/settings.json", settings],
  ["./.claude//settings.json", settings],
  [".claude/settings.json/", settings],
  ["src/../.claude/settings.json", settings],
  ["src/missing/../../.claude/settings.json", settings],
  [settings, settings],
  [`/proc/self/root${settings}`, settings],
  [`/proc/thread-self/root${settings}`, settings],
  [`/proc/1/root${settings}`, settings],
  [`/proc/self/task/1/root/proc/self/root${settings}`, settings],
  ["/proc/self/cwd/.claude/settings.json", settings],
  ["dots/settings.json", settings],
  ["dots/../dots/settings.json", settings],
  ["src/link.json", settings],
  ["dangling", join(project, ".claude/settings.local.json")],
  ["dots/new/file.json", join(project, ".claude/new/file.json")],
  ["loop-a", join(project, "loop-a")],
  ["loop-a/x", join(project, "loop-a/x")],
  ["~/.claude/settings.json", join(home, ".claude/settings.json")],
  ["~", home],
  ["~other/x", join(project, "~other/x")],
  [`file://${settings}`, settings],
  [`file://localhost${settings}`, settings],
  [`file://${settings.replace("settings", "%73ettings")}`, settings],
  [`\\\\?\\${settings}`, settings],
  [`\\\\.\\${settings.replaceAll("/", "\\")}`, settings],
  [`\\??\\${settings}`, settings],
  ["src/a.ts/x", join(project, "src/a.ts/x")],
  ["brand/new/file.ts", join(project, "brand/new/file.ts")],
  ["/", "/"],
  ["..", root],
  ["../../../../../../../../../../../..", "/"],
];

for (const [spelling, path] of rows) {
  test(`${JSON.stringify(spelling.replaceAll(root, "R"))} is ${path.replace(root, "R")}`, () => {
    assert.equal(canonicalPath(spelling, project, home).path, path);
  });
}

test("a climb out of a linked folder has two readings: by text and by disk", () => {
  const both = canonicalPath("out/../x.ts", project, home);
  assert.equal(both.path, join(project, "x.ts"));
  assert.deepEqual(
    both.others?.map((o) => o.path),
    [join(root, "elsewhere/x.ts")],
  );
});

test("a backslash is read as a separator too", () => {
  const both = canonicalPath("src\\..\\.claude\\settings.json", project, home);
  assert.ok(both.others?.some((o) => o.path === settings));
});

test("a literal reading of a file: prefix is kept beside the URL", () => {
  const both = canonicalPath("file:/x", project, home);
  assert.equal(both.path, "/x");
  assert.ok(both.others?.some((o) => o.path === join(project, "file:/x")));
});

test("a hard link has the identity and the number of links of its file", () => {
  const link = canonicalPath("hard.json", project, home);
  assert.equal(link.identity, canonicalPath(settings, "/").identity);
  assert.equal(link.links, 2);
});

test("the name itself is kept beside where it leads", () => {
  const link = canonicalPath("src/link.json", project, home);
  assert.equal(link.lexical, join(project, "src/link.json"));
  assert.equal(link.path, settings);
});

for (const path of ["/dev/fd/3", "/proc/self/fd/7", "/dev/stdout"])
  test(`${path} is opaque: it depends on the process`, () => assert.equal(canonicalPath(path, project).opaque, true));
for (const path of ["/proc/self/root/tmp", "/dev/null", "/proc/cpuinfo"])
  test(`${path} is not opaque`, () => assert.equal(canonicalPath(path, project).opaque, undefined));

test("what can't be a path is rejected with a reason and does not throw", () => {
  assert.match(canonicalPath("", project).rejected!, /empty/);
  assert.match(canonicalPath("a\0b", project).rejected!, /NUL/);
  assert.match(canonicalPath("a/".repeat(40_000), project).rejected!, /longer/);
  assert.equal(canonicalPath(`${"./".repeat(9_000)}src/a.ts`, project).path, join(project, "src/a.ts"));
  assert.equal(canonicalPath(`${"x".repeat(300)}/y`, project).exists, false);
});

test("a working directory that is gone still gives a path", () => {
  assert.equal(canonicalPath("a/../b", join(root, "gone")).path, join(root, "gone/b"));
  assert.equal(canonicalPath("b", "").path, "/b");
});
