// Many processes on one record at once: nothing lost, no sequence number twice, the chain whole.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore, verify } from "../../src/store/index.js";
import { hookBursts } from "./hooks.js";

const child = fileURLToPath(new URL("./child.js", import.meta.url));

function run(home: string, commits: number, name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const process_ = spawn(process.execPath, [child, home, "p1", String(commits), name], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    process_.stdout.on("data", (data) => (out += data));
    process_.stderr.on("data", (data) => (err += data));
    process_.on("close", (code) =>
      code === 0 ? resolve(out.trim().split("\n")) : reject(new Error(`${name} ended with ${code}: ${err}`)),
    );
  });
}

async function burst(home: string, processes: number, commits: number) {
  const place = { home, id: "p1" };
  const before = openStore(place).read().seq;
  const acks = (await Promise.all(Array.from({ length: processes }, (_, n) => run(home, commits, `w${n}`)))).flat();
  const records = [...openStore(place).records({ from: before + 1 })].filter((one) => one.session?.startsWith("w"));
  assert.equal(acks.length, processes * commits);
  assert.deepEqual(
    acks.map((ack) => ack.split(" ")[1]).sort(),
    records.map((one) => one.ids![0]).sort(),
    "acknowledged and recorded differ",
  );
  assert.equal(new Set(acks.map((ack) => ack.split(" ")[0])).size, acks.length, "a sequence number came twice");
  const { state, condition } = openStore(place).read();
  assert.equal(state["total"], processes * commits, "an update was lost");
  assert.equal(condition.tampered, false);
  const report = verify(place);
  assert.equal(report.verdict, "intact", report.findings.map((one) => one.what).join(" "));
  const left = readdirSync(join(home, "projects/p1")).filter(
    (name) => name.startsWith("lock") || name.endsWith(".tmp"),
  );
  assert.deepEqual(left, []);
}

const temporary = () => mkdtempSync(join(tmpdir(), "interlock-burst-"));

test("64 processes create and write one record at once: nothing is lost", async () => {
  const home = temporary();
  await burst(home, 64, 4);
  rmSync(home, { recursive: true });
});

const deadOwner = (over: object) =>
  `${JSON.stringify({ pid: 2 ** 22 - 3, start: "1", boot: "0", host: hostname(), nonce: "0011223344aa", ...over })}\n`;

const corpses: [string, string | Buffer][] = [
  ["an empty file", ""],
  ["garbage", Buffer.from([0, 255, 10, 123])],
  ["an owner from another boot of another machine", deadOwner({ host: "elsewhere" })],
  ["half an owner", deadOwner({}).slice(0, 30)],
];

for (const [what, content] of corpses) {
  test(`16 processes at once take over a stale lock: ${what}`, async () => {
    const home = temporary();
    const path = join(home, "projects/p1/lock");
    mkdirSync(join(home, "projects/p1"), { recursive: true });
    writeFileSync(path, content);
    const old = Date.now() / 1000 - 3600;
    utimesSync(path, old, old);
    await burst(home, 16, 3);
    rmSync(home, { recursive: true });
  });
}

test("24 processes at once take over the lock of a killed process", async () => {
  const home = temporary();
  await killHolder(home);
  assert.ok(readdirSync(join(home, "projects/p1")).includes("lock"), "the killed process must leave its lock");
  await burst(home, 24, 3);
  rmSync(home, { recursive: true });
});

test("readers and verify beside four writers always see a whole record", async () => {
  const home = temporary();
  const place = { home, id: "p1" };
  openStore(place).append(() => ({ type: "event", body: {} }));
  let running = 4;
  const writers = Array.from({ length: running }, (_, n) => run(home, 40, `w${n}`).finally(() => running--));
  let looks = 0;
  let before = 0;
  while (running > 0) {
    const { seq, condition, state } = openStore(place).read();
    assert.equal(condition.tampered, false, condition.findings.map((one) => one.what).join(" "));
    assert.ok(seq >= before, "went back");
    assert.equal((state["total"] as number | undefined) ?? 0, seq - 1, "state and sequence number differ");
    before = seq;
    if (looks++ % 10 === 0) assert.equal(verify(place).verdict, "intact");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(writers);
  assert.ok(looks > 20);
  assert.equal(openStore(place).read().seq, 161);
  rmSync(home, { recursive: true });
});

hookBursts(test);

/** Leaves the lock of a process that was killed inside its transaction. */
async function killHolder(home: string) {
  const index = new URL("../../src/store/index.js", import.meta.url).href;
  const code = `
    import { openStore } from ${JSON.stringify(index)};
    openStore({ home: ${JSON.stringify(home)}, id: "p1" }).append(() => { process.kill(process.pid, "SIGKILL"); });`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
  await new Promise((resolve) => holder.on("close", resolve));
}
