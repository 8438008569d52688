// The start of dist/hook.cjs: a hook that found no server decides in its own process.
// Invariant: holds only what a hook needs; every function more makes each hook start later.
import { run } from "./commands/hook.js";

/** `event` is what the entry has read from stdin already; `asked`: it was given to a server that did not answer. */
export function runHook(args: string[], event: Buffer | undefined, asked: boolean): void {
  run(args, event, asked).then(
    // The answer is written. An orderly shutdown of Node would only make the agent wait.
    (code) => process.exit(code),
    async (error: unknown) => {
      const { report } = await import("./lib/help.js");
      process.exitCode = report(error);
    },
  );
}
