// Recording, committing and blaming in a real repository, through the functions that hooks call.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { blameFile } from "./blame.js";
import { type CommitPlace, finaliseCommit, placeOf } from "./finalise.js";
import { recordChanges } from "./record-change.js";
import { carryOverNotes, parseRewritten } from "./rewrite.js";
import { checkTrace } from "./trace-record.js";

class Repository {
  readonly place: CommitPlace;
  #calls = 0;

  constructor() {
    const folder = temporary("trace");
    const root = join(folder, "project");
    execFileSync("git", ["init", "-q", "-b", "main", root]);
    this.place = placeOf(root, join(folder, "interlock"), undefined);
    mkdirSync(join(root, ".orchestration"));
    writeFileSync(join(root, ".git/info/exclude"), ".orchestration/\n");
    this.git("config", "user.name", "Person");
    this.git("config", "user.email", "person@example.org");
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.place.root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  read(path: string): string | undefined {
    try {
      return readFileSync(join(this.place.root, path), "utf8");
    } catch {
      return undefined;
    }
  }

  person(path: string, ...lines: string[]): void {
    mkdirSync(dirname(join(this.place.root, path)), { recursive: true });
    writeFileSync(join(this.place.root, path), lines.map((line) => `${line}\n`).join(""));
  }

  async agent(path: string, ...lines: string[]): Promise<void> {
    const before = this.read(path);
    this.person(path, ...lines);
    const author = { session: "s1", model: "claude-opus-5", tool: "Edit", toolUseId: `t${++this.#calls}` };
    const change = { path, before, after: this.read(path) };
    await recordChanges(this.place, { ...author, intent: { id: "INT-001" } }, [change], Date.now());
  }

  async commit(message: string, ...args: string[]): Promise<void> {
    this.git("add", "-A");
    this.git("commit", "-q", "-m", message, ...args);
    await finaliseCommit(this.place, "HEAD", Date.now());
  }

  async rewritten(work: () => void): Promise<void> {
    const hook = join(this.place.root, ".git/hooks/post-rewrite");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\ncat >> "$(git rev-parse --git-dir)/rewritten"\n', { mode: 0o755 });
    work();
    const text = this.read(".git/rewritten") ?? "";
    rmSync(join(this.place.root, ".git/rewritten"), { force: true });
    await carryOverNotes(this.place, parseRewritten(text), Date.now());
  }

  /** One letter per line: a(gent), o(utside), ? */
  async blame(path: string): Promise<string> {
    const lines = (await blameFile(this.place, path)) ?? [];
    return lines.map(({ by }) => ({ ai: "a", outside: "o", unknown: "?" })[by]).join("");
  }
}

test("lines the agent wrote are its own, before and after the commit", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three");
  await r.commit("start");
  await r.agent("a.ts", "one", "agent line", "two", "three");
  assert.equal(await r.blame("a.ts"), "?a??");
  await r.commit("agent");
  assert.equal(await r.blame("a.ts"), "?a??");
  const [line] = (await blameFile(r.place, "a.ts"))!.slice(1);
  assert.equal(line!.intent, "INT-001");
  assert.equal(line!.session, "s1");
  assert.equal(line!.commit, r.git("rev-parse", "HEAD").trim());
  const records = r
    .read(".orchestration/agent_trace.jsonl")!
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));
  assert.deepEqual(records.flatMap(checkTrace), []);
  assert.equal(records.length, 2);
  assert.equal(records[1].vcs.revision, line!.commit);
  assert.deepEqual(records[1].metadata["dev.interlock"].finalises, [records[0].id]);
});

test("lines a person typed between two calls are not the agent's", async () => {
  const r = new Repository();
  await r.agent("a.ts", "first agent line", "second agent line");
  r.person("a.ts", "first agent line", "typed by a person", "second agent line");
  await r.agent("a.ts", "first agent line", "typed by a person", "second agent line", "third agent line");
  assert.equal(await r.blame("a.ts"), "aoaa");
  r.person("a.ts", "typed after", "first agent line", "typed by a person", "second agent line", "third agent line");
  await r.commit("all");
  assert.equal(await r.blame("a.ts"), "?aoaa");
});

test("an equal line beside an inserted block is nobody's", async () => {
  const r = new Repository();
  r.person("a.ts", "f {", "}", "tail");
  await r.commit("start");
  await r.agent("a.ts", "f {", "}", "g {", "}", "tail");
  assert.equal(await r.blame("a.ts"), "??a??");
});

test("attribution follows an amend and a rebase", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three");
  await r.commit("start");
  r.git("checkout", "-q", "-b", "work");
  await r.agent("a.ts", "one", "two", "three", "agent four");
  await r.commit("agent");
  r.person("a.ts", "one", "two", "three", "agent four", "person five");
  await r.rewritten(() => r.git("commit", "-q", "-a", "--amend", "-m", "better"));
  assert.equal(await r.blame("a.ts"), "???a?");
  r.git("checkout", "-q", "main");
  r.person("a.ts", "zero", "one", "two", "three");
  await r.commit("upstream");
  r.git("checkout", "-q", "work");
  await r.rewritten(() => r.git("rebase", "-q", "main"));
  assert.equal(await r.blame("a.ts"), "????a?");
});

test("a partial commit leaves the rest in the working log", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");
  await r.commit("start");
  const rest = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
  await r.agent("a.ts", "one", "agent top", ...rest, "agent bottom");
  const whole = r.read("a.ts")!;
  r.person("a.ts", "one", "agent top", ...rest);
  r.git("add", "a.ts");
  writeFileSync(join(r.place.root, "a.ts"), whole);
  r.git("commit", "-q", "-m", "half");
  await finaliseCommit(r.place, "HEAD", Date.now());
  assert.equal(await r.blame("a.ts"), "?a????????a");
  await r.commit("rest");
  assert.equal(await r.blame("a.ts"), "?a????????a");
});
