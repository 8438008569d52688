// Modules of the project that a program loads are read as parts of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../index.js";
import { commandTable, project, short } from "../testing.js";

const home = "/home/u/Documents";
const lost = `delete ${home} recursive`;
const wipes = `const fs = require("fs");\nexports.wipe = () => fs.rmSync("${home}", { recursive: true });\n`;
const wipesEs = `import fs from "node:fs";\nexport function wipe() { fs.rmSync("${home}", { recursive: true }); }\n`;
const wipesPy = `import shutil\ndef wipe():\n    shutil.rmtree("${home}")\n`;

const given = (files: Record<string, string>) => ({
  readFile: (path: string): string | undefined => files[path.replace("/p/", "")],
});

commandTable("modules of JavaScript", [
  ["node a.js", [lost], given({ "a.js": 'const { wipe } = require("./lib");\nwipe();\n', "lib.js": wipes })],
  ["node a.js", [lost], given({ "a.js": 'const lib = require("./lib");\nlib.wipe();\n', "lib/index.js": wipes })],
  ["node a.mjs", [lost], given({ "a.mjs": 'import { wipe } from "./x/lib.mjs";\nwipe();\n', "x/lib.mjs": wipesEs })],
  ["node a.mjs", [lost], given({ "a.mjs": 'import "./lib.mjs";\n', "lib.mjs": wipesEs })],
  ["tsx a.ts", [lost], given({ "a.ts": 'import { wipe as w } from "./lib.js";\nw();\n', "lib.ts": wipesEs })],
  ["node a.mjs", [lost], given({ "a.mjs": 'export * from "./lib.mjs";\n', "lib.mjs": wipesEs })],
  ["node a.mjs", [lost], given({ "a.mjs": 'const m = await import("./lib.mjs");\nm.wipe();\n', "lib.mjs": wipesEs })],
  ["node -e 'require(\"./lib\").wipe()'", [lost], given({ "lib.js": wipes })],
  ["cd sub && node -e 'require(\"../lib\").wipe()'", [lost], given({ "lib.js": wipes })],
  ["node bin/a.js", [lost], given({ "bin/a.js": 'require("../lib/x.js").wipe();', "lib/x.js": wipes })],
  [
    "npm run go",
    [lost, "exec node"],
    given({ "package.json": '{"scripts":{"go":"node a"}}', a: 'require("./lib").wipe()', "lib.js": wipes }),
  ],
  // In a circle each is read once.
  ["node a.js", [lost], given({ "a.js": 'require("./b")', "b.js": `require("./a");${wipes}` })],
  // A module that only computes.
  [
    "node a.js",
    ["write out.txt"],
    given({
      "a.js": 'const { sum } = require("./sum");\nrequire("fs").writeFileSync("out.txt", String(sum(1, 2)));\n',
      "sum.js": "exports.sum = (a, b) => a + b;\n",
    }),
  ],
  // Another name for something else is no function of the module.
  [
    "node a.js",
    ["unknown"],
    given({ "a.js": `require("./x").rmSync("${home}")`, "x.js": 'module.exports = require("fs");' }),
  ],
  // Absent, not of the project, or a package.
  ["node a.js", ["unknown"], given({ "a.js": 'require("./gone").wipe()' })],
  ["node a.js", ["unknown"], given({ "a.js": 'require("lib").wipe()', "lib.js": wipes })],
  ["node a.js", ["unknown"], given({ "a.js": 'require("../../etc/lib").wipe()', "/etc/lib.js": wipes })],
]);

commandTable("modules of Python", [
  ["python a.py", [lost], given({ "a.py": "import helpers\nhelpers.wipe()\n", "helpers.py": wipesPy })],
  ["python a.py", [lost], given({ "a.py": "from helpers import wipe as w\nw()\n", "helpers.py": wipesPy })],
  ["python t/a.py", [lost], given({ "t/a.py": "from helpers import wipe\nwipe()\n", "t/helpers.py": wipesPy })],
  ["python a.py", [lost], given({ "a.py": "from pkg.tools import wipe\nwipe()\n", "pkg/tools.py": wipesPy })],
  [
    "python a.py",
    [lost],
    given({ "a.py": "from pkg import tools\ntools.wipe()\n", "pkg/__init__.py": "", "pkg/tools.py": wipesPy }),
  ],
  [
    "python a.py",
    [lost],
    given({
      "a.py": "from pkg.main import go\ngo()\n",
      "pkg/main.py": "from .tools import wipe\ndef go():\n    wipe()\n",
      "pkg/tools.py": wipesPy,
    }),
  ],
  [
    "python a.py",
    [lost],
    given({
      "a.py": "from pkg.main import go\ngo()\n",
      "pkg/main.py": "from . import tools\ndef go():\n    tools.wipe()\n",
      "pkg/tools.py": wipesPy,
    }),
  ],
  // Modules without a dot are looked for beside the program, wherever the module that loads them lies.
  [
    "python a.py",
    [lost],
    given({
      "a.py": "from pkg.main import go\ngo()\n",
      "pkg/main.py": "from helpers import wipe\ndef go():\n    wipe()\n",
      "helpers.py": wipesPy,
    }),
  ],
  ["python -c 'import helpers; helpers.wipe()'", [lost], given({ "helpers.py": wipesPy })],
  ["python a.py", ["unknown"], given({ "a.py": "import absent\nabsent.wipe()\n" })],
]);

commandTable("modules of shell scripts", [
  [
    "bash a.sh",
    [lost, "exec rm", "read lib.sh"],
    given({ "a.sh": ". ./lib.sh\nwipe\n", "lib.sh": `wipe() { rm -rf ${home}; }\n` }),
  ],
  ["bash a.sh", [lost, "exec rm", "read lib.sh"], given({ "a.sh": "source lib.sh\n", "lib.sh": `rm -rf ${home}\n` })],
]);

test("modules are followed up to a bound; beyond it the program is unknown", () => {
  const chain = (length: number, filler = "") => {
    const files: Record<string, string> = { [`m${length}.js`]: wipes };
    for (let at = 0; at < length; at++) files[`m${at}.js`] = `${filler}require("./m${at + 1}");\n`;
    return files;
  };
  const judged = (files: Record<string, string>) => {
    const { effects } = analyse("node m0.js", { ...project, ...given(files) });
    return [...new Set(effects.map(short))].sort();
  };
  assert.deepEqual(judged(chain(7)), [lost]);
  assert.deepEqual(judged(chain(30)), ["unknown"]);
  assert.deepEqual(judged(chain(7, `// ${"x".repeat(60_000)}\n`)), ["unknown"]);
  const wide = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`w${at}.js`, "exports.x = 1;\n"]));
  assert.deepEqual(
    judged({
      "m0.js": Object.keys(wide)
        .map((name) => `require("./${name}");`)
        .join("\n"),
      ...wide,
    }),
    ["unknown"],
  );
});
