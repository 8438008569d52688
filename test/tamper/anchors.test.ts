// Checkpoints in commits prove the record: what disagrees with them is tampering, even when every file of the record is
// gone.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/index.js";

const command = join(process.cwd(), "dist/interlock.cjs");

function project() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-anchor-")));
  const repository = join(root, "repo");
  mkdirSync(join(root, "home"));
  execFileSync("git", ["init", "-q", repository]);
  const home = join(root, "state");
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), INTERLOCK_HOME: home };
  const run = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], {
      env,
      cwd: repository,
      encoding: "utf8",
    });
    return { stdout, stderr, status };
  };
  const hook = (n: number) =>
    spawnSync(process.execPath, [command, "hook", "claude-code"], {
      env,
      cwd: repository,
      input: JSON.stringify({
        session_id: "s",
        cwd: repository,
        hook_event_name: "UserPromptSubmit",
        prompt: `do ${n}`,
      }),
    });
  const commit = (trailer: string) => {
    writeFileSync(join(repository, "a"), trailer);
    const git = (...args: string[]) =>
      execFileSync(
        "git",
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", ...args],
        { cwd: repository },
      );
    git("add", "-A");
    git("commit", "-qm", "work", "--trailer", trailer);
  };
  return { root, home, run, hook, commit, id: () => readdirSync(join(home, "projects"))[0]! };
}

test("checkpoints in commits prove the record up to them", () => {
  const place = project();
  for (let n = 0; n < 3; n++) place.hook(n);
  const trailer = place.run("checkpoint").stdout.trim();
  assert.match(trailer, /^Interlock-Checkpoint: 3:[0-9a-f]{12}:[0-9a-f]{8}:[0-9a-f]{8}$/);
  place.commit(trailer);
  place.commit("Interlock-Checkpoint: 999:000000000000:ffffffff"); // of another user's record
  place.hook(3);
  const { status, stdout } = place.run("verify");
  assert.equal(status, 0, stdout);
  assert.match(stdout, /commit [0-9a-f]{12} vouches for everything up to record 3; 1 later/);
  rmSync(place.root, { recursive: true });
});

test("checkpoints of another clone on the same machine say nothing about this record", () => {
  const place = project();
  for (let n = 0; n < 3; n++) place.hook(n);
  const trailer = place.run("checkpoint").stdout.trim();
  const [seq, , key, record] = trailer.replace("Interlock-Checkpoint: ", "").split(":");
  place.commit(`Interlock-Checkpoint: ${seq}:${"0".repeat(12)}:${key}:${record === "00000000" ? "1" : "0"}0000000`);
  const other = place.run("verify");
  assert.equal(other.status, 0, other.stdout);
  // The same about this record is found.
  place.commit(`Interlock-Checkpoint: ${seq}:${"0".repeat(12)}:${key}:${record}`);
  assert.equal(place.run("verify").status, 4);
  rmSync(place.root, { recursive: true });
});

test("a record that starts over or loses its end with all copies is tampering", () => {
  const place = project();
  for (let n = 0; n < 3; n++) place.hook(n);
  place.commit(place.run("checkpoint").stdout.trim());
  const id = place.id();
  for (const part of [`projects/${id}`, "marks"]) rmSync(join(place.home, part), { recursive: true });
  const gone = place.run("verify");
  assert.equal(gone.status, 4, gone.stdout);
  assert.match(gone.stdout, /records 1 to 3 are missing/);
  const store = openStore({ home: place.home, id });
  for (let n = 0; n < 4; n++) store.append(() => ({ type: "event", body: { n } }));
  const forged = place.run("verify");
  assert.equal(forged.status, 4, forged.stdout);
  assert.match(forged.stdout, /record 3: is not the record that commit [0-9a-f]{12} vouches for/);
  rmSync(place.root, { recursive: true });
});
