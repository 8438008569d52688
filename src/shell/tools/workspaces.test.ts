// Scripts of packages are followed in their folders, however the manager is asked, and not without end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { analyse } from "../index.js";
import { project, short } from "../testing.js";

const files: Record<string, string> = {
  "/p/package.json": JSON.stringify({
    workspaces: ["packages/*"],
    scripts: {
      clean: "rm root",
      build: "npm run build --workspaces && npm run build -w api && pnpm -r build",
      all: "run-s clean:*",
      "clean:a": "rm a",
    },
  }),
  "/p/packages/api/package.json": JSON.stringify({
    name: "@x/api",
    scripts: { migrate: "rm db", build: "rm out; cd ../.. && npm run build" },
  }),
  "/p/packages/web/package.json": JSON.stringify({ name: "@x/web", scripts: { build: "rm out", lint: "rm x" } }),
  "/p/packages/nx/project.json": JSON.stringify({ targets: { wipe: { options: { command: "rm target" } } } }),
  "/p/mise.toml": [
    '[tasks]\nquick = "rm quick"',
    '[tasks.wipe]\ndepends = ["quick"]\nrun = [\n  "echo a",\n  "rm wiped"\n]',
    '[tasks."test:ci"]\nrun = """\nrm ci\n"""\n',
  ].join("\n"),
  "/p/mise-tasks/file": "#!/bin/sh\nrm from-file\n",
  "/p/Taskfile.yml": [
    "version: '3'",
    "tasks:",
    "  wipe:",
    "    deps: [other]",
    "    cmds:",
    "      - cmd: rm wiped",
    "      - |",
    "        rm block",
    "      - task: listed",
    "  other: rm other",
    "  listed:",
    "    - rm listed",
  ].join("\n"),
};
const context = {
  ...project,
  readFile: (path: string) => files[path],
  foldersIn: (path: string) => (path === "/p/packages" ? ["api", "web", "nx"] : []),
};
const deletes = (command: string): string[] => {
  const { effects } = analyse(command, context);
  const lines = effects.filter(({ kind }) => kind === "delete" || kind === "unknown").map(short);
  return [...new Set(lines)].sort();
};

const migrate = ["delete packages/api/db"];
const rows: readonly (readonly [string, readonly string[]])[] = [
  ["npm run -s clean", ["delete root"]],
  ["npm run --if-present clean", ["delete root"]],
  ["npm --silent run clean", ["delete root"]],
  ["npm run --prefix packages/api migrate", migrate],
  ["npm run migrate -w api", migrate],
  ["npm -w packages/api run migrate", migrate],
  ["npm run migrate --workspaces", migrate],
  ["pnpm --filter api migrate", migrate],
  ["pnpm -F @x/api... run migrate", migrate],
  ["pnpm -r migrate", migrate],
  ["pnpm --filter web exec rm y", ["delete packages/web/y"]],
  ["yarn workspace @x/api migrate", migrate],
  ["yarn workspaces foreach -A run migrate", migrate],
  ["bun --filter api migrate", migrate],
  ["bun run --filter '*' migrate", migrate],
  ["turbo run migrate --filter=api", migrate],
  ["turbo lint", ["delete packages/web/x"]],
  ["nx run api:migrate", migrate],
  ["nx wipe nx", ["delete packages/nx/target"]],
  ["nx run-many -t migrate,lint", [...migrate, "delete packages/web/x"]],
  ["lerna run migrate", migrate],
  ["npm run all", ["delete a"]],
  ["npx npm-run-all clean", ["delete root"]],
  ["pnpm --filter nobody migrate", ["unknown"]],
  ["mise run wipe", ["delete quick", "delete wiped"]],
  ["mise r test:ci ::: quick", ["delete ci", "delete quick"]],
  ["mise run file", ["delete from-file"]],
  ["mise run lint", []],
  ["mise run nobody", ["unknown"]],
  ["mise exec node@20 -- rm x", ["delete x"]],
  ["task wipe", ["delete block", "delete listed", "delete other", "delete wiped"]],
];
for (const [command, expected] of rows) test(command, () => assert.deepEqual(deletes(command), [...expected].sort()));

test("scripts that call each other's names in packages are followed once per package", () => {
  assert.deepEqual(deletes("npm run build"), ["delete packages/api/out", "delete packages/web/out"]);
  assert.ok(analyse("npm run build", context).effects.length < 100);
});
