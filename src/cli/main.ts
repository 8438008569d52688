// Maps the command line to a command, loaded when it is wanted; one file per command.
// Invariant: stdout is data, stderr is for people, the exit codes are those of `interlock help`.

/** `event` is what a hook's entry has read from stdin already. */
export function runMain(argv: string[], event?: Buffer): void {
  dispatch(argv, event).then(
    (code) => {
      // A hook has written its answer. An orderly shutdown of Node would only make the agent wait.
      if (argv[0] === "hook") process.exit(code);
      process.exitCode = code;
    },
    async (error: unknown) => {
      const { report } = await import("./lib/help.js");
      process.exitCode = report(error);
    },
  );
}

async function dispatch(argv: string[], event: Buffer | undefined): Promise<number> {
  const [name, ...args] = argv;
  // The hot path: a hook needs no list of commands.
  if (name === "hook") return (await import("./commands/hook.js")).run(args, event);
  const { cliCommands: commands } = await import("./command-list.js");
  if (name === undefined || name === "help" || name === "--help" || name === "-h")
    return (await import("./lib/help.js")).help(commands, args[0]);
  if (name === "version" || name === "--version" || name === "-v") return (await import("./lib/help.js")).showVersion();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return (await import("./lib/help.js")).unknown(commands, name);
  return (await command.load()).run(args);
}
