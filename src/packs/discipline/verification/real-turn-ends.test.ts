// Ends of turns that recorded sessions showed: a team's member, a page to look at, a version, a withdrawn order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent } from "../../../../test/discipline/agent.js";
import { countsIn } from "../../../facts/test-reporters.js";
import { testRunOf } from "../../../facts/test-run.js";
import type { Event } from "../../../model/event.js";

const manifest = `{
  "name": "a",
  "version": "0.3.0",
  "scripts": { "test": "vitest run" },
  "dependencies": { "b": "1.0.0" }
}
`;
const files = { "package.json": manifest, "src/a.ts": "export const a = 1;\n" };
const lead = '<teammate-message teammate_id="team-lead">\nMake a 2 in src/a.ts.\n</teammate-message>';

async function withAgent<T>(run: (a: Agent) => Promise<T>): Promise<T> {
  const a = new Agent({ files });
  try {
    await a.start();
    return await run(a);
  } finally {
    a.close();
  }
}

async function edited(a: Agent, first: string): Promise<void> {
  await a.prompt(first);
  for (const path of ["src/a.ts", "package.json"]) await a.read(path);
  await a.grep("a", "src/a.ts:1:a", "src");
  assert.notEqual((await a.edit("src/a.ts", "1", "2")).outcome, "deny");
}

test("a member of a team hands its work to the lead", () =>
  withAgent(async (a) => {
    await edited(a, lead);
    assert.equal((await a.stop("Done, the lead is told.")).outcome, "pass");
    await a.prompt("make it 3, please");
    await a.edit("src/a.ts", "2", "3");
    assert.equal((await a.stop("Done.")).gate, "verification", "a person speaks: it is their work again");
  }));

test("a lead that hears of its members is no member", () =>
  withAgent(async (a) => {
    await a.prompt("make a 2 in src/a.ts");
    await a.stop("The team is at it.");
    await edited(a, lead.replace("team-lead", "verify"));
    await a.prompt("go on");
    await a.edit("src/a.ts", "2", "3");
    assert.equal((await a.stop("Done.")).gate, "verification");
  }));

test("a member that says tests pass after a failing run is refused", () =>
  withAgent(async (a) => {
    await edited(a, lead);
    await a.bash("npx vitest run", "      Tests  1 failed | 2 passed (3)\n", 1);
    assert.equal((await a.stop("All tests pass.")).outcome, "deny");
  }));

test("a build, and words on how to look at the page", async () => {
  const end = (output: string, exit: number, message: string) =>
    withAgent(async (a) => {
      await edited(a, "make a 2 in src/a.ts");
      if (output) await a.bash("npx tsc --noEmit", exit ? output : "", exit);
      return (await a.stop(message)).outcome;
    });
  const how = "Changed.\n\nRun `bun dev` and open `localhost:4008` to see the new page.";
  assert.equal(await end("built", 0, how), "pass");
  assert.equal(await end("built", 0, "You can now run `bun dev` and test on http://localhost:4008."), "pass");
  assert.equal(await end("", 0, how), "deny", "nothing was run");
  assert.equal(await end("src/a.ts(1,1): error TS1005", 2, how), "deny", "it does not build");
  assert.equal(await end("built", 0, "Changed src/a.ts."), "deny", "nobody is told to look");
});

test("a release's number in a manifest is no code; a dependency's is", async () => {
  const end = (old: string, next: string) =>
    withAgent(async (a) => {
      await a.prompt("edit the manifest as I said");
      for (const path of ["package.json", "src/a.ts"]) await a.read(path);
      await a.grep("a", "src/a.ts:1:a", "src");
      await a.docs("https://docs.example.org/b");
      await a.search("b 2.0.0");
      await a.github();
      assert.notEqual((await a.edit("package.json", old, next)).outcome, "deny");
      return (await a.stop("Done.")).outcome;
    });
  assert.equal(await end('  "version": "0.3.0",', '  "version": "0.4.1",'), "pass");
  assert.equal(await end('"b": "1.0.0"', '"b": "2.0.0"'), "deny");
  assert.equal(await end('  "version": "0.3.0",', '  "version": "0.4.1", "type": "module",'), "deny");
});

test("an order stopped at once, and a question in its place", async () => {
  const due = (between: (a: Agent) => Promise<unknown>) =>
    withAgent(async (a) => {
      await edited(a, "make a 2 in src/a.ts");
      await a.bash("npx vitest run", "      Tests  5 passed (5)\n");
      await a.stop("Done.");
      await a.prompt("commit this");
      await between(a);
      await a.prompt("what does a do in src/a.ts?");
      await a.stop("It is a constant.");
      await a.prompt("make a 3 in src/a.ts then");
      await a.edit("src/a.ts", "2", "3");
      await a.bash("npx vitest run", "      Tests  5 passed (5)\n");
      return a.stop("a is 3.");
    });
  assert.equal((await due(async () => undefined)).outcome, "pass");
  assert.equal((await due((a) => a.read("src/a.ts"))).gate, "requirements", "it was begun: it is still due");
});

test("Playwright's summary, whole and filtered", () => {
  assert.deepEqual(countsIn("  20 passed (17.8s)\n"), { collected: 20, passed: 20, failed: 0, skipped: 0 });
  const bad = "  1 failed\n    [chromium] > a.spec.ts\n  1 did not run\n  18 passed (16.5s)\n";
  assert.equal(countsIn(bad)?.failed, 2);
  assert.equal(countsIn("I saw 20 passed (17.8s) there\n"), undefined);
  const run = (filter: string, text: string) => {
    const command = `pnpm --filter e2e test 2>&1 | grep -E '${filter}'`;
    const event = { tool: { command }, outcome: { ok: true, exitCode: 0, text } } as unknown as Event;
    return testRunOf(event, [{ program: "pnpm", argv: ["--filter", "e2e", "test"] }])?.ok;
  };
  assert.equal(run("(passed|failed)", "  20 passed (17.8s)\n"), true);
  assert.equal(run("(passed|failed)", "  1 failed\n  19 passed (17.8s)\n"), false);
  assert.equal(run("passed", "  19 passed (17.8s)\n"), undefined);
});
