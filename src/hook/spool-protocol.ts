// The spool: a folder through which hooks ask the server using files only. What both sides know; loads nothing.
// Invariant: a request belongs to whoever unlinks it, so a late server and a caller that gave up never both decide.

/** Spoken between hooks, supervisor and worker; another number means: decide yourself. */
export const protocol = 1;

export const spoolFolder = (home: string): string => `${home}/server/spool`;

/** Rung with the caller's name, in one line. */
export const bellIn = (folder: string): string => `${folder}/bell`;

/** Says which process reads the bell, and what a caller must know of it. */
export const noticeIn = (folder: string): string => `${folder}/server`;

/** A caller's name is its process id: `<name>.q` is the request, `<name>.a` the place of the answer, made last. */
export const callerName = /^[1-9]\d{0,9}$/;

export interface Notice {
  /** Variables of the agent's environment that travel with a request. */
  travel: string[];
  /** Where the server looks for the user's files; a caller that would look elsewhere decides by itself. */
  same: Record<string, string | undefined>;
}

/** Variables that say where the user's files are. */
export const bearings = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

/** What decoding and the doors read themselves, besides what gates ask for. */
export const always = ["CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SESSION_ID", "INTERLOCK_REENTRY", "PWD"];
