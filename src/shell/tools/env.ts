// env and printenv: they run a command with other variables, or print the environment.
// Invariant: printing the environment shows every secret in it, so it is never quiet.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { assignment, tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";

/** Noted once a file of secrets was loaded: what this text knows of a variable may be one of them. */
export const secretsSourced = "secrets sourced";

export const environment = tools(
  "env",
  `
tool env genv
  style posix
  options i|ignore-environment u|unset= C|chdir= S|split-string= 0|null v|debug a|argv0= block-signal=?
    default-signal=? ignore-signal=? list-signal-handling P=
  otherwise do env
tool printenv
  options 0|null
  otherwise do printed
`,
  {
    env({ call, given, rest }, emit) {
      // A lone dash is -i.
      let words = rest[0]?.value === "-" ? rest.slice(1) : rest;
      const split = given.value("split-string");
      if (split && split.value === undefined) return emit.unknown("env -S: the text is not static");
      if (split) words = [...splitWords(split.value!), ...words];
      const set: Record<string, Arg> = {};
      while (words[0] && assignment(words[0], set)) words = words.slice(1);
      if (words.length) return emit.run(words, "run by env", { env: set, cwd: given.value("chdir") });
      if (given.has("null") || Object.keys(set).length === 0) printed(call, [], emit);
    },
    printed: ({ call, rest }: Use, emit) => printed(call, rest, emit),
  },
);

/** What `env -S` splits: blanks, quotes and backslashes. */
function splitWords(text: string): Arg[] {
  const unquoted = (word: string) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped);
  return [...text.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g)].map(([word]) => literal(unquoted(word)));
}

const secretName = /(SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|AUTH(?!OR))/i;

function printed(call: Invocation, names: readonly Arg[], emit: Emit): void {
  if (names.length) {
    const secret = names.some(({ value }) => value === undefined || secretName.test(value));
    if (secret) emit.hazard(hazard("secret-variable"), `${call.name} prints ${names[0]!.source}`);
    return;
  }
  if (call.notes?.has(secretsSourced))
    return emit.hazard(hazard("secret-variable"), `${call.name} prints what the file of secrets set`);
  const filtered = /^(grep|rg|egrep|awk|sed|cut|wc)$/.test(call.pipesTo ?? "");
  emit.hazard(
    hazard(filtered ? "environment-dump-filtered" : "environment-dump"),
    `${call.name} prints the whole environment`,
  );
}
