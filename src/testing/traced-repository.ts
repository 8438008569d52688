// Test set-up: a real repository in which a scripted agent and a person edit files, with Interlock's folder beside it.
// Invariant: the agent's edits go through `recordChanges`, as the pack's act calls it; git runs in a clean environment.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { identify } from "../project/identify.js";
import { type BlamedLine, blameFile } from "../trace/blame.js";
import type { CommitPlace } from "../trace/finalise.js";
import { recordChanges } from "../trace/record-change.js";
import { newRepository } from "./new-repository.js";
import { temporary } from "./temporary.js";

export class TracedRepository {
  readonly folder = temporary("traced");
  readonly home = join(this.folder, "interlock");
  readonly bin = join(this.folder, "bin");
  root = join(this.folder, "project");
  #calls = 0;

  /** `program`: the built program, called `interlock` on the path. */
  constructor(program?: string) {
    newRepository(this.root);
    mkdirSync(join(this.root, ".orchestration"));
    writeFileSync(join(this.root, ".git/info/exclude"), ".orchestration/\n");
    mkdirSync(this.bin);
    const shim = join(this.bin, "interlock");
    if (program) writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
    this.git("config", "user.name", "Person");
    this.git("config", "user.email", "person@example.org");
  }

  get env(): Record<string, string> {
    const path = `${this.bin}:${process.env["PATH"]}`;
    return { PATH: path, HOME: this.folder, INTERLOCK_HOME: this.home, GIT_EDITOR: ":", GIT_SEQUENCE_EDITOR: ":" };
  }

  get place(): CommitPlace {
    const { id, gitDir } = identify(this.root);
    return { root: this.root, folder: join(this.home, "projects", id), gitDir: gitDir! };
  }

  git(...args: string[]): string {
    return execFileSync("git", args, {
      cwd: this.root,
      env: this.env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** With exit code and what was said. */
  try(program: string, ...args: string[]): { code: number | null; out: string; err: string } {
    const done = spawnSync(program, args, { cwd: this.root, env: this.env, encoding: "utf8" });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }

  read(path: string): string | undefined {
    const full = join(this.root, path);
    return existsSync(full) ? readFileSync(full, "utf8") : undefined;
  }

  person(path: string, ...lines: string[]): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), lines.map((line) => `${line}\n`).join(""));
  }

  agent(path: string, ...lines: string[]): Promise<void> {
    return this.agentAs({ session: "s1", intent: "INT-001" }, path, ...lines);
  }

  async agentAs(who: { session: string; intent: string }, path: string, ...lines: string[]): Promise<void> {
    const before = this.read(path);
    this.person(path, ...lines);
    const author = { session: who.session, model: "claude-opus-5", tool: "Edit", toolUseId: `t${++this.#calls}` };
    const change = { path, before, after: this.read(path) };
    await recordChanges(this.place, { ...author, intent: { id: who.intent } }, [change], Date.now());
  }

  commitAll(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", message);
  }

  async lines(path: string): Promise<BlamedLine[]> {
    return (await blameFile(this.place, path)) ?? [];
  }

  /** One letter per line: a(gent), o(utside), ? */
  async letters(path: string): Promise<string> {
    return (await this.lines(path)).map(({ by }) => ({ ai: "a", outside: "o", unknown: "?" })[by]).join("");
  }
}
