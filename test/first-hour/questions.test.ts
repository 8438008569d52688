// The questions of a terminal, answered at a real one (a pty of script(1)): yes, no, Ctrl-C, end of input. And the
// newcomer's clock: it starts with the packed tarball and npx, and each command is read out of the screen before.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Machine, machines, repository } from "./newcomer.js";

const skip = spawnSync("sh", ["-c", "command -v script"]).status !== 0 && "needs script(1)";

function newcomer(t: TestContext): { ann: Machine; root: string } {
  const ann = machines(t)("ann");
  ann.installPackage();
  return { ann, root: repository(ann) };
}

/** Types a command; answers each of its questions as soon as it stands there. */
async function typed(
  ann: Machine,
  cwd: string,
  command: string,
  answer = "",
): Promise<{ code: number; screen: string }> {
  const env = { ...ann.env, TERM: "xterm", NO_COLOR: "1" };
  const child = spawn("script", ["-qec", `stty cols 80; ${command}`, "/dev/null"], { cwd, env });
  let screen = "";
  let asked = 0;
  child.stdout.on("data", (part: Buffer) => {
    screen += part.toString();
    const questions = screen.split(/\[y\/N\] |Ok to proceed\? \(y\) /).length - 1;
    while (asked < questions) {
      asked++;
      child.stdin.write(answer);
    }
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, screen: screen.replaceAll("\r", "") };
}

const settings = (root: string): string => join(root, ".claude/settings.local.json");

for (const [name, answer] of [
  ["no", "n\r"],
  ["only a line end", "\r"],
  ["Ctrl-C", "\u0003"],
  ["the end of input", "\u0004"],
] as const)
  test(`init asks once; ${name} changes nothing and says so`, { skip }, async (t) => {
    const { ann, root } = newcomer(t);
    const { code, screen } = await typed(ann, root, "interlock init", answer);
    assert.match(screen, /Do this\? \[y\/N\]/);
    assert.match(screen, /Nothing was written/);
    assert.equal(code, 1, screen);
    assert.ok(!existsSync(settings(root)));
  });

test("yes installs; uninstall asks too", { skip }, async (t) => {
  const { ann, root } = newcomer(t);
  const init = await typed(ann, root, "interlock init --door command", "y\r");
  assert.equal(init.code, 0, init.screen);
  assert.match(init.screen, /proved +2 forbidden calls were refused/);
  assert.ok(existsSync(settings(root)));
  const no = await typed(ann, root, "interlock uninstall", "\u0004");
  assert.equal(no.code, 1, no.screen);
  assert.ok(existsSync(settings(root)));
  const yes = await typed(ann, root, "interlock uninstall", "yes\r");
  assert.equal(yes.code, 0, yes.screen);
  assert.ok(!existsSync(settings(root)));
});

test("the newcomer's clock: from npx agent-interlock init, three commands to enforced discipline", {
  skip: skip || (spawnSync("npx", ["--version"]).status !== 0 && "needs npx"),
}, async (t) => {
  const ann = machines(t)("ann");
  const root = repository(ann);
  const registry = await localRegistry(t, ann);
  const npx = { npm_config_registry: registry, npm_config_cache: join(ann.base, "cache"), npm_config_audit: "false" };
  Object.assign(ann.env, npx, { npm_config_update_notifier: "false" });
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);

  const first = await typed(ann, root, "npx agent-interlock init", "y\r");
  assert.equal(first.code, 0, first.screen);
  t.diagnostic(`installed after ${seconds()} s`);
  const enable = /^ +(npx agent-interlock enable discipline)\b/m.exec(first.screen)?.[1];
  assert.ok(enable, first.screen);
  const second = await typed(ann, root, enable, "y\r");
  assert.equal(second.code, 0, second.screen);
  const look = /Next:\s+(npx agent-interlock [a-z]+)/.exec(second.screen)?.[1];
  assert.ok(look, second.screen);
  const third = await typed(ann, root, look);
  assert.match(third.screen, /enforced +guard, discipline/);
  t.diagnostic(`three commands in ${seconds()} s`);

  const edit = { file_path: join(root, "src/app.ts"), content: "export const a = 1;\n" };
  const write = { tool_name: "Write", tool_input: edit, tool_use_id: "toolu_3" };
  const answer = await ann.httpHook(root, ".claude/settings.local.json", write);
  assert.match(answer.stdout, /"permissionDecision":"deny"[^]*discipline\/research/);
});

/** A registry on loopback that knows one package: the tarball npm packs here. */
async function localRegistry(t: TestContext, ann: Machine): Promise<string> {
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", ann.base];
  const packed = ann.run(process.cwd(), "npm", packing, "", { npm_config_offline: "true" });
  assert.equal(packed.status, 0, packed.stderr);
  const [{ filename, version, integrity }] = JSON.parse(packed.stdout) as [Record<string, string>];
  const tarball = readFileSync(join(ann.base, filename!));
  const manifest = JSON.parse(readFileSync("package.json", "utf8")) as { name: string; bin: object };
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return void response.end(tarball);
    const dist = { tarball: `${address}/${filename}`, integrity };
    const { name, bin } = manifest;
    const versions = { [version!]: { name, version, bin, dist } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return address;
}
