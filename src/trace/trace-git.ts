// Git for traces: objects through one process, tree differences and notes in batches.
// Invariant: a constant number of git processes per operation, whatever the number of commits; no hook of the
// repository runs; names and texts are data, never options.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { childProcess } from "../project/node-builtins.js";
import { followable, mostBytes } from "./working-log.js";

export interface GitPlace {
  root: string;
  /** GIT_DIR and the like, where a hook was given them. */
  env?: Readonly<Record<string, string>>;
}

export interface FileChange {
  path: string;
  /** The path before a rename. */
  from?: string;
  /** Undefined: the file was added, or deleted. */
  oldBlob?: string;
  newBlob?: string;
}

interface GitObject {
  oid: string;
  type: string;
  data: Buffer;
}

export interface CommitInfo {
  oid: string;
  parents: string[];
  author: string;
  message: string;
}

const quiet = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0"];
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "SystemRoot", "USERPROFILE", "TMPDIR"];

export class TraceGit {
  #objects: ObjectReader | undefined;

  constructor(readonly place: GitPlace) {}

  /** Runs one git command; undefined when it failed. */
  run(args: readonly string[], input?: string | Buffer): Promise<Buffer | undefined> {
    const git = start(this.place, args);
    const parts: Buffer[] = [];
    git.stdout.on("data", (part: Buffer) => parts.push(part));
    git.stdin.on("error", () => {}); // it ended early: its exit code says so
    git.stdin.end(input ?? "");
    return new Promise((resolve) => {
      git.on("error", () => resolve(undefined));
      git.on("close", (code) => resolve(code === 0 ? Buffer.concat(parts) : undefined));
    });
  }

  async text(args: readonly string[], input?: string): Promise<string | undefined> {
    return (await this.run(args, input))?.toString("utf8");
  }

  /** An object by name, such as `HEAD:src/a.ts`; undefined when there is none. */
  object(name: string): Promise<GitObject | undefined> {
    if (/[\n\0]/.test(name)) return Promise.resolve(undefined);
    this.#objects ??= new ObjectReader(start(this.place, ["cat-file", "--batch"]));
    return this.#objects.ask(name);
  }

  /** The lines of a blob that can be followed. */
  async lines(name: string): Promise<string[] | undefined> {
    const found = await this.object(name);
    return found?.type === "blob" && found.data.length <= mostBytes
      ? followable(found.data.toString("utf8"))
      : undefined;
  }

  async commit(name: string): Promise<CommitInfo | undefined> {
    const found = await this.object(`${name}^{commit}`);
    if (found?.type !== "commit") return undefined;
    const text = found.data.toString("utf8");
    const end = text.indexOf("\n\n");
    const head = end < 0 ? text : text.slice(0, end);
    return {
      oid: found.oid,
      parents: [...head.matchAll(/^parent (\S+)$/gm)].map(([, oid]) => oid!),
      author: /^author (.*)$/m.exec(head)?.[1] ?? "",
      message: end < 0 ? "" : text.slice(end + 2),
    };
  }

  /** The files that differ between each pair; without a parent, all files of the commit. */
  async changes(pairs: readonly { commit: string; parent?: string }[]): Promise<FileChange[][]> {
    if (!pairs.length) return [];
    const input = pairs.map(({ commit, parent }) => (parent ? `${commit} ${parent}\n` : `${commit}\n`)).join("");
    const args = ["diff-tree", "--stdin", "--always", "--root", "-r", "-M", "-z", "--raw", "--no-abbrev"];
    const fields = (await this.text(args, input))?.split("\0") ?? [];
    const found: FileChange[][] = [];
    for (let k = 0; k < fields.length; k++) {
      const field = fields[k]!.trim();
      const raw = /^:\d+ (\d+) (\S+) (\S+) ([A-Z])/.exec(field);
      if (!raw) {
        if (field) found.push([]);
        continue;
      }
      const [, mode, old, now, status] = raw as unknown as [string, string, string, string, string];
      const first = fields[++k]!;
      const path = status === "R" || status === "C" ? fields[++k]! : first;
      if (mode === "120000" || mode === "160000") continue; // links and submodules have no lines
      found.at(-1)?.push({
        path,
        ...(path !== first && { from: first }),
        ...(!/^0+$/.test(old) && { oldBlob: old }),
        ...(!/^0+$/.test(now) && { newBlob: now }),
      });
    }
    return found;
  }

  /** Commits, newest first, with their parents. */
  async revisions(args: readonly string[], paths: readonly string[] = []): Promise<Map<string, string[]>> {
    const list = await this.text([
      "--literal-pathspecs",
      "rev-list",
      "--parents",
      "--topo-order",
      ...args,
      ...(paths.length ? ["--", ...paths] : ["--"]),
    ]);
    const found = new Map<string, string[]>();
    for (const line of list?.split("\n") ?? []) {
      const [commit, ...parents] = line.split(" ");
      if (commit) found.set(commit, parents);
    }
    return found;
  }

  close(): void {
    this.#objects?.close();
    this.#objects = undefined;
  }
}

/** With git for the time of the work. */
export async function withGit<T>(place: GitPlace, work: (git: TraceGit) => Promise<T>): Promise<T> {
  const git = new TraceGit(place);
  try {
    return await work(git);
  } finally {
    git.close();
  }
}

function start({ root, env }: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  const own: NodeJS.ProcessEnv = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", ...env };
  for (const name of passedOn) if (process.env[name] !== undefined) own[name] = process.env[name];
  return childProcess().spawn("git", [...quiet, ...args], { cwd: root, env: own, windowsHide: true });
}

/** `git cat-file --batch`: one question, one answer, in order. */
class ObjectReader {
  #waiting: ((found: GitObject | undefined) => void)[] = [];
  #parts: Buffer[] = [];
  #have = 0;
  #need = 0;
  #head: { oid: string; type: string; size: number } | undefined;
  #ended = false;

  constructor(private readonly git: ChildProcessWithoutNullStreams) {
    git.stdout.on("data", (part: Buffer) => this.#take(part));
    git.stdin.on("error", () => this.#end());
    git.on("error", () => this.#end());
    git.on("close", () => this.#end());
  }

  ask(name: string): Promise<GitObject | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.git.stdin.write(`${name}\n`);
    });
  }

  close(): void {
    this.git.stdin.end();
  }

  #end(): void {
    this.#ended = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#have += part.length;
    while (this.#have > 0 && this.#have >= this.#need) if (!this.#step()) return;
  }

  /** Reads a head or a body; false when more bytes are needed. */
  #step(): boolean {
    const all = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [all];
    if (this.#head) {
      const { oid, type, size } = this.#head;
      this.#keep(all.subarray(size + 1));
      this.#head = undefined;
      this.#need = 0;
      this.#waiting.shift()?.({ oid, type, data: Buffer.from(all.subarray(0, size)) });
      return true;
    }
    const end = all.indexOf(10);
    if (end < 0) return false;
    const found = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(all.toString("utf8", 0, end));
    this.#keep(all.subarray(end + 1));
    if (found) {
      this.#head = { oid: found[1]!, type: found[2]!, size: Number(found[3]) };
      this.#need = this.#head.size + 1;
    } else this.#waiting.shift()?.(undefined);
    return true;
  }

  #keep(rest: Buffer): void {
    this.#parts = rest.length ? [rest] : [];
    this.#have = rest.length;
  }
}
