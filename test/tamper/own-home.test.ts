// Interlock's own home, reached by patterns and by folders it lies in, through the built program.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Hooked } from "./hooked.js";

const refused = [
  "cat ~/.local/state/i*/k*",
  "cat ~/.local/state/interlock/projects/*/ledger/*",
  "rm -rf ~/.local/state/*",
  "rm -rf ~/.local",
  "rm -rf ~/.lo*",
  "find ~ -name '*.jsonl' -delete",
  "find ~ -type f -exec cat {} +",
  "find ~/.local -name key | xargs cat",
  "tar czf /tmp/backup.tgz ~",
  "tar czf /tmp/backup.tgz ~/.local/state",
  "zip -r /tmp/x.zip ~/.local",
  "cp -r ~/.local /tmp/copy",
  "cp ~/.local/state/*/key /tmp/k",
  "cp -r ~/.local/state/* /tmp/copy",
  "rsync -a ~/ /tmp/copy",
  "mv ~/.local/state /tmp/x",
  "mv ~/.local/state/i* /tmp/x",
  "grep -r secret ~",
  "grep -rn secret ~/.local",
  "grep . ~/.local/state/i*/k*",
  "rg --hidden secret ~",
  "rg -uu secret ~",
  "base64 ~/.local/state/interlock/ke?",
  "chmod -R 000 ~/.local",
  "chmod -R a+rX ~/.local/state",
  "chmod -R u-w ~/.local/state/i*",
  "chmod -R 700 ~/.lo*",
  "chown -R nobody ~/.local/state",
  "chown -R nobody:nogroup ~/.local/state/*",
  "chgrp -R users ~/.local",
  "setfacl -R -m u:nobody:rwx ~/.local",
];
const passing = [
  "grep -r x ~/code",
  "grep -r x .",
  "tar czf /tmp/x.tgz src",
  "cp -r ~/code /tmp/copy",
  "rg secret ~",
  "ls -R ~",
  "du -sh ~/.local",
  "find ~ -name '*.md'",
  "find . -name '*.jsonl' -delete",
  "cat ~/*.txt",
  "cat ~/.local/share/app/*.log",
  "ls ~/.local/state/*",
  "chmod -R u+w ~/code",
  "chmod -R u+w .",
  "chmod -R u+w src/*",
  "chmod 700 ~/.ssh",
];

test("our own home: patterns and parents are judged like the literal names, and ordinary places pass", (t) => {
  const h = new Hooked(t, { "src/a.ts": "one\n", "data/x.jsonl": "{}\n" });
  const verdictOf = (tool: string, input: object) => {
    const { refused, context } = h.before(tool, input);
    return refused && /guard\/self-protect/.test(context);
  };
  const wrong = [
    ...refused.filter((command) => !verdictOf("Bash", { command })).map((c) => `passed: ${c}`),
    ...passing.filter((command) => verdictOf("Bash", { command })).map((c) => `refused: ${c}`),
  ];
  assert.deepEqual(wrong, []);
  assert.equal(verdictOf("Grep", { pattern: "x", path: h.userHome }), true);
  assert.equal(verdictOf("Grep", { pattern: "x", path: `${h.home}/projects` }), true);
  assert.equal(verdictOf("Grep", { pattern: "x", path: h.project }), false);
  assert.equal(verdictOf("Grep", { pattern: "x" }), false);
  assert.equal(verdictOf("Glob", { pattern: "**/*.ts", path: h.userHome }), false);
});
