// The operations inside ${...}: defaults, removal, replacement, slices, case.
// Invariant: what can't be computed exactly gives an unresolved text; operands are always expanded.
import type { ParameterOperation, Word } from "unbash";
import { known, type Text, unresolved } from "../analyze/scope.js";
import type { Expansion } from "./words.js";

/** A variable as an operation finds it, and what expands the operation's own words. */
export interface Operand {
  name: string;
  text: Text;
  isUnset: boolean;
  expand(word: Word): Text;
}

export function parameterOperation(variable: Operand, operation: ParameterOperation, at: Expansion): Text {
  const { text: base, expand } = variable;
  switch (operation.type) {
    case "Default":
      return fallback(variable, operation.operator, operation.operand, at);
    case "Remove": {
      const pattern = expand(operation.operand).value;
      return apply(base, pattern, (value, glob) => removed(value, glob, operation.operator));
    }
    case "Replace": {
      const pattern = expand(operation.pattern).value;
      const replacement = expand(operation.replacement).value;
      if (replacement === undefined) return unresolved;
      return apply(base, pattern, (value, glob) => replaced(value, glob, replacement, operation.operator));
    }
    case "Slice": {
      const offset = integer(expand(operation.offset));
      const length = operation.length ? integer(expand(operation.length)) : Number.POSITIVE_INFINITY;
      if (base.value === undefined || offset === undefined || length === undefined) return unresolved;
      const start = offset < 0 ? Math.max(0, base.value.length + offset) : offset;
      return known(base.value.slice(start, length < 0 ? base.value.length + length : start + length));
    }
    case "CaseModification": {
      if (operation.operand) expand(operation.operand);
      if (base.value === undefined || operation.operand) return unresolved;
      const change = (text: string) => (operation.operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase());
      if (operation.operator.length === 2) return known(change(base.value));
      return known(change(base.value.slice(0, 1)) + base.value.slice(1));
    }
    case "Transform":
      // ${x@P} expands its value as a prompt, which runs the substitutions in it.
      if (operation.operand.text === "P" && (base.value === undefined || /[$`]/.test(base.value)))
        at.substitution.unknown("a prompt expansion that can run commands");
      return unresolved;
    default:
      return unresolved;
  }
}

function fallback(variable: Operand, operator: string, operand: Word, at: Expansion): Text {
  const { name, text: base, expand } = variable;
  const absent = variable.isUnset || (base.value === "" && operator.startsWith(":"));
  if (operator.endsWith("+")) {
    const alternative = expand(operand);
    if (absent) return at.substitution.env || base.value === "" ? known("") : alternative;
    return base.value === undefined ? unresolved : alternative;
  }
  if (!absent && base.value !== undefined) return base;
  const value = expand(operand);
  if (operator.endsWith("?")) return base;
  // A name nobody assigned is most likely unset, and then the default is what runs.
  if (!absent) return unresolved;
  if (operator.endsWith("=")) at.scope.assign(name, value);
  return { value: value.value, prefix: value.prefix };
}

function integer({ value }: Text): number | undefined {
  const text = value?.trim();
  return text !== undefined && /^\(?-?\d{1,9}\)?$/.test(text) ? Number(text.replace(/[()]/g, "")) : undefined;
}

function apply(base: Text, pattern: string | undefined, change: (value: string, glob: RegExp) => string): Text {
  if (base.value === undefined || pattern === undefined) return unresolved;
  if (base.value.length > 4096 || pattern.length > 256) return unresolved;
  const source = globSource(pattern);
  return source === undefined ? unresolved : known(change(base.value, new RegExp(source, "u")));
}

/** At most two stars, so that matching stays cheap; classes and extended patterns are left unresolved. */
function globSource(pattern: string): string | undefined {
  if ((pattern.match(/\*/g)?.length ?? 0) > 2 || /[[\]()\\]/.test(pattern)) return undefined;
  return pattern
    .replace(/[.+^${}|/]/g, "\\$&")
    .replace(/\?/g, "[^]")
    .replace(/\*/g, "[^]*");
}

function removed(value: string, glob: RegExp, operator: string): string {
  const whole = new RegExp(`^(?:${glob.source})$`, "u");
  const front = operator.startsWith("#");
  const longest = operator.length === 2;
  const lengths = Array.from({ length: value.length + 1 }, (_, size) => size);
  if (longest) lengths.reverse();
  for (const size of lengths) {
    const piece = front ? value.slice(0, size) : value.slice(value.length - size);
    if (whole.test(piece)) return front ? value.slice(size) : value.slice(0, value.length - size);
  }
  return value;
}

function replaced(value: string, glob: RegExp, replacement: string, operator: string): string {
  const source = operator === "/#" ? `^(?:${glob.source})` : operator === "/%" ? `(?:${glob.source})$` : glob.source;
  return value.replace(new RegExp(source, operator === "//" ? "gu" : "u"), () => replacement);
}
