// What the benchmarks of the server share: a throw-away home with a server on it, a project with every pack on, events
// of 2 KB.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readAddress, type ServerAddress, serverPid } from "../src/hook/server-address.js";
import { noticeIn, spoolFolder } from "../src/hook/spool-protocol.js";
import { hint, tokenHeader } from "../src/hosts/claude-code/install/own-entries.js";
import { cleanEnv } from "./measure.js";

export const script = fileURLToPath(new URL("../../dist/interlock.cjs", import.meta.url));

export interface Resident {
  base: string;
  home: string;
  projects: string[];
  door: ServerAddress;
  supervisor: number;
  end(): Promise<void>;
}

export async function resident(projects = 1): Promise<Resident> {
  const base = mkdtempSync(join(tmpdir(), "interlock-bench-"));
  const home = join(base, "interlock");
  mkdirSync(home, { mode: 0o700 });
  const packs = ["guard", "discipline", "lifecycle", "rules"].map((id) => `  ${id}: { enabled: true }`);
  const rule = "  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people }";
  writeFileSync(join(home, "interlock.yaml"), `packs:\n${packs.join("\n")}\nrules:\n${rule}\n`);
  const roots = Array.from({ length: projects }, (_, i) => join(base, `project-${i}`));
  for (const root of roots) execFileSync("git", ["init", "-q", root]);
  const child: ChildProcess = spawn(process.execPath, [script, "serve", "--home", home], {
    env: cleanEnv({ HOME: base }),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ready = () => serverPid(home) !== undefined && readAddress(home) && existsSync(noticeIn(spoolFolder(home)));
  while (!ready()) await new Promise((resolve) => setTimeout(resolve, 20));
  const door = readAddress(home)!;
  return {
    base,
    home,
    projects: roots,
    door,
    supervisor: child.pid!,
    async end() {
      child.kill("SIGTERM");
      await new Promise((resolve) => (child.exitCode !== null ? resolve(0) : child.once("exit", resolve)));
      rmSync(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const filler = "const a = 1; // as an agent writes it\n".repeat(42);

/** A call and its end in turns, as an agent makes them. */
export function event(root: string, i: number): [name: string, body: string] {
  const name = i % 2 ? "PostToolUse" : "PreToolUse";
  const n = i >> 1;
  const write = { tool_name: "Write", tool_input: { file_path: join(root, `src/file-${n % 50}.ts`), content: filler } };
  const bash = { tool_name: "Bash", tool_input: { command: `git status && ls src/${n % 50}`, description: filler } };
  const payload = {
    session_id: `${basename(root)}-${(n >> 7) % 4}`,
    transcript_path: "",
    cwd: root,
    permission_mode: "default",
    hook_event_name: name,
    ...(n % 2 ? write : bash),
    tool_use_id: `toolu_${i >> 1}`,
    ...(i % 2 ? { tool_response: { stdout: "fine", stderr: "", interrupted: false } } : {}),
  };
  return [name, JSON.stringify(payload)];
}

/** The k-th event of one of several clients at work at once: each makes a call, waits for its end, makes the next. */
export const eventOf = (root: string, client: number, k: number, clients = 8): [name: string, body: string] =>
  event(root, 2 * (client + clients * (k >> 1)) + (k & 1));

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Milliseconds and what came back. */
export function ask(
  port: number,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<[ms: number, text: string]> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const asked = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("end", () => resolve([Number(process.hrtime.bigint() - start) / 1e6, text]));
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

export const askServer = ({ port, token }: ServerAddress, [name, body]: [string, string]): Promise<[number, string]> =>
  ask(port, `/hook/claude-code/${name}/${hint}`, { [tokenHeader]: token }, body);
