// A newcomer's machine: a home, a program installed the way npm lays it out, and a repository with what people have in
// theirs. Invariant: no variable of the test's own environment reaches the program, and nothing is mocked but `claude`.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { hookEntries } from "../../src/hosts/claude-code/settings/settings.js";
import type { JsonObject } from "../../src/model/json.js";
import { post } from "../../src/server/client.js";

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export class Machine {
  readonly home: string;
  readonly bin: string;
  readonly packageDir: string;
  readonly env: Record<string, string>;

  constructor(
    readonly base: string,
    readonly name: string,
  ) {
    this.home = join(base, name);
    this.bin = join(this.home, "npm/bin");
    this.packageDir = join(this.home, "npm/lib/node_modules/agent-interlock");
    mkdirSync(this.bin, { recursive: true });
    writeFileSync(join(this.bin, "claude"), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n', { mode: 0o755 });
    this.env = {
      PATH: `${this.bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: this.home,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: `${name}@example.com`,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: `${name}@example.com`,
    };
  }

  /** What `npm install -g agent-interlock` leaves behind. */
  installPackage(): void {
    cpSync(join(process.cwd(), "dist"), join(this.packageDir, "dist"), { recursive: true });
    for (const name of ["package.json", "README.md", "docs"])
      cpSync(join(process.cwd(), name), join(this.packageDir, name), { recursive: true });
    for (const name of ["interlock", "agent-interlock"])
      symlinkSync(join(this.packageDir, "dist/interlock.cjs"), join(this.bin, name));
  }

  /** What `npm uninstall -g agent-interlock` takes away. */
  removePackage(): void {
    rmSync(this.packageDir, { recursive: true });
    for (const name of ["interlock", "agent-interlock"]) rmSync(join(this.bin, name));
  }

  run(cwd: string, command: string, args: readonly string[], input = "", more: Record<string, string> = {}): Ran {
    return spawnSync(command, args, { cwd, env: { ...this.env, ...more }, encoding: "utf8", input });
  }

  interlock(cwd: string, ...args: string[]): Ran {
    return this.run(cwd, "interlock", args);
  }

  git(cwd: string, ...args: string[]): string {
    const ran = this.run(cwd, "git", args);
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout;
  }

  /** Runs the command that a settings file registers for an event, as the client does. */
  hook(cwd: string, file: string, event: string, payload: JsonObject, more: Record<string, string> = {}): Ran {
    const text = readFileSync(join(cwd, file), "utf8");
    const entry = hookEntries(JSON.parse(text)).find((each) => each.event === event && isCommand(each.handler));
    if (!entry) throw new Error(`no command for ${event} in ${file}`);
    const words = entry.handler["args"] as string[] | undefined;
    const command = String(entry.handler["command"]);
    const [program, args] = words ? [command, words] : ["sh", ["-c", command]];
    return this.run(cwd, program, args, asSent(cwd, event, payload), { CLAUDE_PROJECT_DIR: cwd, ...more });
  }

  /** The same over http, for PreToolUse. */
  async httpHook(cwd: string, file: string, payload: JsonObject): Promise<Ran> {
    const text = readFileSync(join(cwd, file), "utf8");
    const entry = hookEntries(JSON.parse(text)).find((each) => each.event === "PreToolUse");
    const { url, headers } = entry!.handler as { url: string; headers: Record<string, string> };
    const token = Object.fromEntries(Object.entries(headers).filter(([, value]) => !value.includes("$")));
    const stdout = await post(url, token, asSent(cwd, "PreToolUse", payload), 60_000);
    return { status: 0, stdout, stderr: "" };
  }
}

const asSent = (cwd: string, event: string, payload: JsonObject): string => {
  const common = { session_id: "s-1", transcript_path: "", cwd, hook_event_name: event, permission_mode: "default" };
  return JSON.stringify({ ...common, ...payload });
};

const isCommand = (handler: JsonObject): boolean =>
  /interlock/.test(JSON.stringify(handler)) && handler["type"] === "command";

export const forbidden = (root: string): JsonObject => ({
  tool_name: "Write",
  tool_input: { file_path: join(root, ".claude/settings.json"), content: "{}" },
  tool_use_id: "toolu_1",
});

export const ordinary = (root: string): JsonObject => ({
  tool_name: "Read",
  tool_input: { file_path: join(root, "README.md") },
  tool_use_id: "toolu_2",
});

export const isRefused = ({ stdout }: Ran): boolean => /"permissionDecision":"deny"/.test(stdout);

/** Two machines' folder; the servers started on them end before it goes. */
export function machines(t: TestContext): (name: string) => Machine {
  const base = mkdtempSync(join(tmpdir(), "interlock-hour-"));
  const all: Machine[] = [];
  t.after(() => {
    const script = join(process.cwd(), "dist/interlock.cjs");
    for (const machine of all) machine.run(base, process.execPath, [script, "down"]);
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  return (name) => {
    const machine = new Machine(base, name);
    all.push(machine);
    return machine;
  };
}

const husky = `#!/bin/sh\nnpm test\n`;
const others = { hooks: [{ type: "command", command: "./lint.sh" }] };

/** Comments, tabs, CRLF, husky, hooks of others; committed. */
export function repository(machine: Machine): string {
  const root = join(machine.base, "work");
  const crlf = (text: string) => text.replaceAll("\n", "\r\n");
  const shared = { model: "opus", hooks: { PostToolUse: [{ matcher: "Edit", ...others }], Stop: [others] } };
  const files: Record<string, string> = {
    "README.md": "# Work\n",
    "package.json": `${JSON.stringify({ scripts: { prepare: "husky" } }, null, 2)}\n`,
    ".husky/pre-commit": husky,
    ".claude/settings.json": crlf(`${JSON.stringify(shared, null, "\t")}\n`),
    ".mcp.json": "{}\n",
    ".gitignore": "node_modules/\n",
    // A comment that is not strict JSON: a file of somebody else, which must not be touched.
    ".vscode/settings.json": '{\n  // comment\n  "a": 1,\n}\n',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  machine.git(root, "init", "-q", "-b", "main");
  machine.git(root, "config", "core.autocrlf", "false");
  machine.git(root, "add", "-A");
  machine.git(root, "commit", "-qm", "start");
  return root;
}

/** Every file of the work tree with its bytes, and git's own list of excluded files. */
export function everything(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const wanted = names.filter((name) => !name.startsWith(".git/") || name === ".git/info/exclude");
  const files = wanted.filter((name) => statSync(join(root, name)).isFile());
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root, name), "latin1")]));
}
