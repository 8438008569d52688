// Table tests of single gates: each row is a project, a call, and what that one gate says to it through the hook's door.
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

export function runRows(suites: Record<string, Row[]>): void {
  for (const [name, rows] of Object.entries(suites)) {
    const gate = `lifecycle/${name}`;
    describe(gate, () => {
      for (const row of rows) {
        test(row.ac ? `${row.name} (${row.ac})` : row.name, async (t) => {
          const p = framework(t, row.setup);
          p.only = gate;
          const said = await row.act(p);
          assert.equal(said.denied, row.denied !== undefined, JSON.stringify(said.raw));
          if (row.denied) assert.equal(said.gate, gate);
          for (const part of row.denied ?? []) assert.ok(said.text.includes(part), `${part} in: ${said.text}`);
          for (const channel of [said.context, said.messages]) {
            for (const part of row.warned ?? []) assert.ok(channel.includes(part), `${part} in: ${channel}`);
            if (!row.warned && !row.fault && !row.told) assert.equal(channel, "");
          }
          for (const part of row.told ?? []) assert.ok(said.context.includes(part), `${part} in: ${said.context}`);
          row.file?.(p);
          assert.equal(
            said.faults.some((f) => row.fault?.test(f)),
            row.fault !== undefined,
            said.faults.join("; "),
          );
          if (row.fault)
            assert.ok(
              p.recordedFaults().some((f) => row.fault!.test(f)),
              "the record names the fault",
            );
        });
      }
    });
  }
}

/** A table that proves little is a fault of its own. */
export function enough(suites: Record<string, Row[]>): void {
  test("every check has at least ten rows, some of which pass", () => {
    for (const [name, rows] of Object.entries(suites)) {
      assert.ok(rows.length >= 10, `${name}: ${rows.length}`);
      assert.ok(
        rows.some((r) => !r.denied),
        name,
      );
      assert.ok(
        rows.some((r) => r.denied || r.warned || r.told || r.file),
        name,
      );
    }
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
