// PowerShell's cmdlets: their short names, their parameters, and those that change nothing.
// Invariant: names are compared in small letters; a parameter may be cut short, as PowerShell allows.
import type { Arg } from "../analyze/tool.js";
import { wordSet } from "../word-set.js";
import type { Word } from "./powershell-text.js";

/** Short names of cmdlets. */
export const aliases: Record<string, string> = {};
for (const [cmdlet, names] of Object.entries({
  "remove-item": "ri rm rmdir rd del erase",
  "get-content": "gc cat type",
  "set-content": "sc",
  "add-content": "ac",
  "clear-content": "clc",
  "copy-item": "cpi cp copy",
  "move-item": "mi mv move",
  "rename-item": "rni ren",
  "get-childitem": "gci ls dir",
  "new-item": "ni md mkdir",
  "tee-object": "tee",
  "invoke-expression": "iex",
  "invoke-webrequest": "iwr curl wget",
  "invoke-restmethod": "irm",
  "start-process": "saps start",
  "stop-process": "spps kill",
  "set-location": "cd sl chdir pushd push-location",
  "foreach-object": "foreach %",
  "where-object": "where ?",
  "select-object": "select",
  "sort-object": "sort",
  "measure-object": "measure",
  "write-output": "echo write",
  "get-location": "pwd gl",
}))
  for (const name of names.split(" ")) aliases[name] = cmdlet;

const switches = [
  ...wordSet(`
    recurse force whatif confirm verbose append nonewline noclobber passthru wait hidden file directory asjob raw
    leaf parent usebasicparsing nonewwindow followsymlink container asplaintext`),
];
/** Verbs that look or print, and the few changes that end with the session. */
const quietVerbs =
  "get|select|where|foreach|sort|measure|group|compare|test|convert|convertto|convertfrom|format|write|out|join|" +
  "split|resolve|find|search|show|wait|import|receive|trace|enter|exit|use|assert|debug";
const sessionThings =
  "variable|alias|module|psdrive|job|pssession|typedata|host|object|timespan|guid|psbreakpoint|strictmode|" +
  "psreadlineoption|member|culture|date";
const quietCmdlets = wordSet(`pop-location start-sleep start-job invoke-command invoke-pester invoke-scriptanalyzer
  tee-object update-help save-help`);
const quietPattern = new RegExp(`^(?:${quietVerbs})-[a-z]+$|^(?:remove|clear|new|set|add)-(?:${sessionThings})$`);
export const isQuiet = (cmdlet: string): boolean => quietCmdlets.has(cmdlet) || quietPattern.test(cmdlet);
export const keywords = wordSet(`
  if else elseif foreach for while do until switch try catch finally function param return exit break continue
  throw begin process end in filter class using trap = += ! -not`);

export interface CmdletArguments {
  operands: Word[];
  values: Map<string, Word[]>;
  has(name: string): boolean;
}

/** `-Name value`, `-Name:value`, switches; names may be cut short. */
export function parametersOf(words: readonly Word[]): CmdletArguments {
  const operands: Word[] = [];
  const values = new Map<string, Word[]>();
  const flags = new Set<string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const named = word.quoted ? null : /^-([a-z]+)(?::(.*))?$/i.exec(word.value ?? word.prefix);
    if (!named) {
      operands.push(word);
      continue;
    }
    const name = named[1]!.toLowerCase();
    const flag = switches.find((known) => known.startsWith(name));
    if (flag !== undefined || /^r?f$/.test(name)) {
      flags.add(flag ?? "recurse");
      if (name === "rf") flags.add("force");
      continue;
    }
    const value = named[2] ? { ...word, value: named[2], prefix: named[2] } : words[++at];
    if (value) values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { operands, values, has: (name) => flags.has(name) };
}

export interface CmdletCall {
  /** By its full name, in small letters. */
  cmdlet: string;
  head: Word;
  args: readonly Word[];
  given: CmdletArguments;
  /** What the pipeline hands on. */
  item: Arg | undefined;
  /** Text from elsewhere comes through the pipeline. */
  fetched: boolean;
}

/** The first value given for one of these parameters. */
export const parameter = ({ values }: CmdletArguments, ...names: string[]): Word | undefined =>
  names.flatMap((name) => values.get(name) ?? [])[0];
