// sed scripts: the commands that read or write files and the ones that run programs.
// Invariant: a script that is not understood to its last character is unknown.
import { isStreamPath } from "../analyze/paths.js";
import type { Emit } from "../analyze/tool.js";
import { literal } from "../spec/options.js";

/** s///e runs the whole line after the replacement: known when the pattern takes all of it. */
function executed(pattern: string, replacement: string, emit: Emit): void {
  const whole = /^\^?\.\*\$?$/.test(pattern) && !/&|\\\d/.test(replacement);
  const command = replacement.replace(/\\(.)/g, "$1");
  emit.shell(whole ? literal(command) : { source: "the pattern space", prefix: "" }, "sed s///e runs the result");
  // Put into any line, a command is still most of what runs.
  if (!whole && /^\s*[a-z][\w./-]*\s/.test(command)) emit.shell(literal(command), "sed s///e runs the replacement");
}

export function sed(text: string, emit: Emit): void {
  let at = 0;
  const line = (): string => {
    const end = text.indexOf("\n", at);
    const rest = text.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? text.length : end;
    return rest.trim();
  };
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at += match[0].length;
    return match?.[0] ?? "";
  };
  /** Past a part ended by the delimiter; a delimiter in brackets does not end a regular expression. */
  const part = (delimiter: string, regex: boolean): boolean => {
    let bracket = false;
    for (; at < text.length; at++) {
      const char = text[at]!;
      if (char === "\\") at++;
      else if (bracket) bracket = char !== "]" || text[at - 1] === "[" || text.slice(at - 2, at) === "[^";
      else if (char === delimiter) {
        at++;
        return true;
      } else if (regex && char === "[") bracket = true;
    }
    return false;
  };
  const lost = () => emit.unknown(`sed script is not understood: ${text.slice(0, 60)}`);

  while (at < text.length) {
    skip(/[\s;]+/y);
    if (at >= text.length) return;
    for (let address = 0; address < 2; address++) {
      if (text[at] === "/" || text[at] === "\\") {
        const delimiter = text[at] === "/" ? "/" : text[++at]!;
        at++;
        if (!part(delimiter, true)) return lost();
        skip(/[IM]*/y);
      } else skip(/(\d+|\$|[+~]\d+)(~\d+)?/y);
      skip(/\s*/y);
      if (address === 0 && text[at] === ",") {
        at++;
        skip(/\s*/y);
      } else break;
    }
    skip(/[\s!]*/y);
    const command = text[at++];
    if (command === undefined) return;
    if (command === "s" || command === "y") {
      const delimiter = text[at++];
      if (!delimiter || delimiter === "\n" || delimiter === "\\") return lost();
      const from = at;
      if (!part(delimiter, command === "s")) return lost();
      const pattern = text.slice(from, at - 1);
      const middle = at;
      if (!part(delimiter, false)) return lost();
      const replacement = text.slice(middle, at - 1);
      if (command === "y") continue;
      const flags = skip(/[gpiImMe0-9]*/y);
      if (flags.includes("e")) executed(pattern, replacement, emit);
      if (text[at] === "w") {
        at++;
        const file = line();
        if (!isStreamPath(file)) emit.write(literal(file), "sed s///w");
      }
    } else if (command === "w" || command === "W") {
      const file = line();
      if (!isStreamPath(file)) emit.write(literal(file), "sed w");
    } else if (command === "r" || command === "R") {
      const file = line();
      if (!isStreamPath(file)) emit.read(literal(file), "sed r");
    } else if (command === "e") {
      const shell = line();
      emit.shell(shell ? literal(shell) : { source: "the pattern space", prefix: "" }, "sed e");
    } else if (/[aic]/.test(command)) {
      while (at < text.length && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
    } else if (/[:btT]/.test(command)) skip(/[^\n;}]*/y);
    else if (/[#]/.test(command)) line();
    else if (/[qQlLv]/.test(command)) skip(/[ \t]*[\w.]*/y);
    else if (!/[{}=dDgGhHnNpPxzF]/.test(command)) return lost();
  }
}
