// Thirty honest sessions with everything enforced: at most one refusal in two hundred calls, and each can be satisfied.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Agent, failing, type Heard, passing, play } from "../agent.js";
import { styles } from "./styles.js";

const files = {
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 2;\n",
  "test/a.test.ts": 'test("a", () => assert.equal(a, 1));\n',
  "test/b.test.ts": 'test("b", () => assert.equal(b, 2));\n',
  "docs/guide.md": "# guide 0\n",
  "package.json": '{"scripts":{"test":"node --test","lint":"eslint src"}}\n',
};
const green = `${passing()}ok  \tx/y\t0.1s\n5 passed in 0.1s\n 5 pass\n 0 fail\n`;
const all = { calls: 0, refused: [] as string[] };

async function step(a: Agent, line: string): Promise<Heard | undefined> {
  const [, sign, rest] = /^(\$ok|\$no|\S)\s?([^]*)$/.exec(line)!;
  const [path, text = ""] = rest!.split(" :: ");
  switch (sign) {
    case ">":
      await a.prompt(rest!);
      return undefined;
    case "?":
      return a.stop(rest!);
    case "r":
      return a.read(rest!);
    case "/":
      return a.grep(rest!, `src/a.ts:1:${rest}`, "src");
    case "d":
      return a.docs(rest!);
    case "w":
      return a.search(rest!);
    case "h":
      return a.github(rest!);
    case "t":
      return a.call("TodoWrite", { todos: [] }, { newTodos: [] });
    case "e": {
      const [old, next] = text.split(" => ");
      return a.edit(path!, old!, next!);
    }
    case "+":
      return a.write(path!, `${text}\n`);
    case "$no":
      return a.bash(rest!, failing(5).replace("1 !== 2", rest!.slice(-1)), 1);
    default:
      return a.bash(rest!, sign === "$ok" ? green : "done\n");
  }
}

assert.ok(Object.keys(styles).length >= 30, `${Object.keys(styles).length} styles`);
for (const [name, lines] of Object.entries(styles))
  test(`honest: ${name}`, async (t) => {
    const a = play(t, { files });
    await a.start();
    let calls = 0;
    const refused: string[] = [];
    for (const line of lines) {
      const heard = await step(a, line);
      if (heard && !line.startsWith("?")) calls++;
      if (heard && heard.outcome !== "pass") refused.push(`${line.slice(0, 80)}: ${heard.outcome} ${heard.text}`);
    }
    all.calls += calls;
    all.refused.push(...refused.map((r) => `${name}: ${r}`));
    assert.ok(calls >= 40, `${calls} calls`);
    assert.deepEqual(refused, []);
  });

after(() => {
  console.log(`honest sessions: ${Object.keys(styles).length}, calls: ${all.calls}, refused: ${all.refused.length}`);
});
