// Reads commits from real git: ids, people after mailmap, both dates, the raw message and the changed files.
// Invariant: one `git log -z` per reading, free of anybody's settings; the hash of a message can be checked anywhere.
import { createHash } from "node:crypto";
import { askGit, type Question } from "../project/run-git.js";

/** A moment as git stores it. */
export interface GitMoment {
  /** Seconds since 1970. */
  seconds: number;
  /** The zone the person's machine was in, such as +0530. */
  offset: string;
}

export interface Person {
  name: string;
  email: string;
}

export interface CommittedFile {
  path: string;
  /** undefined for binary files. */
  added?: number;
  removed?: number;
}

export interface GitCommit {
  hash: string;
  parents: string[];
  author: Person;
  committer: Person;
  authored: GitMoment;
  committed: GitMoment;
  message: string;
  /** SHA-256 of the message bytes that `git log --encoding=UTF-8 --format=%B` prints. */
  messageHash: string;
  /** The message is neither UTF-8 nor in the encoding it names; it was read as windows-1252. */
  guessedEncoding?: true;
  /** The bytes of such a message. */
  raw?: Buffer;
  files: CommittedFile[];
}

export interface CommitHistory {
  commits: GitCommit[];
  /** What was followed. */
  refs: "HEAD" | "all";
  /** The commit HEAD points to; undefined in a repository without commits. */
  head?: string;
  branch?: string;
  /** A shallow clone: older commits exist and were not read. */
  shallow: boolean;
}

export class NoHistory extends Error {}

export interface HistoryQuestion {
  /** All refs (branches, tags, fetched pull requests) instead of HEAD. */
  all?: boolean;
  /** Only these: full hashes, `^<hash>` to leave out what it reaches. */
  revisions?: readonly string[];
}

/** Nobody's settings and no replaced object may change what is read; a history may be long. */
const patient: Question = {
  ms: 600_000,
  maxBytes: 0x7fff_ffff,
  env: { GIT_NO_REPLACE_OBJECTS: "1" },
};

const fields = ["%H", "%P", "%aN", "%aE", "%ad", "%cN", "%cE", "%cd", "%e", "%B"];
const logArguments = [
  ...["-c", "log.showSignature=false", "-c", "log.follow=false", "log", "-z", "--date=raw", "--encoding=UTF-8"],
  ...["--no-color", "--no-decorate", "--no-notes", "--no-ext-diff", "--no-textconv", "--no-renames"],
  `--format=${fields.join("%x00")}`,
];

/** Every commit, oldest first by author date; files are left empty, see `withFiles`. */
export function readCommits(root: string, { all, revisions }: HistoryQuestion = {}): CommitHistory {
  if (askGit(root, ["rev-parse", "--git-dir"]) === undefined)
    throw new NoHistory("this folder is not in a git repository, or git is missing");
  const shallow = word(root, "rev-parse", "--is-shallow-repository") === "true";
  const head = word(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  const branch = word(root, "symbolic-ref", "--quiet", "--short", "HEAD");
  const refs = all ? "all" : "HEAD";
  if (!head && !all) return { commits: [], refs, shallow, ...(branch && { branch }) };
  const log = askGit(root, [...logArguments, ...(revisions ?? (all ? ["--all"] : [head!])), "--"], patient);
  if (log === undefined) throw new NoHistory("git could not read the history; try: git log");
  return {
    commits: commitsIn(log).sort(byAuthorDate),
    refs,
    shallow,
    ...(head && { head }),
    ...(branch && { branch }),
  };
}

/** The same commits with their changed files; one more `git log` over these commits alone. */
export function withFiles(root: string, commits: readonly GitCommit[]): GitCommit[] {
  const wanted = commits.filter((c) => c.parents.length < 2);
  const found = new Map<string, CommittedFile[]>();
  for (let from = 0; from < wanted.length; from += batch) {
    const hashes = wanted.slice(from, from + batch).map((c) => c.hash);
    const log = askGit(root, [...logArguments, "--numstat", "--no-walk=unsorted", ...hashes, "--"], patient);
    for (const c of log ? commitsIn(log) : []) found.set(c.hash, c.files);
  }
  return commits.map((c) => ({ ...c, files: found.get(c.hash) ?? [] }));
}

/** Hashes given as arguments: far below any system's limit. */
const batch = 1000;

const word = (root: string, ...args: string[]): string | undefined =>
  askGit(root, args)?.toString().trim() || undefined;

const byAuthorDate = (a: GitCommit, b: GitCommit): number =>
  a.authored.seconds - b.authored.seconds ||
  a.committed.seconds - b.committed.seconds ||
  (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);

/** A token is a field, or one file of the commit before it; a message holds no NUL, so nothing else can look so. */
function commitsIn(log: Buffer): GitCommit[] {
  const tokens = split(log);
  const commits: GitCommit[] = [];
  for (let i = 0; i + fields.length <= tokens.length; ) {
    const commit = commitOf(tokens.slice(i, i + fields.length));
    i += fields.length;
    for (; i < tokens.length; i++) {
      const file = fileIn(tokens[i]!);
      if (!file) break;
      commit.files.push(file);
    }
    commits.push(commit);
  }
  return commits;
}

function split(log: Buffer): Buffer[] {
  const tokens: Buffer[] = [];
  let from = 0;
  for (let end = log.indexOf(0); end !== -1; end = log.indexOf(0, from)) {
    tokens.push(log.subarray(from, end));
    from = end + 1;
  }
  return tokens;
}

function commitOf(tokens: Buffer[]): GitCommit {
  const encoding = tokens[8]!.toString("latin1");
  const text = (i: number) => decoded(tokens[i]!, encoding).text;
  const message = decoded(tokens[9]!, encoding);
  return {
    hash: tokens[0]!.toString("latin1"),
    parents: tokens[1]!.toString("latin1").split(" ").filter(Boolean),
    author: { name: text(2), email: text(3) },
    authored: moment(tokens[4]!),
    committer: { name: text(5), email: text(6) },
    committed: moment(tokens[7]!),
    message: message.text,
    messageHash: createHash("sha256").update(tokens[9]!).digest("hex"),
    ...(message.guessed && { guessedEncoding: true as const, raw: Buffer.from(tokens[9]!) }),
    files: [],
  };
}

function moment(bytes: Buffer): GitMoment {
  const [, seconds = "0", offset = "+0000"] = /^(-?\d+)(?: ([+-]\d{4}))?/.exec(bytes.toString("latin1")) ?? [];
  return { seconds: Number(seconds), offset };
}

function decoded(bytes: Buffer, encoding: string): { text: string; guessed: boolean } {
  for (const name of ["utf-8", ...(encoding ? [encoding] : [])])
    try {
      return { text: new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes), guessed: false };
    } catch {
      // git could not convert it: an unknown encoding, or bytes that are not in it
    }
  return { text: new TextDecoder("windows-1252").decode(bytes), guessed: true };
}

/** Of `--numstat -z`: added, removed, path; the first one of a commit follows a line break. */
function fileIn(token: Buffer): CommittedFile | undefined {
  const match = /^\n?(\d+|-)\t(\d+|-)\t([^]+)$/.exec(token.toString("utf8"));
  if (!match) return undefined;
  const [, added, removed, path] = match;
  if (added === "-") return { path: path! };
  return { path: path!, added: Number(added), removed: Number(removed) };
}
