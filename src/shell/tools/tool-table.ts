// A recording Emit for table tests of tool families: a command line in, its effects as short strings out.
// Invariant: every Emit call leaves exactly one line, so a row that forgets an effect fails.
import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import type { Effect } from "../../model/effect.js";
import { hazardName } from "../../model/hazards.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { analyzeProgram } from "../languages/index.js";
import { eachReading } from "../spec/readings.js";

const cwd = "/p";
const home = "/home/u";

/** Splits words with quotes; `$X` makes the word unresolved, an unquoted `*` or `?` makes it a glob, `~/` is home. */
export function words(text: string): Arg[] {
  const out: Arg[] = [];
  for (const [source] of text.matchAll(/(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+/g)) {
    let value = "";
    let prefix: string | undefined;
    let glob = false;
    for (const [part] of source.matchAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|\$\w+|[\s\S]/g)) {
      if (part.startsWith("'") && part.length > 1) value += part.slice(1, -1);
      else if (part.startsWith('"') && part.length > 1) value += part.slice(1, -1).replace(/\\([\\"$`])/g, "$1");
      else if (part.startsWith("\\")) value += part.slice(1);
      else if (/^\$\w/.test(part)) prefix ??= value;
      else {
        value += part;
        glob ||= part === "*" || part === "?";
      }
    }
    if (source === "~" || source.startsWith("~/")) value = home + value.slice(1);
    const known = prefix === undefined;
    out.push({ source, value: known ? value : undefined, prefix: prefix ?? value, ...(glob && { glob }) });
  }
  return out;
}

interface Surroundings {
  stdin?: Invocation["stdin"];
  files?: Record<string, string>;
  pipesTo?: string;
}

export function record(families: readonly ToolFamily[], text: string, around: Surroundings = {}): string[] {
  const all = words(text);
  const env: Record<string, Arg> = {};
  while (/^[A-Za-z_]\w*=/.test(all[0]?.source ?? "")) {
    const word = all.shift()!;
    const at = word.source.indexOf("=");
    env[word.source.slice(0, at)] = { ...word, value: word.value?.slice(at + 1), prefix: word.prefix.slice(at + 1) };
  }
  const command = all.shift()!;
  const name = posix.basename(command.value ?? "");
  const lines: string[] = [];
  const emit = recorder(lines, around.files ?? {});
  const family = families.find((candidate) => candidate.names.includes(name));
  assert.ok(family, `no family claims ${name}`);
  const call: Invocation = {
    name,
    command,
    args: all,
    env,
    stdin: around.stdin ?? { kind: "inherit" },
    pipesTo: around.pipesTo,
    cwd,
    home,
  };
  eachReading(
    call,
    (reading) => family.lower(reading, emit),
    (judge) => {
      const before = new Set(lines);
      const at = lines.length;
      judge();
      lines.splice(at, lines.length, ...new Set(lines.slice(at).filter((line) => !before.has(line))));
      return true;
    },
  );
  return lines;
}

export function recorder(lines: string[], files: Record<string, string> = {}): Emit {
  const resolve = (arg: Arg) => {
    if (arg.value === undefined) return undefined;
    const value = arg.value === "~" || arg.value.startsWith("~/") ? home + arg.value.slice(1) : arg.value;
    return posix.resolve(cwd, value);
  };
  const shown = (arg: Arg) => {
    const path = resolve(arg);
    if (path === undefined) return "?";
    return path === cwd ? "." : path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  };
  const tail = (extra?: Pick<Effect, "recursive" | "hazard">) =>
    (extra?.recursive ? " recursive" : "") +
    (extra?.hazard ? ` !${extra.hazard.class}:${extra.hazard.level}:${hazardName(extra.hazard)}` : "");
  const list = (args: readonly Arg[]) => args.map((arg) => arg.value ?? "?").join(" ");
  const emit: Emit = {
    read: (target, _reason, extra) => lines.push(`read ${shown(target)}${tail(extra)}`),
    write: (target, _reason, extra) => lines.push(`write ${shown(target)}${tail(extra)}`),
    delete: (target, _reason, extra) => lines.push(`delete ${shown(target)}${tail(extra)}`),
    effect: (effect) => {
      const inRepository = effect.kind === "commit" || effect.kind === "push" || effect.kind === "rewrite-history";
      const subject = effect.path ?? effect.host ?? (inRepository ? "" : effect.program) ?? "";
      const how = [inRepository && effect.program, effect.how].flatMap((word) => (word ? ` ${word}` : [])).join("");
      lines.push(`${effect.kind} ${subject}${effect.upload ? " upload" : ""}${how}${tail(effect)}`);
    },
    unknown: (_reason, extra) => lines.push(`unknown${tail(extra)}`),
    tooMuch: () => lines.push("unknown"),
    hazard: (hazard) => lines.push(`!${hazard.class}:${hazard.level}:${hazardName(hazard)}`),
    shell: (text, _reason, options) =>
      lines.push(`shell ${text.value ?? "?"}${options?.cwd ? ` in ${shown(options.cwd)}` : ""}`),
    run: (given, _reason, options) =>
      lines.push(
        `run ${list(given)}${options?.extraArgs ? " ..." : ""}${options?.cwd ? ` in ${shown(options.cwd)}` : ""}`,
      ),
    script: (file, _reason, language) => lines.push(`script ${shown(file)} ${language}`),
    program: (text, _reason, language) => analyzeProgram(text, language, emit),
    remote: (text, host) => lines.push(`remote ${host ?? "?"}: ${text?.value ?? "?"}`),
    projectFile: (file) => (Object.hasOwn(files, shown(file)) ? files[shown(file)] : undefined),
    projectFolders: () => [],
    resolve,
  };
  return emit;
}

/** One test a row: the command and the effects it must have, in any order; an empty list means none at all. */
export function table(
  title: string,
  families: readonly ToolFamily[],
  rows: readonly (readonly [string, readonly string[], Surroundings?])[],
): void {
  for (const [text, expected, around] of rows)
    test(`${title}: ${text.replaceAll("\n", "\\n")}`, () =>
      assert.deepEqual(record(families, text, around).sort(), [...expected].sort()));
}
