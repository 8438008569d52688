import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readBounded, readBoundedText } from "./bounded-read.js";

const folder = mkdtempSync(join(tmpdir(), "interlock-bounded-"));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);
const code = (wanted: string) => (error: NodeJS.ErrnoException) => error.code === wanted;

test("a file up to the limit is read whole, one byte more is refused", () => {
  for (const size of [0, 1, 4096, 100_000]) {
    writeFileSync(at("f"), Buffer.alloc(size, 7));
    assert.deepEqual(readBounded(at("f"), size), Buffer.alloc(size, 7), String(size));
    if (size) assert.throws(() => readBounded(at("f"), size - 1), code("EFBIG"));
  }
  writeFileSync(at("t"), "größe\n");
  assert.equal(readBoundedText(at("t"), 100), "größe\n");
  assert.throws(() => readBounded(at("missing"), 10), code("ENOENT"));
  assert.throws(() => readBounded(folder, 10), code("EINVAL"));
});

test("files that call themselves empty are read up to the limit", {
  skip: !existsSync("/proc/self/pagemap") && "no /proc here",
}, () => {
  assert.match(readBoundedText("/proc/self/status", 1 << 20), /^Name:/);
  assert.throws(() => readBounded("/proc/self/pagemap", (1 << 20) + 7), code("EFBIG"));
});

test("devices and pipes are refused, at once", {
  skip: process.platform === "win32" && "no pipes in folders there",
}, () => {
  symlinkSync("/dev/zero", at("zero"));
  assert.throws(() => readBounded(at("zero"), 10), code("EINVAL"));
  assert.equal(spawnSync("mkfifo", [at("pipe")]).status, 0);
  assert.throws(() => readBounded(at("pipe"), 10), code("EINVAL"));
});
