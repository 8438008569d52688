// Statements handed to database clients: SQL, psql's backslash commands and sqlite's dot commands.
// Invariant: every door (option, operand, standard input, file) ends here; escapes to the shell are followed.
import { type Hazard, hazard, hazardName } from "../../model/hazards.js";
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { isStream, literal } from "../spec/options.js";
import { sqlHazards, throwaway } from "./sql.js";

type Run = (text: Arg, call: Invocation, emit: Emit) => void;

/** SQL for a service: no client that has commands of its own. */
export const judgeStatement: Run = (text, call, emit) => {
  if (text.value === undefined) emit.unknown(`the statement for ${call.name} is not static`);
  for (const found of sqlHazards(text.value ?? filledIn(text))) sayHazard(found, call, emit);
};

/** SQL and what the client itself understands. */
export const runStatement: Run = (text, call, emit) => {
  if (text.value === undefined) emit.unknown(`the statement for ${call.name} is not static`);
  const statement = text.value ?? filledIn(text);
  for (const found of sqlHazards(statement)) sayHazard(isThrowaway(call) ? lessened(found) : found, call, emit);
  clientCommands(statement, call, emit);
};

/** `"DROP TABLE $t"`: whatever the variable says, the words around it stand. */
const filledIn = ({ source }: Arg): string =>
  source.length > 20_000 || !source.startsWith('"')
    ? ""
    : source
        .replace(/^"|"$/g, "")
        .replace(/\$\{\w+\}|\$\w+/g, "x")
        .replace(/\\(["\\$`])/g, "$1");

export const sayHazard = (found: Hazard, call: Invocation, emit: Emit): void =>
  emit.hazard(found, `${call.name}: ${hazardName(found).replaceAll("-", " ")}`);

/** What is in a database made to be thrown away is asked about, not refused. */
const lessened = (found: Hazard): Hazard => (found.level === 3 ? hazard("throwaway-data", hazardName(found)) : found);

export function runStatementFile(path: Arg, call: Invocation, emit: Emit, run = runStatement): void {
  if (isStream(path) && !path.process) return runStatementsOfInput(call, emit, run);
  emit.read(path, `${call.name} takes statements from it`);
  const text = emit.projectFile(path);
  if (text !== undefined) run(literal(text), call, emit);
  else if (!path.process && isElsewhere(call))
    emit.hazard(hazard("statement-run-elsewhere"), `${call.name} runs statements nobody can see: ${path.source}`);
}

const localHost = /^(localhost|127\.0\.0\.1|\[?::1\]?|\/.*|\.|)$/;

/** The server is not on this machine, or a variable says which it is. */
function isElsewhere({ args, env }: Invocation): boolean {
  if (env["PGHOST"] && !localHost.test(env["PGHOST"].value ?? "?")) return true;
  return args.some((arg, at) => {
    const before = args[at - 1]?.value ?? "";
    if (/^(-h|--host)$/.test(before)) return !localHost.test(arg.value ?? "?");
    if (/^(-f|--file|-o|-v|--set|-U|-u|-p|-P|-c)$/.test(before)) return false;
    if (arg.value === undefined) return !/^-|^[\w.-]*=/.test(arg.prefix) || /^--(host|dbname)=/.test(arg.prefix);
    const host = /^--host=(.*)$|^-h(.+)$|:\/\/(?:[^@/]*@)?([^:/?]*)|\bhost=(\S*)/.exec(arg.value);
    return host !== null && !localHost.test(host.slice(1).find((part) => part !== undefined) ?? "");
  });
}

export function runStatementsOfInput(call: Invocation, emit: Emit, run = runStatement): void {
  if (call.stdin.kind === "text") run(literal(call.stdin.text), call, emit);
  else if (call.stdin.kind === "file") runStatementFile(call.stdin.path, call, emit, run);
}

/** `psql app_test`, `mysql -D shop_test`, `sqlite3 test.db`: by the name of what is opened. */
function isThrowaway({ args }: Invocation): boolean {
  return args.some((arg, at) => {
    const named = /^(-d|-D|--dbname|--database)$/.test(args[at - 1]?.value ?? "");
    const value = /^--(?:dbname|database)=(.*)$/.exec(arg.value ?? "")?.[1] ?? arg.value ?? "";
    const plain = at === 0 || !/^-/.test(args[at - 1]?.value ?? "-");
    if (!named && !plain && !arg.value?.startsWith("--d")) return false;
    const name = value
      .replace(/\?.*$/, "")
      .replace(/^.*\//, "")
      .replace(/\.\w+$/, "");
    return !/\s/.test(value) && (throwaway(name) || /^\/tmp\//.test(value));
  });
}

const writes = /^(?:\\o|\\w|\.(?:output|once|backup|save|log|excel)|\\g|tee|\\T)\s+(?:main\s+)?(\S+)$/;
const copies = /^\\copy\b.*?\b(to|from)\s+(?:program\s+'([^']*)'|'?([^\s']+)'?)/i;

/** What the client itself understands, line by line, and the statements that reach files and programs. */
export function clientCommands(text: string, call: Invocation, emit: Emit): void {
  for (const line of text.split("\n").map((part) => part.trim())) {
    const shell = /^(?:\\!|\.(?:shell|system)|\\system|system|!)\s+(.+)$/.exec(line)?.[1];
    if (shell) emit.shell(literal(shell), `${call.name} runs it`);
    const output = writes.exec(line)?.[1];
    if (output && output !== "stdout" && output !== "off") {
      if (output.startsWith("|")) emit.shell(literal(output.slice(1)), `${call.name} pipes to it`);
      else emit.write(literal(unquoted(output)), `${call.name} writes it`);
    }
    const input = /^(?:\\i|\\ir|\\include|\.read|source|\\\.)\s+(\S+)$/.exec(line)?.[1];
    if (input) runStatementFile(literal(unquoted(input)), call, emit);
    const restored = /^\.(?:restore|import)\s+(?:--\S+\s+)*(\S+)/.exec(line)?.[1];
    if (restored) emit.read(literal(unquoted(restored)), `${call.name} reads it`);
    if (/^\.(drop|clear)\b/.test(line)) emit.hazard(hazard("drop-object"), `${call.name} ${line}`);
    const copied = copies.exec(line);
    if (copied?.[2]) emit.shell(literal(copied[2]), `${call.name} \\copy program`);
    else if (copied?.[3] && !/^(stdin|stdout)$/i.test(copied[3]))
      emit[copied[1]!.toLowerCase() === "to" ? "write" : "read"](literal(copied[3]), `${call.name} \\copy`);
  }
  const outfile = /\binto\s+(?:outfile|dumpfile)\s+'([^']*)'/i.exec(text)?.[1];
  if (outfile) emit.write(literal(outfile), `${call.name} into outfile`);
  const program = /\bcopy\b[\s\S]*?\b(?:to|from)\s+program\s+'((?:[^']|'')*)'/i.exec(text)?.[1];
  if (program && !/^\s*\\copy/m.test(text))
    emit.shell(literal(program.replaceAll("''", "'")), `${call.name} copy program`);
}

const unquoted = (text: string) => text.replace(/^['"]|['"]$/g, "");
