// Table tests of single gates: each row is a project, a call, and what that one gate answers to it through the hook.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type FrameworkProject, framework, type Said, type Setup } from "./project.js";

export interface Row {
  /** The seed's number and name, where it has one. */
  name: string;
  ac?: string;
  setup?: Setup;
  act(p: FrameworkProject): Promise<Said>;
  /** A refusal that says all of these, or none. */
  denied?: string[];
  /** A warning to the agent and the person. */
  warned?: string[];
  /** Told to the agent alone. */
  told?: string[];
  /** What the state file holds afterwards. */
  file?(p: FrameworkProject): void;
  /** Fail-open: passes, and the record names the fault. */
  fault?: RegExp;
}

/** The table of one gate: its rows, and a test that the table says something. */
export function gateTable(gate: `lifecycle/${string}`, rows: readonly Row[], { seed = false } = {}): void {
  if (!seed)
    test(`${gate}: at least ten rows, some of which pass`, () => {
      assert.ok(rows.length >= 10, `${rows.length}`);
      assert.ok(rows.some((r) => !r.denied));
      assert.ok(rows.some((r) => r.denied || r.warned || r.told || r.file));
    });
  describe(gate, () => {
    for (const row of rows)
      test(row.ac ? `${row.name} (${row.ac})` : row.name, async (t) => {
        const p = framework(t, row.setup);
        p.only = gate;
        checkRow(gate, row, p, await row.act(p));
      });
  });
}

function checkRow(gate: string, row: Row, p: FrameworkProject, said: Said): void {
  assert.equal(said.denied, row.denied !== undefined, JSON.stringify(said.raw));
  if (row.denied) assert.equal(said.gate, gate);
  for (const part of row.denied ?? []) assert.ok(said.text.includes(part), `${part} in: ${said.text}`);
  for (const channel of [said.context, said.messages]) {
    for (const part of row.warned ?? []) assert.ok(channel.includes(part), `${part} in: ${channel}`);
    if (!row.warned && !row.fault && !row.told) assert.equal(channel, "");
  }
  for (const part of row.told ?? []) assert.ok(said.context.includes(part), `${part} in: ${said.context}`);
  row.file?.(p);
  const named = (faults: readonly string[]) => faults.some((f) => row.fault?.test(f));
  assert.equal(named(said.faults), row.fault !== undefined, said.faults.join("; "));
  if (row.fault) assert.ok(named(p.recordedFaults()), "the record names the fault");
}

/** The seed has so many rows for the gate, and every acceptance criterion has one: `AC-01`, `AC-01a`, ... */
export function seedRows(rows: readonly Row[], count: number, criterion: string, letters: string): void {
  test(`${criterion}: the seed's ${count} rows, each criterion with one, some that must pass`, () => {
    assert.equal(rows.length, count);
    assert.ok(rows.some((r) => r.denied || r.warned));
    assert.ok(rows.some((r) => !r.denied && !r.warned && !r.fault));
    const wanted = ["", ...letters].map((letter) => `${criterion}${letter}`);
    assert.deepEqual([...new Set(rows.map((r) => r.ac))].sort(), wanted);
  });
}

export interface Remedy {
  setup: Setup;
  act: Row["act"];
  remedy(p: FrameworkProject): unknown;
  /** What the refusal advises instead, where it is another call. */
  again?: Row["act"];
}

/** The call is refused by the gate, its remedy is done, and the call passes. */
export function remedyOpens(gate: `lifecycle/${string}`, { setup, act, remedy, again = act }: Remedy): void {
  test(`${gate}: its remedy opens it`, async (t) => {
    const p = framework(t, setup);
    p.only = gate;
    const refused = await act(p);
    assert.equal(refused.gate, gate, refused.text);
    assert.ok(refused.text.split("\n").length <= 5, refused.text);
    await remedy(p);
    const said = await again(p);
    assert.equal(said.denied, false, said.text);
  });
}

type Act = (p: FrameworkProject) => unknown;

/** Several calls in a row; the last one is judged. */
export const several =
  (...acts: [...Act[], Row["act"]]): Row["act"] =>
  async (p) => {
    for (const act of acts.slice(0, -1)) await act(p);
    return (acts.at(-1) as Row["act"])(p);
  };
