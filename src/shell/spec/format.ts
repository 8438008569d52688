// Reads the notation in which tools are described (docs/teach-a-command.md) into plain data.
// Invariant: a description that is wrong in any way throws a SpecError that names the file, the tool and the line.
import type { PathHow } from "../../model/effect.js";
import { isHazardId } from "../../model/hazards.js";
import { type Style, syntax } from "./options.js";
import type { Action, Condition, HazardRef, Mark, Role, Rule, Target, ToolSpec, WordTest } from "./tool-spec.js";

export class SpecError extends Error {}

/** A tool's names and the text that describes it, which is not looked into until the tool is used. */
export interface Block {
  names: string[];
  text: string;
  /** The number of lines in front of the text; counted for error messages only. */
  above(): number;
}

/**
 * Cuts a text into blocks by its `tool` lines, which may follow one another. Every hook that judges a command does this
 * for all tools, in a process that has just started: it searches for the `tool` lines and looks at nothing else.
 */
export function blocksOf(file: string, text: string): Block[] {
  const mark = "\ntool ";
  const all = `\n${text}\n`;
  const blocks: Block[] = [];
  let at = all.indexOf(mark);
  const stray = linesOf(at < 0 ? all : all.slice(0, at), 0)[0];
  if (stray)
    throw new SpecError(`${file}, line ${stray.number - 1}: "${stray.text}" stands in front of the first tool`);
  let names: string[] = [];
  while (at >= 0) {
    const end = all.indexOf("\n", at + mark.length);
    for (const word of all
      .slice(at + mark.length, end)
      .trim()
      .split(/\s+/))
      if (word.includes("{")) names.push(...braces(word));
      else names.push(word);
    at = all.indexOf(mark, end);
    const body = all.slice(end, at < 0 ? undefined : at);
    // Nothing but blank lines and comments: the names of the next line belong to the same block.
    if (at >= 0 && !/^[^\S\n]*(?!# )\S/m.test(body)) continue;
    blocks.push({ names, text: body, above: () => all.slice(0, end).split("\n").length - 2 });
    names = [];
  }
  return blocks;
}

/** The lines of a block: without comments, continued lines joined. */
function linesOf(text: string, above: number): { text: string; number: number }[] {
  const lines: { text: string; number: number }[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("# ")) continue;
    const last = lines.at(-1);
    if (/^ {4}/.test(raw) && last) last.text += ` ${line}`;
    else lines.push({ text: line, number: above + index + 1 });
  }
  return lines;
}

/** "mkfs.{ext4,xfs}" names two programs. */
function braces(word: string): string[] {
  const [, before, list, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(word) ?? [];
  if (list === undefined) return [word];
  return list.split(",").flatMap((one) => braces(`${before}${one}${after}`));
}

/** `code` are the names a description may use for what is a program of its own. */
export function readTool(file: string, block: Block, code: ReadonlySet<string>): ToolSpec {
  const { names } = block;
  const lines = linesOf(block.text, block.above());
  const fail = (number: number, problem: string): never => {
    throw new SpecError(`${file}, tool ${names[0]}, line ${number}: ${problem}`);
  };
  const style: Style = {};
  const options: { item: string; number: number }[] = [];
  const dry: string[] = [];
  const always: Action[] = [];
  const also: Rule[] = [];
  const rules: Rule[] = [];
  let otherwise: Action[] | undefined;
  let helpFirst = false;

  for (const { text, number } of lines) {
    const at = (problem: string) => fail(number, problem);
    const [keyword, ...rest] = text.split(/\s+/) as [string, ...string[]];
    const body = text.slice(keyword.length).trim();
    const colon = text.indexOf(" : ");
    if (keyword === "options" || keyword === "dry") {
      options.push(...rest.map((item) => ({ item, number })));
      if (keyword === "dry") dry.push(...rest);
    } else if (keyword === "style")
      for (const word of rest) {
        const name = styles[word];
        if (!name) return at(`no style is called "${word}"; there are ${Object.keys(styles).join(", ")}`);
        style[name] = true;
      }
    else if (text === "help first") helpFirst = true;
    else if (text === "reaches network") always.push({ do: "network", upload: false });
    else if (keyword === "always") always.push(...actions(body, code, at));
    else if (keyword === "otherwise") {
      if (otherwise) at("there are two lines `otherwise`");
      otherwise = actions(body, code, at);
    } else if (colon < 0) at(`"${text}" is no rule: it has no " : "`);
    else {
      const isAlso = keyword === "also";
      const when = text.slice(isAlso ? 5 : 0, colon);
      const then = actions(text.slice(colon + 3), code, at);
      (isAlso ? also : rules).push({ line: number, when: conditions(when, style, at), then });
    }
  }
  const first = lines[0]?.number ?? 0;
  if (!otherwise) fail(first, "there is no line `otherwise`: say what a use means that no rule names");

  const roles = new Map<string, Role>();
  const spellings = new Set<string>();
  const listed = options.map(({ item, number }) => {
    const [, spelling, takes = "", role] = /^([^=]+)(=\??)?(.*)$/.exec(item) ?? [];
    if (spelling === undefined) return fail(number, `"${item}" is no option`);
    for (const one of spelling.split("|")) {
      if (spellings.has(one)) fail(number, `the option ${one} is listed twice`);
      spellings.add(one);
    }
    if (role)
      roles.set(
        canonical(spelling),
        roleOf(role, code, (problem) => fail(number, `option ${item}: ${problem}`)),
      );
    return spelling + takes;
  });
  const grammar = syntax(listed.join(" "), style);
  // What a rule asks for is an option the tool has.
  const asked = [...rules, ...also].flatMap(({ when }) => when.flat());
  const flags = asked.flatMap((one) => (one.kind === "option" && !one.value ? one.names : []));
  const added = flags.filter((name) => !grammar.specs.has(name));
  const named = (names: readonly string[]) => names.map((name) => whole.specs.get(name)?.name ?? name);
  const whole = added.length ? syntax(`${listed.join(" ")} ${added.join(" ")}`, style) : grammar;
  for (const one of asked) {
    if (one.kind !== "option") continue;
    for (const name of one.names)
      if (one.value && whole.specs.get(name)?.takes !== "required" && whole.specs.get(name)?.takes !== "optional")
        fail(first, `a rule compares --${name}, which takes no argument`);
    one.names = named(one.names);
  }
  const everyAction = [...always, ...(otherwise ?? []), ...[...rules, ...also].flatMap(({ then }) => then)];
  for (const target of everyAction.flatMap(targetsOf))
    if (target.kind === "option") {
      for (const name of target.names)
        if (!whole.specs.has(name)) fail(first, `an effect uses --${name}, which is not among the options`);
      target.names = named(target.names);
    }
  return {
    names,
    syntax: whole,
    roles,
    dry: dry.map((item) => canonical(item.replace(/=.*$/, ""))),
    helpFirst: helpFirst || style.posix === true,
    subCommands: rules.some(({ when }) => when.some(namesSubCommand)),
    asks: ["help", "version"].filter((word) => !rules.some((rule) => actsOn(rule, word))),
    namesNone: rules.some(({ when }) => when.some(([one]) => one?.kind === "count" && one.most === 0)),
    inert: roles.size === 0 && everyAction.every((one) => one.do === "quiet"),
    always,
    also,
    rules,
    otherwise: otherwise ?? [],
  };
}

const styles: Record<string, keyof Style> = {
  posix: "posix",
  command: "command",
  "one-dash": "oneDash",
  plus: "plus",
  slash: "slash",
  "any-case": "anyCase",
};

/** The sub-command a rule begins with. */
const firstStep = (way: readonly Condition[]): WordTest | undefined => {
  const start = way.find((one) => one.kind !== "program");
  return start?.kind === "step" ? start.word : undefined;
};

const namesSubCommand = (way: readonly Condition[]): boolean => (firstStep(way)?.source ?? "*") !== "*";

const actsOn = ({ when, then }: Rule, word: string): boolean =>
  then.some((action) => action.do !== "quiet") && when.some((way) => firstStep(way)?.source.split("|").includes(word));

const canonical = (spelling: string): string => spelling.split("|").at(-1)!;

const targetsOf = (action: Action): Target[] =>
  [
    "target" in action ? action.target : undefined,
    "otherwise" in action ? action.otherwise : undefined,
    "cwd" in action ? action.cwd : undefined,
    "host" in action ? action.host : undefined,
  ].filter((target) => target !== undefined);

type Fail = (problem: string) => never;

function conditions(text: string, style: Style, fail: Fail): Condition[][] {
  return text.split(/\s+or\s+/).map((way) => {
    const words = way.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0) fail("a rule needs a condition in front of the colon");
    let steps = true;
    return words.map((written) => {
      const not = written.startsWith("!");
      const word = not ? written.slice(1) : written;
      const one = condition(word, not, style, fail);
      if (one.kind === "step") {
        if (not) fail(`"${written}": a sub-command can't be negated`);
        if (!steps) fail(`"${written}": sub-commands come first`);
      } else if (one.kind !== "program") steps = false;
      return one;
    });
  });
}

function condition(word: string, not: boolean, style: Style, fail: Fail): Condition {
  const count = /^#(\d+)(\+?)$/.exec(word);
  if (count)
    return { kind: "count", least: Number(count[1]), most: count[2] ? Number.POSITIVE_INFINITY : Number(count[1]) };
  if (word === "<") return { kind: "input", not };
  if (word === "~?") return { kind: "unresolved", not };
  if (word.startsWith("~")) return { kind: "operand", word: wordTest(word.slice(1), style.anyCase), not };
  if (word.startsWith("@")) return { kind: "program", word: wordTest(word.slice(1)), not };
  if (/^--?./.test(word)) {
    const [names, value] = word.replace(/^--?/, "").split(/=(.*)/s) as [string, string | undefined];
    if (value === "") fail(`"${word}" compares with nothing`);
    return {
      kind: "option",
      names: names.split("|").filter((name) => !name.includes("*")),
      not,
      ...(names.includes("*") && { pattern: wordTest(names) }),
      ...(value !== undefined && { value: wordTest(value) }),
    };
  }
  if (not) fail(`"!${word}": only options, operands (~) and programs (@) can be negated`);
  return { kind: "step", word: wordTest(word, style.anyCase) };
}

/** Alternatives with "|", "*" for any text. */
function wordTest(source: string, anyCase = false): WordTest {
  const fold = (word: string) => (anyCase ? word.toLowerCase() : word);
  const alternatives = source.split("|").map(fold);
  const plain = new Set(alternatives.filter((one) => !one.includes("*")));
  const patterns = alternatives
    .filter((one) => one.includes("*"))
    .map((one) => new RegExp(`^${one.replace(/[.+?^${}()[\]\\]/g, "\\$&").replaceAll("*", "[^]*")}$`));
  const test = (word: string) => plain.has(fold(word)) || patterns.some((pattern) => pattern.test(fold(word)));
  return Object.assign(test, { source });
}

/** Effects are separated by commas. */
function actions(text: string, code: ReadonlySet<string>, fail: Fail): Action[] {
  return [...text.matchAll(/(?:"[^"]*"|\([^)]*\)|[^,"(])+/g)].map(([one]) => action(one.trim(), code, fail));
}

const hows: readonly PathHow[] = [
  ...(["use", "stage", "edit", "link", "move", "mode", "truncate", "append", "own-store", "trash"] as const),
];
const isHow = (word: string): word is PathHow => hows.some((how) => how === word);

function action(text: string, code: ReadonlySet<string>, fail: Fail): Action {
  const [, plain = "", said] = /^([^"]*?)\s*(?:"([^"]*)")?$/.exec(text) ?? [];
  const words = plain.match(/\S+/g) ?? [];
  const reason = said === undefined ? {} : { reason: said };
  const verb = words.shift() ?? fail(`"${text}" is no effect`);
  const target = (word = words.shift()): Target => targetOf(word ?? fail(`"${text}" does not say of what`), fail);
  const done = <T extends Action>(result: T): T => {
    if (words.length) fail(`"${text}": "${words.join(" ")}" has no meaning here`);
    return result;
  };
  const after = (word: string): boolean => words[0] === word && words.shift() !== undefined;
  if (verb.startsWith("!")) return done({ do: "hazard", hazard: hazardRef(verb, fail), ...reason });
  switch (verb) {
    case "quiet":
      return done({ do: "quiet" });
    case "unknown":
    case "exec":
      return done({ do: verb, ...reason });
    case "network":
    case "upload":
      return done({ do: "network", upload: verb === "upload", ...(words.length && { target: target() }), ...reason });
    case "privilege":
      return done({ do: "privilege", ...(words.length && { target: target() }), ...reason });
    case "shell":
    case "script":
      return done({ do: verb, target: target(), ...reason });
    case "remote":
      return done({ do: verb, target: target(), ...(after("at") && { host: target() }), ...reason });
    case "run": {
      const of = target();
      const cwd = after("in") ? { cwd: target() } : {};
      return done({ do: "run", target: of, ...cwd, assigns: after("assigns"), ...reason });
    }
    case "read":
    case "write":
    case "delete": {
      const of = target();
      const otherwise = after("else") ? { otherwise: target() } : {};
      const mark: Mark = {};
      let found: HazardRef | undefined;
      for (let word = words.shift(); word !== undefined; word = words.shift())
        if (word.startsWith("!")) found = hazardRef(word, fail);
        else if (!addMark(mark, word)) fail(`"${text}": "${word}" says nothing about a path`);
      return { do: verb, target: of, ...otherwise, mark, ...(found && { hazard: found }), ...reason };
    }
    case "do": {
      const name = words.shift() ?? fail("`do` needs the name of the code");
      if (!code.has(name)) fail(`no code is called "${name}"`);
      return done({ do: "code", name });
    }
    default:
      return fail(`no effect is called "${verb}"`);
  }
}

function addMark(mark: Mark, word: string): boolean {
  if (word === "tree" || word === "all" || word === "tree?") mark.extent = word;
  else if (isHow(word)) mark.how = word;
  else return false;
  return true;
}

function hazardRef(text: string, fail: Fail): HazardRef {
  const [, id = "", name] = /^!([\w-]+)(?:\(([^)]*)\))?$/.exec(text) ?? [];
  if (!isHazardId(id)) return fail(`no hazard of the catalogue is called "${id || text}"`);
  const odd = /\{(?!name\}|path\}|\d\})[^}]*\}?/.exec(name ?? "")?.[0];
  if (odd) fail(`"${odd}" is no placeholder; there are {name}, {path}, {1}, {2} ...`);
  return { id, ...(name && { name }) };
}

const places = ["last", "others", "sources", "landing", "words", "stdin"] as const;
const isPlace = (word: string): word is (typeof places)[number] => (places as readonly string[]).includes(word);

function targetOf(word: string, fail: Fail): Target {
  const position = /^(\d+)(\+?)$/.exec(word);
  if (position) {
    const from = Number(position[1]) - 1;
    if (from < 0) fail("operands are counted from 1");
    return { kind: "operands", from, to: position[2] ? Number.POSITIVE_INFINITY : from + 1 };
  }
  if (word === "rest") return { kind: "operands", from: 0, to: Number.POSITIVE_INFINITY };
  if (word === "first") return { kind: "operands", from: 0, to: 1 };
  if (isPlace(word)) return { kind: word };
  if (/^--?[^-]/.test(word)) return { kind: "option", names: word.replace(/^--?/, "").split("|") };
  if (/^(\.|\/|~\/)/.test(word)) return { kind: "path", path: word };
  return fail(`"${word}" names nothing: use first, rest, ${places.join(", ")}, 1, 2+, --option or a path`);
}

function roleOf(text: string, code: ReadonlySet<string>, fail: Fail): Role {
  const [kind = "", ...marks] = text.split(":");
  if (kind === "shell" || kind === "program" || kind === "script") return { kind };
  if (kind === "read" || kind === "write" || kind === "delete") {
    const mark: Mark = {};
    for (const word of marks) if (!addMark(mark, word)) fail(`"${word}" says nothing about a path`);
    return { kind, mark };
  }
  if (!code.has(kind)) fail(`no role and no code is called "${kind}"`);
  return { kind: "code", name: kind };
}
