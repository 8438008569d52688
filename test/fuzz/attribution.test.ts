// Random sequences of edits by two agents and a person, with commits, amends, rebases, squashes, stashes, picks,
// merges, reverts and resets in real git. No line may be attributed to a wrong author; at least 98 % of the agents'
// lines must still be attributed. Most sequences call the functions the hooks call; some run the built program as git
// hooks.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { identify } from "../../src/project/identify.js";
import { newRepository } from "../../src/testing/new-repository.js";
import { marksInTree } from "../../src/trace/blame.js";
import { keepSquash } from "../../src/trace/commit-origin.js";
import { type CommitPlace, finaliseCommit, placeOf } from "../../src/trace/finalise.js";
import { installTraceHooks } from "../../src/trace/git-hooks.js";
import { isRecord, outside } from "../../src/trace/marks.js";
import { NotesStore } from "../../src/trace/notes-store.js";
import { recordChanges } from "../../src/trace/record-change.js";
import { carryOverNotes, parseRewritten } from "../../src/trace/rewrite.js";
import { type TraceGit, withGit } from "../../src/trace/trace-git.js";
import { PlayGround, TypingModel } from "./attribution-model.js";
import { random } from "./hostile.js";

const nightly = Boolean(process.env["INTERLOCK_NIGHTLY"]);
const folder = mkdtempSync(join(tmpdir(), "interlock-attribution-"));
test.after(() => rmSync(folder, { recursive: true, force: true }));
const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));

interface Tally {
  wrong: string[];
  agentLines: number;
  attributed: number;
  commonLines: number;
  commonAttributed: number;
  operations: Record<string, number>;
  /** By the operation a sequence prefers: agent lines, and those still attributed. */
  favourites: Record<string, [lines: number, attributed: number]>;
}

const all = [
  ...["commit", "commitOne", "stageThenEdit", "amend", "stash", "rebase", "autosquash"],
  ...["squash", "merge", "pick", "revert", "reset"],
] as const;

const newTally = (): Tally => ({
  wrong: [],
  agentLines: 0,
  attributed: 0,
  commonLines: 0,
  commonAttributed: 0,
  operations: {},
  favourites: {},
});

/** One repository that one sequence plays in. */
class Sequence {
  readonly model: TypingModel;
  readonly ground: PlayGround;
  readonly place: CommitPlace;
  readonly paths = ["a.ts", "b.ts"];
  readonly log: string[] = [];
  readonly favourite: string;
  #calls = 0;
  #branches = 0;

  constructor(
    readonly seed: number,
    readonly hooks: boolean,
    readonly tally: Tally,
  ) {
    this.model = new TypingModel(random(seed));
    this.favourite = all[seed % all.length]!;
    const root = join(folder, `s${seed}`);
    this.ground = new PlayGround(root, this.model);
    const home = join(folder, `home${seed}`);
    mkdirSync(join(root, ".orchestration"), { recursive: true });
    newRepository(root);
    writeFileSync(join(root, ".git/info/exclude"), ".orchestration/\n");
    writeFileSync(
      join(root, ".git/config"),
      "[core]\n\trepositoryformatversion = 0\n\tlogallrefupdates = true\n" +
        "[user]\n\tname = P\n\temail = p@example.org\n",
    );
    this.place = placeOf(root, join(home, "projects", identify(root).id), undefined);
    if (hooks) {
      installTraceHooks(root, program);
      this.ground.extra = { INTERLOCK_HOME: home };
    } else {
      mkdirSync(join(root, ".git/hooks"), { recursive: true });
      writeFileSync(join(root, ".git/hooks/post-rewrite"), "#!/bin/sh\ncat >> .git/rewritten\n", { mode: 0o755 });
      // The moment of the hook, for what git removes right after it.
      const keep = "#!/bin/sh\n[ ! -f .git/CHERRY_PICK_HEAD ] || cp .git/CHERRY_PICK_HEAD .git/picked\n";
      writeFileSync(join(root, ".git/hooks/post-commit"), keep, { mode: 0o755 });
    }
  }

  git = (...args: string[]) => this.ground.git(...args);

  async play(operations: number): Promise<void> {
    for (const path of this.paths) {
      this.model.files.set(path, []);
      for (let n = 0; n < 6; n++) this.model.edit(path, "person");
      this.ground.write(path);
    }
    await this.git("add", "-A");
    await this.commitAll();
    for (let n = 0; n < operations; n++) {
      const name = n % 2 === 0 ? "edit" : this.model.random() < 0.6 ? this.favourite : this.model.pick(all);
      this.log.push(name);
      this.tally.operations[name] = (this.tally.operations[name] ?? 0) + 1;
      await this.#operations[name]!();
    }
    await this.check();
    await this.commitAll();
    await this.check();
  }

  readonly #operations: Record<string, () => Promise<void>> = {
    edit: () => this.edits(3),
    commit: () => this.commitAll(),
    commitOne: async () => {
      const path = this.model.pick(this.paths);
      await this.commit("-m", "one file", "--", path);
    },
    stageThenEdit: async () => {
      await this.git("add", "-A");
      await this.edits(1);
      await this.commit("-m", "staged");
    },
    amend: async () => {
      await this.rewriting("commit", "-q", "-a", "--amend", "-m", "amended");
      this.model.settled();
    },
    stash: async () => {
      await this.edits(1);
      if (!(await this.git("status", "--porcelain")).trim()) return;
      const before = new Map(this.model.files);
      await this.git("stash", "-q");
      this.ground.adopt();
      const path = this.model.pick(this.paths);
      if (this.model.random() < 0.7) {
        await this.edit(path, this.model.pick(["agent-1", "person"]));
        await this.commitAll();
      }
      if ((await this.ground.tryGit("stash", "pop", "-q")).ok) {
        for (const [name, version] of before)
          if (this.ground.read(name) === version.map(({ text }) => `${text}\n`).join("")) this.model.set(name, version);
        this.ground.adopt();
      } else {
        await this.git("reset", "-q", "--hard");
        await this.git("stash", "drop", "-q");
        this.ground.adopt();
      }
    },
    rebase: () =>
      this.diverge(async (branch) => {
        await this.git("checkout", "-q", branch);
        if (!(await this.rewriting("rebase", "-q", "main"))) await this.git("rebase", "--abort");
        await this.git("checkout", "-q", "-B", "main");
      }),
    autosquash: async () => {
      await this.clean();
      await this.edits(2);
      await this.commitAll();
      await this.edits(1);
      await this.commitAll("fixup! commit");
      const base = (await this.git("rev-list", "--count", "HEAD")).trim();
      const back = Math.min(3, Number(base) - 1);
      if (back > 0 && !(await this.rewriting("rebase", "-q", "-i", "--autosquash", `HEAD~${back}`)))
        await this.git("rebase", "--abort");
      this.ground.adopt();
    },
    squash: () =>
      this.diverge(async (branch) => {
        await this.git("checkout", "-q", "main");
        if (!(await this.ground.tryGit("merge", "-q", "--squash", branch)).ok)
          return void (await this.git("reset", "-q", "--hard"));
        this.ground.adopt();
        await this.commit("-m", "squashed");
      }),
    merge: () =>
      this.diverge(async (branch) => {
        await this.git("checkout", "-q", "main");
        if (!(await this.ground.tryGit("merge", "-q", "--no-edit", branch)).ok) await this.git("merge", "--abort");
      }),
    pick: () =>
      this.diverge(async (branch) => {
        const commits = (await this.git("rev-list", "--reverse", `main..${branch}`)).split("\n").filter(Boolean);
        await this.git("checkout", "-q", "main");
        for (const commit of commits.slice(this.model.int(commits.length))) {
          const how = this.model.random() < 0.3 ? ["-x"] : [];
          if (!(await this.ground.tryGit("cherry-pick", ...how, commit)).ok) {
            await this.ground.tryGit("cherry-pick", "--abort");
            break;
          }
          await this.afterCommit();
        }
      }),
    revert: async () => {
      await this.clean();
      const commits = (await this.git("rev-list", "--min-parents=1", "--max-parents=1", "-3", "HEAD"))
        .split("\n")
        .filter(Boolean);
      if (!commits.length) return;
      if (!(await this.ground.tryGit("revert", "--no-edit", this.model.pick(commits))).ok)
        return void (await this.ground.tryGit("revert", "--abort"));
      await this.afterCommit();
      this.ground.adopt();
    },
    reset: async () => {
      await this.clean();
      const count = Number((await this.git("rev-list", "--count", "--first-parent", "HEAD")).trim());
      const back = Math.min(1 + this.model.int(2), count - 1);
      if (back < 1) return;
      await this.git("reset", "-q", this.model.pick(["--soft", "--mixed"]), `HEAD~${back}`);
      if (this.model.random() < 0.5) await this.edits(1);
      await this.commitAll();
    },
  };

  /** A branch with commits of its own, main with others; then what is done about it. */
  async diverge(then: (branch: string) => Promise<void>): Promise<void> {
    await this.clean();
    const branch = `b${++this.#branches}`;
    const start = new Map(this.model.files);
    await this.git("checkout", "-q", "-b", branch);
    for (let n = 1 + this.model.int(2); n > 0; n--) {
      await this.edits(2);
      await this.commitAll();
    }
    await this.git("checkout", "-q", "main");
    for (const [path, version] of start) this.model.set(path, version);
    this.model.settled();
    if (this.model.random() < 0.7) {
      await this.edits(1);
      await this.commitAll();
    }
    await then(branch);
    this.ground.adopt();
    this.model.settled();
  }

  async clean(): Promise<void> {
    await this.commitAll();
  }

  async edits(most: number): Promise<void> {
    for (let n = 1 + this.model.int(most); n > 0; n--)
      await this.edit(this.model.pick(this.paths), this.model.pick(["agent-1", "agent-1", "agent-2", "person"]));
  }

  async edit(path: string, who: string): Promise<void> {
    const before = this.ground.read(path);
    this.model.edit(path, who);
    this.ground.write(path);
    const after = this.ground.read(path);
    if (who === "person" || before === after) return;
    const author = { session: who, model: "claude-opus-5", tool: "Edit", toolUseId: `t${++this.#calls}` };
    await recordChanges(this.place, { ...author, intent: { id: `INT-${who}` } }, [{ path, before, after }], Date.now());
  }

  async commitAll(message = "commit"): Promise<void> {
    await this.commit("-a", "-m", message);
  }

  async commit(...args: string[]): Promise<void> {
    if (!this.hooks) keepSquash(this.place.folder, this.place.root, this.place.gitDir);
    if (!(await this.ground.tryGit("commit", "-q", ...args)).ok) return;
    await this.afterCommit();
    this.model.settled();
  }

  async afterCommit(): Promise<void> {
    if (this.hooks) return;
    const picked = join(this.place.gitDir, "picked");
    const head = join(this.place.gitDir, "CHERRY_PICK_HEAD");
    try {
      writeFileSync(head, readFileSync(picked));
      rmSync(picked);
    } catch {
      // no pick
    }
    await finaliseCommit(this.place, "HEAD", Date.now());
    rmSync(head, { force: true });
  }

  /** A command that rewrites commits. */
  async rewriting(...args: string[]): Promise<boolean> {
    const { ok } = await this.ground.tryGit(...args);
    if (this.hooks) return ok;
    rmSync(join(this.place.gitDir, "picked"), { force: true });
    if (ok && args[0] === "commit") await finaliseCommit(this.place, "HEAD", Date.now());
    const file = join(this.place.gitDir, "rewritten");
    let text = "";
    try {
      text = readFileSync(file, "utf8");
      rmSync(file);
    } catch {
      // nothing was rewritten
    }
    await carryOverNotes(this.place, parseRewritten(text), Date.now());
    return ok;
  }

  check(): Promise<void> {
    return withGit(this.place, async (git) => {
      const notes = new NotesStore(git);
      for (const path of this.paths) await this.#checkFile(git, notes, path);
    });
  }

  async #checkFile(git: TraceGit, notes: NotesStore, path: string): Promise<void> {
    assert.equal(this.ground.read(path), this.model.text(path), `seed ${this.seed}: the model lost ${path}`);
    const marked = await marksInTree(git, notes, this.place, path);
    this.model.files.get(path)!.forEach((line, i) => {
      const mark = marked!.marks[i]!;
      const said = isRecord(mark) ? marked!.authors[mark]!.session! : mark === outside ? "person" : undefined;
      if (said && !line.by.has(said))
        this.tally.wrong.push(
          `seed ${this.seed} ${path}:${i + 1} "${line.text}" by ${[...line.by]} said ${said}; ${this.log.join(" ")}`,
        );
      if (line.by.size !== 1 || line.by.has("person")) return;
      this.tally[line.common ? "commonLines" : "agentLines"]++;
      const favourite = (this.tally.favourites[this.favourite] ??= [0, 0]);
      if (!line.common) favourite[0]++;
      if (!line.common && said) favourite[1]++;
      if (said) this.tally[line.common ? "commonAttributed" : "attributed"]++;
      if (!said && !line.common && process.env["INTERLOCK_FUZZ_SHOW"])
        console.log(`lost: seed ${this.seed} ${path}:${i + 1} "${line.text}" mark "${mark}"; ${this.log.join(" ")}`);
    });
  }
}

async function playAll(seeds: readonly number[], hooks: boolean, operations: number): Promise<Tally> {
  const tally = newTally();
  const waiting = [...seeds];
  const one = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const sequence = new Sequence(seed, hooks, tally);
      try {
        await sequence.play(operations);
      } catch (error) {
        throw new Error(`seed ${seed}, after ${sequence.log.join(" ")}: ${(error as Error).message}`, { cause: error });
      }
      if (!process.env["INTERLOCK_FUZZ_SHOW"]) rmSync(sequence.place.root, { recursive: true, force: true });
    }
  };
  await Promise.all([one(), one(), one()]);
  return tally;
}

function report(t: { diagnostic(text: string): void }, name: string, tally: Tally): void {
  const share = (a: number, b: number) => `${((100 * a) / Math.max(1, b)).toFixed(2)} % of ${b}`;
  t.diagnostic(
    `${name}: ${tally.wrong.length} wrong; ${share(tally.attributed, tally.agentLines)} agent lines attributed`,
  );
  t.diagnostic(
    `repeated lines ("}"): ${share(tally.commonAttributed, tally.commonLines)} attributed, the rest unknown`,
  );
  for (const [name, [lines, attributed]] of Object.entries(tally.favourites)) {
    t.diagnostic(`mostly ${name}: ${share(attributed, lines)} attributed`);
    assert.ok(lines < 40 || attributed >= 0.98 * lines, `mostly ${name}: ${attributed} of ${lines}`);
  }
  t.diagnostic(`operations: ${JSON.stringify(tally.operations)}`);
  assert.deepEqual(tally.wrong.slice(0, 10), []);
  assert.ok(given || tally.agentLines > 60, "the sequences left too few lines to say anything");
  assert.ok(tally.attributed >= 0.98 * tally.agentLines, `${tally.attributed} of ${tally.agentLines} attributed`);
}

const given = process.env["INTERLOCK_FUZZ_SEED"];
const count = nightly ? 1_500 : Number(process.env["INTERLOCK_FUZZ_COUNT"] ?? 96);
const operations = nightly ? 12 : Number(process.env["INTERLOCK_FUZZ_OPERATIONS"] ?? 5);
const seedsFrom = (first: number, length: number) =>
  given ? [Number(given)] : Array.from({ length }, (_, k) => first + k);

test("no line of a wrong author, through the functions the hooks call", async (t) => {
  report(
    t,
    `${count} sequences`,
    await playAll(seedsFrom(Number(process.env["INTERLOCK_FUZZ_FIRST"] ?? 1), count), false, operations),
  );
});

test("no line of a wrong author, through the hooks of the built program", async (t) => {
  const some = nightly ? 60 : Number(process.env["INTERLOCK_FUZZ_HOOKS"] ?? 6);
  report(t, `${some} sequences with hooks`, await playAll(seedsFrom(100_001, some), true, operations));
});
