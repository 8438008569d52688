// A throw-away project for `interlock kit` through the built program, with the scripted agent as its runtime.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readEvents } from "../../src/runs/run.js";
import type { RunEvent } from "../../src/runs/schemas.js";
import { newRepository } from "../../src/testing/new-repository.js";
import { temporary } from "../../src/testing/temporary.js";

export const program = join(process.cwd(), "dist", "interlock.cjs");
export const agentScript = join(process.cwd(), "test", "kits", "agent.mjs");

/** Plays the person who allows a refused call. */
export const grantScript = join(process.cwd(), "build", "test", "kits", "grant.js");

export interface Step {
  bash?: string;
  read?: string;
  write?: string;
  text?: string;
}

/** What the scripted agent does in each phase. */
export type Plan = Record<
  string,
  {
    steps?: Step[];
    sneak?: Record<string, string>;
    exit?: number;
    silent?: boolean;
    says?: string;
    /** The program by which a person allows each refused call. */
    allowed?: string;
  }
>;

export interface KitRun {
  status: number | null;
  json: { run_id: string; status: string; exit_code: number; phases: PhaseJson[]; paths: Record<string, string> };
  stderr: string;
  events: RunEvent[];
  /** Of the run's artifacts. */
  artifact(name: string): string;
}

interface PhaseJson {
  phase: string;
  status: string;
  capsule: string;
  manifest: string;
  findings: { rule: string; what: string }[];
}

export function kitProject(files: Record<string, string> = {}) {
  const base = temporary("kit");
  const root = join(base, "project");
  const home = join(base, "home");
  for (const folder of [root, home]) mkdirSync(folder, { recursive: true });
  newRepository(root, "work");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const env: Record<string, string> = {
    PATH: process.env["PATH"]!,
    HOME: home,
    INTERLOCK_KIT_PROGRAM: program,
    GIT_AUTHOR_NAME: "t",
    GIT_AUTHOR_EMAIL: "t@example.org",
    GIT_COMMITTER_NAME: "t",
    GIT_COMMITTER_EMAIL: "t@example.org",
  };
  const interlock = (args: string[], more: Record<string, string> = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: root,
      env: { ...env, ...more },
      encoding: "utf8",
      maxBuffer: 64 << 20,
    });
  const kit = (args: string[], plan: Plan = {}, more: Record<string, string> = {}): KitRun => {
    write("plan.json", JSON.stringify(plan));
    const runtime = more["INTERLOCK_KIT_RUNTIME"] ? [] : ["--runtime", `"${process.execPath}" "${agentScript}"`];
    const { status, stdout, stderr } = interlock(["kit", "--json", ...runtime, ...args], more);
    if (!stdout) throw new Error(`interlock kit said nothing: ${stderr}`);
    const json = JSON.parse(stdout) as KitRun["json"];
    return {
      status,
      json,
      stderr,
      events: readEvents(root, json.run_id).events,
      artifact: (name) => readFileSync(join(root, "runs", json.run_id, "artifacts", name), "utf8"),
    };
  };
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  return { root, home, env, write, read, interlock, kit };
}

/** A feature with node:test: red fails, green passes. */
export const feature = {
  test: `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.mjs";
test("adds", () => {
  assert.equal(add(1, 2), 3);
});
`,
  wrong: "export const add = () => 0;\n",
  right: "export const add = (a, b) => a + b;\n",
  package: '{ "type": "module", "scripts": { "test": "node --test tests/*.test.mjs" } }\n',
};
