// A throw-away project and home for one run of a real client, and the client itself.
// Without the client the tests are skipped with the reason; on CI its absence is a failure.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { ClaudeRun } from "../../src/live/claude.js";
import type { ModelStep } from "../../src/live/model.js";

export const root = process.cwd();
const clients = (await import(pathToFileURL(join(root, "scripts/clients.mjs")).href)) as {
  claudeBinary(): string | undefined;
};

export const binary = clients.claudeBinary() ?? "";
const missing = binary ? false : "Claude Code is not installed: node scripts/clients.mjs install";
if (missing && process.env.CI === "true") throw new Error(missing);
export const needsClient = { skip: missing, timeout: 400_000 };

export interface Workplace {
  project: string;
  home: string;
  /** Puts a file into the project and returns its absolute path. */
  /** Ends what still writes there before the folders are removed. */
  beforeRemoval(close: () => unknown): void;
  put(path: string, content: string): string;
  read(path: string): string | undefined;
  path(path: string): string;
}

export function workplace(t: TestContext): Workplace {
  const base = mkdtempSync(join(tmpdir(), "interlock-client-"));
  const closing: (() => unknown)[] = [];
  t.after(() => {
    for (const close of closing) close();
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const project = join(base, "project");
  const home = join(base, "home");
  mkdirSync(project);
  mkdirSync(home);
  const path = (name: string) => join(project, name);
  return {
    project,
    home,
    path,
    beforeRemoval: (close) => void closing.push(close),
    put(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
  };
}

/** The MCP server `notes`, as `--mcp-config` wants it; its notes land in notes.txt of the project. */
export function notesServer(place: Workplace) {
  const server = join(root, "test/clients/fixtures/notes-server.mjs");
  return { notes: { type: "stdio", command: process.execPath, args: [server, place.path("notes.txt")] } };
}

/** What the model was told about one call. */
export function toldOf(run: ClaudeRun, id: string) {
  const told = run.told.find((each) => each.id === id);
  if (!told) throw new Error(`the model was told nothing about ${id}; the client said: ${run.stderr} ${run.result}`);
  return told;
}

/** Steps of a script. */
export const call = (tool: string, input: Record<string, unknown>): ModelStep => ({ calls: [{ tool, input }] });
export const bash = (command: string) => call("Bash", { command, description: "a step" });
export const agent = (prompt: string) =>
  call("Agent", { description: "part", prompt, subagent_type: "general-purpose", run_in_background: false });
