// Section 1, Executive Summary: two lines by a command of the user's choice, which gets the report on its input.
// Invariant: the command ends within 60 seconds, its children with it, and its words are shown as words, nothing more.
import { spawn } from "node:child_process";
import { oneLine } from "../model/text.js";

export async function summarise(command: readonly string[], report: string, limitMs = 60_000): Promise<string[]> {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const parts: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes <= 64 * 1024) parts.push(part);
  });
  let complaint = "";
  child.stderr.on("data", (part: Buffer) => {
    complaint = `${complaint}${part.toString("utf8")}`.slice(-2000);
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
      const { code } = error as NodeJS.ErrnoException;
      const hint = code === "ENOENT" ? ": it is not on the PATH, so name it by its full path" : "";
      resolve(`could not be started (${code ?? error.message})${hint}`);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(signal ? `was ended by ${signal}` : code);
    });
  });
  if (typeof outcome === "string") throw new Error(`the summary command ${program} ${outcome}`);
  const last = oneLine(complaint.trim().split("\n").at(-1) ?? "", 160);
  if (outcome !== 0)
    throw new Error(`the summary command ${program} failed (exit code ${outcome})${last && `: ${last}`}`);
  const lines = Buffer.concat(parts)
    .toString("utf8")
    .split("\n")
    .map((line) => oneLine(line, 300))
    .filter(Boolean);
  if (!lines.length) throw new Error(`the summary command ${program} wrote nothing`);
  return lines.slice(0, 2);
}
