// The package as npm makes it, installed without network into a project of its own: help, init, status, man page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { forbidden, isRefused, machines } from "./newcomer.js";

const skip = spawnSync("npm", ["--version"]).status !== 0 && "needs npm";

test("the packed tarball works from node_modules, installed offline", { skip }, (t) => {
  const ann = machines(t)("ann");
  const root = join(ann.base, "project");
  mkdirSync(root);
  writeFileSync(join(root, "package.json"), '{ "name": "project", "private": true }\n');
  ann.git(root, "init", "-q", "-b", "main");
  const offline = { npm_config_cache: join(ann.base, "cache"), npm_config_offline: "true", npm_config_audit: "false" };
  const npm = (cwd: string, ...args: string[]) => {
    const ran = ann.run(cwd, "npm", args, "", offline);
    assert.equal(ran.status, 0, `npm ${args.join(" ")}\n${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  };
  const packed = npm(process.cwd(), "pack", "--ignore-scripts", "--json", "--pack-destination", ann.base);
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const needed of ["README.md", "man/interlock.1", "dist/interlock.cjs", "docs/limits.md"])
    assert.ok(paths.includes(needed), `${needed} is in the package`);
  assert.deepEqual(
    paths.filter((path) => /\.(?:ts|map)$|^(?:src|test|build)\//.test(path)),
    [],
  );
  npm(root, "install", "--ignore-scripts", "--no-fund", join(ann.base, filename));

  const npx = (...words: string[]) => ann.run(root, "npx", ["agent-interlock", ...words], "", offline);
  const help = npx("--help");
  assert.equal(help.status, 0, help.stderr);
  assert.match(help.stdout, /^interlock \d+\.\d+\.\d+: /);
  const dry = npx("init", "--dry-run");
  assert.equal(dry.status, 0, dry.stdout + dry.stderr);
  assert.ok(!existsSync(join(root, ".claude")));
  const init = npx("init", "--yes", "--door", "command");
  assert.equal(init.status, 0, init.stdout + init.stderr);
  assert.match(init.stdout, /^ {2}npx interlock enable discipline /m, "the screen names what works here");
  assert.ok(isRefused(ann.hook(root, ".claude/settings.local.json", "PreToolUse", forbidden(root))));
  const { man } = JSON.parse(readFileSync(join(root, "node_modules/agent-interlock/package.json"), "utf8"));
  assert.ok(existsSync(join(root, "node_modules/agent-interlock", man)));
});
