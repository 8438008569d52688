// Runs git without locking the user's index and without running programs the repository names.
// Invariant: no hook, file-system monitor, pager, editor or prompt is started; a failure is undefined, not a throw.
import { childProcess } from "./node-builtins.js";

const QUIET = ["--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

export interface Question {
  /** Milliseconds before git is given up. */
  ms?: number;
  maxBytes?: number;
  /** Variables beside the few that git gets. */
  env?: Readonly<Record<string, string>>;
  /** What git reads on its standard input. */
  input?: string;
}

const optionsFor = (cwd: string, { env, ms, maxBytes }: Question) =>
  ({
    cwd,
    env: { ...quietEnvironment(), ...env },
    timeout: ms ?? 2_000,
    killSignal: "SIGKILL",
    maxBuffer: maxBytes ?? 64 << 20,
    windowsHide: true,
  }) as const;

export function askGit(cwd: string, args: readonly string[], question: Question = {}): Buffer | undefined {
  try {
    return childProcess().execFileSync("git", [...QUIET, ...args], {
      ...optionsFor(cwd, question),
      ...(question.input !== undefined && { input: question.input }),
      stdio: [question.input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
    });
  } catch {
    return undefined; // no git, no repository, not its owner, too slow: the caller has another way or says so
  }
}

/** What git had said when its time was over, and whether that is all. Undefined where it could not be asked. */
export function askGitPartly(
  cwd: string,
  args: readonly string[],
  question: Question = {},
): { output: Buffer; complete: boolean } | undefined {
  const { stdout, status, signal, error } = childProcess().spawnSync("git", [...QUIET, ...args], {
    ...optionsFor(cwd, question),
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (status === 0) return { output: stdout, complete: true };
  const stopped = signal !== null || ["ETIMEDOUT", "ENOBUFS"].includes((error as { code?: string })?.code ?? "");
  return stopped && stdout ? { output: stdout, complete: false } : undefined;
}

/** The answer of a `-z` question. */
export function askGitList(cwd: string, args: readonly string[], question?: Question): string[] | undefined {
  return listOf(askGit(cwd, args, question));
}

/** The same, asynchronous: other work and other questions go on meanwhile. */
export function askGitListBeside(
  cwd: string,
  args: readonly string[],
  question: Question,
): Promise<string[] | undefined> {
  return new Promise((resolve) => {
    const { maxBuffer, timeout, ...options } = optionsFor(cwd, question);
    const git = childProcess().spawn("git", [...QUIET, ...args], { ...options, stdio: ["ignore", "pipe", "ignore"] });
    const parts: Buffer[] = [];
    let bytes = 0;
    git.stdout.on("data", (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > maxBuffer) git.kill("SIGKILL");
    });
    // Not the option `timeout` of spawn: its timer keeps the process alive when git could not be started.
    const late = setTimeout(() => git.kill("SIGKILL"), timeout);
    const end = (list?: string[]) => {
      clearTimeout(late);
      resolve(list);
    };
    git.on("error", () => end()); // no git, or no such folder
    git.on("close", (code) => end(code === 0 ? listOf(Buffer.concat(parts)) : undefined));
  });
}

const listOf = (answer: Buffer | undefined): string[] | undefined =>
  answer?.toString("utf8").split("\0").filter(Boolean);

/** Nothing a session exported may redirect git (GIT_DIR, GIT_INDEX_FILE, GIT_EXTERNAL_DIFF, ...). */
function quietEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
  };
  for (const name of ["PATH", "HOME", "XDG_CONFIG_HOME", "SystemRoot", "USERPROFILE", "TMPDIR"])
    if (process.env[name] !== undefined) env[name] = process.env[name];
  return env;
}
