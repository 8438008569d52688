// The n-th file system call fails or falls short, for every n: nothing torn is accepted, nothing acknowledged is lost,
// the record stays usable.
import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { test } from "node:test";
import { type Io, openStore, type Store, StoreFault, verify } from "../../src/store/index.js";
import { temporary } from "../../src/testing/temporary.js";
import { type Call, failure, shim } from "./shim.js";

const fresh = () => temporary("faults");
const open = (home: string, records: number, io?: Io) =>
  openStore({ home, id: "p1" }, { io, sync: "always", segment: { bytes: 1e9, records } });
const grow = (store: Store, count: number) => {
  for (let n = 0; n < count; n++)
    store.append(({ state }) => ({
      type: "event",
      ids: ["new"],
      body: { n, pad: "z".repeat(300) },
      patch: { total: ((state["total"] as number | undefined) ?? 0) + 1 },
    }));
};

/** Writes only a part, as a full disk does; other calls go through. */
function short(call: Call): unknown {
  if (call.name === "writeSync") call.args[3] = Math.floor((call.args[3] as number) / 3);
  return call.real();
}

type Meddle = (call: Call) => unknown;
const writes = new Set(["writeSync", "fsyncSync", "mkdirSync", "linkSync"]);
const creates = ({ name, args }: Call) => name === "openSync" && /[wa]/.test(String(args[1]));

const once: Record<string, (at: number) => Meddle> = {
  "fails once with EIO": (at) => (call) => {
    if (call.n === at) throw failure("EIO");
    return call.real();
  },
  "fails once with EMFILE": (at) => (call) => {
    if (call.n === at) throw failure("EMFILE");
    return call.real();
  },
  "writes short once": (at) => (call) => (call.n === at ? short(call) : call.real()),
};

const fromThenOn: Record<string, (at: number) => Meddle> = {
  "no space from then on": (at) => (call) => {
    if (call.n >= at && (writes.has(call.name) || creates(call))) throw failure("ENOSPC");
    return call.real();
  },
  "short writes from then on, then no space": (at) => {
    let full = false;
    return (call) => {
      if (call.n >= at && full && (writes.has(call.name) || creates(call))) throw failure("ENOSPC");
      if (call.n < at || call.name !== "writeSync") return call.real();
      full = true;
      return short(call);
    };
  },
  "read-only from then on": (at) => (call) => {
    const changes = writes.has(call.name) || creates(call) || ["renameSync", "ftruncateSync"].includes(call.name);
    if (call.n >= at && changes) throw failure("EROFS");
    return call.real();
  },
};

/** `same`: the process that met the fault goes on; otherwise another one does. */
function attempt(template: Template, meddle: Meddle, how: string, exact: boolean, same: boolean): boolean {
  const home = fresh();
  if (template.home) cpSync(template.home, home, { recursive: true });
  const place = { home, id: "p1" };
  const before = openStore(place).read();
  let reached = false;
  let healthy = false;
  const store = open(
    home,
    template.records,
    shim((call) => (healthy ? call.real() : meddle(call))),
  );
  let acknowledged = false;
  try {
    grow(store, 1);
    acknowledged = true;
  } catch (error) {
    reached = true;
    assert.ok(error instanceof StoreFault, `${how}: ${String((error as Error).stack)}`);
    assert.ok(error.message && error.remedy, how);
  }
  healthy = true;
  const now = (same ? store : openStore(place)).read();
  assert.equal(now.condition.tampered, false, `${how}: ${now.condition.findings.map((one) => one.what).join(" ")}`);
  const added = [...openStore(place).records({ from: before.seq + 1 })].filter((one) => one.ids?.[0] === "new").length;
  if (acknowledged) assert.equal(added, 1, `${how}: acknowledged but lost`);
  else if (exact) assert.equal(added, 0, `${how}: refused but written`);
  const total = (state: typeof now.state) => (state["total"] as number | undefined) ?? 0;
  assert.equal(total(now.state), total(before.state) + added, `${how}: state and ledger differ`);
  grow(same ? store : open(home, template.records), 2);
  assert.equal(total(openStore(place).read().state), total(before.state) + added + 2, `${how}: not usable afterwards`);
  const report = verify(place);
  assert.equal(report.verdict, "intact", `${how}: ${report.findings.map((one) => one.what).join(" ")}`);
  rmSync(home, { recursive: true });
  return reached;
}

interface Template {
  home: string | undefined;
  /** In a segment. */
  records: number;
}

function countCalls(template: Template): number {
  const home = fresh();
  if (template.home) cpSync(template.home, home, { recursive: true });
  const io = shim((call) => call.real());
  grow(open(home, template.records, io), 1);
  rmSync(home, { recursive: true });
  return io.calls();
}

for (const [count, records, what] of [
  [0, 10, "the first commit ever"],
  [4, 10, "a later commit"],
  [10, 10, "the commit that begins a new segment"],
  [65, 100, "the commit that writes the snapshot anew"],
] as const) {
  const template = { home: count ? fresh() : undefined, records };
  if (template.home) grow(open(template.home, records), count);
  const calls = countCalls(template);
  for (const [kinds, exact] of [
    [once, true],
    [fromThenOn, false],
  ] as const) {
    for (const [kind, meddle] of Object.entries(kinds)) {
      test(`${what}: call n ${kind}, for n = 1..${calls}`, () => {
        let refused = 0;
        for (let n = 1; n <= calls; n++)
          for (const same of [false, true])
            if (attempt(template, meddle(n), `call ${n} ${kind}`, exact, same)) refused++;
        assert.ok(refused > 0, "no call was ever made to fail");
      });
    }
  }
}
