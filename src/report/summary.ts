// Section 1, Executive Summary: two lines by a command of the user's choice, which gets the report on its input.
// Invariant: the command ends within 60 seconds, its children with it, and its words are shown as words, nothing more.
import { spawn } from "node:child_process";
import { oneLine } from "../model/text.js";

export async function summarise(command: readonly string[], report: string, limitMs = 60_000): Promise<string[]> {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    stdio: ["pipe", "pipe", "ignore"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const parts: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= 64 * 1024) parts.push(part);
  });
  child.stdin.on("error", () => {}); // it may end without reading
  child.stdin.end(report);
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  const outcome = await new Promise<string | number | null>((resolve) => {
    const timer = setTimeout(() => {
      end();
      resolve(`did not end within ${limitMs / 1000} s`);
    }, limitMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve(`could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
  if (typeof outcome === "string") throw new Error(`the summary command ${program} ${outcome}`);
  if (outcome !== 0) throw new Error(`the summary command ${program} failed (exit code ${outcome})`);
  const lines = Buffer.concat(parts)
    .toString("utf8")
    .split("\n")
    .map((line) => oneLine(line, 300))
    .filter(Boolean);
  if (!lines.length) throw new Error(`the summary command ${program} wrote nothing`);
  return lines.slice(0, 2);
}
