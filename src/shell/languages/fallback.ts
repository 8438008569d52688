// Languages without an analyser of their own (Julia, Groovy, Elixir, Tcl, Go, Java, Lisp): what their calls name.
// Invariant: the program stays unknown whatever is found; each string is looked at once, with the characters around it.
import type { Arg, Emit } from "../analyze/tool.js";
import { literal } from "../spec/options.js";

const string = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g;
/** What may stand between a function's name and its first text: brackets, a constructor of a path or of a list. */
const constructors = "Paths? File Path URL List Array String Seq vec".split(" ").join("|");
const opening =
  String.raw`[\s([{:]*(?:(?:new\s+)?(?:${constructors})` +
  String.raw`(?:\.(?:get|of|new))?!?(?:\[\])?\s*[({[](?:\w+:)?\s*)?`;
const calls = (names: string): RegExp =>
  new RegExp(`(?:^|[^\\w-])(?:${names.trim().replaceAll(".", "\\.").split(/\s+/).join("|")})!?${opening}$`);

const runs = calls(`system shell popen exec execute spawn cmd command run sh readProcess callCommand ProcessBuilder
  Process Proc Command::new exec.Command shell-command(?:-to-string)? call-process(?:-shell-command)?
  start-process createProcess backtick send(?:\\s+--)?`);
const removesTrees = calls(`os.RemoveAll rm_rf rm_r remove_dir_all deleteDirectory deleteRecursively deleteDir
  delete-directory removeItem atPath remove-tree rmtree removeDirectoryRecursive removePathForcibly delete-tree`);
const removes = calls(`rm os.Remove File.rm unlink delete removeFile remove_file delete-file
  deleteIfExists file.delete`);
const writes = calls(`write WriteFile writeText writeString writeFile appendFile spit save touch mkpath mkdir mkdir_p
  os.Create FileWriter create_dir_all fs::write createFile createDirectory createDirectories`);
const opens = calls("open fopen openFile OpenFile");
/** Emacs names the file last: (write-region "text" nil "file"). */
const lispWrites = /\(write-region\s+(?:"[^"]*"|[^\s"]+)\s+\S+\s+$/;

export function loose(text: string, emit: Emit): void {
  emit.unknown("the program is in a language that is not read in full");
  const program = text.replace(/^\s*(?:#|\/\/|--|;;).*$/gm, "");
  tclCommands(program, emit);
  let done = 0;
  for (const match of program.matchAll(string)) {
    const at = match.index;
    if (at < done) continue;
    const before = program.slice(Math.max(0, at - 80), at);
    const after = program.slice(at + match[0].length, at + match[0].length + 80);
    const word = wordOf(match);
    if (runs.test(before) || /^\s*\.(?:execute\(|!!?)/.test(after)) {
      const words = [word];
      done = at + match[0].length;
      for (const [whole, ...parts] of program.slice(done, done + 2000).matchAll(following)) {
        words.push(literal(parts.find((part) => part !== undefined) ?? ""));
        done += whole.length;
      }
      if (words.length > 1) emit.run(words, "the program starts it");
      else emit.shell(word, "the program runs it");
    } else if (removesTrees.test(before) || /^\s*\)?\s*\.\s*delete(?:Dir|Recursively)\b/.test(after))
      emit.delete(word, "the program removes it", { recursive: true });
    else if (removes.test(before) || /^\s*\)\s*\.\s*delete\b/.test(after))
      emit.delete(word, "the program removes it", /^[^\n)]*recursive/.test(after) ? { recursive: true } : {});
    else if (
      writes.test(before) ||
      lispWrites.test(before) ||
      (opens.test(before) && /^[\s,)]*(?:mode\s*=\s*)?["':]?(?:[wa]|O_(?:WRONLY|RDWR|CREAT))/.test(after)) ||
      /^\s*\)\s*\.\s*(?:text\s*=|write|append|setText|withWriter|createNewFile|mkdirs?\b)/.test(after)
    )
      emit.write(word, "the program writes it");
  }
}

/** Further texts of the same list of words. */
const following = /[\s\])}(]*,[\s[({]*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/gy;

const wordOf = ([, double, single, back]: RegExpMatchArray): Arg =>
  literal((double ?? single ?? back ?? "").replace(/\\r|\\n/g, "\n").replace(/\\(.)/g, "$1"));

/** Tcl and expect need no quotes: spawn rm -rf x, exec touch y, file delete -force z, [open f w]. */
function tclCommands(program: string, emit: Emit): void {
  for (const [, command] of program.matchAll(/(?:^|[;[{\n])[ \t]*(?:spawn|exec|system)[ \t]+(?![("'`])([^\n;\]}]+)/g))
    emit.shell(literal(command!.trim()), "the program starts it");
  for (const [, file] of program.matchAll(/\bfile delete(?: -force)?(?: --)? ([^\s\]};"]+)/g))
    emit.delete(literal(file!), "the program removes it", { recursive: true });
  for (const [, file] of program.matchAll(/\[open ([^\s\]"]+) [wa]\+?\]/g))
    emit.write(literal(file!), "the program writes it");
}
