import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { folderFault } from "./home-preflight.js";
import { chooseHookType, planServing } from "./hook-type.js";

const rows: [string, Parameters<typeof chooseHookType>[0], string][] = [
  ["a client that fails closed", { clientVersion: "2.1.295", adopts: false }, "http"],
  ["an older client", { clientVersion: "2.1.294", adopts: false }, "shim"],
  ["an unknown client", { clientVersion: undefined, adopts: false }, "shim"],
  ["adopted hooks", { clientVersion: "2.1.325", adopts: true }, "command"],
  ["one the user named", { wanted: "shim", clientVersion: "2.1.325", adopts: false }, "shim"],
  ["one the user named, with adopted hooks", { wanted: "http", clientVersion: "2.1.325", adopts: true }, "http"],
];
for (const [name, request, expected] of rows)
  test(`hook type for ${name}: ${expected}`, { skip: process.platform === "win32" && "there is no shim" }, () => {
    const { type, why } = chooseHookType(request);
    assert.equal(type, expected);
    assert.ok(why);
  });

test("planning for a home that does not exist creates nothing, and proposes the same port each time", async (t) => {
  const base = mkdtempSync(join(tmpdir(), "interlock-plan-"));
  t.after(() => rmSync(base, { recursive: true }));
  const home = join(base, "state", "interlock");
  const program = { node: process.execPath, script: "/x/interlock.cjs" };
  assert.equal(folderFault(home), undefined);
  const [first, second] = [await planServing(home, "http", program), await planServing(home, "http", program)];
  assert.equal(first.address.port, second.address.port);
  assert.notEqual(first.address.token, second.address.token);
  assert.ok(first.writeAddress);
  assert.equal(first.server, "started");
  assert.equal(existsSync(join(base, "state")), false);
});
