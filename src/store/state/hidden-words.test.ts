// Words of the state are not readable in its files, come back to who has the key, and are gone with it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { openStore, verify } from "../index.js";
import { realIo } from "../io.js";
import { layout } from "../layout.js";
import { HiddenWords } from "./hidden-words.js";

const words = ["src/zebra.ts", "/a/zebra dir/zebra", "zebra-server", "~/zebra", "/", "a/", "zebra 😀", "x".repeat(300)];

function record() {
  const place = { home: temporary("hidden"), id: "p1" };
  const folder = join(place.home, "projects/p1");
  const put = (patch: object) =>
    openStore(place, { sync: "never" }).append(() => ({ type: "event", body: {}, patch: patch as never }));
  const clear = () =>
    ["state.json", "ledger/00000001.jsonl"].map((name) => readFileSync(join(folder, name), "utf8")).join("");
  const state = () => openStore(place).read().state;
  return { place, folder, put, clear, state };
}

test("words are hidden as values and as names, changed and removed by patches, and read back", () => {
  const { place, put, clear, state } = record();
  const slice = { list: words, by: Object.fromEntries(words.map((word, n) => [word, { n, mode: "warn" }])) };
  put({ "gate/a@s1": slice, "gate/b": { files: { "docs/zebra.md": 1 } }, "gate/c@s1": "zebra/walks" });
  assert.deepEqual(state(), {
    "gate/a@s1": slice,
    "gate/b": { files: { "docs/zebra.md": 1 } },
    "gate/c@s1": "zebra/walks",
  });
  put({ "gate/a@s1": { list: null, by: { "src/zebra.ts": { n: 9 }, "~/zebra": null } }, "gate/b": { files: null } });
  const { "src/zebra.ts": first, "~/zebra": _, ...rest } = slice.by;
  assert.deepEqual(state()["gate/a@s1"], { by: { ...rest, "src/zebra.ts": { ...first, n: 9 } } });
  assert.deepEqual(state()["gate/b"], {});
  assert.ok(!clear().includes("zebra"), clear());
  assert.equal(openStore(place).read("s1").state["gate/c@s1"], "zebra/walks");
  assert.equal(verify(place).verdict, "intact");
});

test("what an earlier release wrote in clear is changed under the name it has", () => {
  const words = new HiddenWords(realIo, layout({ home: temporary("hidden"), id: "p1" }));
  const about = { at: "2026-01-01T00:00:00.000Z", nonce: "1", sync: false };
  const state = { "gate/a@s1": { files: { "src/a.ts": { n: 1 } } } };
  const patch = { "gate/a@s1": { files: { "src/a.ts": null, "src/b.ts": 1 } } };
  const hidden = words.hide(patch, state, about);
  const [first, second] = Object.keys((hidden["gate/a@s1"] as (typeof patch)["gate/a@s1"]).files);
  assert.deepEqual([first, second!.slice(0, 2)], ["src/a.ts", "~="]);
  assert.deepEqual(words.show(hidden), patch);
});

test("without its key a word stays hidden, the record whole, and the session goes on with another key", () => {
  const { place, folder, put, state } = record();
  put({
    "gate/a@s1": { file: "src/zebra.ts" },
    "gate/a@s2": { file: "src/zebra.ts" },
    "gate/b": { file: "src/lion.ts" },
  });
  openStore(place).erase({ session: "s1" });
  assert.deepEqual(Object.keys(state()).sort(), ["gate/a@s2", "gate/b"]);
  put({ "gate/a@s1": { file: "src/next.ts" } });
  assert.deepEqual(state()["gate/a@s1"], { file: "src/next.ts" });
  for (const name of readdirSync(join(folder, "texts"))) rmSync(join(folder, "texts", name));
  const lost = state()["gate/b"] as { file: string };
  assert.match(lost.file, /^~=[\w/-]+$/);
  put({ "gate/b": { file: lost.file, next: "src/new.ts" } });
  assert.deepEqual(state()["gate/b"], { file: lost.file, next: "src/new.ts" });
  assert.equal(verify(place).verdict, "intact");
});

test("erasing a text takes the sessions that ever held it in their state", () => {
  const { place, put, state, folder } = record();
  put({ "gate/a@s1": { file: "src/zebra.ts" }, "gate/a@s2": { file: "src/lion.ts" } });
  put({ "gate/a@s1": { file: "src/other.ts" } });
  const keys = () =>
    readdirSync(join(folder, "texts"))
      .map((name) => readFileSync(join(folder, "texts", name), "utf8"))
      .join("");
  assert.ok(keys().includes('"s1"'));
  assert.equal(openStore(place).erase({ matching: ["zebra"], dryRun: true }).words, 1);
  openStore(place).erase({ matching: ["zebra"] });
  assert.ok(!keys().includes('"s1"') && keys().includes('"s2"'));
  assert.deepEqual(Object.keys(state()), ["gate/a@s2"]);
  writeFileSync(join(folder, "texts/keys-00.jsonl"), "half a li");
  assert.equal((state()["gate/a@s2"] as { file: string }).file, "src/lion.ts");
});
