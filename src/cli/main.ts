// Maps the command line to a command, loaded when it is wanted; one file per command. Hooks start in hook-main.ts.
// Invariant: stdout is data, stderr is for people, the exit codes are those of `interlock help`.

export function runMain(argv: string[]): void {
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

async function dispatch(argv: string[]): Promise<number> {
  const [name, ...args] = argv;
  const { cliCommands: commands } = await import("./command-list.js");
  if (name === undefined || name === "help" || name === "--help" || name === "-h")
    return (await import("./lib/help.js")).help(commands, args[0]);
  if (name === "version" || name === "--version" || name === "-v") return (await import("./lib/help.js")).showVersion();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return (await import("./lib/help.js")).unknown(commands, name);
  return (await command.load()).run(args);
}
