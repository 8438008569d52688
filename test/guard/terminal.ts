// A person's terminal for tests: a pseudo-terminal in its own session, with a clean environment and no parent program.
// Invariant: Interlock has no special case for it; it can do only what a person at a keyboard can.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = `
import json, os, pty, sys
out, argv, cwd, env, answer = json.loads(sys.argv[1])
if os.fork(): os._exit(0)
os.setsid()
code = [0]
pid, fd = pty.fork()
if pid == 0:
    os.chdir(cwd)
    os.execvpe(argv[0], argv, env)
seen = b""
while True:
    try: part = os.read(fd, 65536)
    except OSError: break
    if not part: break
    seen += part
    if answer and b"[y/N]" in seen:
        os.write(fd, answer.encode() + b"\\n")
        answer = ""
_, status = os.waitpid(pid, 0)
text = seen.decode("utf8", "replace").replace("\\r\\n", "\\n")
with open(out + ".part", "w") as f: json.dump({"status": os.waitstatus_to_exitcode(status), "text": text}, f)
os.rename(out + ".part", out)
`;

export interface Typed {
  status: number;
  text: string;
}

/** Types a command into a terminal of its own and waits for its end. `answer`: to its first question. */
export function atTerminal(argv: string[], cwd: string, env: Record<string, string>, answer = ""): Typed {
  const folder = mkdtempSync(join(tmpdir(), "interlock-terminal-"));
  const out = join(folder, "out.json");
  try {
    spawnSync("python3", ["-c", PROGRAM, JSON.stringify([out, argv, cwd, { TERM: "dumb", ...env }, answer])], { env });
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let i = 0; i < 1200 && !existsSync(out); i++) Atomics.wait(pause, 0, 0, 50);
    return JSON.parse(readFileSync(out, "utf8")) as Typed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
