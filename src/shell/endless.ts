// Loops that never end and start a process in every round.
// Invariant: judged by syntax alone; a loop that waits, sleeps or breaks anywhere in it is not one of them.
import { type ArithmeticFor, forEachChild, type SyntaxNode, type While } from "unbash";

export function startsWithoutEnd(loop: While | ArithmeticFor): boolean {
  if (loop.type === "While" ? !constant(loop) : loop.test !== undefined) return false;
  let starts = false;
  let pauses = false;
  const pending: SyntaxNode[] = [loop.body];
  for (let node = pending.pop(); node && !pauses; node = pending.pop()) {
    if (node.type === "Statement" && node.background) starts = true;
    if (node.type === "Command" && /^(wait|sleep|break|exit|return|read|usleep)$/.test(node.name?.value ?? ""))
      pauses = true;
    forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return starts && !pauses;
}

/** `while true`, `while :`, `until false`, `while ((1))`, `while [[ 1 ]]`. */
function constant({ kind, clause }: While): boolean {
  const [statement, ...more] = clause.commands;
  const condition = statement?.command;
  if (more.length || !condition) return false;
  if (condition.type === "ArithmeticCommand") return kind === "while" && /^\s*[1-9]\d*\s*$/.test(condition.body);
  if (condition.type === "TestCommand") return kind === "while" && /^\s*[^\s$]+\s*$/.test(wordOf(condition.expression));
  if (condition.type !== "Command" || condition.suffix.length) return false;
  return (kind === "while" ? /^(.*\/)?(true|:)$/ : /^(.*\/)?false$/).test(condition.name?.value ?? "");
}

const wordOf = (expression: { type: string; operand?: unknown; operator?: string }): string =>
  expression.type === "TestUnary" && expression.operator === "-n"
    ? ((expression.operand as { text?: string })?.text ?? "")
    : "";
