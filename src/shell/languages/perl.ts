// What Perl programs do: open modes, unlink and rename, system, backquotes, sockets.
// Invariant: an unlisted function or module, or a two-argument open of computed text, makes the program unknown.
import { hazard } from "../../model/hazards.js";
import type { Emit } from "../analyze/tool.js";
import { isSecretVariable } from "../hazards/credentials.js";
import { wordSet } from "../word-set.js";
import * as m from "./call-effects.js";
import { analyseWith } from "./calls.js";
import type { Token } from "./tokens.js";
import type { Bindings, Meaning, Vocabulary } from "./vocabulary.js";

/** open(F, ">x"), open(my $f, ">", "x"), open(F, "cmd |"), open(F, "-|", "cmd", ...) */
const open: Meaning = (call, scope) => {
  const mode = scope.constant(call.args[1]);
  // ">&S" gives a handle another name; standard input from a socket makes a shell of what is started next.
  if (mode !== undefined && /^\s*[<>+]+&/.test(mode)) {
    if (call.args[0]?.some((token) => token.text === "STDIN"))
      scope.emit.hazard(hazard("reverse-shell"), "standard input is taken from a connection");
    return;
  }
  if (call.args.length >= 3) {
    const target = scope.word(call.args[2]);
    if (mode === undefined) return scope.emit.unknown("open with a computed mode");
    if (mode.includes("|"))
      return call.args.length > 3
        ? scope.emit.run(
            call.args.slice(2).map((arg) => scope.word(arg)),
            "open runs it",
          )
        : scope.emit.shell(target, "open runs it");
    return /[>+]/.test(mode) ? scope.emit.write(target, "open for writing") : scope.emit.read(target, "open");
  }
  if (mode === undefined) return scope.emit.unknown("open of a computed text, which can name a command");
  const text = mode.trim();
  const word = (value: string) => ({ source: value, value, prefix: value });
  if (text.startsWith("|") || text.endsWith("|"))
    return scope.emit.shell(word(text.replace(/^\||\|$/g, "").trim()), "open runs it");
  const written = /^\+?>>?\s*(.*)$|^\+<\s*(.*)$/.exec(text);
  if (written) return scope.emit.write(word(written[1] ?? written[2] ?? ""), "open for writing");
  scope.emit.read(word(text.replace(/^<\s*/, "")), "open");
};

const eachDeleted: Meaning = (call, scope) => {
  for (const arg of call.args) scope.emit.delete(scope.word(arg), call.name);
  if (call.args.length === 0) scope.emit.delete({ source: "$_", prefix: "" }, call.name);
};

/** File::Find: what its routine deletes lies below the places that are named. */
const walkDeletes: Meaning = (call, scope) => {
  const [wanted, ...places] = call.args;
  if (!wanted?.some((token) => /^(?:unlink|rmdir|remove)$/.test(token.text))) return;
  for (const place of places) scope.emit.delete(scope.word(place), call.name, { recursive: true });
};

const meanings: Record<string, Meaning> = {
  open,
  sysopen: m.writes(m.argument(1)),
  unlink: eachDeleted,
  rmdir: eachDeleted,
  "File.Path.rmtree": m.deletes(m.argument(0), true),
  "File.Path.remove_tree": m.deletes(m.argument(0), true),
  find: walkDeletes,
  finddepth: walkDeletes,
  rmtree: m.deletes(m.argument(0), true),
  remove_tree: m.deletes(m.argument(0), true),
  rename: m.transfers({ moves: true }),
  link: m.links,
  symlink: m.links,
  mkdir: m.writes(),
  make_path: m.writes(),
  mkpath: m.writes(),
  truncate: m.writes(),
  chmod: m.writes(m.argument(1)),
  chown: m.writes(m.argument(2)),
  utime: m.writes(m.argument(2)),
  copy: m.transfers(),
  move: m.transfers({ moves: true }),
  "File.Copy.copy": m.transfers(),
  "File.Copy.move": m.transfers({ moves: true }),
  write_file: m.writes(),
  system: m.systemWords,
  exec: m.systemWords,
  fork: m.nothing,
  kill: m.kills,
  eval: m.evaluates,
  do: m.nothing,
  syscall: m.loads,
  socket: m.networkCall(true, () => undefined),
  connect: m.networkCall(true, () => undefined),
  "IO.Socket.INET.new": m.networkCall(true, () => undefined),
  chdir: (_call, scope) => scope.emit.unknown("the program changes its directory"),
};

const modules = wordSet(`
  strict warnings utf8 feature POSIX Data::Dumper List::Util Scalar::Util Time::Local Time::HiRes Time::Piece JSON
  JSON::PP MIME::Base64 Encode File::Basename File::Spec File::Find File::Copy File::Path File::Temp Getopt::Long
  Cwd Text::Wrap Digest::MD5 Digest::SHA constant lib open bytes integer bigint Math::BigInt Carp Term::ANSIColor
  Socket IO::Socket IO::Socket::INET IO::File IO::Handle Storable Text::ParseWords Unicode::Normalize vars parent
  base autodie`);

const harmless = wordSet(`
  print printf say sprintf length substr index rindex uc lc ucfirst lcfirst join split reverse sort map grep push
  pop shift unshift splice keys values each delete exists defined undef scalar wantarray ref bless die warn exit
  return chomp chop chr ord hex oct abs int sqrt sin cos atan2 exp log rand srand time localtime gmtime sleep pack
  unpack vec pos quotemeta sprintf lstat stat readline eof close binmode fileno seek tell opendir readdir closedir
  rewinddir glob caller local our my use no require import Dumper sum max min first uniq any all none reduce shuffle
  blessed looks_like_number encode decode encode_json decode_json encode_base64 decode_base64 basename dirname
  fileparse getcwd cwd strftime floor ceil fmod md5_hex sha256_hex sha1_hex STDIN STDOUT STDERR ARGV DATA BEGIN END
  __FILE__ __LINE__ __DATA__ __END__ select getc read lc uc fc study reset format write formline selectall tr y q qw
  x eq ne lt gt le ge cmp and or not xor if unless while until for foreach else elsif last next redo sub package F
  FH IN OUT FILE fh e n p i l a .new .print .printf .say .getline .getlines .close .autoflush .encode .decode
  .pretty .canonical .utf8 .ymd .strftime .epoch .push .pop .join .each .binmode INET`);

/** use X; require X; no X; use lib. */
function imports(tokens: Token[], bindings: Bindings): Token[] {
  const out: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    // do FILE runs it; eval BLOCK only catches.
    if (token.kind === "name" && token.text === "do" && tokens[index + 1]?.kind === "string")
      bindings.unknownModules.push("a file");
    if (token.kind === "name" && token.text === "eval" && tokens[index + 1]?.text === "{") continue;
    if (token.kind === "name" && token.text.startsWith("&")) bindings.unknownModules.push("a function by name");
    const starts =
      token.kind === "name" &&
      /^(use|no|require)$/.test(token.text) &&
      (index === 0 || /^[;{}\n]$/.test(tokens[index - 1]!.text));
    if (!starts) {
      out.push(token);
      continue;
    }
    let name = "";
    let at = index + 1;
    while (tokens[at] && (tokens[at]!.kind === "name" || tokens[at]!.text === "::")) name += tokens[at++]!.text;
    while (tokens[at] && tokens[at]!.text !== ";" && tokens[at]!.kind !== "newline") at++;
    if (name && !modules.has(name)) bindings.unknownModules.push(name);
    if (!name && tokens[index + 1]?.kind !== "number" && !/^v\d/.test(tokens[index + 1]?.text ?? ""))
      bindings.unknownModules.push("a file");
    index = at - 1;
  }
  return out;
}

const vocabulary: Vocabulary = {
  language: "Perl",
  id: "perl",
  dialect: {
    lineComments: ["#"],
    quotes: { plain: "'", computed: '"' },
    backquote: "shell",
    sigils: "$@%",
    regex: true,
    quoteLike: "perl",
    heredocs: true,
  },
  keywords: wordSet(`
  if elsif else unless while until for foreach sub my our local return and or not x eq ne lt gt le ge cmp last next
  redo package BEGIN END do`),
  dots: new Set(["->", "::"]),
  meanings,
  harmless,
  globals: wordSet("File IO POSIX List Scalar Data"),
  imports,
  bareCalls: true,
  folds: { decode_base64: m.base64 },
  sigils: "$@%&",
};

/** %ENV and $ENV{...} have no dotted form, so they are looked for here. */
function environment(text: string, emit: Emit): void {
  for (const [, key] of text.matchAll(/\$ENV\{\s*['"]?(\w+)/g))
    if (isSecretVariable(key!)) emit.hazard(hazard("env-secret"), `reads ${key}`);
  if (/%ENV\b|\bkeys\s*\(?\s*%?ENV/.test(text)) emit.hazard(hazard("env-dump"), "uses the whole environment");
}

/** $ENV{HOME} is the home directory, written "~" as in other analysers; within quotes it stays a part of the text. */
const atHome = (text: string): string =>
  text.replace(/\$ENV\{\s*(['"]?)HOME\1\s*\}/g, (_, _quote, at: number) => {
    const quotes = text.slice(0, at).match(/(?<!\\)"/g)?.length ?? 0;
    return quotes % 2 ? "~" : '"~"';
  });

export const perl = (text: string, emit: Emit): void => {
  environment(text, emit);
  analyseWith(vocabulary, atHome(text), emit);
};
