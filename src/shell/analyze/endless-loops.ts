// Loops that never end and start a process in every round.
// Invariant: judged by syntax alone; a loop that sleeps, breaks or waits for what it started is not one of them.
import {
  type ArithmeticFor,
  type CompoundList,
  forEachChild,
  type Statement,
  type SyntaxNode,
  type While,
} from "unbash";

export function startsWithoutEnd(loop: While | ArithmeticFor): boolean {
  if (loop.type === "While" ? !constant(loop) : loop.test !== undefined) return false;
  let starts = false;
  let pauses = false;
  const pending: SyntaxNode[] = [loop.body];
  for (let node = pending.pop(); node && !pauses; node = pending.pop()) {
    if (node.type === "Statement" && node.background) starts = true;
    if (node.type === "Command" && /^(sleep|break|exit|return|read|usleep)$/.test(node.name?.value ?? ""))
      pauses = true;
    // What a condition that is never true guards does not pause anything.
    if (node.type === "If" && !node.else && node.elif.length === 0 && named(node.clause, /^false$/)) continue;
    forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return starts && !pauses && !waits(loop.body.commands);
}

/** A `wait` of the loop's own shell, behind the last process it starts. */
function waits(statements: readonly Statement[]): boolean {
  const last = statements.findLastIndex(
    ({ background, command }) =>
      background || (command.type === "Subshell" && command.body.commands.some((inner) => inner.background)),
  );
  const forgotten = statements.some(({ command }) => nameOf(command) === "disown");
  const subshell = statements[last]?.command.type === "Subshell";
  return !forgotten && !subshell && statements.slice(last + 1).some(({ command }) => reaches(command));
}

const nameOf = (node: SyntaxNode): string => (node.type === "Command" ? (node.name?.value ?? "") : "");

/** Also within a condition: `[ $n -gt 4 ] && wait` bounds the number. */
function reaches(node: SyntaxNode): boolean {
  if (node.type === "Subshell") return false;
  if (node.type === "If" && named(node.clause, /^false$/)) return false;
  if (nameOf(node) === "wait") return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= reaches(child);
  });
  return found;
}

const named = (clause: CompoundList, pattern: RegExp): boolean =>
  clause.commands.length === 1 && pattern.test(nameOf(clause.commands[0]!.command));

/** `while true`, `while :`, `until false`, `while ((1))`, `while [[ 1 ]]`. */
function constant({ kind, clause }: While): boolean {
  const [statement, ...more] = clause.commands;
  const condition = statement?.command;
  if (more.length || !condition) return false;
  if (condition.type === "ArithmeticCommand") return kind === "while" && /^\s*[1-9]\d*\s*$/.test(condition.body);
  if (condition.type === "TestCommand") return kind === "while" && /^\s*[^\s$]+\s*$/.test(wordOf(condition.expression));
  // `[ 1 ]`: any one word that is not empty.
  if (condition.type === "Command" && condition.name?.value === "[" && condition.suffix.length === 2)
    return kind === "while" && condition.suffix.every((word) => word.type === "Word" && /^[\w\]]+$/.test(word.text));
  if (condition.type !== "Command" || condition.suffix.length) return false;
  return (kind === "while" ? /^(.*\/)?(true|:)$/ : /^(.*\/)?false$/).test(condition.name?.value ?? "");
}

const wordOf = (expression: { type: string; operand?: unknown; operator?: string }): string =>
  expression.type === "TestUnary" && expression.operator === "-n"
    ? ((expression.operand as { text?: string })?.text ?? "")
    : "";
