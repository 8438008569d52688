// Asks git without a lock on what the user works with and without running what the repository names.
// Invariant: no hook, file-system monitor, pager, editor or prompt is started; a failure is undefined, not a throw.
import { childProcess } from "./builtin.js";

const QUIET = ["--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

export interface Question {
  /** Milliseconds before git is given up. */
  ms?: number;
  maxBytes?: number;
  /** Variables beside the few that git gets. */
  env?: Readonly<Record<string, string>>;
}

export function askGit(cwd: string, args: readonly string[], question: Question = {}): Buffer | undefined {
  try {
    return childProcess().execFileSync("git", [...QUIET, ...args], {
      cwd,
      env: { ...quietEnvironment(), ...question.env },
      timeout: question.ms ?? 2_000,
      killSignal: "SIGKILL",
      maxBuffer: question.maxBytes ?? 64 << 20,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
  } catch {
    return undefined; // no git, no repository, not its owner, too slow: the caller has another way or says so
  }
}

/** The answer of a `-z` question. */
export function askGitList(cwd: string, args: readonly string[], question?: Question): string[] | undefined {
  return askGit(cwd, args, question)?.toString("utf8").split("\0").filter(Boolean);
}

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
