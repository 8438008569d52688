// What is older than the settings allow goes by itself, once a day; newer texts and work stay.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keepWork } from "../packs/guard/destructive/keep-work.js";
import { guardPack } from "../packs/guard/index.js";
import { keptStore, listKeptWork } from "../project/kept-work.js";
import { verify } from "../store/index.js";
import { keptObjects } from "../testing/kept-objects.js";
import { stage } from "../testing/stage.js";
import { eraseEverywhere, keepToRetention } from "./erase-everywhere.js";
import { lastRetention } from "./retention-due.js";

const day = 24 * 3600_000;

test("retention erases by age, once a day, and the record stays intact", async (t) => {
  const s = stage(t, { packs: [guardPack], files: { a: "1" } });
  const { store } = s;
  const folder = join(s.home, "projects", store.place.id);
  const place = { store, folder, root: s.root };
  await s.prompt("a zebra");
  const id = (await s.prompt("another zebra")).id;
  const now = Date.now();
  keepWork({ repo: s.root, id: "git-reset-hard" }, { now, folder });
  keepWork({ repo: s.root, id: "git-clean" }, { now: now - 20 * day, folder });
  mkdirSync(join(folder, "kept"), { recursive: true });
  writeFileSync(join(folder, "kept", "v-1.json"), "{}");
  utimesSync(join(folder, "kept", "v-1.json"), (now - 20 * day) / 1000, (now - 20 * day) / 1000);

  keepToRetention(place, { texts: 90, work: 14 }, now);
  assert.equal((store.find(id)!.body["prompt"] as { text?: string }).text, "another zebra");
  assert.equal(listKeptWork(folder, s.root).length, 1);
  assert.deepEqual(readdirSync(join(folder, "kept")), []);
  assert.ok(lastRetention(folder)! > 0);

  keepToRetention(place, { texts: 90, work: 14 }, now + day / 2);
  keepToRetention(place, { texts: 90, work: 14 }, now + 91 * day);
  assert.equal((store.find(id)!.body["prompt"] as { text?: string }).text, undefined, "ninety days later it is gone");
  assert.equal(listKeptWork(folder, s.root).length, 0);
  assert.equal(verify(store.place).verdict, "intact");
  assert.ok(store.read().condition.ok);
});

test("a session's start keeps to it by itself; 0 keeps for ever", async (t) => {
  let now = Date.now();
  const s = stage(t, { packs: [guardPack], now: () => now });
  await s.prompt("a zebra");
  const { id } = await s.prompt("another zebra");
  now += 100 * day;
  const forever = { texts: 0, work: 0 };
  keepToRetention({ store: s.store, folder: join(s.home, "projects", s.store.place.id), root: s.root }, forever, now);
  assert.ok((s.store.find(id)!.body["prompt"] as { text?: string }).text);
  now += 2 * day;
  await s.verdict("SessionStart", { source: "startup" });
  assert.equal((s.store.find(id)!.body["prompt"] as { text?: string }).text, undefined);
  assert.equal([...s.store.records()].at(-1)!.type, "erase");
});

test("kept work goes with its session, and whole where it holds the text; the rest stays whole", async (t) => {
  const settings = { guard: { mode: "warn" as const } };
  const s = stage(t, { packs: [guardPack], settings, files: { a: "1", b: "committed lion" } });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd: s.root });
  git("add", "-A");
  git("commit", "-qm", "first");
  const folder = join(s.home, "projects", s.store.place.id);
  const place = { store: s.store, folder, root: s.root };
  const kept = () => Buffer.concat(keptObjects(keptStore(folder)).map(([, bytes]) => bytes)).toString("latin1");
  const reset = async (session: string, path: string, text: string) => {
    s.session = session;
    s.write(path, text);
    assert.notEqual((await s.call("Bash", { command: "git reset --hard" })).outcome, "deny");
    git("reset", "-q", "--hard");
    git("clean", "-qfd");
  };
  await reset("one", "a", "zebra of one");
  await reset("two", "a", "zebra of two");
  await reset("two", "named-giraffe", "x");
  await reset("two", "kept", "stays");
  for (const animal of ["stashed zebra", "stashed okapi"]) {
    s.write("a", animal);
    git("stash", "-q");
  }
  s.session = "three";
  assert.notEqual((await s.call("Bash", { command: "git stash clear" })).outcome, "deny");
  git("stash", "clear");
  git("reflog", "expire", "--expire=now", "--all");
  git("gc", "-q", "--prune=now");
  const works = () => listKeptWork(folder, s.root).length;
  assert.equal(works(), 6);
  for (const text of ["zebra of one", "giraffe", "stashed zebra", "stashed okapi"])
    assert.ok(kept().includes(text), text);

  assert.equal(eraseEverywhere(place, { session: "one", dryRun: true }).work.length, 1);
  assert.equal(eraseEverywhere(place, { session: "one" }).work.length, 1);
  assert.ok(!kept().includes("zebra of one") && kept().includes("zebra of two"));
  assert.equal(eraseEverywhere(place, { matching: ["committed lion"] }).work.length, 0, "the project's own content");
  assert.equal(eraseEverywhere(place, { matching: ["giraffe"] }).work.length, 1);
  assert.ok(!kept().includes("giraffe"));
  assert.equal(eraseEverywhere(place, { matching: ["stashed zebra"] }).work.length, 1);
  assert.ok(!kept().includes("stashed zebra") && kept().includes("stashed okapi"));
  for (const { commit } of listKeptWork(folder, s.root))
    execFileSync("git", ["--git-dir", keptStore(folder), "archive", "--format=tar", commit]);
  assert.equal(eraseEverywhere(place, { session: "three" }).work.length, 1);
  assert.ok(!kept().includes("okapi") && kept().includes("stays"));
  assert.equal(works(), 2);
  assert.equal(verify(s.store.place).verdict, "intact");
});
