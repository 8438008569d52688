// Searching and querying: grep and its kin, fd, jq, yq.
// Invariant: what a search can print is a read; a preprocessor or a command per match is run, not printed.
import { hazard } from "../../model/hazards.js";
import { downloads } from "../analyze/output-sources.js";
import type { Arg } from "../analyze/tool.js";
import { type Code, tools } from "../spec/interpret.js";
import { isStream, literal } from "../spec/options.js";
import { handedOn } from "../spec/readings.js";
import { fill } from "./find.js";
import { fdMatches, fdOptions } from "./walks.js";

/** How keys and tokens begin. */
const secretMark = /AKIA|BEGIN.{0,12}KEY|ghp_|xox[bp]-|sk_live|PRIVATE KEY/;

const code: Code = {
  /** A search for keys whose finds go to a program that sends them. */
  secrets({ call, given }, emit) {
    const pattern = given.value("regexp")?.value ?? given.operands[0]?.value ?? "";
    const { pipesTo = "" } = call;
    if (secretMark.test(pattern) && (downloads(pipesTo) || /^(mailx?|sendmail|mutt)$/.test(pipesTo)))
      emit.hazard(hazard("found-secrets-sent"), `${call.name} hands the secrets it finds to ${pipesTo}`);
  },
  preprocessor({ call, value }, emit) {
    if (value?.value !== "") emit.run([value as Arg], `${call.name} runs it`, { extraArgs: "unknown" });
  },
  fd({ call }, emit) {
    const at = call.args.findIndex((arg) => /^(--exec(-batch)?(=.*)?|-[a-zA-Z]*[xX])$/.test(arg.value ?? ""));
    if (at < 0) return;
    const { head, command } = commandAfter(call.args, at);
    handedOn(call.args.slice(at));
    const placed = command.some((word) => /\{[/.]*\}/.test(word.value ?? ""));
    for (const item of fdMatches(head))
      emit.run(
        placed ? command.map((word) => fill(word, "{}", item)) : [...command, item],
        "fd runs it for every match",
      );
  },
  /** --arg, --rawfile and --slurpfile take two words; the second of the latter two is a file. */
  jq({ given }, emit) {
    const files: Arg[] = [];
    let pair: string | undefined;
    for (const item of given.order) {
      if ("option" in item) pair = /^(arg|argjson|rawfile|slurpfile)$/.exec(item.option.name)?.[0];
      else {
        if (pair?.endsWith("file")) emit.read(item.operand, `jq --${pair}`);
        if (!pair) files.push(item.operand);
        pair = undefined;
      }
    }
    if (given.has("args", "jsonargs")) return;
    for (const file of files.slice(given.has("from-file") ? 0 : 1)) if (!isStream(file)) emit.read(file, "jq reads it");
  },
  yq({ call, given }, emit) {
    const words = given.operands.filter((word) => !/^(e|ea|eval|eval-all)$/.test(word.value ?? ""));
    // One word that is plainly a path is the file, not an expression.
    const alone = words.length === 1 && /^([~/]|\.{1,2}\/|\w[\w/.-]*\.\w+$)/.test(words[0]!.value ?? "");
    const skip = alone || given.has("from-file", "expression") ? 0 : 1;
    const files = words.slice(skip).filter((word) => !isStream(word));
    for (const file of files) {
      emit.read(file, `${call.name} reads it`);
      if (given.has("inplace")) emit.write(file, `${call.name} edits in place`);
    }
    if (given.has("split-exp")) emit.write(literal("."), `${call.name} splits into files`, { recursive: true });
    for (const [, file] of (words[0]?.value ?? "").matchAll(/\bload(?:_str|_xml|_props|_base64)?\(\s*"([^"]*)"\s*\)/g))
      emit.read(literal(file!), `${call.name} loads it`);
  },
};

function commandAfter(args: readonly Arg[], at: number): { head: Arg[]; command: Arg[] } {
  const attached = /^--exec(?:-batch)?=(.*)$/.exec(args[at]!.value ?? "")?.[1];
  const rest = args.slice(at + 1);
  const end = rest.findIndex((arg) => arg.value === ";");
  const words = end < 0 ? rest : rest.slice(0, end);
  return { head: args.slice(0, at), command: attached === undefined ? words : [literal(attached), ...words] };
}

const grepOptions = `e|regexp= f|file=read exclude-from=read A|after-context= B|before-context= C|context=
    m|max-count= d|directories= D|devices= include= exclude= exclude-dir= label= color=? colour=? binary-files=
    r|recursive R|dereference-recursive l|files-with-matches c|count L|files-without-match q|quiet hidden
    n|line-number i|ignore-case v|invert-match w|word-regexp x|line-regexp o|only-matching s|no-messages
    h|no-filename H|with-filename P|perl-regexp F|fixed-strings E|extended-regexp G|basic-regexp a|text I U|binary
    z|null-data Z|null y b|byte-offset u|unix-byte-offsets T|initial-tab line-buffered no-group-separator
    group-separator= no-ignore-case`;

/** Without files they search the directory. */
const searchesTree = `always do secrets
  --regexp|file #0 !< : read . tree
  --regexp|file : read rest tree
  #1 !< : read . tree
  otherwise read 2+ tree`;

export const search = tools(
  "search",
  `
tool grep egrep fgrep zgrep ggrep
  options ${grepOptions}
  always do secrets
  --regexp|file --recursive|dereference-recursive #0 !< : read . tree
  --regexp|file --directories=recurse #0 !< : read . tree
  --regexp|file --recursive|dereference-recursive or --regexp|file --directories=recurse : read rest tree
  --regexp|file : read rest
  --recursive|dereference-recursive #1 !< or --directories=recurse #1 !< : read . tree
  --recursive|dereference-recursive or --directories=recurse : read 2+ tree
  otherwise read 2+
tool rgrep
  options ${grepOptions}
  ${searchesTree}
tool ugrep ug
  options ${grepOptions} g|glob= iglob= t|file-type= M|file-magic= J|jobs= max-depth= depth= K|range= N|neg-regexp=
    encoding= filter=shell format= replace= sort=? ignore-files=? Q|query=? k|column-number S|dereference-files
    p|no-dereference W|with-hex X|hex-dump= j|smart-case
  ${searchesTree}
tool ag
  options A|after= B|before= C|context= m|max-count= G|file-search-regex= g= p|path-to-ignore=read W|width= depth=
    ignore= ignore-dir= pager=shell color=? D|debug f|follow t|all-text a|all-types c|count F|fixed-strings|Q|literal
    H|heading h|no-filename i|ignore-case L|files-without-matches l|files-with-matches n|norecurse o|only-matching
    r|recurse R s|case-sensitive S|smart-case u|unrestricted U|skip-vcs-ignores v|invert-match V w|word-regexp
    z|search-zip 0|null hidden nogroup nocolor group stats silent vimgrep column numbers nonumbers passthrough
  ${searchesTree}
# What a letter takes differs between them, so only those are listed on which they agree.
tool pcregrep pcre2grep
  options e|regexp= f|file=read exclude-from=read include-from=read A|after-context= B|before-context= C|context=
    m|max-count= d|directories= D|devices= include= exclude= exclude-dir= include-dir= label= color=? colour=?
    N|newline= O|output= file-list=read om-separator= buffer-size= r|recursive M|multiline c|count l|files-with-matches
    L|files-without-match q|quiet n|line-number i|ignore-case v|invert-match w|word-regexp x|line-regexp s|no-messages
    h|no-filename H|with-filename F|fixed-strings a|text I u|utf U t|total-count line-offsets file-offsets
  always do secrets
  --regexp|file --recursive #0 !< : read . tree
  --regexp|file --recursive : read rest tree
  --regexp|file : read rest
  --recursive #1 !< : read . tree
  --recursive : read 2+ tree
  otherwise read 2+
tool ack pt sift
  options regexp= A|after|after-context= B|before|before-context= C|context= m|max-count= type= type-not= type-add=
    ignore-dir= ignore= ignore-file= output= color=? colour=? pager=shell depth= max-depth= hidden c|count
    l|files-with-matches L|files-without-matches i|ignore-case v|invert-match w|word-regexp o|only-matching
    h|no-filename H|with-filename Q|literal n|no-recurse r|recurse R S|smart-case nogroup nocolor column
  ${searchesTree}
# ripgrep's -r is --replace, its -d is --max-depth.
tool rg ripgrep rga
  options e|regexp= f|file=read ignore-file=read pre=preprocessor hostname-bin=preprocessor A|after-context=
    B|before-context= C|context= m|max-count= d|max-depth= g|glob= iglob= t|type= T|type-not= type-add= type-clear=
    M|max-columns= j|threads= E|encoding= path-separator= pre-glob= r|replace= sort= sortr= engine= color= colors=
    max-filesize= dfa-size-limit= regex-size-limit= context-separator= field-match-separator= field-context-separator=
    hyperlink-format= generate= files type-list n|line-number N i|ignore-case S|smart-case s|case-sensitive
    v|invert-match w|word-regexp x|line-regexp o|only-matching F|fixed-strings l|files-with-matches c|count q|quiet
    u|unrestricted hidden no-ignore a|text L|follow P|pcre2 U|multiline H|with-filename I|no-filename p|pretty
    z|search-zip 0|null json heading no-heading column vimgrep trim stats files-without-match count-matches
    no-ignore-vcs no-messages multiline-dotall passthru b|byte-offset no-config one-file-system max-columns-preview
    line-buffered debug glob-case-insensitive auto-hybrid-regex crlf null-data include-zero no-line-number binary
    block-buffered no-mmap mmap
  always do secrets
  --files|type-list|generate : quiet
  --regexp|file #0 !< or #1 !< !--regexp !--file : read . tree
  --regexp|file : read rest tree
  otherwise read 2+ tree
tool fd fdfind
  help first
  options ${fdOptions}
  otherwise do fd

tool jq gojq jaq
  options f|from-file=read L|library-path= indent= args jsonargs arg= argjson= rawfile= slurpfile= n|null-input
    r|raw-output c|compact-output s|slurp S|sort-keys C|color-output M|monochrome-output a|ascii-output e|exit-status
    j|join-output R|raw-input raw-output0 tab unbuffered stream stream-errors seq yaml-input yaml-output h V
  otherwise do jq
tool yq dasel tomlq
  options i|in-place|inplace f=? front-matter= p|input-format= o|output-format= I|indent= from-file=read expression= y t
    x s|split-exp= split-exp-file=read P|prettyPrint C|colors M|no-colors N|no-doc n|null-input r|unwrapScalar=?
    j|tojson e v|verbose header-preprocess=? xml-attribute-prefix= xml-content-name= w|write= selector=
    string-interpolation=?
  shell-completion|completion : quiet
  otherwise do yq
tool xmllint xq htmlq pup xidel
  options output=write o schema=read relaxng=read xpath= f= a= format noout html pretty= encode= dtdvalid=read c|css= n
    q x r
  otherwise read rest
tool xmlstarlet
  edit|ed --inplace|L : write last
  edit|ed|select|sel|transform|tr|validate|val|format|fo|elements|el|canonic|c14n : read last
  list|ls|escape|esc|unescape|unesc|pyx|p2x : read last
  otherwise read rest
tool xsltproc
  options o|output=write param= stringparam= path= maxdepth= novalid nonet noout html xinclude v|verbose timing
  otherwise read rest
tool semgrep
  options c|config= e|pattern= l|lang= f= o|output=write include= exclude= severity= j|jobs= max-memory= timeout= json
    sarif a|autofix dryrun error quiet q verbose v metrics= baseline-commit= text junit-xml
  --dryrun : read rest tree?
  scan|ci --autofix : write rest else . tree?
  --autofix : write rest else . tree?
  scan|ci : read rest else . tree?
  login|logout|show|install-semgrep-pro|lsp : quiet
  test|validate : read rest tree?
  otherwise read rest tree?
tool ast-grep sgrep
  options p|pattern= r|rewrite= l|lang= c|config= f= e= rule=read inline-rules= globs= json=? U|update-all i|interactive
    selector= strictness= no-ignore= A|after= B|before= C|context= color= heading= j|threads= report-style= filter=
  run|scan --update-all : write rest else . tree?
  --update-all : write rest else . tree?
  run|scan|test : read rest else . tree?
  new|lsp|completions|docs : quiet
  otherwise read rest tree?
tool comby
  style one-dash
  options f|filter= matcher= d|directory= config=read templates= rule= exclude-dir= exclude= extensions= i|in-place diff
    stdin stdout json-lines match-only count review jobs= timeout= stats sequential
  --in-place : write --directory else . all
  otherwise read 3+
`,
  code,
);
