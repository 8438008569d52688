// A repository for `interlock ci`: a bare origin, a work tree whose agent's lines are traced, clones as CI has them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { TracedRepository } from "../../src/testing/traced-repository.js";
import { finaliseCommit } from "../../src/trace/finalise.js";

export const program = join(process.cwd(), "dist/interlock.cjs");

export interface CiOutput {
  failed: boolean;
  incomplete: boolean;
  commits: number;
  range: { from?: string; to: string; source: string };
  checks: {
    name: string;
    state: string;
    summary: string;
    notCheckable: string[];
    findings: { rule: string; level: string; message: string; next: string; commit?: string; file?: string }[];
  }[];
}

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

export class CiProject {
  readonly work = new TracedRepository();
  readonly origin = join(this.work.folder, "origin.git");
  #clones = 0;

  constructor(files: Readonly<Record<string, string>> = {}) {
    writeFileSync(join(this.work.root, ".git/info/exclude"), ".orchestration/agent_trace.jsonl\n");
    execFileSync("git", ["init", "-q", "--bare", "-b", "main", this.origin]);
    this.work.git("remote", "add", "origin", this.origin);
    for (const [path, text] of Object.entries({ "README.md": "start\n", ...files })) this.write(path, text);
    this.work.commitAll("chore: start");
    this.work.git("push", "-q", "origin", "main");
    this.work.git("remote", "set-head", "origin", "main");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.work.root, path)), { recursive: true });
    writeFileSync(join(this.work.root, path), text);
  }

  /** What the agent's call and git's hook leave behind. */
  async agentCommit(intent: string, path: string, message: string): Promise<string> {
    await this.work.agentAs({ session: "s1", intent }, path, `line of ${intent}`, message);
    const hash = this.commit(message);
    await finaliseCommit(this.work.place, "HEAD", Date.now());
    return hash;
  }

  commit(message: string): string {
    this.work.git("add", "-A");
    this.work.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message);
    return this.work.git("rev-parse", "HEAD").trim();
  }

  /** A clone as a runner has it: no record, no notes. */
  clone(...options: string[]): string {
    const folder = join(this.work.folder, `clone${++this.#clones}`);
    execFileSync("git", ["clone", "-q", ...options, `file://${this.origin}`, folder], { stdio: "pipe" });
    return folder;
  }

  run(folder: string, args: readonly string[], env: Record<string, string> = {}): Ran {
    return spawnSync(process.execPath, [program, "ci", ...args], {
      cwd: folder,
      env: { ...this.work.env, NO_COLOR: "1", ...env },
      encoding: "utf8",
    });
  }

  json(
    folder: string,
    args: readonly string[] = [],
    env: Record<string, string> = {},
  ): CiOutput & { status: number | null } {
    const { stdout, stderr, status } = this.run(folder, ["--json", ...args], env);
    if (!stdout) throw new Error(stderr);
    return { ...(JSON.parse(stdout) as CiOutput), status };
  }
}

export const stateOf = ({ checks }: CiOutput, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.state;

export const rulesIn = ({ checks }: CiOutput): string[] =>
  checks.flatMap((c) => c.findings.map(({ rule }) => rule)).sort();
