// The fuzzer's own model of who typed which line, and the repository it plays in. It shares no code with src/trace: it
// knows each line by the keystroke that made it, not by comparing texts.
// Where git alone decides what a file looks like (a merge, a rebase), a line with a text of its own is known by that
// text; a repeated one ("}") only where it stands in the same run between the same neighbours, else it is not judged.
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface TypedLine {
  text: string;
  /** Whoever may rightly be named; everybody for a line that can't be judged. */
  by: ReadonlySet<string>;
  common: boolean;
}

export type Version = readonly TypedLine[];

export const commons = ["}", "", "  }", "  return;", "});", "{", "end", "]", "  {", "else", ");", "],"];
export const everybody: ReadonlySet<string> = new Set(["agent-1", "agent-2", "person"]);

/** Commits that an amend, autosquash, squash or reset of the fuzzer can join into one. */
const reach = 5;

interface Pending {
  deleted: Set<string>;
  inserted: Set<string>;
}

/** Looks into the last commits, adds to this one only. */
class Joined extends Set<string> {
  constructor(
    private readonly own: Set<string>,
    private readonly older: readonly string[],
  ) {
    super();
  }

  override has(text: string): boolean {
    return this.own.has(text) || this.older.includes(text);
  }

  override add(text: string): this {
    this.own.add(text);
    return this;
  }
}

export class TypingModel {
  readonly files: Map<string, Version> = new Map();
  readonly #unique = new Map<string, TypedLine>();
  readonly #seen = new Map<string, Version[]>();
  #generations: Map<string, Pending>[] = [new Map()];
  #count = 0;

  constructor(readonly random: () => number) {}

  int(below: number): number {
    return Math.floor(this.random() * below);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)]!;
  }

  text(path: string): string {
    return (this.files.get(path) ?? []).map(({ text }) => `${text}\n`).join("");
  }

  set(path: string, version: Version): void {
    this.files.set(path, version);
    const seen = this.#seen.get(path) ?? [];
    seen.push(version);
    this.#seen.set(path, seen);
  }

  /** One or two places of a file are changed by somebody. */
  edit(path: string, who: string): void {
    let lines = [...(this.files.get(path) ?? [])];
    const pending = this.#recent(path);
    for (let hunks = 1 + this.int(2); hunks > 0; hunks--) lines = this.#hunk(lines, who, pending);
    this.set(path, lines);
  }

  /** A line that is deleted and typed again with the same text within one commit, or within commits that are squashed
   * into one later, can't be told from one that stayed, by anybody who sees texts: such pairs are made only inside one
   * hunk, where either author is right. */
  #hunk(lines: TypedLine[], who: string, pending: Pending): TypedLine[] {
    const at = this.int(lines.length + 1);
    let count = Math.min(this.int(4), lines.length - at);
    for (let k = 0; k < count; k++) if (lines[at + k]!.common && pending.inserted.has(lines[at + k]!.text)) count = k;
    const gone = lines.slice(at, at + count);
    const added: TypedLine[] = [];
    for (let n = this.int(5); n > 0; n--) {
      const fresh = this.#type(who, gone, pending);
      if (fresh) added.push(fresh);
    }
    for (const { common, text } of gone) if (common) pending.deleted.add(text);
    for (const { common, text } of added) if (common) pending.inserted.add(text);
    return [...lines.slice(0, at), ...added, ...lines.slice(at + count)];
  }

  #type(who: string, gone: readonly TypedLine[], pending: Pending): TypedLine | undefined {
    if (this.random() < 0.65) {
      const n = ++this.#count;
      const line = {
        text: `  const value${n} = compute(${n}, "${who}");`.replace(who, `k${n}`),
        by: new Set([who]),
        common: false,
      };
      this.#unique.set(line.text, line);
      return line;
    }
    const text = this.pick(commons);
    if (pending.deleted.has(text)) return undefined;
    const retyped = gone.filter((line) => line.text === text);
    return { text, common: true, by: new Set([who, ...retyped.flatMap(({ by }) => [...by])]) };
  }

  /** A commit was made. After some more of them no rewrite reaches back here: what is deleted and typed then is another
   * comparison. */
  settled(): void {
    this.#generations.push(new Map());
    if (this.#generations.length > reach) this.#generations.shift();
  }

  /** What was deleted and typed in the last commits; edits of now are added to it. */
  #recent(path: string): Pending {
    const now = this.#generations.at(-1)!;
    const own = now.get(path) ?? { deleted: new Set<string>(), inserted: new Set<string>() };
    now.set(path, own);
    const older = this.#generations.slice(0, -1).flatMap((generation) => generation.get(path) ?? []);
    return {
      deleted: new Joined(
        own.deleted,
        older.flatMap(({ deleted }) => [...deleted]),
      ),
      inserted: new Joined(
        own.inserted,
        older.flatMap(({ inserted }) => [...inserted]),
      ),
    };
  }

  /** Git made this text: who typed its lines, as far as can be said. */
  adopt(path: string, text: string): void {
    const lines = text.split("\n").slice(0, -1);
    const known = this.#seen.get(path) ?? [];
    const same = [...known]
      .reverse()
      .filter((v) => v.length === lines.length && v.every((l, i) => l.text === lines[i]));
    const version = lines.map((line, j): TypedLine => {
      const unique = this.#unique.get(line);
      if (unique) return unique;
      const runs = same.length ? same.map((v) => v[j]!) : this.#inRun(known, lines, j);
      if (!runs.length) return { text: line, common: true, by: everybody };
      return { text: line, common: true, by: new Set(runs.flatMap(({ by }) => [...by])) };
    });
    this.set(path, version);
  }

  /** The same repeated line in the same run between the same two unique lines of a version. */
  #inRun(known: readonly Version[], lines: readonly string[], j: number): TypedLine[] {
    let from = j;
    while (from >= 0 && !this.#unique.has(lines[from]!)) from--;
    let to = j;
    while (to < lines.length && !this.#unique.has(lines[to]!)) to++;
    const run = lines.slice(Math.max(0, from), to + 1);
    return known.flatMap((version) => {
      const start = from < 0 ? 0 : version.findIndex(({ text }) => text === lines[from]);
      if (start < 0 || !run.every((text, k) => version[start + k]?.text === text)) return [];
      if (to >= lines.length && version.length !== start + run.length) return [];
      return [version[start + j - Math.max(0, from)]!];
    });
  }
}

/** A real repository with the model's files. */
export class PlayGround {
  constructor(
    readonly root: string,
    readonly model: TypingModel,
  ) {}

  async git(...args: string[]): Promise<string> {
    return (await this.tryGit(...args)).orThrow();
  }

  async tryGit(...args: string[]): Promise<{ ok: boolean; orThrow(): string }> {
    const env = {
      PATH: process.env["PATH"],
      HOME: this.root,
      GIT_SEQUENCE_EDITOR: ":",
      GIT_EDITOR: ":",
      ...this.extra,
    };
    try {
      const { stdout } = await run("git", ["-c", "gc.auto=0", ...args], { cwd: this.root, env, encoding: "utf8" });
      return { ok: true, orThrow: () => stdout };
    } catch (error) {
      return {
        ok: false,
        orThrow: () => {
          throw error;
        },
      };
    }
  }

  extra: Record<string, string> = {};

  write(path: string): void {
    mkdirSync(this.root, { recursive: true });
    writeFileSync(join(this.root, path), this.model.text(path));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** Takes over what git left in the work tree. */
  adopt(): void {
    for (const path of this.model.files.keys()) {
      const text = this.read(path);
      if (text !== this.model.text(path)) this.model.adopt(path, text);
    }
  }
}
