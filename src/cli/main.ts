// Maps the command line to a lazily imported command; one file per command.
// Invariant: only the wanted command is loaded; data goes to stdout, messages to stderr; `interlock help` documents
// the exit codes.
async function main(argv: string[]): Promise<number> {
  const [name, ...args] = argv;
  // Every hook without a server comes this way; it needs no list of commands.
  if (name === "hook") return (await import("./commands/hook.js")).run(args);
  const { cliCommands: commands } = await import("./command-list.js");
  if (name === undefined || name === "help" || name === "--help" || name === "-h")
    return (await import("./lib/help.js")).help(commands, args[0]);
  if (name === "version" || name === "--version" || name === "-v") return (await import("./lib/help.js")).showVersion();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return (await import("./lib/help.js")).unknown(commands, name);
  return (await command.load()).run(args);
}

main(process.argv.slice(2)).then(
  (code) => {
    // The hook has already written its answer synchronously; exit at once so that the agent does not wait.
    if (process.argv[2] === "hook") process.exit(code);
    process.exitCode = code;
  },
  async (error: unknown) => {
    const { report } = await import("./lib/help.js");
    process.exitCode = report(error);
  },
);
