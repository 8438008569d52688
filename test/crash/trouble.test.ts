// Homes that cannot be used: every fault is typed, says what is wrong in one sentence and what to do about it.
import assert from "node:assert/strict";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openStore, StoreFault, verify } from "../../src/store/index.js";
import { temporary } from "../../src/testing/temporary.js";
import { failure, shim } from "./shim.js";

const home = () => temporary("trouble");
const event = () => ({ type: "event", body: {} });

function faultOf(work: () => unknown): StoreFault {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof StoreFault, String((error as Error).stack));
    return error;
  }
  assert.fail("nothing was thrown");
}

test("a home that does not exist yet is made, private to the user", () => {
  const where = join(home(), "a/b/c");
  assert.equal(openStore({ home: where, id: "p1" }).append(event)?.record.seq, 1);
});

test("a file in the place of the home is a fault with a remedy", () => {
  const where = join(home(), "file");
  writeFileSync(where, "");
  const fault = faultOf(() => openStore({ home: where, id: "p1" }).append(event));
  assert.equal(fault.code, "missing-home");
  assert.match(fault.remedy, /INTERLOCK_HOME/);
});

const errors: [string, string][] = [
  ["EROFS", "read-only"],
  ["EACCES", "denied"],
  ["EPERM", "denied"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["ESTALE", "unsupported"],
  ["EMFILE", "io"],
];
for (const [code, kind] of errors)
  test(`${code} when writing is "${kind}", with a remedy; reading still works and says so`, () => {
    const where = home();
    openStore({ home: where, id: "p1" }).append(() => ({ ...event(), patch: { n: 1 } }));
    const broken = shim((call) => {
      if (
        ["writeSync", "mkdirSync", "linkSync"].includes(call.name) ||
        (call.name === "openSync" && call.args[1] !== "r")
      )
        throw failure(code);
      return call.real();
    });
    const store = openStore({ home: where, id: "p1" }, { io: broken });
    const fault = faultOf(() => store.append(event));
    assert.equal(fault.code, kind);
    assert.match(fault.message, /^(Cannot|No space)/);
    assert.ok(fault.remedy.length > 20);
    assert.deepEqual([store.read().state["n"], store.read().condition.ok], [1, true]);
    rmSync(join(where, "projects/p1/state.json"));
    const { condition, state } = store.read();
    assert.deepEqual([condition.tampered, condition.degraded, state["n"]], [true, true, 1]);
  });

test("what has no JSON form, or is too large, is refused and nothing is written", () => {
  const store = openStore({ home: home(), id: "p1" });
  assert.equal(faultOf(() => store.append(() => ({ type: "event", body: { n: Number.NaN } }))).code, "bad-record");
  const large = { list: Array.from({ length: 400_000 }, (_, n) => `item ${n}`) };
  assert.equal(faultOf(() => store.append(() => ({ type: "event", body: large }))).code, "bad-record");
  assert.equal(store.read().seq, 0);
});

test("a builder that throws leaves nothing and releases the lock", () => {
  const store = openStore({ home: home(), id: "p1" });
  assert.throws(
    () =>
      store.append(() => {
        throw new TypeError("gate");
      }),
    /gate/,
  );
  assert.equal(store.append(event)?.record.seq, 1);
});

test("a disk without hard links: the lock is taken by exclusive creation, and taken over", () => {
  const place = { home: home(), id: "p1" };
  const io = shim((call) => {
    if (call.name === "linkSync") throw failure("ENOTSUP");
    return call.real();
  });
  const store = openStore(place, { io });
  let inner: unknown;
  store.append(() => {
    inner = faultOf(() => openStore(place, { io }).append(event, 30)).code;
    return event();
  });
  assert.equal(inner, "busy");
  writeFileSync(
    join(place.home, "projects/p1/lock"),
    JSON.stringify({ pid: 2 ** 22 - 9, start: "1", boot: "0", host: "x", nonce: "00112233445566aa" }),
  );
  utimesSync(join(place.home, "projects/p1/lock"), 1, 1);
  assert.equal(store.append(event)?.record.seq, 2);
  assert.equal(verify(place).verdict, "intact");
});
