// What can go wrong with the record, as errors that carry a sentence and a remedy.
// Invariant: every error that leaves src/store is a StoreFault; callers check `code`, people read `message` and
// `remedy`.

export type FaultCode =
  | "busy"
  | "full"
  | "read-only"
  | "denied"
  | "io"
  | "missing-home"
  | "newer-format"
  | "key-missing"
  | "nothing-authentic"
  | "bad-record"
  | "unsupported";

export class StoreFault extends Error {
  constructor(
    readonly code: FaultCode,
    message: string,
    readonly remedy: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
  }
}

/** The lock did not come free before the deadline; nothing was written. */
export class StoreBusy extends StoreFault {
  constructor(message: string) {
    super("busy", message, "Try again; `interlock doctor` shows which process holds the record.");
  }
}

/** No space, quota or file-size limit; what was half written has been taken back. */
export class StoreFull extends StoreFault {
  constructor(path: string, cause?: unknown) {
    super(
      "full",
      `No space left to write ${path}.`,
      "Free disk space (or quota); nothing else needs to be done.",
      cause,
    );
  }
}

/** Files exist but none of them is authentic: a person has to say how to go on. */
export class StoreLocked extends StoreFault {}

export const errno = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** Turns what the file system threw into a typed fault; faults pass through. */
export function asFault(error: unknown, doing: string, path: string): StoreFault {
  if (error instanceof StoreFault) return error;
  const code = errno(error);
  const say = (kind: FaultCode, why: string, remedy: string) =>
    new StoreFault(kind, `Cannot ${doing} ${path}: ${why}.`, remedy, error);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new StoreFull(path, error);
    case "EROFS":
      return say(
        "read-only",
        "the disk is mounted read-only",
        "Mount it writable, or set INTERLOCK_HOME to a folder on a writable disk.",
      );
    case "EACCES":
    case "EPERM":
      return say(
        "denied",
        "permission denied",
        "Give your user write access to that folder (it must belong to you, mode 0700), " +
          "or set INTERLOCK_HOME to one that is yours.",
      );
    case "ENOENT":
    case "ENOTDIR":
      return say(
        "missing-home",
        "the folder does not exist and cannot be made",
        "Create the folder, or set INTERLOCK_HOME to one that exists.",
      );
    case "ESTALE":
    case "ENOLCK":
    case "ENOTSUP":
      return say(
        "unsupported",
        `the file system refused (${code})`,
        "Set INTERLOCK_HOME to a folder on a local disk; network file systems do not keep the promises a record needs.",
      );
    case "EISDIR":
      return say("io", "a folder lies in its place", "Run `interlock doctor --fix`, which moves it away.");
    default:
      return say(
        "io",
        error instanceof Error ? error.message : String(error),
        "Check the disk (and `ulimit -n`), then run `interlock doctor`.",
      );
  }
}
