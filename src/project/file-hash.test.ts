// Hashes agree with node's own over every size class; what is no regular file has none.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sha256 } from "../model/sha256.js";
import { hashFile, statKey } from "./file-hash.js";

const root = mkdtempSync(join(tmpdir(), "interlock-hash-"));
after(() => rmSync(root, { recursive: true, force: true }));

for (const size of [0, 1, 4_096, 4_097, 1 << 20, (1 << 20) + 1, 3_000_000]) {
  test(`${size} bytes`, () => {
    const data = Buffer.alloc(size, `seed ${size}`);
    writeFileSync(join(root, "f"), data);
    assert.equal(hashFile(join(root, "f")), sha256(data));
  });
}

test("links are followed; folders, pipes, missing and oversized files have no hash", () => {
  writeFileSync(join(root, "g"), "text");
  symlinkSync("g", join(root, "link"));
  execFileSync("sh", ["-c", `mkfifo "${join(root, "pipe")}"`]);
  assert.equal(hashFile(join(root, "link")), sha256("text"));
  for (const name of [".", "pipe", "missing"]) assert.equal(hashFile(join(root, name)), undefined, name);
  assert.equal(hashFile(join(root, "g"), 3), undefined);
});

test("setting the times back does not give back the old stat key", () => {
  const file = join(root, "t");
  writeFileSync(file, "one");
  const before = statSync(file, { bigint: true });
  writeFileSync(file, "two");
  utimesSync(file, Number(before.atimeMs) / 1000, Number(before.mtimeMs) / 1000);
  assert.notEqual(statKey(statSync(file, { bigint: true })), statKey(before));
});
