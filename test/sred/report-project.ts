// A repository with the constructed history, and the built program run in it from a clean environment.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import type { SredReport } from "../../src/sred/report/report-schema.js";
import { makeSredHistory } from "../../src/testing/evidence-history.js";
import { temporary } from "../../src/testing/temporary.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));

export const year = ["--from", "2025-04-01", "--to", "2026-03-31", "--tz", "America/Toronto"];

export function reportProject(make: (root: string) => void = (root) => makeSredHistory(root)) {
  const place = temporary("sred");
  const root = join(place, "repository");
  make(root);
  const env = {
    PATH: process.env["PATH"],
    HOME: place,
    INTERLOCK_HOME: join(place, "interlock"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    TZ: "Asia/Tokyo",
  };
  const run = (file: string, args: readonly string[], more: Record<string, string> = {}) =>
    spawnSync(file, args, { cwd: root, env: { ...env, ...more }, encoding: "utf8", maxBuffer: 1 << 28 });
  const sred = (...args: string[]) => run(process.execPath, [program, "sred", ...args]);
  return {
    ...{ place, root, run, sred },
    git: (args: readonly string[], more?: Record<string, string>): string => {
      const { status, stdout, stderr } = run("git", args, more);
      if (status !== 0) throw new Error(stderr);
      return stdout;
    },
    report: (...args: string[]): SredReport => {
      const { stdout, stderr } = sred("report", ...args, "--format", "json");
      if (!stdout) throw new Error(stderr);
      return JSON.parse(stdout) as SredReport;
    },
  };
}

/** Unpacks a zip of the report; returns the folder its files are in. */
export function unpacked(bytes: Uint8Array): string {
  const folder = temporary("pack");
  mkdirSync(join(folder, "sred-report"));
  for (const [name, data] of Object.entries(unzipSync(bytes))) writeFileSync(join(folder, name), data);
  return join(folder, "sred-report");
}
