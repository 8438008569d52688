// interlock completion <shell>: a completion script, made from the commands and their usage texts.
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";

const shells = ["bash", "zsh", "fish"];

export const usage = `Usage: interlock completion bash|zsh|fish

  bash: interlock completion bash > ~/.local/share/bash-completion/completions/interlock
  zsh:  interlock completion zsh > a folder of your $fpath, as _interlock
  fish: interlock completion fish > ~/.config/fish/completions/interlock.fish
`;

interface Completed {
  name: string;
  summary: string;
  /** What may follow: sub-commands and options. */
  words: string[];
}

export async function run(args: string[]): Promise<number> {
  const { words } = parseOptions(args, {}, usage, "words");
  atMost(words, 1, usage);
  const [shell] = words;
  if (shell === undefined) throw new UsageError(`for which shell?\n${usage}`);
  if (!shells.includes(shell)) throw unknownWord("no completion for", shell, shells, usage);
  const commands = await completed();
  console.log({ bash, zsh, fish }[shell]!(commands));
  return 0;
}

async function completed(): Promise<Completed[]> {
  const { cliCommands } = await import("../command-list.js");
  const shown = Object.entries(cliCommands).filter(([, command]) => !command.plumbing);
  return Promise.all(
    shown.map(async ([name, { summary, load }]) => {
      const text = (await load()).usage ?? "";
      return { name, summary, words: [...new Set([...subCommands(name, text), ...optionsIn(text)])] };
    }),
  );
}

const optionsIn = (text: string): string[] => text.match(/--[a-z][a-z-]*/g) ?? [];

/** Words written out as alternatives, and those that follow the command's own name. */
function subCommands(name: string, text: string): string[] {
  const lines = [...text.matchAll(new RegExp(`interlock ${name} \\[?([a-z][a-z|-]*)`, "g"))];
  return lines.flatMap(([, words]) => words!.split("|")).filter((word) => !word.endsWith("-"));
}

const bash = (commands: readonly Completed[]): string => `# interlock completion bash
_interlock() {
  local word=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help version" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands
  .filter(({ words }) => words.length)
  .map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word")) ;;`)
  .join("\n")}
  esac
}
complete -o default -F _interlock interlock agent-interlock`;

const zsh = (commands: readonly Completed[]): string => `#compdef interlock agent-interlock
# interlock completion zsh
if (( CURRENT == 2 )); then
  local -a commands=(
${commands.map(({ name, summary }) => `    ${single(`${name}:${summary.replaceAll(":", "\\:")}`)}`).join("\n")}
  )
  _describe command commands
  return
fi
case $words[2] in
${commands
  .filter(({ words }) => words.length)
  .map(({ name, words }) => `  ${name}) compadd -- ${words.join(" ")} ;;`)
  .join("\n")}
esac
_files`;

const fish = (commands: readonly Completed[]): string =>
  [
    "# interlock completion fish",
    ...commands.flatMap(({ name, summary, words }) => [
      `complete -c interlock -n __fish_use_subcommand -f -a ${name} -d ${single(summary)}`,
      ...words.map((word) => {
        const after = `complete -c interlock -n "__fish_seen_subcommand_from ${name}"`;
        return word.startsWith("--") ? `${after} -l ${word.slice(2)}` : `${after} -a ${word}`;
      }),
    ]),
  ].join("\n");

const single = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "'\\''")}'`;
