// `interlock init --kits` lays out the repository of the seed and overwrites nothing; its smoke run passes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { kitProject, program } from "./kit-project.js";

test("init --kits lays out folders and tools, keeps what is there, and says nothing to do the second time", () => {
  const { root, read, interlock } = kitProject({ "tools/kit": "mine\n", ".gitignore": "dist/\nnode_modules/\n" });
  const shown = interlock(["init", "--kits", "--dry-run", "--door", "command"]);
  assert.match(shown.stdout, /make tools\/pump/);
  assert.equal(read("tools/pump"), undefined);
  const made = interlock(["init", "--kits", "--yes", "--door", "command"]);
  assert.equal(made.status, 0, made.stdout + made.stderr);
  assert.equal(read("tools/kit"), "mine\n");
  for (const path of ["runs/.gitkeep", "interop/requests/.gitkeep", "interop/responses/.gitkeep", "kits/.gitkeep"])
    assert.equal(read(path), "", path);
  assert.ok(read("interop/schemas/request.schema.json"));
  for (const name of ["pump", "observe", "smoke-run"])
    assert.ok(statSync(join(root, "tools", name)).mode & 0o100, `${name} can be run`);
  assert.match(read(".gitignore")!, /^dist\/\nnode_modules\/\nruns\/\*\/logs\//);
  const again = interlock(["init", "--kits", "--yes", "--door", "command"]);
  assert.match(again.stdout, /Nothing to do/);
});

test("the smoke run passes without an agent", () => {
  const { root, env, interlock } = kitProject();
  interlock(["init", "--kits", "--yes", "--door", "command"]);
  const { status, stdout, stderr } = spawnSync(join(root, "tools/smoke-run"), {
    env: { ...env, INTERLOCK: `${process.execPath} ${program}` },
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /smoke run passed/);
  assert.equal(stdout.match(/^ok /gm)?.length, 19, stdout);
});
