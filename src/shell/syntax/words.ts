// Expands the words of a command the way bash does: braces, tilde, parameters, substitutions, splitting.
// Invariant: a part that is not static leaves `value` undefined and keeps the static text before it as `prefix`.
import type { ArithmeticExpression, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { commonPrefix } from "../analyze/listed-paths.js";
import type { Output } from "../analyze/run-context.js";
import { known, type ShellScope, type Text, unresolved } from "../analyze/scope.js";
import type { Arg } from "../analyze/tool.js";
import { expandBraces } from "./braces.js";
import { parameterOperation } from "./parameters.js";
import { parseWord } from "./parse.js";
import { WordFields } from "./word-fields.js";

/** What expansion needs from the walker: substitutions run commands, and some expansions can't be followed. */
export interface Substitution {
  /** Lowers the script; its output when that is static, and the programs it comes from. */
  run(script: ParsedScript, source: string, kind: "command" | "input" | "output"): Output;
  unknown(reason: string): void;
  home?: string;
  env?: Readonly<Record<string, string>>;
}

export interface Expansion {
  scope: ShellScope;
  source: string;
  substitution: Substitution;
}

export function expandWords(words: readonly Word[], at: Expansion): Arg[] {
  const out: Arg[] = [];
  for (const word of words) expandInto(out, word, at);
  return out;
}

/** A word that stays one word: assignment values, redirection targets, here-strings, case subjects. */
export function expandOne(word: Word, at: Expansion): Arg {
  const field = new WordFields(word.text);
  if (!word.parts) {
    field.add(tilde(word.text, word.value, at) ?? word.value);
    return field.single();
  }
  parts(word.parts, at, field, true);
  return field.single();
}

/** Text of a here-document or any other list of parts inside quotes. */
export function expandQuoted(list: readonly WordPart[], at: Expansion): Text {
  const field = new WordFields("");
  parts(list, at, field, true);
  const { value, prefix } = field.single();
  return { value, prefix };
}

function expandInto(out: Arg[], word: Word, at: Expansion): void {
  if (!word.parts) {
    const value = tilde(word.text, word.value, at) ?? word.value;
    out.push({ source: word.text, value, prefix: value });
    return;
  }
  if (word.parts.some((part) => part.type === "BraceExpansion")) {
    const texts = expandBraces(word.text);
    const spelled = texts?.length === 1 && texts[0] === word.text ? undefined : texts;
    if (spelled) {
      for (const text of spelled) {
        if (text === "") continue;
        const piece = parseWord(text);
        if (piece && !piece.parts?.some((part) => part.type === "BraceExpansion")) expandInto(out, piece, at);
        else out.push({ source: text, prefix: "" });
      }
      return;
    }
    if (!texts) {
      for (const part of word.parts)
        if (part.type === "BraceExpansion") parts(part.parts ?? [], at, new WordFields(""), true);
      out.push({ source: word.text, prefix: word.text.slice(0, word.text.indexOf("{")), glob: true });
      return;
    }
  }
  const fields = new WordFields(word.text);
  parts(word.parts, at, fields, false);
  out.push(...fields.finish());
}

function parts(list: readonly WordPart[], at: Expansion, fields: WordFields, quoted: boolean): void {
  list.forEach((part, index) => {
    switch (part.type) {
      case "Literal":
        fields.add((index === 0 && fields.empty() && tilde(part.text, part.value, at)) || part.value);
        break;
      case "SingleQuoted":
      case "AnsiCQuoted":
        fields.quoted().add(part.value);
        break;
      case "DoubleQuoted":
      case "LocaleString":
        fields.quoted();
        parts(part.parts, at, fields, true);
        break;
      case "Glob":
        fields.add(part.value, !quoted);
        if (part.kind === "bracket") parts(part.parts, at, new WordFields(""), true);
        break;
      case "ExtendedGlob":
        fields.add(part.text, !quoted);
        if (part.parts) parts(part.parts, at, new WordFields(""), true);
        break;
      case "BraceExpansion":
        fields.add(part.text);
        if (part.parts) parts(part.parts, at, new WordFields(""), true);
        break;
      case "SimpleExpansion":
        parameter(part.text.slice(1), at, fields, quoted);
        break;
      case "ParameterExpansion":
        expansion(part, at, fields, quoted);
        break;
      case "CommandExpansion": {
        const { text, from, paths } = substitute(part.script, at, "command");
        const output = text?.replace(/\n+$/, "");
        fields.origin(from);
        const [listed] = paths?.length === 1 ? paths : [];
        // `rm $(find src -name x)`: the paths it lists, as the pattern they match.
        if (output === undefined && !quoted && fields.empty() && listed?.value !== undefined && listed.glob)
          fields.add(listed.value, true);
        else if (output === undefined) fields.text({ prefix: commonPrefix(paths) ?? "" }, quoted, "");
        else fields.text(known(output), quoted, separators(at));
        break;
      }
      case "ArithmeticExpansion": {
        const value = part.expression && arithmetic(part.expression, at);
        if (value === undefined) fields.unknown();
        else fields.add(String(value));
        break;
      }
      case "ProcessSubstitution": {
        const { text, from, paths } = substitute(part.script, at, part.operator === "<" ? "input" : "output");
        fields.add("/dev/fd/63").process(part.operator === "<" ? { text, from, paths } : { from: [] });
        break;
      }
    }
  });
}

function substitute(script: ParsedScript | undefined, at: Expansion, kind: "command" | "input" | "output"): Output {
  if (!script) {
    at.substitution.unknown("a substitution could not be read");
    return { from: [] };
  }
  return at.substitution.run(script, script.source ?? at.source, kind);
}

function parameter(name: string, at: Expansion, fields: WordFields, quoted: boolean): void {
  if (name === "@" || name === "*") return list(at.scope.positional, fields, quoted, name);
  fields.mention(name);
  const text = variableText(name, at);
  if (text.value === undefined && /^[A-Za-z_]/.test(name) && isUnset(name, at)) fields.maybeEmpty();
  fields.text(text, quoted, separators(at));
}

/** `"$@"` and `"${a[@]}"`: one field an element; `"$*"` joins; unknown lists leave one unresolved word. */
function list(items: readonly Text[] | undefined, fields: WordFields, quoted: boolean, how: string): void {
  if (!items) return fields.unknown();
  if (quoted && how === "*") {
    items.forEach((item, index) => {
      if (index > 0) fields.add(" ");
      fields.text(item, true, " ");
    });
    return;
  }
  items.forEach((item, index) => {
    if (index > 0) fields.next();
    if (quoted) fields.quoted();
    fields.text(item, quoted, " \t\n");
  });
  if (items.length === 0) fields.unquote();
}

function expansion(part: ParameterExpansionPart, at: Expansion, fields: WordFields, quoted: boolean): void {
  const { parameter: name, operation } = part;
  if (part.index && part.index.text !== "@" && part.index.text !== "*") {
    const index = expandOne(part.index, at);
    warnSubscript(index, at);
  }
  if (part.prefix === "!") {
    if (operation?.type === "Names" || part.index) return fields.unknown();
    const target = variableText(name, at).value;
    if (target === undefined || !/^[A-Za-z_]\w*$/.test(target)) return fields.unknown();
    fields.mention(target);
    return fields.text(variableText(target, at), quoted, separators(at));
  }
  const every = part.index?.text === "@" || part.index?.text === "*";
  const items = name === "@" || name === "*" ? at.scope.positional : at.scope.variable(name)?.items;
  if (part.prefix === "#") {
    const many = every || name === "@" || name === "*";
    const count = many ? (items?.some(isPattern) ? undefined : items?.length) : variableText(name, at).value?.length;
    return count === undefined ? fields.unknown() : void fields.add(String(count));
  }
  if (!operation && (every || name === "@" || name === "*")) {
    fields.mention(name);
    return list(
      every && !items ? singleton(variableText(name, at)) : items,
      fields,
      quoted,
      every ? part.index!.text : name,
    );
  }
  fields.mention(name);
  const base = part.index ? element(items, part.index, at) : variableText(name, at);
  if (!operation) {
    if (base.value === undefined && !part.index && isUnset(name, at)) fields.maybeEmpty();
    return fields.text(base, quoted, separators(at));
  }
  const variable = { name, text: base, isUnset: isUnset(name, at), expand: (word: Word) => expandOne(word, at) };
  fields.text(parameterOperation(variable, operation, at), quoted, separators(at));
}

const isPattern = (text: Text): boolean => text.pattern !== undefined;
const singleton = (text: Text): Text[] | undefined =>
  text.value === undefined && !isPattern(text) ? undefined : [text];

function element(items: readonly Text[] | undefined, index: Word, at: Expansion): Text {
  const position = Number(expandOne(index, at).value ?? Number.NaN);
  if (!items || !Number.isInteger(position) || items.some(isPattern)) return unresolved;
  return items.at(position) ?? known("");
}

/** A variable as far as it is known; `$HOME`, `$PWD` and the like come from the context. */
function variableText(name: string, at: Expansion): Text {
  if (/^\d+$/.test(name)) {
    if (name === "0") return at.scope.variable("0")?.text ?? unresolved;
    const { positional } = at.scope;
    return positional ? (positional[Number(name) - 1] ?? known("")) : unresolved;
  }
  if (name === "#") return at.scope.positional ? known(String(at.scope.positional.length)) : unresolved;
  const variable = at.scope.variable(name);
  if (variable) return variable.items ? (variable.items[0] ?? known("")) : variable.text;
  if (name === "PWD") return at.scope.cwd === undefined ? unresolved : known(at.scope.cwd);
  if (name === "OLDPWD" && at.scope.previous !== undefined) return known(at.scope.previous);
  if (name === "IFS") return known(" \t\n");
  if (name === "HOME" && at.substitution.home !== undefined) return known(at.substitution.home);
  const given = at.substitution.env?.[name];
  if (given !== undefined) return known(given);
  if (name === "TMPDIR") return known("/tmp");
  return unresolved;
}

/** Nobody assigned the name as far as we know. */
function isUnset(name: string, at: Expansion): boolean {
  const variable = at.scope.variable(name);
  return variable ? variable.unset === true : variableText(name, at).value === undefined;
}

function separators(at: Expansion): string {
  const set = at.scope.variable("IFS");
  return set ? (set.text.value ?? " \t\n") : " \t\n";
}

/** `~`, `~/x`, `~+`, `~-`, `~user` at the start of an unquoted word. */
function tilde(text: string, value: string, at: Expansion): string | undefined {
  if (text.charCodeAt(0) !== 0x7e) {
    // bash expands `of=~/x` as it does an assignment.
    const given = /^[A-Za-z_]\w*=(?=~)/.exec(text)?.[0];
    const rest = given && value.startsWith(given) && tilde(text.slice(given.length), value.slice(given.length), at);
    return rest ? given + rest : undefined;
  }
  const slash = value.indexOf("/");
  const head = slash < 0 ? value : value.slice(0, slash);
  const rest = slash < 0 ? "" : value.slice(slash);
  if (text.startsWith("~\\")) return undefined;
  if (head === "~") {
    const home = variableText("HOME", at).value;
    return home === undefined ? undefined : home + rest;
  }
  if (head === "~+") return at.scope.cwd === undefined ? undefined : at.scope.cwd + rest;
  if (head === "~-") return at.scope.previous === undefined ? undefined : at.scope.previous + rest;
  if (!/^~[A-Za-z_][\w.-]*$/.test(head)) return undefined;
  return head === "~root" ? `/root${rest}` : `/home/${head.slice(1)}${rest}`;
}

/** A subscript is arithmetic: text like `a[$(cmd)]` in it is executed even when it came out of quotes. */
export function warnSubscript(index: Text, at: Expansion): void {
  if (/\$\(|`|\$\{/.test(index.value ?? "")) at.substitution.unknown("a subscript that runs a command");
}

/** Runs the substitutions of an arithmetic expression; its value when all of it is static. */
export function arithmetic(root: ArithmeticExpression, at: Expansion): number | undefined {
  // Long sums nest thousands deep to the left, so substitutions are visited without recursion.
  const pending: ArithmeticExpression[] = [root];
  let static_ = true;
  let count = 0;
  for (let node = pending.pop(); node; node = pending.pop()) {
    count++;
    switch (node.type) {
      case "ArithmeticBinary":
        pending.push(node.right, node.left);
        if (/^[^=!<>]?=$|<<=|>>=/.test(node.operator)) static_ = assigned(node.left, at);
        break;
      case "ArithmeticUnary":
        pending.push(node.operand);
        if (node.operator === "++" || node.operator === "--") static_ = assigned(node.operand, at);
        break;
      case "ArithmeticTernary":
        pending.push(node.alternate, node.consequent, node.test);
        break;
      case "ArithmeticGroup":
        pending.push(node.expression);
        break;
      case "ArithmeticCommandExpansion":
        substitute(node.script, at, "command");
        static_ = false;
        break;
      case "ArithmeticWord":
        if (node.parts) warnSubscript(expandQuoted(node.parts, at), at);
        else if (/^[A-Za-z_]\w*$/.test(node.value)) warnSubscript(variableText(node.value, at), at);
        break;
    }
  }
  return static_ && count < 200 ? evaluate(root, at) : undefined;
}

function assigned(target: ArithmeticExpression, at: Expansion): false {
  if (target.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(target.value))
    at.scope.assign(target.value, unresolved);
  return false;
}

function evaluate(node: ArithmeticExpression, at: Expansion): number | undefined {
  switch (node.type) {
    case "ArithmeticGroup":
      return evaluate(node.expression, at);
    case "ArithmeticWord": {
      const text = node.parts ? expandQuoted(node.parts, at).value : node.value;
      if (text === undefined) return undefined;
      if (/^\d{1,15}$/.test(text)) return Number(text);
      const value = /^[A-Za-z_]\w*$/.test(text) ? variableText(text, at).value : undefined;
      return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
    }
    case "ArithmeticBinary": {
      const left = evaluate(node.left, at);
      const right = evaluate(node.right, at);
      if (left === undefined || right === undefined) return undefined;
      switch (node.operator) {
        case "+":
          return left + right;
        case "-":
          return left - right;
        case "*":
          return left * right;
        case "/":
          return right === 0 ? undefined : Math.trunc(left / right);
        case "%":
          return right === 0 ? undefined : left % right;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}
