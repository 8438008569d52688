// A really full disk and a real file-size limit: appending fails with a typed fault, nothing torn is accepted, and it
// works again when there is room.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore, verify } from "../../src/store/index.js";

const script = fileURLToPath(new URL("./full-disk.js", import.meta.url));
const node = process.execPath;

test("a full tmpfs: appends are refused, then work again", (t) => {
  const home = mkdtempSync(join(tmpdir(), "interlock-full-"));
  const inside = `mount -t tmpfs -o size=400k tmpfs "$0" && exec "$1" "$2" "$0/home" "$0/filler"`;
  const share = ["-m", "-rm"].find(
    (flag) => spawnSync("unshare", [flag, "mount", "-t", "tmpfs", "tmpfs", home]).status === 0,
  );
  if (!share) {
    t.skip("this machine lets nobody mount a tmpfs (no unshare); the file-size limit below is what remains");
    return;
  }
  const { stdout, stderr } = spawnSync("unshare", [share, "sh", "-c", inside, home, node, script], {
    encoding: "utf8",
  });
  assert.ok(stdout, stderr);
  const seen = JSON.parse(stdout);
  assert.ok(seen.acknowledged > 5, stdout);
  assert.deepEqual(
    { ...seen, acknowledged: 0, kept: 0, total: 0 },
    {
      acknowledged: 0,
      kept: 0,
      total: 0,
      typed: true,
      tampered: false,
      degraded: true,
      whileFull: "intact",
      later: true,
      verdict: "intact",
    },
  );
  assert.deepEqual([seen.kept, seen.total], [seen.acknowledged, seen.acknowledged]);
  rmSync(home, { recursive: true });
});

test("a file-size limit cuts a write short: nothing torn is accepted", () => {
  const home = mkdtempSync(join(tmpdir(), "interlock-limit-"));
  // the limit counts 512-byte blocks; without the trap the signal would end the process before it sees the error
  const limited = `trap '' XFSZ; ulimit -f 160; exec "$0" "$1" "$2" ""`;
  const { stdout, stderr } = spawnSync("sh", ["-c", limited, node, script, home], { encoding: "utf8" });
  assert.ok(stdout, stderr);
  const seen = JSON.parse(stdout);
  assert.deepEqual([seen.typed, seen.tampered, seen.whileFull], [true, false, "intact"], stdout);
  assert.ok(seen.acknowledged > 3 && seen.kept === seen.acknowledged && seen.total === seen.acknowledged, stdout);
  const next = openStore({ home, id: "p1" }).append(() => ({ type: "event", body: {} }));
  assert.equal(next?.record.seq, seen.acknowledged + 1);
  assert.equal(verify({ home, id: "p1" }).verdict, "intact");
  rmSync(home, { recursive: true });
});
