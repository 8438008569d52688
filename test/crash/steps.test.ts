// A writer killed before each of its file system calls in turn, and half-way through each write.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openStore, verify } from "../../src/store/index.js";

const child = fileURLToPath(new URL("./child.js", import.meta.url));
const temporary = () => mkdtempSync(join(tmpdir(), "interlock-steps-"));

/** Kills at step 1, 2, 3, ... until the writer survives; returns how many steps there were. */
function killAtEveryStep(template: string | undefined, half: boolean, records = 40): number {
  for (let step = 1; ; step++) {
    const home = temporary();
    if (template) cpSync(template, home, { recursive: true });
    const place = { home, id: "p1" };
    const before = openStore(place).read();
    const args = [child, home, "p1", "step", String(step), half ? "half" : "whole", String(records)];
    const { signal, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
    const now = openStore(place).read();
    const how = `step ${step}`;
    assert.equal(now.condition.tampered, false, `${how}: ${now.condition.findings.map((one) => one.what).join(" ")}`);
    const committed = [...openStore(place).records()].filter((one) => one.ids?.[0] === "step-1").length;
    assert.ok(committed <= 1, how);
    if (stdout) assert.equal(committed, 1, `${how}: acknowledged but lost`);
    const total = (state: typeof before.state) => (state["total"] as number | undefined) ?? 0;
    assert.equal(total(now.state), total(before.state) + committed, `${how}: state and ledger differ`);
    openStore(place).append(() => ({ type: "event", body: { prompt: "a text after half a text" } }));
    const report = verify(place);
    assert.equal(report.verdict, "intact", `${how}: ${report.findings.map((one) => one.what).join(" ")}`);
    rmSync(home, { recursive: true });
    if (signal !== "SIGKILL") return step - 1;
  }
}

test("killed before every file system call of the first append", (t) => {
  t.diagnostic(`${killAtEveryStep(undefined, false)} steps`);
});

test("killed before and half-way through every call of a later append", (t) => {
  const home = temporary();
  for (let n = 0; n < 5; n++)
    openStore({ home, id: "p1" }).append(() => ({ type: "event", body: { n }, patch: { total: n } }));
  t.diagnostic(`${killAtEveryStep(home, true)} steps`);
  rmSync(home, { recursive: true });
});

test("killed before every call of the append that begins a segment", (t) => {
  const home = temporary();
  for (let n = 0; n < 40; n++)
    openStore({ home, id: "p1" }).append(() => ({ type: "event", body: { n }, patch: { total: n } }));
  t.diagnostic(`${killAtEveryStep(home, true)} steps`);
  rmSync(home, { recursive: true });
});

test("killed before every call of the append that rewrites the snapshot", (t) => {
  const home = temporary();
  for (let n = 0; n < 65; n++)
    openStore({ home, id: "p1" }).append(() => ({ type: "event", body: { n }, patch: { total: n } }));
  assert.equal(readFileSync(join(home, "projects/p1/state.json"), "utf8").split("\n").length, 66, "a full journal");
  t.diagnostic(`${killAtEveryStep(home, true, 1_000)} steps`);
  rmSync(home, { recursive: true });
});
