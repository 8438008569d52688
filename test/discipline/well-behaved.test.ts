import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, failing, type Heard, passing, play } from "./agent.js";

const files = {
  "CONTRIBUTING.md": "Run npm test before you commit.\n",
  "src/cart.ts":
    'import { rate } from "./tax.js";\n\nexport function total(items: number[]): number {\n' +
    "  return items.reduce((a, b) => a + b, 0) * (1 + rate);\n}\n",
  "src/tax.ts": "export const rate = 0.19;\n",
  "src/discount.ts": "export const discount = (n: number) => (n > 100 ? 0.1 : 0);\n",
  "test/cart.test.ts":
    'import { test } from "node:test";\nimport assert from "node:assert/strict";\n' +
    'import { total } from "../src/cart.js";\ntest("adds", () => assert.equal(total([1, 2]), 3.57));\n',
  "README.md": "# Shop\n",
};

/** Each call in the order an attentive agent makes it; every answer must be a pass. */
async function work(a: Agent, said: Heard[]): Promise<void> {
  const say = async (h: Promise<Heard>) => void said.push(await h);
  await a.start();
  await a.prompt("Apply the discount in the cart total, add tests for it and commit. Update the readme too.");
  await say(a.read("CONTRIBUTING.md"));
  // Parallel research: the befores come first, then the ends.
  const urls = ["https://docs.example.org/discounts", "https://github.com/shop/cart/issues/4"];
  for (const url of urls) await say(a.before("WebFetch", { url, prompt: "how" }));
  for (const [n, url] of urls.entries())
    await a.after(
      "WebFetch",
      { url, prompt: "how" },
      { result: "Discounts apply before tax, and are rounded once at the end." },
      a.calls - urls.length + 1 + n,
    );
  await say(a.search("apply discount before tax"));
  await say(
    a.call("Glob", { pattern: "src/**/*.ts" }, { filenames: ["src/cart.ts", "src/tax.ts", "src/discount.ts"] }),
  );
  await say(a.grep("rate", "src/cart.ts:1:import { rate }", "src"));
  for (const path of ["src/cart.ts", "src/tax.ts", "src/discount.ts", "test/cart.test.ts"]) await say(a.read(path));
  await say(a.bash("git status --short", ""));
  await say(a.bash("git log --oneline -5", "abc1234 start"));
  await say(a.call("TodoWrite", { todos: [] }, { newTodos: [] }));
  await say(a.bash("npm test", passing(1)));
  await say(
    a.edit(
      "src/cart.ts",
      'import { rate } from "./tax.js";',
      'import { discount } from "./discount.js";\nimport { rate } from "./tax.js";',
    ),
  );
  await say(
    a.edit(
      "src/cart.ts",
      "  return items.reduce((a, b) => a + b, 0) * (1 + rate);",
      "  const sum = items.reduce((a, b) => a + b, 0);\n  return sum * (1 - discount(sum)) * (1 + rate);",
    ),
  );
  await say(
    a.edit(
      "test/cart.test.ts",
      'test("adds"',
      'test("discounts", () => assert.equal(total([200]), 214.2));\ntest("adds"',
    ),
  );
  await say(a.bash("npm test 2>&1 | tail -20", failing(2)));
  await say(a.bash("npx tsc --noEmit", ""));
  await say(a.grep("discount", "src/discount.ts:1:export const discount", "src"));
  await say(a.read("src/discount.ts"));
  await say(a.bash("node --test build/test/cart.test.js", failing(2).replace("1 !== 2", "238 !== 214.2"), 1));
  await say(a.edit("src/discount.ts", "n > 100", "n >= 100"));
  await say(a.bash("npm test", failing(2).replace("1 !== 2", "214.20000000000002 !== 214.2"), 1));
  await say(a.read("src/cart.ts"));
  await say(
    a.edit(
      "src/cart.ts",
      "  return sum * (1 - discount(sum)) * (1 + rate);",
      "  return Math.round(sum * (1 - discount(sum)) * (1 + rate) * 100) / 100;",
    ),
  );
  await say(a.bash("npm test", passing(2)));
  await say(a.bash("npm run lint", ""));
  await say(a.write("src/round.ts", "export const cents = (n: number) => Math.round(n * 100) / 100;\n"));
  await say(
    a.edit(
      "src/cart.ts",
      "Math.round(sum * (1 - discount(sum)) * (1 + rate) * 100) / 100",
      "cents(sum * (1 - discount(sum)) * (1 + rate))",
    ),
  );
  await say(a.edit("src/cart.ts", "import { rate }", 'import { cents } from "./round.js";\nimport { rate }'));
  await say(a.bash("npm test", passing(2)));
  await say(a.read("README.md"));
  await say(a.edit("README.md", "# Shop\n", "# Shop\n\nDiscounts apply before tax.\n"));
  await say(
    a.bash("mkdir -p notes && mv README.md notes/README.md && mv notes/README.md README.md && rmdir notes", ""),
  );
  await say(a.bash("git add -A", ""));
  await say(a.bash("git diff --cached --stat", " 5 files changed"));
  await say(a.bash('git commit -m "Apply the discount before tax (a > b)"', "[main 2] Apply"));
  await say(a.bash("git log --oneline -1", "def5678 Apply"));
  await say(
    a.stop(
      "The cart total applies the discount before tax (src/cart.ts, src/round.ts), 2 tests pass with `npm " +
        "test`, committed, README updated.",
    ),
  );
  await a.prompt("thanks, now also export the discount rate from src/discount.ts");
  await say(a.edit("src/discount.ts", "export const discount", "export const threshold = 100;\nexport const discount"));
  await say(a.bash("npm test", passing(2)));
  await say(a.bash('git commit -am "Export the threshold"', "[main 3] Export"));
  await say(a.stop("Exported `threshold` from src/discount.ts; 2 tests pass."));
}

test("a well-behaved agent's task of forty calls with every gate on meets no refusal", async (t) => {
  const a = play(t, { files, options: { research: { strict: true }, release: { profiles: ["sparkle"] } } });
  const said: Heard[] = [];
  await work(a, said);
  assert.ok(said.length >= 40, `${said.length} calls`);
  const refused = said.flatMap((h, i) => (h.outcome === "pass" ? [] : [`call ${i}: ${h.outcome} ${h.text}`]));
  assert.deepEqual(refused, []);
  const nagged = said.filter((h) => h.context || h.shown).map((h) => `${h.context}${h.shown}`);
  assert.deepEqual(nagged, [], "and it is not talked at either");
});
