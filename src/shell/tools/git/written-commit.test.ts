import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { untaggedForms } from "../../../testing/commit-forms.js";
import { temporary } from "../../../testing/temporary.js";
import { analyse } from "../../index.js";

test("the message is the one git stores, in every form where it is known", () => {
  const folder = temporary("commit-forms");
  const root = join(folder, "project");
  mkdirSync(join(root, "src", "cache"), { recursive: true });
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: "pipe" });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  const files: Record<string, string> = { "message.txt": "feat(cache): from a file\n\nwith a body\n" };
  writeFileSync(join(root, "message.txt"), files["message.txt"]!);
  writeFileSync(join(folder, "outside.txt"), "feat(cache): from outside\n");
  git("add", "-A");
  git("commit", "-q", "-m", "feat(cache): untagged start");
  let compared = 0;
  for (const [i, [name, command]] of untaggedForms.entries()) {
    const context = { cwd: root, root, home: folder, readFile: (path: string) => files[path.slice(root.length + 1)] };
    const calls = analyse(command, context).commitCalls;
    assert.ok(calls.length > 0, `${name}: no commit was found`);
    // Sign-off is git's own line; loops and chains make more than one commit.
    const known = calls.at(-1)!.message;
    if (known === undefined || name === "signoff") continue;
    writeFileSync(join(root, "src/cache/a.ts"), `${i}\n`);
    git("add", "-A");
    const env = { ...process.env, HOME: folder, GIT_EDITOR: "false" };
    const { status, stderr } = spawnSync("bash", ["-c", command], { cwd: root, env, encoding: "utf8" });
    assert.equal(status, 0, `${name}: ${stderr}`);
    assert.equal(git("log", "-1", "--format=%B").trimEnd(), known, name);
    compared++;
  }
  assert.ok(compared >= 50, `${compared} forms compared`);
});
