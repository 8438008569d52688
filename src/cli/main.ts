// Maps the command line to a command, loaded when it is wanted; one file per command. Hooks start in hook-main.ts.
// Invariant: stdout is data, stderr is for people, the exit codes are those of `interlock help`.

export function runMain(argv: string[]): void {
  process.stdout.on("error", endWithReader);
  dispatch(argv).then(
    (code) => {
      process.exitCode = code;
    },
    async (error: unknown) => {
      const { report } = await import("./lib/help.js");
      process.exitCode = report(error);
    },
  );
}

/** `interlock ... | head` closes the pipe early: nobody reads the rest, and that is no error. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit();
}

async function dispatch(argv: string[]): Promise<number> {
  const [name, ...args] = argv;
  const { cliCommands: commands, helpGroups } = await import("./command-list.js");
  if (name === undefined || name === "help" || name === "--help" || name === "-h")
    return (await import("./lib/help.js")).help(commands, helpGroups, args[0]);
  if (name === "version" || name === "--version" || name === "-v") return (await import("./lib/help.js")).showVersion();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return (await import("./lib/help.js")).unknown(commands, name);
  return (await command.load()).run(args);
}
