// The real client at a terminal of its own: a pseudo-terminal of 120 columns, a prompt typed into it, its screen read.
// Invariant: the questions a new user is asked are answered beforehand in its configuration; it reaches loopback only.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loopbackClientEnv } from "../../src/live/claude.js";
import { confine, isolation } from "../../src/live/isolate.js";
import { type ModelStep, startModel } from "../../src/live/model.js";
import { binary, type Workplace } from "./workplace.js";

// Types when nothing was drawn for a while, and ends when everything wanted was drawn or the time is over.
const PROGRAM = `
import fcntl, json, os, pty, re, select, struct, sys, termios, time
argv, typed, wanted, seconds = json.loads(sys.argv[1])
escapes = re.compile(r"\\x1b(?:\\[[0-9;?>=]*[ -/]*[@-~]|\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)|.)|\\s")
pid, fd = pty.fork()
if pid == 0: os.execvp(argv[0], argv)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
seen = b""
text = ""
end = time.time() + seconds
last = time.time()
while time.time() < end and not all(word in text for word in wanted):
    if select.select([fd], [], [], 0.2)[0]:
        try: part = os.read(fd, 65536)
        except OSError: break
        if not part: break
        seen += part
        last = time.time()
        text = escapes.sub("", seen.decode("utf8", "replace"))
    elif typed and time.time() - last > 1.5:
        os.write(fd, typed.pop(0).encode())
        last = time.time()
os.kill(pid, 9)
print(text)
`;

export interface AtTerminal {
  place: Workplace;
  prompt: string;
  steps: ModelStep[];
  /** Texts that must be drawn, without their spaces. */
  wanted: string[];
  seconds?: number;
}

/** What was drawn, in the order it was drawn, without spaces and escapes. */
export async function atClientTerminal({ place, prompt, steps, wanted, seconds = 90 }: AtTerminal): Promise<string> {
  const { home, project } = place;
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const answered = {
    numStartups: 3,
    theme: "dark",
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: ["made-up-key"], rejected: [] },
    projects: { [project]: trusted },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(answered));
  mkdirSync(join(home, "tmp"), { recursive: true });
  const model = await startModel([{ marker: prompt, steps }]);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: join(home, "tmp"),
    TERM: "xterm-256color",
    LANG: "C.UTF-8",
    ...loopbackClientEnv(model.port),
  };
  const job = JSON.stringify([[binary], [prompt, "\r"], wanted, seconds]);
  const command = ["python3", "-c", PROGRAM, job];
  const confined = await confine(command, { cwd: project, env, ports: [model.port], way: isolation() });
  try {
    let drawn = "";
    confined.child.stdout!.on("data", (text) => (drawn += text));
    await new Promise((resolve) => confined.child.on("close", resolve));
    return drawn;
  } finally {
    await confined.end();
    await model.close();
  }
}
