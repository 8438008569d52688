import assert from "node:assert/strict";
import { test } from "node:test";
import { askGitListBeside } from "./run-git.js";

test("a folder that is not there answers at once and leaves no timer that keeps the process alive", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  assert.equal(await askGitListBeside("/no/such/folder", ["status"], { ms: 20_000 }), undefined);
  assert.equal(timers(), before);
});
