// A repository with a long history: an agent works through ten intents, a person edits between its calls, the branch is
// rebased and squash-merged. Every line of every file is then checked against what was really typed by whom.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { TracedRepository } from "../../src/testing/traced-repository.js";
import { random } from "../fuzz/hostile.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
const commits = 2_500;
const files = 40;
const r = random(20261116);
const int = (below: number) => Math.floor(r() * below);

/** Source that looks like source: functions with blank lines and closing braces that repeat everywhere. */
function functionText(n: number): string[] {
  return [
    `export function task${n}(input: number): number {`,
    `  const base${n} = input * ${n};`,
    "  if (base > 10) {",
    `    return base${n} - 1;`,
    "  }",
    `  return base${n};`,
    "}",
    "",
  ];
}

const pathOf = (n: number) => `src/part${n % 8}/module${n}.ts`;

/** All in one `git fast-import`: each commit appends to, or changes, one or two of forty files. */
function importHistory(root: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const out: string[] = [];
  for (let n = 1; n <= commits; n++) {
    const changed = new Set([pathOf(int(files)), ...(r() < 0.3 ? [pathOf(int(files))] : [])]);
    const who = `Dev ${int(9)} <dev${int(9)}@example.org> ${1_500_000_000 + n * 3_600} +0000`;
    const message = `Change ${n}\n`;
    out.push(`commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}`);
    for (const path of changed) {
      const lines = texts.get(path) ?? ["// A module.", ""];
      const at = 2 + 8 * int(Math.floor((lines.length - 2) / 8) + 1);
      if (r() < 0.3 && lines.length > 40) lines.splice(at, 8);
      else lines.splice(at, 0, ...functionText(n));
      texts.set(path, lines);
      const text = lines.map((line) => `${line}\n`).join("");
      out.push(`M 100644 inline ${path}\ndata ${text.length}\n${text}`);
    }
  }
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: out.join("\n") });
  execFileSync("git", ["reset", "-q", "--hard"], { cwd: root });
  return texts;
}

interface Typed {
  text: string;
  by: string;
}

test("every line after ten intents, a rebase and a squash merge is its author's or unknown", async (t) => {
  const repo = new TracedRepository(program);
  const texts = importHistory(repo.root);
  assert.ok(Number(repo.git("rev-list", "--count", "HEAD")) >= 2_000);
  repo.try("interlock", "trace", "install-hooks");
  const typed = new Map<string, Typed[]>();
  for (const [path, lines] of texts)
    typed.set(
      path,
      lines.map((text) => ({ text, by: "history" })),
    );
  const paths = [...typed.keys()].slice(0, 12);
  let count = 0;
  const write = async (path: string, by: string) => {
    const lines = typed.get(path)!;
    // Upstream changes the first lines of files, the branch works below: a rebase without conflicts.
    const at = by === "upstream" ? 1 : 12 + int(Math.max(1, lines.length - 12));
    const n = ++count;
    const fresh = [
      `export function ${by.replace(/\W/g, "")}${n}(value: string): string {`,
      `  const made${n} = value + "${n}";`,
      "  if (made) {",
      `    return made${n}.trim();`,
      "  }",
      "}",
      "",
    ];
    lines.splice(at, by !== "upstream" && r() < 0.3 ? int(3) : 0, ...fresh.map((text) => ({ text, by })));
    const texts = lines.map(({ text }) => text);
    if (by.startsWith("INT")) await repo.agentAs({ session: `session-${by}`, intent: by }, path, ...texts);
    else repo.person(path, ...texts);
  };
  repo.git("checkout", "-q", "-b", "work");
  for (let k = 1; k <= 10; k++) {
    const intent = `INT-${String(k).padStart(3, "0")}`;
    for (let n = 0; n < 4; n++) {
      await write(paths[int(paths.length)]!, intent);
      await write(paths[int(paths.length)]!, "person");
    }
    repo.commitAll(`Work on ${intent}`);
  }
  repo.git("checkout", "-q", "main");
  const branch = new Map([...typed].map(([path, lines]) => [path, [...lines]]));
  for (const [path, lines] of texts)
    typed.set(
      path,
      lines.map((text) => ({ text, by: "history" })),
    );
  for (const path of paths.slice(0, 6)) await write(path, "upstream");
  repo.commitAll("Upstream work");
  for (const path of paths.slice(0, 6)) branch.get(path)!.splice(1, 0, ...typed.get(path)!.slice(1, 8));
  repo.git("checkout", "-q", "work");
  repo.git("rebase", "-q", "main");
  repo.git("checkout", "-q", "main");
  repo.git("merge", "-q", "--squash", "work");
  repo.git("commit", "-q", "-m", "Ten intents");
  repo.git("branch", "-q", "-D", "work");

  const seen = { lines: 0, agent: 0, attributed: 0, repeated: 0, repeatedAttributed: 0, wrong: [] as string[] };
  for (const path of paths) {
    const truth = branch.get(path)!;
    assert.equal(repo.read(path), truth.map(({ text }) => `${text}\n`).join(""));
    const { lines } = JSON.parse(repo.try("interlock", "trace", "blame", path, "--json").out) as {
      lines: { by: string; intent?: string; session?: string }[];
    };
    assert.equal(lines.length, truth.length);
    const counts = new Map<string, number>();
    for (const { text } of truth) counts.set(text, (counts.get(text) ?? 0) + 1);
    truth.forEach(({ text, by }, i) => {
      const line = lines[i]!;
      seen.lines++;
      const right = line.by !== "ai" || (line.intent === by && line.session === `session-${by}`);
      if (!right || (line.by === "outside" && by !== "person"))
        seen.wrong.push(`${path}:${i + 1} ${text}: ${by}, said ${line.intent ?? line.by}`);
      if (!by.startsWith("INT")) return;
      const isRepeated = counts.get(text)! > 1;
      seen[isRepeated ? "repeated" : "agent"]++;
      if (line.by === "ai") seen[isRepeated ? "repeatedAttributed" : "attributed"]++;
    });
  }
  t.diagnostic(`${commits} commits; ${JSON.stringify({ ...seen, wrong: seen.wrong.length })}`);
  assert.deepEqual(seen.wrong, []);
  assert.ok(seen.agent > 100);
  assert.ok(seen.attributed >= 0.98 * seen.agent);
  const verified = repo.try("interlock", "trace", "verify", "--json");
  assert.deepEqual(JSON.parse(verified.out).findings, []);
  assert.equal(verified.code, 0);
  const stats = JSON.parse(repo.try("interlock", "trace", "stats", "--json").out);
  assert.equal(Object.keys(stats.intents).length, 10);
  assert.equal(stats.total.ai, seen.attributed + seen.repeatedAttributed);
});
