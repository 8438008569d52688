// What ships is what is tested: the built program judges every command of the tables exactly as the source does.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isFolder, isOnPath } from "../../src/facts/shell-analysis.js";
import { reactionTo } from "../../src/packs/guard/presets.js";
import { hazardsOf } from "../../src/shell/hazards/path-hazards.js";
import { analyse } from "../../src/shell/index.js";
import { temporary } from "../../src/testing/temporary.js";
import { readVerdictTables } from "./verdict-tables.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
const places = { cwd: "/home/u/p", root: "/home/u/p", home: "/home/u" };
const table = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const verdicts = readVerdictTables(new URL("verdicts", import.meta.url)).flatMap(({ rows }) =>
  rows.map((row) => row.command),
);
const ordinary = table("ordinary.json") as string[];

interface Explained {
  command: string;
  parsed: boolean;
  effects: unknown[];
  hazards: { id: string; reaction: string }[];
}
interface Judged extends Explained {
  verdict: { outcome: string; gate?: string; what?: string };
}

for (const [name, commands] of Object.entries({ verdicts, ordinary }))
  test(`dist and source agree on the ${commands.length} commands of the table "${name}"`, () => {
    const built = explainedByDist(commands);
    assert.equal(built.length, commands.length);
    for (const [i, command] of commands.entries()) {
      const { verdict, ...explained } = built[i]!;
      assert.deepEqual(explained, explainedBySource(command), `dist differs on: ${command}`);
      assert.match(verdict.outcome, /^(?:pass|ask|deny)$/);
      if (verdict.outcome !== "pass") assert.ok(verdict.gate && verdict.what, `no gate and what for: ${command}`);
    }
  });

function explainedByDist(commands: readonly string[]): Judged[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [program, "explain", "--jsonl", "--cwd", places.cwd, "--home", join(temporary("dist"), "home")],
    {
      input: commands.map((command) => JSON.stringify({ command })).join("\n"),
      env: { PATH: process.env["PATH"], HOME: places.home },
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  assert.equal(status, 0, stderr);
  const lines = stdout.trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Judged);
}

function explainedBySource(command: string): Explained {
  const { parsed, effects } = analyse(command, {
    ...places,
    readFile: () => undefined,
    isDirectory: isFolder,
    isOnPath,
  });
  const hazards = hazardsOf(effects, places).map(({ hazard }) => ({
    ...hazard,
    reaction: reactionTo(hazard, {}) ?? "pass",
  }));
  // Through JSON, as the program prints it.
  return JSON.parse(JSON.stringify({ command, parsed, effects, hazards })) as Explained;
}

test("explain says what would make an unknown effect known", () => {
  const said = (command: string) =>
    spawnSync(process.execPath, [program, "explain", command, "--home", join(temporary("dist"), "home")], {
      env: { PATH: process.env["PATH"], HOME: places.home, NO_COLOR: "1" },
      encoding: "utf8",
    }).stdout;
  assert.match(said("frobnicate a"), /it would be known if frobnicate were in a table/);
  assert.match(said("./no-such-script"), /it would be known if \.\/no-such-script were plain text, or a readable file/);
  assert.doesNotMatch(said("ls"), /it would be known/);
});
