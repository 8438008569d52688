// The cache keeps what depends on the text alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse, type ShellContext } from "../shell/index.js";
import { analysed } from "./shell-analysis.js";

test("an analysis that looked at files, folders or archives is made anew, any other is kept", () => {
  let made = 0;
  const counted = (command: string, context: ShellContext) => {
    made++;
    return analyse(command, context);
  };
  const archives = {
    list: () => undefined,
    stateOf: () => undefined,
    treeFiles: () => undefined,
    extract: () => false,
  };
  const context: ShellContext = {
    cwd: "/kept",
    root: "/kept",
    readFile: () => undefined,
    isDirectory: () => true,
    archives: () => archives,
  };
  const times = (command: string) => {
    const before = made;
    for (let round = 0; round < 3; round++) analysed(counted, command, context);
    return made - before;
  };
  assert.equal(times("rm a b; tar cf x.tar src"), 1);
  assert.equal(times("tar xf x.tar"), 3);
  assert.equal(times("git archive HEAD | tar x"), 3);
  assert.equal(times("bash x.sh"), 3);
});
