// Programs that run a command once per item: find -exec, xargs, parallel.
// Invariant: an item that is not known beforehand is an unresolved argument below the directory it comes from.
import { singleQuote } from "../../model/shell-quote.js";
import { isStreamPath } from "../analyze/paths.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { tools, type Use } from "../spec/interpret.js";
import { literal } from "../spec/options.js";
import { deleted, everything, reached, walkOf } from "./walks.js";

export const finders = tools(
  "find",
  `
tool find gfind bfs
  style posix
  otherwise do find
tool xargs gxargs
  style posix
  options 0|null a|arg-file=read d|delimiter= E= e|eof=? i|replace=? I= J= L|max-lines= l=? n|max-args= P|max-procs=
    p|interactive r|no-run-if-empty s|max-chars= t|verbose x|exit o|open-tty R= S= process-slot-var= show-limits
  otherwise do xargs
tool parallel rush rust-parallel
  style posix
  options j|jobs|max-procs= a|arg-file=read C|colsep= d|delimiter= I= L= l=? n|max-args= N= S|sshlogin= joblog=write
    results=write tmpdir= tempdir= delay= timeout= retries= load= memfree= nice= halt= wd|workdir= basefile=
    transferfile=
    return= env= halt-on-error= shuf k|keep-order u|ungroup q|quote X m bar eta progress pipe will-cite linebuffer lb
    tag
    0|null block= recstart= recend= sshloginfile= slf= group resume resume-failed v|verbose t r|no-run-if-empty
    tagstring= trim= header= pipepart semaphore fg cat fifo link xapply noswap plus cleanup
  dry dry-run dryrun
  otherwise do parallel
`,
  { find: ({ raw }, emit) => find(raw, emit), xargs, parallel },
);

function find(args: readonly Arg[], emit: Emit): void {
  const walk = walkOf(args);
  let deep = true;
  for (let at = walk.expression; at < args.length; at++) {
    const word = args[at]!;
    const action = word.value;
    if (action === undefined) {
      emit.unknown(`find: the expression ${word.source} is not static`);
      continue;
    }
    if (action === "-maxdepth" && args[at + 1]?.value === "0") deep = false;
    if (/^-(exec|execdir|ok|okdir)$/.test(action)) {
      const end = args.findIndex(
        (arg, index) =>
          index > at && (arg.value === ";" || (arg.value === "+" && args[index - 1]?.value?.includes("{}"))),
      );
      const words = args.slice(at + 1, end < 0 ? undefined : end);
      // An unfiltered walk reaches everything, so `find / -exec rm -rf {} +` is `rm -rf /*`.
      // -execdir runs beside each file it finds: a relative name is a file in an unknown directory there.
      const beside = /dir$/.test(action) && words.slice(1).some((given) => /^[^-{]/.test(given.value ?? ""));
      for (const start of walk.starts) {
        const item = reached(start, walk);
        emit.run(
          words.map((given) => fill(given, "{}", item)),
          `find ${action}`,
          beside ? { cwd: { source: start.source, prefix: "" } } : {},
        );
        textAround(words, "{}", item, emit);
      }
      at = end < 0 ? args.length : end;
    } else if (action === "-delete") {
      for (const start of walk.starts)
        if (walk.filtered)
          for (const found of deleted(start, walk)) emit.delete(found, "find -delete of what matches", { glob: true });
        else if (walk.shallow && walk.files) emit.delete(everything(start), "find -delete", { glob: true });
        else emit.delete(start, "find -delete", { recursive: deep });
    } else if (/^-f(print0?|ls)$/.test(action)) {
      const file = args[++at];
      if (file && !isStreamPath(file.value ?? "")) emit.write(file, `find ${action}`);
    } else if (action === "-fprintf") {
      const file = args[++at];
      if (file && !isStreamPath(file.value ?? "")) emit.write(file, "find -fprintf");
      at++;
    } else if (action === "-files0-from") {
      const file = args[++at];
      if (file && file.value !== "-") emit.read(file, "find takes its starting points from it");
    }
  }
}

const shellName = /^(\S*\/)?(ba|da|z|k|a)?sh$/;

/** `sh -c 'text with {}'`: what an unknown item adds is unknown, the rest of the text runs as it stands. */
function textAround(words: readonly Arg[], placeholder: string, item: Arg, emit: Emit): void {
  if (item.value !== undefined && !item.glob) return;
  const at = words.findIndex((word) => shellName.test(word.value ?? ""));
  const text =
    at < 0
      ? undefined
      : words[words.findIndex((word, index) => index > at && /^-\w*c$/.test(word.value ?? "")) + 1]?.value;
  if (placeholder !== "" && text !== undefined && text !== placeholder && text.includes(placeholder))
    emit.shell(literal(text.replaceAll(placeholder, '"$__item"')), "the text around an item");
}

/** Replaces a placeholder; the whole word is the item when nothing else stands in it. */
export function fill(word: Arg, placeholder: string, item: Arg): Arg {
  if (placeholder === "" || !word.value?.includes(placeholder)) return word;
  if (word.value === placeholder) return item;
  if (item.glob) return fill(word, placeholder, { source: item.source, prefix: item.prefix.replace(/[*?[].*$/, "") });
  const before = word.value.slice(0, word.value.indexOf(placeholder));
  if (item.value === undefined) return { source: word.source, prefix: before + item.prefix, from: item.from };
  const value = word.value.replaceAll(placeholder, item.value);
  return { source: word.source, value, prefix: value };
}

const mostItems = 64;

function xargs({ call, given, rest: words }: Use, emit: Emit): void {
  if (words.length === 0) return;
  const optional = given.options.find((option) => option.name === "replace");
  const placeholder = given.value("I", "J")?.value ?? (optional ? (optional.value?.value ?? "{}") : undefined);
  const named = given.value("arg-file")?.process?.text;
  const items = given.has("arg-file")
    ? named === undefined
      ? undefined
      : itemsOf(
          { ...call, stdin: { kind: "text", text: named } },
          given.value("delimiter")?.value,
          given.has("null"),
          true,
        )
    : itemsOf(call, given.value("delimiter")?.value, given.has("null"), placeholder !== undefined);
  if (placeholder !== undefined) {
    for (const item of items ?? listed(call) ?? [{ source: placeholder, prefix: "", from: sourcesOf(call) }]) {
      emit.run(
        words.map((word) => fill(word, placeholder, item)),
        "run by xargs",
        { stdin: { kind: "inherit" } },
      );
      textAround(words, placeholder, item, emit);
    }
    return;
  }
  const known = items ?? (given.has("arg-file") ? undefined : listed(call));
  if (known) emit.run([...words, ...known], "run by xargs", { stdin: { kind: "inherit" } });
  else emit.run(words, "run by xargs", { extraArgs: "unknown", stdin: { kind: "inherit" } });
}

/** Paths another program prints: not known one by one, but where they lie. */
const listed = (call: Invocation): readonly Arg[] | undefined =>
  call.stdin.kind === "pipe" && call.stdin.paths?.length ? call.stdin.paths : undefined;

/** The programs the items come from. */
const sourcesOf = (call: Invocation): string[] | undefined =>
  call.stdin.kind === "pipe" ? (call.stdin.sources ?? []) : undefined;

/** The items of static input. */
function itemsOf(call: Invocation, delimiter: string | undefined, nul: boolean, lines: boolean): Arg[] | undefined {
  if (call.stdin.kind !== "text") return undefined;
  const { text } = call.stdin;
  const split = nul ? "\0" : delimiter === "\\n" ? "\n" : delimiter;
  const pieces =
    split !== undefined
      ? text.split(split)
      : lines
        ? text.split("\n")
        : (text.match(/'[^']*'|"[^"]*"|(?:\\.|[^\s'"\\])+/gs) ?? []);
  const items = pieces
    .map((piece) =>
      split === undefined
        ? piece
            .trim()
            .replace(/^(['"])(.*)\1$/s, "$2")
            .replace(/\\(.)/g, "$1")
        : piece,
    )
    .filter((piece) => piece !== "");
  return items.length > mostItems ? undefined : items.map(literal);
}

function parallel({ call, given }: Use, emit: Emit): void {
  const marker = given.operands.findIndex((word) => /^::::?\+?$/.test(word.value ?? ""));
  const words = marker < 0 ? given.operands : given.operands.slice(0, marker);
  const isFile = given.operands[marker]?.value?.startsWith("::::");
  const named =
    marker < 0 || isFile
      ? undefined
      : given.operands.slice(marker + 1).filter((word) => !/^:::\+?$/.test(word.value ?? ""));
  const items = named ?? (isFile ? undefined : itemsOf(call, given.value("delimiter")?.value, given.has("null"), true));
  const piped = marker < 0 && !given.has("arg-file") ? listed(call) : undefined;
  const each = items && items.length <= mostItems ? items : (piped ?? [{ source: "{}", prefix: "" } as Arg]);
  for (const item of each) {
    if (words.length === 0) emit.shell(item, `${call.name} runs each item`);
    else if (words.some((word) => /[\s;&|<>$`'"]/.test(word.value ?? ""))) text(words, item, call, emit);
    else {
      const filled = words.map((word) => fill(word, "{}", item));
      const placed = words.some((word) => word.value?.includes("{"));
      emit.run(placed ? filled : [...filled, item], `run by ${call.name}`);
    }
  }
}

/** The command of parallel is shell text; each item goes in quoted. */
function text(words: readonly Arg[], item: Arg, call: Invocation, emit: Emit): void {
  if (words.some((word) => word.value === undefined)) return emit.unknown(`${call.name}: the command is not static`);
  const joined = words.map((word) => word.value).join(" ");
  const quoted = item.value === undefined ? '"$__item"' : singleQuote(item.value);
  const value = joined.includes("{}") ? joined.replaceAll("{}", quoted) : `${joined} ${quoted}`;
  emit.shell({ source: joined, value, prefix: value }, `${call.name} runs it for each item`);
}
