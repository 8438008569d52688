import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { readHistory } from "./history.js";

test("the history is read once, then extended; a rewritten one is read anew", () => {
  const folder = temporary("sred");
  const root = join(folder, "project");
  const file = join(folder, "kept", "history.json");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const now = Date.now();
  const read = () => {
    const { read, commits, cut } = readHistory({ root, file, now, ms: 60_000 });
    assert.equal(cut, false);
    return [read, commits.map((c) => `${c.claims.join("+")} ${c.scope} ${c.paths.join(",")}`)];
  };
  const commit = (path: string, ...message: string[]) => {
    writeFileSync(join(root, path), `${Math.random()}`);
    git("add", "-A");
    git("commit", "-q", ...message.flatMap((m) => ["-m", m]));
  };
  assert.deepEqual(read(), ["nothing", []]);
  commit("a.txt", "feat(x): one", "SRED-Claim: ALPHA");
  commit("b ü.txt", "feat: untagged");
  assert.deepEqual(read(), ["whole", ["ALPHA x a.txt"]]);
  assert.deepEqual(read(), ["kept", ["ALPHA x a.txt"]]);
  commit("b ü.txt", "fix(y): two", "sred-claim: BETA\nSRED-Claim: GAMMA");
  assert.deepEqual(read(), ["extended", ["BETA+GAMMA y b ü.txt", "ALPHA x a.txt"]]);
  // A message that imitates our own separators is one commit with odd text.
  commit("c.txt", "fix: three\u0001\u0001\n\nSRED-Claim: DELTA");
  assert.deepEqual(read()[1], ["DELTA undefined c.txt", "BETA+GAMMA y b ü.txt", "ALPHA x a.txt"]);
  git("checkout", "-q", "-b", "other", "HEAD~2");
  commit("d.txt", "feat(z): four", "SRED-Claim: EPSILON");
  assert.deepEqual(read(), ["whole", ["EPSILON z d.txt", "ALPHA x a.txt"]]);
  git("checkout", "-q", "main");
  assert.equal(read()[0], "kept");
  git("commit", "-q", "--amend", "-m", "fix: three\n\nSRED-Claim: ZETA");
  const [how, claims] = read();
  assert.notEqual(how, "kept");
  assert.ok(claims!.includes("ZETA undefined c.txt") && !String(claims).includes("DELTA"), String(claims));
  // Damage costs one reading, nothing else.
  writeFileSync(file, "{");
  assert.equal(read()[0], "whole");
  assert.ok(existsSync(file));
});

test("commits older than 365 days do not count", () => {
  const root = temporary("sred");
  execFileSync("git", ["init", "-q", root]);
  const at = (iso: string, claim: string) =>
    execFileSync(
      "git",
      [
        "-C",
        root,
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b.c",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        `feat: x\n\nSRED-Claim: ${claim}`,
      ],
      { env: { ...process.env, GIT_COMMITTER_DATE: iso, GIT_AUTHOR_DATE: iso } },
    );
  at("2025-06-29T00:00:00Z", "OLD");
  at("2025-07-02T00:00:00Z", "NEW");
  const { commits } = readHistory({ root, now: Date.UTC(2026, 6, 1), ms: 60_000 });
  assert.deepEqual(
    commits.map((c) => c.claims[0]),
    ["NEW"],
  );
});

test("a history that can't be read in time is marked as cut, and what was read counts", () => {
  const folder = temporary("sred");
  execFileSync("git", ["init", "-q", folder]);
  const identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
  for (const claim of ["OLD", "NEW"])
    execFileSync("git", [
      "-C",
      folder,
      ...identity,
      "commit",
      "-qm",
      `feat: x\n\nSRED-Claim: ${claim}`,
      "--allow-empty",
    ]);
  const file = join(folder, "kept.json");
  // A git that answers all but the last bytes of its log and then hangs.
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const hangs = `case "$*" in *" log "*) "${real}" "$@" | head -c -20; exec sleep 600;; esac`;
  const slow = `#!/bin/sh\n${hangs}\nexec "${real}" "$@"\n`;
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "git"), slow, { mode: 0o755 });
  const path = process.env["PATH"];
  process.env["PATH"] = `${join(folder, "bin")}:${path}`;
  try {
    const read = readHistory({ root: folder, file, now: Date.now(), ms: 1_000 });
    assert.equal(read.cut, true);
    assert.ok(
      read.commits.every((c) => c.claims[0] === "NEW"),
      JSON.stringify(read.commits),
    );
    assert.equal(existsSync(file), false);
  } finally {
    process.env["PATH"] = path;
  }
});
