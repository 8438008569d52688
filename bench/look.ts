// What looking at a large tree costs, against `git status` in the same tree, in turns. Limits: the look before a
// changing call 1.2, `git reset --hard` judged and looked at 1.5 (both above a hook that only reads). Exits 1 above.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnv, quantile } from "./measure.js";

const files = Number(process.argv[2] ?? 60_000);
const rounds = Number(process.argv[3] ?? 15);
const limits = { look: 1.2, reset: 1.5 };
const folder = mkdtempSync(join(tmpdir(), "interlock-look-"));
const project = join(folder, "project");
const env = cleanEnv({ HOME: join(folder, "home"), INTERLOCK_SERVER: "off", GIT_CONFIG_NOSYSTEM: "1" });
const git = (...args: string[]) => execFileSync("git", args, { cwd: project, env, stdio: "pipe" });

function makeTree(): void {
  mkdirSync(project);
  for (let i = 0; i < files; i++) {
    const name = join(project, `d${i % 30}/s${i % 600}`);
    if (i < 600) mkdirSync(name, { recursive: true });
    writeFileSync(join(name, `f${i}.ts`), `export const x = ${i};\n`);
  }
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "first");
}

let calls = 0;
function hook(command: string): void {
  const event = { session_id: "s", cwd: project, hook_event_name: "PreToolUse", tool_name: "Bash" };
  const input = JSON.stringify({ ...event, tool_input: { command }, tool_use_id: `toolu_${++calls}` });
  const script = join(process.cwd(), "dist/interlock.cjs");
  const args = [script, "hook", "claude-code", "--event", "PreToolUse", "--home", join(folder, "interlock")];
  const answer = execFileSync(process.execPath, args, { cwd: project, env, input, encoding: "utf8" });
  if (answer !== "{}") throw new Error(`${command} was answered ${answer}`);
}

try {
  makeTree();
  const contenders: [string, () => void][] = [
    ["git status", () => void git("status")],
    ["hook: ls", () => hook("ls")],
    ["hook: ./tool (one look)", () => hook("./tool")],
    ["hook: git reset --hard", () => hook("git reset --hard")],
  ];
  const times = contenders.map(() => [] as number[]);
  for (let round = -1; round < rounds; round++)
    for (const [i, [, run]] of contenders.entries()) {
      const start = process.hrtime.bigint();
      run();
      if (round >= 0) times[i]!.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  const median = times.map((each) => quantile(each, 0.5));
  const quiet = times.map((each) => quantile(each, 0.1));
  const above = (of: number[], i: number) => (of[i]! - of[1]!) / of[0]!;
  console.log(`| ${files} files | median ms | above ls, in git status | when quiet | limit |\n|---|---|---|---|---|`);
  for (const [i, [name]] of contenders.entries()) {
    const limit = i === 2 ? limits.look : i === 3 ? limits.reset : "";
    const ratios = i < 2 ? ["", ""] : [above(median, i).toFixed(2), above(quiet, i).toFixed(2)];
    console.log(`| ${name} | ${median[i]!.toFixed(0)} | ${ratios.join(" | ")} | ${limit} |`);
  }
  const over = Math.min(above(median, 2), above(quiet, 2)) > limits.look;
  process.exitCode = over || Math.min(above(median, 3), above(quiet, 3)) > limits.reset ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
