// The agent client on this machine: whether it is there, and which version it says it is.
import { spawnSync } from "node:child_process";
import type { Env } from "./places.js";

export function clientVersion(env: Env): string | undefined {
  const run = spawnSync("claude", ["--version"], { env: env as NodeJS.ProcessEnv, encoding: "utf8", timeout: 10_000 });
  return /\b(\d+\.\d+\.\d+)\b/.exec(run.stdout ?? "")?.[1];
}
