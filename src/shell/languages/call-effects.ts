// Building blocks for vocabularies: what a file or process call of any language means in effects.
// Invariant: a call with too few or computed arguments still emits its effect, with an unresolved path.

import { hazard } from "../../model/hazards.js";
import type { Arg } from "../analyze/tool.js";
import type { Token } from "./tokens.js";
import type { Call, Meaning, ProgramScope } from "./vocabulary.js";

type Pick = (call: Call) => readonly Token[] | undefined;

export const argument =
  (index: number, ...keywords: string[]): Pick =>
  (call) =>
    call.args[index] ?? keywords.map((name) => call.keywords.get(name)).find((found) => found !== undefined);

const receiver: Pick = (call) => call.receiver;

const first = argument(0);

export const readsPath =
  (pick: Pick = first, recursive = false): Meaning =>
  (call, scope) =>
    path("read", pick, call, scope, recursive);

export const writes =
  (pick: Pick = first, recursive = false): Meaning =>
  (call, scope) =>
    path("write", pick, call, scope, recursive);

export const deletes =
  (pick: Pick = first, recursive = false): Meaning =>
  (call, scope) =>
    path("delete", pick, call, scope, recursive);

export const methodWrites: Meaning = (call, scope) => path("write", receiver, call, scope, false);
export const methodReads: Meaning = (call, scope) => path("read", receiver, call, scope, false);
export const methodDeletes: Meaning = (call, scope) => path("delete", receiver, call, scope, false);

/** Source, destination: a copy; with `moves` the source goes away. */
export const transfers =
  (options: { moves?: boolean; recursive?: boolean; from?: Pick; to?: Pick } = {}): Meaning =>
  (call, scope) => {
    const from = options.from ?? first;
    path(options.moves ? "delete" : "read", from, call, scope, options.recursive ?? false);
    path("write", options.to ?? argument(1), call, scope, options.recursive ?? false);
  };

/** A link is another name for its target. */
export const links = transfers({});

export const each =
  (meaning: (pick: Pick) => Meaning): Meaning =>
  (call, scope) => {
    const listed = scope.list(call.args[0]);
    if (listed) for (const [index] of listed.entries()) meaning((given) => listItem(given.args[0], index))(call, scope);
    else for (const [index] of call.args.entries()) meaning(argument(index))(call, scope);
    if (call.args.length === 0) meaning(first)(call, scope);
  };

function listItem(tokens: readonly Token[] | undefined, index: number): readonly Token[] | undefined {
  let depth = 0;
  let at = 0;
  const item: Token[] = [];
  for (const token of tokens?.slice(1, -1) ?? []) {
    if (token.kind === "op" && /^[([{]$/.test(token.text)) depth++;
    if (token.kind === "op" && /^[)\]}]$/.test(token.text)) depth--;
    if (token.text === "," && depth === 0) at++;
    else if (at === index) item.push(token);
  }
  return item;
}

/** open(path, mode): the mode decides; a computed mode may write. */
export const opens =
  (modeKeyword = "mode", otherwise: "read" | "write" = "read", pick: Pick = first, position = 1): Meaning =>
  (call, scope) => {
    const given = argument(position, modeKeyword)(call);
    const mode = given ? scope.constant(given) : otherwise === "read" ? "r" : "w";
    if (mode === undefined || /[waxc+>]/.test(mode)) path("write", pick, call, scope, false);
    else path("read", pick, call, scope, false);
  };

export const runsShell =
  (pick: Pick = first): Meaning =>
  (call, scope) => {
    const given = fed(call, scope);
    const plain = scope.constant(pick(call));
    if (given.stdin && plain !== undefined && /^[\w./-]+$/.test(plain))
      scope.emit.run([scope.word(pick(call))], `${call.name} starts it`, given);
    else scope.emit.shell(scope.word(pick(call)), `${call.name} runs it in a shell`);
  };

/** A list of words runs directly; a string goes to a shell. */
export const processes: Meaning = (call, scope) => {
  const listed = scope.list(call.args[0]);
  const directory = call.keywords.get("cwd");
  const cwd = { ...(directory && { cwd: scope.word(directory) }), ...fed(call, scope) };
  const plain = scope.constant(call.args[0]);
  if (!listed && cwd.stdin && plain !== undefined && /^[\w./-]+$/.test(plain))
    return scope.emit.run([scope.word(call.args[0])], `${call.name} runs it`, cwd);
  if (!listed) return scope.emit.shell(scope.word(call.args[0]), `${call.name} runs it`, cwd);
  const rest = scope.list(call.args[1]) ?? [];
  scope.emit.run([...listed, ...rest], `${call.name} runs it`, cwd);
};

/** What the program is given on its standard input, when that is constant. */
function fed(call: Call, scope: ProgramScope): { stdin?: { kind: "text"; text: string } } {
  const text = scope.constant(call.keywords.get("input"));
  return text === undefined ? {} : { stdin: { kind: "text", text } };
}

/** spawn("rm", ["-rf", "x"], options) or execv("/bin/rm", [...]) where the list repeats the name. */
export const spawns: Meaning = (call, scope) => {
  const program = scope.word(call.args[0]);
  const listed = scope.list(call.args[1]);
  const shell = call.keywords.get("shell");
  if (shell && shell[0]?.text !== "false" && shell[0]?.text !== "False" && !listed)
    return scope.emit.shell(program, `${call.name} runs it in a shell`);
  scope.emit.run([program, ...(listed ?? [])], `${call.name} starts it`, {
    ...(call.args[1] && !listed && !/^\{/.test(call.args[1][0]?.text ?? "") && { extraArgs: "unknown" as const }),
    ...fed(call, scope),
  });
};

/** system("rm", "-rf", "x"): several words run directly, one goes to a shell. */
export const systemWords: Meaning = (call, scope) => {
  if (call.args.length <= 1) return scope.emit.shell(scope.word(call.args[0]), `${call.name} runs it`);
  scope.emit.run(
    call.args.map((arg) => scope.word(arg)),
    `${call.name} runs it`,
  );
};

export const networkCall =
  (upload = false, pick: Pick = first): Meaning =>
  (call, scope) => {
    const body = upload || ["data", "json", "files", "body"].some((name) => call.keywords.has(name));
    scope.emit.effect({
      kind: "network",
      reason: call.name,
      host: scope.constant(pick(call)),
      ...(body && { upload: true }),
    });
  };

/** eval and exec: constant text is analysed, computed text is unknown and keeps its origin. */
export const evaluates: Meaning = (call, scope) => {
  const [text] = call.args;
  if (text) scope.emit.program(scope.word(text), `${call.name} evaluates text as a program`, scope.language);
  else scope.emit.unknown(`${call.name} evaluates text as a program`);
};

/** Code from elsewhere is loaded: what it does is not to be seen. */
export const loads: Meaning = (call, scope) => scope.emit.unknown(`${call.name} loads other code`);

/** Decoders over constants, so that hidden text is read like plain one. */
export const base64 = ([text = ""]: string[]): string => Buffer.from(text, "base64").toString("utf8");
export const hex = ([text = ""]: string[]): string => Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8");
export const rot13 = ([text = ""]: string[]): string =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char <= "Z" ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });

export const kills: Meaning = (call, scope) =>
  scope.emit.hazard(hazard("kill-process"), call.name, {
    program: call.name,
    argv: call.args.map((arg) => scope.word(arg).value ?? numeral(arg)),
  });

function numeral(tokens: readonly Token[]): string | undefined {
  const text = tokens.map((token) => token.text).join("");
  return /^-?\d+$/.test(text) ? text : undefined;
}

export const nothing: Meaning = () => undefined;

function path(
  kind: "read" | "write" | "delete",
  pick: Pick,
  call: Call,
  scope: ProgramScope,
  recursive: boolean,
): void {
  for (const word of scope.choices(pick(call))) one(kind, word, call, scope, recursive);
}

function one(kind: "read" | "write" | "delete", word: Arg, call: Call, scope: ProgramScope, recursive: boolean): void {
  if (/^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(word.value ?? "")) return;
  if (word.value !== undefined && /^[0-9]+$/.test(word.value) && kind !== "delete") return;
  scope.emit[kind](word, call.name.replace(/^\./, ""), recursive ? { recursive: true } : {});
}
