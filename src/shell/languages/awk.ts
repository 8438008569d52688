// awk programs: output redirections, pipes, getline, system().
// Invariant: every place where awk opens a file or a command other than its operands gives an effect.
import { hazard } from "../../model/hazards.js";
import type { Arg, Emit } from "../analyze/tool.js";
import { isSecretVariable } from "../hazards/credentials.js";
import { wordSet } from "../word-set.js";
import { expressionEnd } from "./expressions.js";
import { type Token, tokenise } from "./tokens.js";

const dialect = { lineComments: ["#"], quotes: { plain: '"', computed: "" }, regex: true } as const;

const functions = wordSet(`
  length substr index split sub gsub gensub match sprintf tolower toupper sin cos atan2 exp log sqrt int rand
  srand close fflush strftime systime mktime asort asorti patsplit strtonum and or xor lshift rshift compl isarray
  typeof toupper printf print getline if while for do switch return exit next nextfile delete in function func
  else case default BEGIN END BEGINFILE ENDFILE tolower bindtextdomain dcgettext mkbool`);

export function awk(text: string, emit: Emit): void {
  const tokens = tokenise(text, dialect);
  if (!tokens) return emit.unknown("awk program could not be read");
  const defined = new Set(
    tokens.flatMap((token, at) => (/^(function|func)$/.test(tokens[at - 1]?.text ?? "") ? [token.text] : [])),
  );
  resolveVariables(tokens);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!;
    const next = tokens[index + 1];
    if (token.text === "@" && token.kind === "op") emit.unknown("awk loads a file or calls a function by name");
    if (token.kind !== "name") continue;
    if (token.text === "system" && next?.text === "(") emit.shell(word(inside(tokens, index + 1)), "awk system()");
    else if (token.text === "print" || token.text === "printf") output(tokens, index + 1, emit);
    else if (token.text === "getline") input(tokens, index, emit);
    else if (token.text === "ENVIRON") environment(tokens, index, emit);
    else if (token.text === "ARGV" && next?.text === "[") {
      const close = expressionEnd(tokens, index + 2, (part) => part.text === "]");
      if (tokens[close + 1]?.text === "=") emit.read(word(statement(tokens, close + 2)), "awk adds an input file");
    } else if (next?.text === "(" && !functions.has(token.text) && !defined.has(token.text) && glued(text, token.text))
      emit.unknown(`awk calls ${token.text}`);
  }
}

/** A variable that is given one text, once, stands for that text. */
function resolveVariables(tokens: Token[]): void {
  const texts = new Map<string, string | undefined>();
  tokens.forEach((token, at) => {
    if (token.kind !== "name" || !/^([-+*/%^]?=|\+\+|--)$/.test(tokens[at + 1]?.text ?? "")) return;
    const [value, end] = [tokens[at + 2], tokens[at + 3]];
    const plain =
      tokens[at + 1]!.text === "=" &&
      value?.kind === "string" &&
      (!end || end.kind === "newline" || /^[;})]$/.test(end.text));
    texts.set(token.text, plain && !texts.has(token.text) ? value.value : undefined);
  });
  for (const [at, token] of tokens.entries()) {
    const text = token.kind === "name" ? texts.get(token.text) : undefined;
    if (text !== undefined && tokens[at + 1]?.text !== "=" && tokens[at + 1]?.text !== "(")
      tokens[at] = { ...token, kind: "string", value: text };
  }
}

/** A call has no space before "(": `x (y)` is a concatenation. */
const glued = (text: string, name: string) => text.includes(`${name}(`);

/** print ... > file, >> file, | command, |& command */
function output(tokens: readonly Token[], from: number, emit: Emit): void {
  const rest = statement(tokens, from);
  let depth = 0;
  for (let index = 0; index < rest.length; index++) {
    const { kind, text } = rest[index]!;
    if (kind !== "op") continue;
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
    if (depth > 0) continue;
    if (text === ">" || text === ">>") return file("write", rest.slice(index + 1), emit, "awk print >");
    if (text === "|") {
      const command = word(rest.slice(rest[index + 1]?.text === "&" ? index + 2 : index + 1));
      // A shell runs what is printed into it.
      if (/^(\S*\/)?(ba|da|z|k)?sh(\s+-s?)?$/.test(command.value ?? ""))
        emit.shell(word(rest.slice(0, index)), "awk print | sh");
      return emit.shell(command, "awk print |");
    }
  }
}

/** getline < file, command | getline */
function input(tokens: readonly Token[], at: number, emit: Emit): void {
  const before = tokens[at - 1]?.text === "&" ? at - 2 : at - 1;
  if (tokens[before]?.text === "|") {
    let start = before;
    let depth = 0;
    while (start > 0) {
      const { kind, text } = tokens[start - 1]!;
      if (kind === "newline" || (kind === "op" && /^[;{}]$/.test(text))) break;
      if (kind === "op" && text === ")") depth++;
      if (kind === "op" && text === "(" && --depth < 0) break;
      start--;
    }
    return emit.shell(word(tokens.slice(start, before)), "awk command | getline");
  }
  let next = at + 1;
  while (
    tokens[next]?.kind === "name" ||
    tokens[next]?.text === "$" ||
    tokens[next]?.text === "[" ||
    tokens[next]?.text === "]" ||
    tokens[next]?.kind === "number"
  )
    next++;
  if (tokens[next]?.text !== "<") return;
  // The file is one operand: anything after a closing bracket belongs to the condition around it.
  const rest = statement(tokens, next + 1);
  const end = rest.findIndex((token) => token.kind === "op" && /^[)>=!&|?]/.test(token.text) && token.text !== "(");
  file("read", end < 0 ? rest : rest.slice(0, end), emit, "awk getline <");
}

function environment(tokens: readonly Token[], at: number, emit: Emit): void {
  const key = tokens[at + 1]?.text === "[" ? tokens[at + 2] : undefined;
  if (key?.value !== undefined) {
    if (isSecretVariable(key.value)) emit.hazard(hazard("env-secret"), `reads ${key.value}`);
  } else if (!key || tokens[at - 1]?.text === "in") emit.hazard(hazard("env-dump"), "uses the whole environment");
}

function file(kind: "read" | "write", tokens: readonly Token[], emit: Emit, reason: string): void {
  const target = word(tokens);
  if (/^(\/dev\/(stdout|stderr|stdin|null|tty|fd\/\d+)|-)$/.test(target.value ?? "")) return;
  const host = /^\/inet[46]?\/\w+\/\d+\/([^/]*)/.exec(target.value ?? target.prefix)?.[1];
  if (host !== undefined)
    return emit.effect({ kind: "network", program: "awk", host, upload: kind === "write", reason });
  emit[kind](target, reason);
}

/** Tokens of the statement, up to ";", a newline or the brace that closes the block. */
function statement(tokens: readonly Token[], from: number): Token[] {
  return tokens.slice(
    from,
    expressionEnd(tokens, from, (token) => token.kind === "newline" || token.text === ";"),
  );
}

function inside(tokens: readonly Token[], open: number): Token[] {
  return statement(tokens, open + 1);
}

/** Adjacent strings are concatenated; a computed part leaves the text before it. */
function word(tokens: readonly Token[]): Arg {
  const parts = tokens.filter((token) => token.kind !== "newline" && token.text !== "(" && token.text !== ")");
  const source =
    parts
      .map((token) => token.text)
      .join(" ")
      .slice(0, 80) || "?";
  let prefix = "";
  for (const part of parts) {
    if (part.kind !== "string" || part.value === undefined) return { source, prefix };
    prefix += part.value;
  }
  return parts.length ? { source, value: prefix, prefix } : { source, prefix: "" };
}
