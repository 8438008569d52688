// Runs `<program> --help` for its text.
// Invariant: only the caller decides whether, after a person said yes; it runs in an empty folder, bounded, without
// input, and from an absolute folder of PATH.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

export function programFile(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  const files = path
    .split(":")
    .filter(isAbsolute)
    .map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false; // not here
    }
  });
}

/** What it printed; undefined if it could not be run or said nothing. */
export function helpOf(file: string): string | undefined {
  const cwd = mkdtempSync(join(tmpdir(), "interlock-help-"));
  try {
    const { stdout, stderr } = spawnSync(file, ["--help"], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd, TERM: "dumb", LC_ALL: "C", PAGER: "cat" },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      timeout: 10_000,
      maxBuffer: 1024 * 1024,
    });
    return `${stdout ?? ""}${stderr ?? ""}`.trim() || undefined;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
