// Node's own modules that most hook calls do without, loaded when first used. Synchronous, which `await import()` is not.
import { createRequire } from "node:module";

/** As `os.homedir()` has it, which asks HOME first on all but Windows. */
export const homedir = (): string => (process.platform !== "win32" && process.env["HOME"]) || os().homedir();
export const os = (): typeof import("node:os") => createRequire("/")("node:os");
export const childProcess = (): typeof import("node:child_process") => createRequire("/")("node:child_process");
