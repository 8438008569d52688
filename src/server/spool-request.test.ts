import assert from "node:assert/strict";
import { test } from "node:test";
import { requestIn } from "./spool-request.js";

const read = (text: string | Buffer, maxHead = 1_000) => requestIn(Buffer.from(text), maxHead);

test("the head is read, the payload is left as it came", () => {
  const { env, body, ...said } = read("interlock 1 PreToolUse 4\nA=1=2\nB=\nC=ü \t\n\n\n{\0}\n\n")!;
  assert.deepEqual(said, { protocol: 1, event: "PreToolUse", fd: 4 });
  assert.deepEqual({ ...env }, { A: "1=2", B: "", C: "ü \t" });
  assert.deepEqual(body, Buffer.from("\n{\0}\n\n"));
  assert.deepEqual(read("interlock 1 Stop 0\n\n")!.body, Buffer.alloc(0));
});

const none: [string, string | Buffer][] = [
  ["nothing", ""],
  ["no end of the head", "interlock 1 PreToolUse 4\n"],
  ["a head beyond its bound", `interlock 1 PreToolUse 4\nA=${"x".repeat(2_000)}\n\n{}`],
  ["another word", "interlocked 1 PreToolUse 4\n\n{}"],
  ["no number", "interlock x PreToolUse 4\n\n{}"],
  ["an event with a path in it", "interlock 1 ../PreToolUse 4\n\n{}"],
  ["a line that is no variable", "interlock 1 PreToolUse 4\nA\n\n{}"],
  ["a name that is none", "interlock 1 PreToolUse 4\n1A=b\n\n{}"],
  ["bytes", Buffer.from([0xff, 0x00, 0x0a, 0x0a])],
];
for (const [name, text] of none) test(`no request: ${name}`, () => assert.equal(read(text), undefined));

test("a variable's name touches nothing but itself", () => {
  const { env } = read("interlock 1 PreToolUse 4\n__proto__=x\n\n")!;
  assert.equal(Object.getPrototypeOf(env), null);
  assert.equal(({} as Record<string, unknown>)["x"], undefined);
});
