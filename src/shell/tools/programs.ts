// Code on the command line, on standard input or in a file: what interpreters and runners have in common.
// Invariant: code that comes from anywhere is followed or named unknown; a download that is run keeps its origin.
import type { Arg, Emit, Invocation, Language } from "../analyze/tool.js";

export const isStandardInput = (word: Arg): boolean =>
  /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word.value ?? "");

/** The program is what stands on standard input. */
export function fromInput(call: Invocation, emit: Emit, language: Language): void {
  const { stdin } = call;
  const reason = `${call.name} reads its program from standard input`;
  if (stdin.kind === "text")
    emit.program(
      { source: "standard input", value: stdin.text, prefix: stdin.text, from: stdin.sources },
      reason,
      language,
    );
  else if (stdin.kind === "pipe")
    emit.program(
      { source: "standard input", prefix: "", from: stdin.sources ?? (stdin.from ? [stdin.from] : []) },
      reason,
      language,
    );
  else if (stdin.kind === "file") emit.script(stdin.path, reason, language);
}

/** Several `-e` fragments are one program. */
export function joined(parts: readonly Arg[]): Arg {
  const known = parts.every((part) => part.value !== undefined);
  const source = parts.map((part) => part.source).join("\n");
  if (!known) return { source, prefix: parts[0]?.prefix ?? "", from: parts.flatMap((part) => part.from ?? []) };
  const value = parts.map((part) => part.value).join("\n");
  return { source, value, prefix: value };
}

/** Words joined by blanks become shell text; one unresolved word makes all of it unresolved. */
export function shellText(words: readonly Arg[]): Arg {
  const source = words.map((word) => word.source).join(" ");
  if (words.some((word) => word.value === undefined))
    return { source, prefix: words[0]?.prefix ?? "", from: words.flatMap((word) => word.from ?? []) };
  const value = words.map((word) => word.value).join(" ");
  return { source, value, prefix: value };
}

/** Code runs that this analysis does not see through. */
export function executes(call: Invocation, emit: Emit, reason: string): void {
  emit.effect({ kind: "exec", program: call.name, argv: call.args.map((arg) => arg.value), reason });
}

/** A script operand, or standard input when it is "-". */
export function scriptOrInput(
  script: Arg | undefined,
  rest: readonly Arg[],
  call: Invocation,
  emit: Emit,
  language: Language,
): void {
  if (!script || isStandardInput(script)) return fromInput(call, emit, language);
  emit.script(script, `${call.name} runs it`, language, [...rest]);
}

/** Asked for nothing but its version or help. */
export const asksVersion = (call: Invocation): boolean =>
  call.args.length > 0 && call.args.every((arg) => /^(-V+|-v|--version|--help|-h|-\?)$/.test(arg.value ?? ""));
