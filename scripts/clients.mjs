// Puts real agent clients, at exact versions, into .cache/clients for the tests and the demo: `node scripts/clients.mjs install|path`.
// Needs only Node and npm. No install script of a client runs, and what is there already is never fetched again.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Exact: on Node 20 a plain install silently picks the newest version whose `engines` still allow it (2.1.197).
export const CLAUDE_VERSION = "2.1.325";
const claudeFolder = join(root, ".cache", "clients", `claude-code-${CLAUDE_VERSION}`);

/** The native client for this machine, or undefined where it was not installed. */
export function claudeBinary() {
  const binary = binaryIn(claudeFolder);
  try {
    accessSync(binary, constants.X_OK);
    return binary;
  } catch {
    return undefined; // not installed yet, or this platform has no package
  }
}

/** Installs Claude Code when it is missing and returns its binary. Throws with the remedy when it cannot. */
export function installClaude() {
  const present = claudeBinary();
  if (present) return present;
  console.error(`installing @anthropic-ai/claude-code@${CLAUDE_VERSION} into .cache/clients (about 120 MB, once) ...`);
  const draft = `${claudeFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    npmInstall(draft, `@anthropic-ai/claude-code@${CLAUDE_VERSION}`);
    accessSync(binaryIn(draft), constants.X_OK);
    rmSync(claudeFolder, { recursive: true, force: true });
    renameSync(draft, claudeFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  console.error(`installed ${binaryIn(claudeFolder)}`);
  return binaryIn(claudeFolder);
}

function npmInstall(folder, spec) {
  const windows = process.platform === "win32";
  const flags = ["--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  const run = spawnSync(windows ? "npm.cmd" : "npm", ["install", ...flags, "--prefix", folder, spec], {
    stdio: ["ignore", 2, 2],
    shell: windows,
  });
  if (run.status === 0) return;
  throw new Error(
    `npm could not install ${spec} (its message is above). Run the same command when the registry is reachable.`,
  );
}

function binaryIn(folder) {
  const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime ? "-musl" : "";
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  return join(folder, "node_modules", "@anthropic-ai", `claude-code-${process.platform}-${process.arch}${musl}`, name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [task] = process.argv.slice(2);
  try {
    if (task === "install") console.log(installClaude());
    else if (task === "path" && claudeBinary()) console.log(claudeBinary());
    else if (task === "path") fail("Claude Code is not installed here. Run: node scripts/clients.mjs install");
    else fail("usage: node scripts/clients.mjs install|path");
  } catch (error) {
    fail(error.message);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
