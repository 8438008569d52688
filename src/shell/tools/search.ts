// Searching and querying: grep and its kin, fd, jq, yq.
// Invariant: what a search can print is a read; a preprocessor or a command per match is run, not printed.
import { downloads } from "../analyze/output-sources.js";
import type { Arg, Emit, ToolFamily } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";
import { fill } from "./find.js";
import { asksHelp, families, isStream } from "./table.js";
import { fdMatches } from "./walks.js";

const grepLike = {
  names: [
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "ggrep",
    "rgrep",
    "pcregrep",
    "pcre2grep",
    "ugrep",
    "ug",
    "ag",
    "ack",
    "pt",
    "sift",
    "rg",
    "ripgrep",
    "rga",
  ],
  grammar: syntax(
    "e|regexp= f|file= exclude-from= A|after-context= B|before-context= C|context= m|max-count= d|directories= D|devices= include= exclude= exclude-dir= label= color=? colour=? binary-files= r|recursive R|dereference-recursive " +
      "g|glob= iglob= t|type= T|type-not= type-add= M|max-columns= j|threads= max-depth= E|encoding= ignore-file= path-separator= pre= pre-glob= r-replace= replace= sort= sortr= engine= G|file-search-regex= ignore= depth= hostname-bin= files l|files-with-matches L|files-without-match q|quiet c|count hidden " +
      "n|line-number i|ignore-case v|invert-match w|word-regexp x|line-regexp o|only-matching s|no-messages h|no-filename H|with-filename " +
      "P|perl-regexp F|fixed-strings a|text I U|binary z|null-data Z|null y b|byte-offset extended-regexp",
  ),
};

const grep: ToolFamily = {
  names: grepLike.names,
  lower(call, emit) {
    if (asksHelp(call)) return;
    const ripgrep = call.name === "rg" || call.name === "ripgrep" || call.name === "rga";
    const given = parse(call.args, ripgrep ? ripgrepSyntax : grepLike.grammar);
    for (const file of given.values("file", "exclude-from", "ignore-file"))
      if (!isStream(file)) emit.read(file, `${call.name} takes patterns from it`);
    for (const program of given.values("pre", "hostname-bin"))
      if (program.value !== "") emit.run([program], `${call.name} runs it`, { extraArgs: "unknown" });
    if (given.has("type-list")) return;
    const skip = given.has("regexp", "file", "files", "pre-list") ? 0 : 1;
    const targets = given.operands.slice(skip).filter((word) => !isStream(word));
    const recursive =
      ripgrep ||
      /^(rgrep|ag|ack|pt|sift|ugrep|ug)$/.test(call.name) ||
      given.has("recursive", "dereference-recursive") ||
      named(given.value("directories")) === "recurse";
    if (given.has("files")) return;
    if (targets.length === 0 && recursive && call.stdin.kind === "inherit" && given.operands.length > 0)
      return emit.read(literal("."), `${call.name} searches the directory`, { recursive: true });
    const pattern = given.value("regexp")?.value ?? given.operands[0]?.value ?? "";
    const { pipesTo = "" } = call;
    if (secretMark.test(pattern) && (downloads(pipesTo) || /^(mailx?|sendmail|mutt)$/.test(pipesTo)))
      emit.hazard(
        { class: "exfiltration", level: 3, id: "found-secrets-sent" },
        `${call.name} hands the secrets it finds to ${pipesTo}`,
      );
    for (const target of targets) emit.read(target, `${call.name} searches it`, recursive ? { recursive: true } : {});
  },
};

/** How keys and tokens begin. */
const secretMark = /AKIA|BEGIN.{0,12}KEY|ghp_|xox[bp]-|sk_live|PRIVATE KEY/;

/** ripgrep's -r is --replace, its -d is --max-depth. */
const ripgrepSyntax = syntax(
  "e|regexp= f|file= A|after-context= B|before-context= C|context= m|max-count= d|max-depth= g|glob= iglob= t|type= T|type-not= type-add= type-clear= M|max-columns= j|threads= E|encoding= ignore-file= path-separator= pre= pre-glob= r|replace= sort= sortr= engine= color= colors= max-filesize= dfa-size-limit= regex-size-limit= context-separator= field-match-separator= hostname-bin= hyperlink-format= generate= files type-list " +
    "n|line-number N i|ignore-case S|smart-case s|case-sensitive v|invert-match w|word-regexp x|line-regexp o|only-matching " +
    "F|fixed-strings l|files-with-matches c|count q|quiet u|unrestricted hidden no-ignore a|text L|follow P|pcre2 U|multiline " +
    "H|with-filename I|no-filename p|pretty z|search-zip 0|null json heading no-heading column vimgrep trim stats",
);

const fd: ToolFamily = {
  names: ["fd", "fdfind"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const at = call.args.findIndex((arg) => /^(--exec(-batch)?(=.*)?|-[a-zA-Z]*[xX])$/.test(arg.value ?? ""));
    if (at < 0) return;
    const { head, command } = commandAfter(call.args, at);
    const placed = command.some((word) => /\{[/.]*\}/.test(word.value ?? ""));
    for (const item of fdMatches(head))
      emit.run(
        placed ? command.map((word) => fill(word, "{}", item)) : [...command, item],
        "fd runs it for every match",
      );
  },
};

function commandAfter(args: readonly Arg[], at: number): { head: Arg[]; command: Arg[] } {
  const option = args[at]!;
  const attached = /^--exec(?:-batch)?=(.*)$/.exec(option.value ?? "")?.[1];
  const rest = args.slice(at + 1);
  const end = rest.findIndex((arg) => arg.value === ";");
  const words = end < 0 ? rest : rest.slice(0, end);
  return { head: args.slice(0, at), command: attached === undefined ? words : [literal(attached), ...words] };
}

const query = families([
  {
    names: "xmllint xq htmlq pup xmlstarlet xidel",
    options: { "output=": "write", "schema=": "read", "xpath=": "none" },
    takes: "f= a=",
    operands: "read",
  },
  { names: "xsltproc", options: { "o|output=": "write" } },
  { names: "ast-grep sgrep semgrep comby", takes: "p|pattern= l|lang= e= config= c= f=", operands: "read" },
]);

/** jq's --arg, --rawfile and --slurpfile take two words, the second of the latter two is a file. */
const jq: ToolFamily = {
  names: ["jq", "gojq", "jaq"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const rest: Arg[] = [];
    for (let index = 0; index < call.args.length; index++) {
      const pair = /^--(arg|argjson|rawfile|slurpfile)$/.exec(call.args[index]!.value ?? "")?.[1];
      if (!pair) rest.push(call.args[index]!);
      const file = pair?.endsWith("file") ? call.args[index + 2] : undefined;
      if (file) emit.read(file, `jq --${pair}`);
      if (pair) index += 2;
    }
    const given = parse(rest, syntax("f|from-file= L|library-path= indent= args jsonargs"));
    for (const file of given.values("from-file")) emit.read(file, "jq takes its program from it");
    if (given.has("args", "jsonargs")) return;
    for (const file of given.operands.slice(given.has("from-file") ? 0 : 1))
      if (!isStream(file)) emit.read(file, "jq reads it");
  },
};

/** yq edits in place with -i. */
const yq: ToolFamily = {
  names: ["yq", "dasel", "tomlq"],
  lower(call, emit) {
    if (asksHelp(call)) return;
    const given = parse(
      call.args,
      syntax(
        "i|inplace f|front-matter=? p|input-format= o|output-format= I|indent= from-file= expression= s|split-exp= split-exp-file= in-place",
      ),
    );
    const words = given.operands.filter((word) => !/^(e|ea|eval|eval-all|shell-completion)$/.test(word.value ?? ""));
    const files = words.slice(given.has("from-file", "expression") ? 0 : 1).filter((word) => !isStream(word));
    for (const file of files) {
      emit.read(file, `${call.name} reads it`);
      if (given.has("inplace", "in-place")) emit.write(file, `${call.name} edits in place`);
    }
    if (given.has("split-exp")) emit.write(literal("."), `${call.name} splits into files`, { recursive: true });
    const expression = words[0]?.value ?? "";
    readsEnvironment(expression, call.name, emit);
  },
};

function readsEnvironment(expression: string, name: string, emit: Emit): void {
  for (const [, file] of expression.matchAll(/\bload(?:_str|_xml|_props|_base64)?\(\s*"([^"]*)"\s*\)/g))
    emit.read(literal(file!), `${name} loads it`);
}

const named = (word: Arg | undefined) => word?.value;

export const search = [grep, fd, jq, yq, ...query];
