// Node's own modules that most hook calls do without, loaded when first used. Synchronous, which `await import()` is not.
import { createRequire } from "node:module";

export const childProcess = (): typeof import("node:child_process") => createRequire("/")("node:child_process");
