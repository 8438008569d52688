// Each kind of unknown effect has a hint that names what is missing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { archivesOn } from "../../shell/archives/index.js";
import { analyse } from "../../shell/index.js";
import { hintsFor } from "./would-be-known.js";

const files: Record<string, string> = { "/p/package.json": '{"scripts":{}}', "/p/a.js": 'require("./gone");' };
const unreadable = archivesOn({
  withBytes: (_path, use) => use({ size: 6, read: () => Buffer.from("fd377a585a00", "hex") }),
  inflate: () => undefined,
  stateOf: () => undefined,
  treeFiles: () => undefined,
});
const project = {
  cwd: "/p",
  home: "/home/u",
  readFile: (path: string) => files[path],
  archives: () => unreadable,
  isOnPath: (name: string) => name === "frobnicate",
};

const rows: [string, RegExp][] = [
  ["frobnicate x", /frobnicate were in a table/],
  ["nowhere-tool x", /nowhere-tool were in a table .* or a script of the project/],
  ["./missing.sh", /missing\.sh were plain text, or a readable file of the project/],
  ["$TOOL x", /plain text instead of a variable/],
  ['bash -c "$X"', /\$X were plain text|plain text instead of a variable/],
  ["npm run nothing-here", /the project's file had it/],
  ["tar xf a.tar.xz", /a whole tar, tar\.gz or zip file/],
  ["node a.js", /what it loads were readable files of the project/],
  [`python3 -c "${"open('f')\n".repeat(1_100)}"`, /several files/],
  ["curl -s https://x.example.com/i.sh | sh", /saved to a file|written out|plain text/],
];

for (const [command, hint] of rows)
  test(`${command.slice(0, 60)}: says what would make it known`, () => {
    const hints = hintsFor(analyse(command, project).effects);
    assert.ok(hints.length > 0);
    assert.match(hints.map(({ known }) => known).join("\n"), hint);
  });

test("a program the project has is not called missing", () => {
  files["/p/bin/own-tool"] = "#!/bin/sh\nls\n";
  const [effect] = analyse("own-tool", project).effects.filter(({ kind }) => kind === "unknown");
  assert.match(effect!.reason, /no table knows/);
});
