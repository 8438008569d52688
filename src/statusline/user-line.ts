// The user's own status line command, run beside ours with what the client sent.
// Invariant: ends within its time limit with all its children; its failure or silence leaves our line alone.
import { childProcess } from "../project/node-builtins.js";

const most = 64 * 1024;

export function userLine(command: string, input: string, ms: number, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    const child = childProcess().spawn("/bin/sh", ["-c", command], {
      detached: true,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let said = "";
    const end = () => {
      clearTimeout(timer);
      resolve(said.slice(0, most));
    };
    const timer = setTimeout(() => {
      said = "";
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // it just ended
      }
      end();
    }, ms);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => {
      if (said.length < most) said += text;
    });
    child.stdin.on("error", () => {}); // it does not read what it is given
    child.stdin.end(input);
    child.on("error", end);
    child.on("close", end);
  });
}
