// A terminal that stays open: a program on a pseudo-terminal of its own, its output in a file, answers given in turn.
// Invariant: Interlock has no special case for it; it can do only what a person at a keyboard can.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PROGRAM = `
import json, os, pty, signal, sys
out, argv, cwd, env, answers = json.loads(sys.argv[1])
if os.fork(): os._exit(0)
os.setsid()
pid, fd = pty.fork()
if pid == 0:
    os.chdir(cwd)
    os.execvpe(argv[0], argv, env)
with open(out + ".pid", "w") as f: f.write(str(pid))
asked = 0
seen = b""
while True:
    try: part = os.read(fd, 65536)
    except OSError: break
    if not part: break
    seen += part
    with open(out, "wb") as f: f.write(seen)
    while seen.count(b"[y/N]") > asked and asked < len(answers):
        os.write(fd, answers[asked].encode() + b"\\n")
        asked += 1
os.waitpid(pid, 0)
`;

export interface OpenTerminal {
  text(): string;
  /** Ctrl-C. */
  end(): void;
}

export function openTerminal(
  folder: string,
  argv: string[],
  cwd: string,
  env: Record<string, string>,
  answers: string[],
): OpenTerminal {
  const out = join(folder, "terminal.txt");
  const input = JSON.stringify([out, argv, cwd, { TERM: "dumb", ...env }, answers]);
  spawnSync("python3", ["-c", PROGRAM, input], { env, stdio: "ignore" });
  const read = (file: string) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return ""; // nothing was said yet
    }
  };
  return { text: () => read(out), end: () => process.kill(Number(read(`${out}.pid`)), "SIGINT") };
}
