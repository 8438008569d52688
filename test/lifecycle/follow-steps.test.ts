// Every shipped workflow from a clean project to its end, doing exactly what `next` and the refusals name, through the
// built program: no step is impossible, named twice or out of order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogueOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { lifecycleHere } from "./calls.js";
import { lifecycle } from "./drive.js";
import { type ShippedProject, shipped } from "./shipped.js";

const order = ["plan", "delegation", "elicitation", "artifacts", "tests", "atdd", "constitution"];
const menu = "[A] Adjust  [R] Refine  [C] Continue  [S] Save  [X] Exit\nYour choice:";

interface Next {
  phase: string | null;
  unmet: { need: string; why: string; next: string }[];
  next: string;
  hints: string[];
}

const command = async (s: ShippedProject, ...args: string[]) => {
  await s.recorded();
  return lifecycle(s.p, ...args);
};

/** What is only asked needs no process of its own. */
const ask = async (s: ShippedProject, what: "next" | "advance") => {
  await s.recorded();
  return lifecycleHere(s.p, what);
};

/** Does what a step says, as an agent would that knows nothing else. */
async function follow(s: ShippedProject, step: string): Promise<void> {
  const run = /(?:^|run: )interlock lifecycle (\w+)((?: --?[\w,=-]+| [IVX,]+)*)$/.exec(step);
  const agent = /^delegate (\S+) to ([\w-]+) \(Agent tool\)$/.exec(step);
  const write = /^write (?:the task plan to |it to )?(\S+)/.exec(step);
  if (agent) {
    const { denied, text } = await s.agent(agent[2]!, "The phase is done.", `Do ${agent[1]}.`);
    assert.equal(denied, false, text);
  } else if (/^show the user the result with the menu/.test(step)) {
    const { denied } = await s.event("Stop", { stop_hook_active: false, last_assistant_message: menu });
    assert.equal(denied, false);
    await s.event("UserPromptSubmit", { prompt: "save" });
  } else if (/^run the tests/.test(step)) await s.tests("npm test");
  else if (run) {
    const { code, json, err } = await command(s, run[1]!, ...run[2]!.trim().split(/\s+/).filter(Boolean));
    assert.equal(code, 0, `${step}: ${JSON.stringify(json)} ${err}`);
  } else if (write) {
    const said = await s.write(write[1]!.replace("*", "one"), "# Written\n");
    assert.equal(said.denied, false, said.text);
  } else assert.fail(`nobody could follow this step: ${step}`);
}

async function toTheEnd(s: ShippedProject, id: string, start: string[]): Promise<string[]> {
  assert.equal((await command(s, "init")).code, 0);
  const begun = await command(s, "start", id, ...start);
  assert.equal(begun.code, 0, JSON.stringify(begun.json) + begun.err);
  const passed: string[] = [];
  const done = new Set<string>();
  for (let i = 0; i < 120; i++) {
    const { phase, unmet, next } = (await ask(s, "next")) as unknown as Next;
    if (phase === null) return passed;
    const ranks = unmet.map((u) => order.indexOf(u.need));
    assert.deepEqual(
      ranks,
      [...ranks].sort((a, b) => a - b),
      `${phase}: ${unmet.map((u) => u.need)}`,
    );
    assert.ok(!done.has(`${phase} ${next}`), `named twice in ${phase}: ${next}`);
    done.add(`${phase} ${next}`);
    const asked = await ask(s, "advance");
    assert.equal(asked["moved"], unmet.length === 0, "what `next` calls open passes");
    if (unmet.length) {
      const named = String(asked["next"]);
      for (const { next: step } of unmet) assert.equal(named.split(step).length, 2, `${named} names ${step} once`);
      await follow(s, next);
    } else passed.push(phase);
  }
  throw new Error("it did not come to an end");
}

for (const { id, phases, branch } of catalogueOf().workflows.values())
  for (const mode of id === "feature" ? [[], ["--atdd"]] : [[]])
    test(`${id} ${mode.join("")} can be followed step by step`, async (t) => {
      const s = await shipped(t, {
        manifest: false,
        files: { "package.json": '{"scripts":{"test":"node --test"}}\n' },
      });
      const passed = await toTheEnd(s, id, [...mode, ...(branch ? ["--branch", "add a page"] : [])]);
      assert.deepEqual(passed, phases);
      const [past] = s.p.state().workflow_history;
      assert.deepEqual([past.type, past.status], [id, "completed"]);
      const status = await command(s, "status");
      assert.equal(status.code, 0, JSON.stringify(status.json));
    });

test("the steps that start says are the first steps of next, in the same order", async (t) => {
  for (const { id, branch } of catalogueOf().workflows.values()) {
    const s = await shipped(t, { manifest: false });
    await command(s, "init");
    const { json } = await command(s, "start", id, ...(branch ? ["--branch", "a page"] : []));
    const steps = json["steps"] as string[];
    const next = (await command(s, "next")).json as unknown as Next;
    const wanted = next.unmet.length ? next.unmet.map((u) => u.next) : [next.next];
    assert.deepEqual(steps.slice(0, wanted.length), wanted.slice(0, 3), id);
    assert.equal(new Set(steps).size, steps.length, `${id} names a step twice: ${steps.join(" | ")}`);
  }
});

test("a failed run, a change after it and a late check are each named once, with what to do", async (t) => {
  const s = await shipped(t, { manifest: false, files: { "package.json": '{"scripts":{"test":"node --test"}}\n' } });
  await command(s, "init");
  await command(s, "start", "upgrade", "--branch", "node 24");
  const step = async () => ((await ask(s, "next")) as unknown as Next).next;
  const until = async (what: RegExp) => {
    for (let i = 0; i < 20 && !what.test(await step()); i++) await follow(s, await step());
  };
  await until(/^run the tests/);
  await s.fails("npm test");
  assert.match(await step(), /^fix the failure and run the same tests again: npm test$/);
  await s.write("src/a.js", "export const a = 1;\n");
  await s.tests("npm test");
  await until(/^interlock lifecycle advance/);
  await s.write("src/a.js", "export const a = 2;\n");
  assert.match(await step(), /^run the tests again$/);
  await follow(s, await step());
  assert.match(await step(), /^check the work, then run: interlock lifecycle validate --articles/);
  await follow(s, await step());
  assert.match(await step(), /^interlock lifecycle advance/);
});
