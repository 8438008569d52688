// The man page, made from the list of commands and their usage texts. Invariant: `man` shows each line as written.

/** For one line of text: a backslash, a hyphen and a leading control character are no requests to roff. */
const roff = (line) =>
  line
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");

const asWritten = (text) => [".nf", ...text.trimEnd().split("\n").map(roff), ".fi"];

export async function manPage(commands) {
  const entries = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { usage } = await load();
      return [
        `.SS ${roff(name)}`,
        roff(`${summary[0].toUpperCase()}${summary.slice(1)}.`),
        ...(usage ? [".PP"] : []),
      ].concat(usage ? asWritten(usage) : []);
    }),
  );
  const lines = [
    '.\\" generated from src/cli/command-list.ts by scripts/generate.mjs',
    ".TH INTERLOCK 1",
    ".SH NAME",
    "interlock \\- makes a coding agent's process enforceable",
    ".SH SYNOPSIS",
    ".B interlock",
    ".I command",
    "[options]",
    ".br",
    ".B interlock help",
    "[command]",
    ".SH DESCRIPTION",
    "Interlock sits on the hooks of a coding agent. It refuses calls that the project's process does not allow yet,",
    "names the one next step, and keeps a record that can be verified. Installed by",
    '.BR "interlock init" ;',
    "removed by",
    '.BR "interlock uninstall" .',
    ".SH COMMANDS",
    ...entries.flat(),
    ".SH EXIT STATUS",
    "0 fine, 1 findings, 2 wrong usage, 3 internal error, 4 tampering, 5 degraded.",
    ".SH ENVIRONMENT",
    ".TP",
    ".B INTERLOCK_HOME",
    "The folder of state, record and key. Default: interlock in the XDG state folder.",
    ".TP",
    ".B NO_COLOR",
    "No colours.",
    ".SH FILES",
    ".TP",
    ".I interlock.yaml",
    "The project's configuration.",
    ".TP",
    ".I ~/.config/interlock/interlock.yaml",
    "Your own configuration.",
  ];
  return `${lines.join("\n")}\n`;
}
