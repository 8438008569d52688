// The dashboard below the resident server: a process of its own, reached by the same command, ended with the server.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { temporary } from "../../src/testing/temporary.js";
import { until } from "../../src/testing/until.js";

const program = join(process.cwd(), "dist/interlock.cjs");

test("a running server gives the link and its process; both end together", { timeout: 120_000 }, async () => {
  const place = temporary("dashboard-resident");
  const [home, project] = [join(place, "interlock"), join(place, "project")];
  mkdirSync(home, { mode: 0o700 });
  execFileSync("git", ["init", "-q", project]);
  const env = { PATH: process.env["PATH"] ?? "", HOME: place, INTERLOCK_HOME: home };
  const server = spawn(process.execPath, [program, "serve", "--home", home], { env, stdio: "ignore" });
  try {
    // Its lock is there before it answers: the command waits for it instead of starting a dashboard of its own.
    await until(() => serverPid(home) !== undefined, "the server");
    const ask = () => {
      const run = spawnSync(process.execPath, [program, "dashboard", "--json"], {
        cwd: project,
        env,
        encoding: "utf8",
        timeout: 60_000,
      });
      assert.equal(run.status, 0, run.stderr);
      return JSON.parse(run.stdout) as { url: string; ends: string };
    };
    const [first, second] = [ask(), ask()];
    assert.equal(first.ends, "with the resident server");
    assert.equal(new URL(first.url).host, new URL(second.url).host, "one process for all links");
    assert.notEqual(first.url, second.url, "a code of its own for each");
    const { port, pathname } = new URL(first.url);
    assert.equal((await fetch(`http://127.0.0.1:${port}${pathname}api/frame`)).status, 401);
    assert.deepEqual(readdirSync(join(home, "server", "dashboards")), [port], "the guard knows the port");
    server.kill("SIGTERM");
    await until(() => server.exitCode !== null, "the server's end");
    await until(
      () =>
        fetch(first.url).then(
          () => false,
          () => true,
        ),
      "the dashboard's end",
    );
  } finally {
    server.kill("SIGKILL");
  }
});
