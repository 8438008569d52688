// Node modules that most hook calls do not need, loaded on first use. Synchronous, which `await import()` is not.
// Before Node 20.16 cli/entry.ts provides `process.getBuiltinModule`.

/** As `os.homedir()` has it, which asks HOME first on all but Windows. */
export const homedir = (): string => (process.platform !== "win32" && process.env["HOME"]) || os().homedir();
export const os = (): typeof import("node:os") => process.getBuiltinModule("node:os");
export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");
export const childProcess = (): typeof import("node:child_process") => process.getBuiltinModule("node:child_process");
