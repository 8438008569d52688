import assert from "node:assert/strict";
import { test } from "node:test";
import type { Project } from "../../../model/gate.js";
import { commitAtHead } from "./artifact.js";
import { matchCommand } from "./command-pattern.js";
import { manifestProblems } from "./manifest-problems.js";

const call = (line: string) => ({ program: line.split(" ")[0]!, argv: line.split(" ").slice(1) });
const put = "wrangler r2 object put {to} --file {file}";

test("file and destination are read from a publish command", () => {
  for (const line of [
    "wrangler r2 object put b/App.dmg --file=App.dmg",
    "wrangler r2 object put b/App.dmg --file App.dmg --remote",
    "wrangler --config x.toml r2 object put b/App.dmg --file=App.dmg",
  ])
    assert.deepEqual(matchCommand(put, call(line), { artifact: "*.dmg" }), { file: "App.dmg", to: "b/App.dmg" }, line);
  assert.equal(
    matchCommand(put, call("wrangler r2 object get b/App.dmg --file=App.dmg"), { artifact: "*.dmg" }),
    undefined,
  );
  const pipe = call("wrangler r2 object put b/App.dmg --pipe");
  assert.equal(matchCommand(put, pipe, { artifact: "*.dmg" }), undefined, "no file is named");
  assert.deepEqual(
    matchCommand(put, pipe, { artifact: "*.dmg", loose: true }),
    { to: "b/App.dmg" },
    "meant all the same",
  );
  assert.deepEqual(matchCommand("wrangler pages deploy {dir}", call("wrangler pages deploy --project-name app site")), {
    dir: "site",
  });
  assert.deepEqual(matchCommand("wrangler pages deploy {dir}", call("wrangler pages deploy --remote site")), {
    dir: "site",
  });
  assert.deepEqual(matchCommand("sign_update {file}", call("sign_update -s key out/App.dmg"), { artifact: "*.dmg" }), {
    file: "out/App.dmg",
  });
  assert.deepEqual(
    matchCommand("sign_update {file}", { program: "sign_update", argv: [undefined] }, { artifact: "*.dmg" }),
    {},
    "a file that is not static is not named",
  );
});

test("the current commit is read from git's files", () => {
  const project = (files: Record<string, string>): Project => ({
    root: "/p",
    id: "x",
    gitDir: "/p/.git",
    commonDir: "/p/.git",
    read: (path) => files[path],
    exists: (path) => path in files,
    list: () => [],
  });
  const sha = "a".repeat(40);
  assert.equal(
    commitAtHead(project({ "/p/.git/HEAD": "ref: refs/heads/main\n", "/p/.git/refs/heads/main": `${sha}\n` })),
    sha,
  );
  assert.equal(
    commitAtHead(
      project({ "/p/.git/HEAD": "ref: refs/heads/main\n", "/p/.git/packed-refs": `# pack\n${sha} refs/heads/main\n` }),
    ),
    sha,
  );
  assert.equal(commitAtHead(project({ "/p/.git/HEAD": `${sha}\n` })), sha);
  assert.equal(commitAtHead(project({ "/p/.git/HEAD": "ref: refs/heads/new\n" })), undefined, "no commit yet");
});

test("problems are found in each entry of a manifest", () => {
  const project: Project = { root: "/nowhere", id: "x", read: () => undefined, exists: () => false, list: () => [] };
  const rule = {
    id: "a",
    file: "",
    signed: ["sparkle:edSignature", "edSignature"],
    forbidden: ["github.com/*/releases/download"],
    length: "length",
  };
  const entry = (attributes: string) => `<item><enclosure ${attributes} /></item>`;
  for (const [wanted, text] of [
    [undefined, entry('url="https://dist.x.com/A.dmg" sparkle:edSignature="c2lnc2lnc2lnc2lnc2lnc2ln" length="3"')],
    [undefined, "<title>no entry at all</title>"],
    [/no sparkle:edSignature/, entry('url="https://dist.x.com/A.dmg"')],
    [/placeholder/, entry('url="https://dist.x.com/A.dmg" sparkle:edSignature=""')],
    [/placeholder/, entry("url='https://dist.x.com/A.dmg' edSignature='TODO'")],
    [
      /points to/,
      entry('url="https://github.com/o/r/releases/download/1/A.dmg" edSignature="c2lnc2lnc2lnc2lnc2lnc2ln"'),
    ],
    [
      /placeholder/,
      entry('url="https://a/A.dmg" edSignature="c2lnc2lnc2lnc2lnc2lnc2ln"') +
        entry('url="https://a/B.dmg" edSignature="xxx"'),
    ],
  ] as const) {
    const problem = manifestProblems(text, rule, project)[0];
    if (wanted === undefined) assert.equal(problem, undefined, text);
    else assert.match(problem ?? "", wanted, text);
  }
});
