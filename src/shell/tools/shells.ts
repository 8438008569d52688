// The shells themselves: `bash -c text`, `sh -s`, `bash script`, and text that arrives on standard input.
// Invariant: text a shell will execute is followed when it is static and unknown when it is not.
import { type Hazard, hazard } from "../../model/hazards.js";
import { decodes, downloads } from "../analyze/output-sources.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { tools } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

/** Their text is no bash; what bash makes of it is only a part of the truth. */
const foreign = new Set(["fish", "csh", "tcsh"]);

/** What follows these is executed too, or read as a start-up file. */
const withFile = new Set(["--rcfile", "--init-file"]);

/** What they print comes out of an archive nobody looked into. */
const unpacks = /^(tar|bsdtar|unzip|7z|cpio|unrar)$/;
const carries = /^(nc|ncat|netcat|socat|telnet|openssl|gnutls-cli|websocat)$/;

export const shells = tools(
  "shells",
  `
tool sh bash dash ash zsh ksh mksh rbash fish csh tcsh
  style posix
  options a b c e f h i k l m n p r s t u v x B C D E H P T o= O= d= rcfile= init-file= login norc
    noprofile posix restricted verbose debugger dump-strings noediting command= init-command= no-config interactive
    private no-rcs no-execute features= debug=
  otherwise do shell
tool pwsh powershell pwsh.exe powershell.exe pwsh-preview
  style posix one-dash
  options c|command|Command e|ec|enc|encodedcommand|EncodedCommand f|file|File nop|noprofile|NoProfile sta mta l|login
    noni|noninteractive|NonInteractive nol|nologo|NoLogo noe|noexit|NoExit ep|ex|executionpolicy|ExecutionPolicy=
    w|windowstyle|WindowStyle= wd|workingdirectory|WorkingDirectory= inputformat|InputFormat= i|interactive
    outputformat|OutputFormat= settingsfile|SettingsFile= configurationname|ConfigurationName= v|version|Version h|help
  otherwise do powershell
`,
  {
    shell: ({ call }, emit) => shell(call, emit),
    powershell: ({ call }, emit) => powershell(call, emit),
  },
);

function shell(call: Invocation, emit: Emit): void {
  let at = 0;
  let commandText = false;
  let onlyReads = false;
  let fromInput = false;
  for (; at < call.args.length; at++) {
    const arg = call.args[at]!;
    const { value } = arg;
    if (value === undefined) break;
    if (value === "--" || value === "-") {
      at++;
      break;
    }
    if (value === "--help" || value === "--version") return;
    if (/^-[a-zA-Z]*n[a-zA-Z]*$/.test(value)) onlyReads = true;
    if (/^\+[a-zA-Z]*n[a-zA-Z]*$/.test(value)) onlyReads = false;
    if (value === "--command" && call.name === "fish") commandText = true;
    else if (withFile.has(value)) {
      const file = call.args[++at];
      if (file) emit.script(file, `${call.name} starts with it`, "shell");
    } else if (/^[-+][oO]$/.test(value)) at++;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(value)) {
      commandText = true;
      if (/[oO]/.test(value)) at++;
    } else if (/^-[a-zA-Z]*s[a-zA-Z]*$/.test(value)) fromInput = true;
    else if (/^-[a-zA-Z]*[oO]$/.test(value)) at++;
    else if (!/^[-+]/.test(value)) break;
  }
  const rest = call.args.slice(at);
  // `bash -n` checks the syntax and runs nothing.
  if (onlyReads) return;
  if (commandText) {
    const [text, ...positional] = rest;
    if (!text) return;
    if (foreign.has(call.name)) emit.unknown(`${call.name} reads its text in its own way`);
    return emit.shell(text, `${call.name} -c`, { positional });
  }
  const [file, ...args] = rest;
  if (file && !fromInput) return script(file, args, call, emit);
  input(call, rest, emit);
}

function script(file: Arg, args: Arg[], call: Invocation, emit: Emit): void {
  if (/^\/dev\/(stdin|fd\/0)$/.test(file.value ?? "")) return input(call, args, emit);
  if (file.process) {
    const { text, from } = file.process;
    const word: Arg = { source: file.source, value: text, prefix: text ?? "", from };
    return emit.shell(word, `${call.name} runs what a substitution prints`, { positional: [file, ...args] });
  }
  emit.script(file, `${call.name} runs ${file.source}`, "shell", args);
}

function input(call: Invocation, positional: Arg[], emit: Emit): void {
  const { stdin } = call;
  if (stdin.kind === "inherit") return;
  if (stdin.kind === "file") return script(stdin.path, positional, call, emit);
  const zero: Arg = { source: call.name, value: call.name, prefix: call.name };
  if (stdin.kind === "text") {
    const word: Arg = { source: "standard input", value: stdin.text, prefix: stdin.text };
    return emit.shell(word, `${call.name} runs its input`, { positional: [zero, ...positional] });
  }
  // What is known of it runs, whatever stands around it.
  if (stdin.pieces !== undefined) emit.shell(literal(stdin.pieces), `${call.name} runs its input`);
  const sources = stdin.sources ?? (stdin.from ? [stdin.from] : []);
  emit.unknown(`${call.name} runs what ${stdin.from ?? "a pipe"} prints`, hazardOfInput(call, sources, stdin.from));
}

function hazardOfInput(call: Invocation, sources: readonly string[], from = ""): { hazard?: Hazard } {
  if (sources.some(downloads)) return { hazard: hazard("download-and-run") };
  if (sources.some(decodes) || unpacks.test(from)) return { hazard: hazard("decode-and-run") };
  // Its orders come through a pipe and its answers go to another machine.
  return carries.test(call.pipesTo ?? "") ? { hazard: hazard("reverse-shell") } : {};
}

/** PowerShell: the text behind -Command is all that follows; a word without an option is a script's name. */
function powershell(call: Invocation, emit: Emit): void {
  for (let at = 0; at < call.args.length; at++) {
    const word = call.args[at]!;
    const option = /^[-/]([a-z]+)$/i.exec(word.value ?? "")?.[1]?.toLowerCase();
    const rest = call.args.slice(at + 1);
    if (word.value === "--help" || word.value === "--version" || /^(h|help|version|\?)$/.test(option ?? "")) return;
    if (option && isCut("encodedcommand", option, "e", "ec")) return encoded(rest[0], emit);
    if (option && isCut("command", option, "c")) return commands(rest, call, emit);
    if (option && isCut("file", option, "f")) return runs(rest, call, emit);
    if (option && /^(ex|ep|executionp|wo|wd|conf|set|inputf|outputf|custom|ps|w$|win)/.test(option)) at++;
    else if (!option && !/^--\w/.test(word.value ?? ""))
      return /\.ps1$/i.test(word.value ?? "")
        ? runs(call.args.slice(at), call, emit)
        : commands(call.args.slice(at), call, emit);
  }
  if (call.stdin.kind === "inherit") return;
  commands([{ source: "-", value: "-", prefix: "-" }], call, emit);
}

const isCut = (whole: string, option: string, ...short: string[]): boolean =>
  short.includes(option) || (option.length > 2 && whole.startsWith(option));

function commands(words: readonly Arg[], call: Invocation, emit: Emit): void {
  if (words.length === 1 && words[0]!.value === "-") {
    if (call.stdin.kind !== "text") return input({ ...call, args: [] }, [], emit);
    return emit.program({ source: "standard input", value: call.stdin.text, prefix: "" }, call.name, "powershell");
  }
  const value = words.some((word) => word.value === undefined) ? undefined : words.map((word) => word.value).join(" ");
  const from = words.flatMap((word) => word.from ?? []);
  // `"... $env:X $true"`: bash takes the names of PowerShell for its own; what was meant is judged as well.
  if (value === undefined && words.some((word) => /\$(?:env:|true\b|false\b|null\b|_\b)/i.test(word.source)))
    emit.program(literal(words.map(asMeant).join(" ")), `${call.name} -Command`, "powershell");
  emit.program({ source: call.name, value, prefix: "", from }, `${call.name} -Command`, "powershell");
}

const asMeant = ({ source }: Arg): string =>
  source.startsWith('"') ? source.replace(/^"|"$/g, "").replace(/\\(["\\$`])/g, "$1") : source;

function runs([file, ...args]: readonly Arg[], call: Invocation, emit: Emit): void {
  if (file) emit.script(file, `${call.name} runs ${file.source}`, "powershell", args);
}

function encoded(text: Arg | undefined, emit: Emit): void {
  const value = text?.value === undefined ? undefined : Buffer.from(text.value, "base64").toString("utf16le");
  if (value === undefined) return emit.unknown("PowerShell runs encoded text");
  emit.program({ source: "encoded text", value, prefix: value }, "PowerShell -EncodedCommand", "powershell");
}
