// Ordinary mass edits of a folder that a rule of the user's locks, through the built program: each is refused before
// the call or reported after it. None goes unnoticed because a pattern or a whole folder was predicted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Hooked } from "./hooked.js";

const rules = `rules:
  - { id: legal, on: [write, delete], where: "docs/legal/**", message: lawyers write this }
`;
const files = {
  "interlock.yaml": rules,
  "docs/legal/a.md": "one\n",
  "docs/b.md": "one\n",
  "src/a.ts": "one\n",
  "fmt.mjs": [
    'import { readdirSync, readFileSync, writeFileSync } from "node:fs";',
    'for (const f of readdirSync("docs", { recursive: true })) if (f.endsWith(".md"))',
    '  writeFileSync("docs/" + f, readFileSync("docs/" + f, "utf8").toUpperCase());',
  ].join("\n"),
};
const format = "node fmt.mjs";

/** The second word: what really runs where the tool is not on this machine. */
const edits: [command: string, really?: string][] = [
  ["sed -i s/one/two/ docs/**/*.md"],
  ["find docs -type f -exec sed -i s/one/two/ {} +"],
  ["find . -name '*.md' | xargs sed -i s/one/two/"],
  ["grep -rl one . --include='*.md' | xargs sed -i s/one/two/"],
  ["perl -pi -e s/one/two/ docs/*/*.md"],
  ["npx prettier --write .", format],
  ["npx prettier --write docs", format],
  ["npx eslint --fix .", format],
  ["node fmt.mjs"],
  ["for f in docs/*/*.md; do echo two > $f; done"],
  ["git checkout other"],
  ["git switch other"],
  ["git merge other"],
  ["git stash", "echo x >> docs/legal/a.md; git stash"],
  ["cp -r /tmp/nothing/. docs", "echo two > docs/legal/a.md"],
  ["tar xf docs.tar", "echo two > docs/legal/a.md"],
  ["rm -rf docs/*/"],
  ["find . -name 'a.*' -delete"],
];

test("18 ordinary mass edits of a locked folder: none goes unnoticed", (t) => {
  const h = new Hooked(t, files);
  h.sh("git checkout -qb other && echo other > docs/legal/a.md && git commit -qam other && git checkout -q main");
  const unnoticed: string[] = [];
  for (const [command, really] of edits) {
    h.sh("git checkout -qf main && git reset -q --hard && git checkout -q -B main HEAD");
    const start = h.sh("git rev-parse HEAD");
    const { before, after } = h.bash(command, really);
    const noticed = before.refused
      ? /rules\/user|guard\/destructive/.test(before.context)
      : /TAMPERING rules\/user[^]*docs\/legal\/a\.md/.test(after!.context) && /docs\/legal/.test(after!.message);
    if (!noticed) unnoticed.push(`${command}: ${before.context}${after?.context}`);
    h.sh(`git checkout -qf main && git reset -q --hard ${start}`);
  }
  assert.deepEqual(unnoticed, []);
});

test("the same edits elsewhere are not reported", (t) => {
  const h = new Hooked(t, files);
  for (const [command, really] of [
    ["sed -i s/one/two/ src/*.ts"],
    ["npx prettier --write .", "echo two > src/a.ts"],
    ["git stash"],
    ["find src -type f -exec sed -i s/two/one/ {} +"],
  ] as const) {
    const { before, after } = h.bash(command, really);
    assert.deepEqual([before.refused, after?.context, after?.message], [false, "", ""], command);
  }
});
