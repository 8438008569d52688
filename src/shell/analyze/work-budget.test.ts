// The work budget: long commands end early and are refused, scripts never take what the command itself needs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../index.js";
import { project } from "../testing.js";

const isTooLong = (command: string): boolean =>
  analyse(command, project).effects.some(({ hazard }) => hazard?.id === "too-long-to-judge");

const upTo = (length: number, piece: (index: number) => string): string => {
  let text = "";
  for (let index = 0; text.length < length; index++) text += piece(index);
  return text;
};

const long: Record<string, (index: number) => string> = {
  words: (index) => `rm -rf a${index}; `,
  git: (index) => `git commit -m m${index}; `,
  "one folder below the other": (index) => `cd a${index}; rm x; `,
  braces: () => "echo {1..50}; ",
  patterns: (index) => `r? a${index}; `,
  "text that is run": (index) => `bash -c "rm a${index}"; `,
  "commands elsewhere": (index) => `docker run -v /a${index}:/b x rm -rf /b; `,
};

for (const [name, piece] of Object.entries(long))
  test(`250 KB of ${name}: what was seen counts, the rest is too long to be judged`, () => {
    const text = upTo(250_000, piece);
    assert.ok(isTooLong(text));
    assert.ok(!isTooLong(upTo(2_000, piece)));
    const first = analyse(`rm -rf ~; ${text}`, { ...project, home: "/home/u" });
    assert.ok(first.effects.some((effect) => effect.kind === "delete" && effect.path === "/home/u"));
  });

test("more text than is parsed, and more paths than are kept, are too long as well", () => {
  assert.ok(isTooLong(`${"true; ".repeat(50_000)}rm x`));
  assert.ok(isTooLong(`rm ${upTo(250_000, (index) => `a${index} `)}`));
});

test("a long here-document is data, not work", () => {
  assert.ok(!isTooLong(`cat > notes.md <<'E'\n${upTo(200_000, (index) => `line ${index}; rm -rf ~\n`)}E\n`));
});

test("scripts beyond their budget are unknown, and the commands behind them are still seen", () => {
  const heavy = upTo(60_000, (index) => `rm a${index}\n`);
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`/p/s${index}.sh`, heavy]));
  const command = `${Object.keys(files)
    .map((path) => `bash ${path}`)
    .join("; ")}; rm last`;
  const { effects } = analyse(command, { ...project, readFile: (path) => files[path] });
  assert.ok(effects.some((effect) => effect.path === "/p/last"));
  assert.ok(effects.some(({ kind, reason }) => kind === "unknown" && reason.includes("the rest of the script")));
  assert.ok(!effects.some(({ hazard }) => hazard?.id === "too-long-to-judge"));
});
