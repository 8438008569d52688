// Which Claude Code is installed here.
import { execFile } from "node:child_process";

export type RunProgram = (command: string, args: string[]) => Promise<string>;

/** "2.1.325", or undefined where there is no client on the PATH or it does not say. */
export async function clientVersion(run: RunProgram = execute): Promise<string | undefined> {
  try {
    return /\b(\d+\.\d+\.\d+)\b/.exec(await run("claude", ["--version"]))?.[1];
  } catch {
    return undefined; // not on the PATH, or it failed: the install is then written for any version
  }
}

export const execute: RunProgram = (command, args) =>
  new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 10_000, windowsHide: true }, (fault, stdout) =>
      fault ? reject(fault) : resolve(stdout),
    );
  });
