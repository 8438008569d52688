// The key in a keyring, with a stand-in for the system's own tool that keeps secrets in a folder.
import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { openStore, verify } from "../index.js";
import { realIo } from "../io.js";
import { moveToFile, moveToKeyring } from "./keyring.js";

const tool = process.platform === "darwin" ? "security" : "secret-tool";
const script = `#!/usr/bin/env node
const fs = require("node:fs");
const kept = ${JSON.stringify(join(tmpdir(), `interlock-kept-${process.pid}`))};
const args = process.argv.slice(2);
const input = args[0] === "store" || args[0] === "-i" ? fs.readFileSync(0, "utf8") : "";
if (args[0] === "store") fs.writeFileSync(kept, input);
else if (args[0] === "-i") fs.writeFileSync(kept, input.match(/-w ([0-9a-f]+)/)[1]);
else if (fs.existsSync(kept)) process.stdout.write(fs.readFileSync(kept));
else process.exit(1);
`;
const bin = temporary("bin");
const kept = join(tmpdir(), `interlock-kept-${process.pid}`);
const path = process.env["PATH"];
writeFileSync(join(bin, tool), script);
chmodSync(join(bin, tool), 0o755);
process.env["PATH"] = `${bin}${delimiter}${path}`;
after(() => {
  process.env["PATH"] = path;
  rmSync(bin, { recursive: true });
  rmSync(kept, { force: true });
});

const event = () => ({ type: "event", body: {} });

function home() {
  const place = { home: temporary("keyring"), id: "p1" };
  openStore(place).append(event);
  return place;
}

test("moved into the keyring and back, the record goes on with the same key", () => {
  const place = home();
  const secret = readFileSync(join(place.home, "key"), "utf8").trim();
  moveToKeyring(realIo, place.home);
  for (const file of readdirSync(place.home, { recursive: true, withFileTypes: true }))
    if (file.isFile()) assert.ok(!readFileSync(join(file.parentPath, file.name), "latin1").includes(secret), file.name);
  openStore(place).append(event);
  assert.deepEqual([openStore(place).read().condition.ok, verify(place).verdict], [true, "intact"]);
  moveToFile(realIo, place.home);
  assert.equal(readFileSync(join(place.home, "key"), "utf8").trim(), secret);
  assert.equal(openStore(place).read().condition.ok, true);
});

test("a keyring without the key is a fault with a remedy, not a new key", () => {
  const place = home();
  moveToKeyring(realIo, place.home);
  const other = home();
  moveToKeyring(realIo, other.home);
  rmSync(kept);
  writeFileSync(join(other.home, "key"), `keyring ${"0".repeat(16)}\n`);
  assert.throws(() => openStore(other).append(event), { code: "key-missing", remedy: /keyring/ });
  assert.throws(() => openStore(other).read(), { code: "key-missing" });
});
