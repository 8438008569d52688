// What can be found out about a program without running it: the project's package scripts, the package that brought
// it, completion files of shells, and a help text somebody saved.
// Invariant: reads bounded files only; whatever they say is evidence for a person, never a rule by itself.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { asString, isObject } from "../../../model/json.js";

export interface ProgramEvidence {
  /** Where it was found, for people. */
  source: string;
  /** The words that count, without the code around them. */
  text: string;
}

const largest = 256 * 1024;

export interface EvidencePlaces {
  root: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
}

export function evidenceFor(name: string, places: EvidencePlaces): ProgramEvidence[] {
  return [...packageScripts(name, places.root), ...packageOf(name, places.root), ...completions(name, places)];
}

export const helpEvidence = (source: string, text: string): ProgramEvidence => ({
  source,
  text: text.slice(0, largest),
});

/** Scripts of package.json that call it: the script's name says what people use it for. */
function packageScripts(name: string, root: string): ProgramEvidence[] {
  const scripts = jsonIn(join(root, "package.json"))["scripts"];
  if (!isObject(scripts)) return [];
  const calls = Object.entries(scripts).filter(
    ([, text]) => typeof text === "string" && text.split(/[\s;&|()]+/).includes(name),
  );
  return calls.slice(0, 5).map(([script]) => ({ source: `package.json, script ${script}`, text: words(script) }));
}

/** The installed package whose program it is. */
function packageOf(name: string, root: string): ProgramEvidence[] {
  const modules = join(root, "node_modules");
  let target: string;
  try {
    target = realpathSync(join(modules, ".bin", name));
  } catch {
    return []; // not installed by a package of the project
  }
  const own = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(target)?.[0];
  const description = own === undefined ? undefined : asString(jsonIn(join(own, "package.json"))["description"]);
  return description
    ? [{ source: `the package ${own!.slice(own!.lastIndexOf("node_modules/") + 13)}`, text: description }]
    : [];
}

function completions(name: string, { userHome, env }: EvidencePlaces): ProgramEvidence[] {
  const data = env["XDG_DATA_HOME"] || join(userHome, ".local/share");
  const config = env["XDG_CONFIG_HOME"] || join(userHome, ".config");
  const shares = [data, "/usr/share", "/usr/local/share", "/opt/homebrew/share"];
  const files = [
    ...shares.map((share) => join(share, "bash-completion/completions", name)),
    join("/etc/bash_completion.d", name),
    ...shares.flatMap((share) =>
      ["zsh/site-functions", "zsh/vendor-completions"].map((folder) => join(share, folder, `_${name}`)),
    ),
    join(config, "fish/completions", `${name}.fish`),
    ...shares.flatMap((share) =>
      ["fish/completions", "fish/vendor_completions.d"].map((folder) => join(share, folder, `${name}.fish`)),
    ),
  ];
  return files.flatMap((file) => {
    const text = textIn(file);
    return text === undefined ? [] : [{ source: `completion file ${file}`, text: completionWords(text) }];
  });
}

/** Options, sub-commands and descriptions; the code that offers them is left out. */
function completionWords(text: string): string {
  const plain = text.replace(/^\s*#.*$/gm, "");
  const quoted = [...plain.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map((m) => m[1] ?? m[2] ?? "");
  const options = [...plain.matchAll(/--[a-z][\w-]+|(?<=\s-[la]\s+)[a-z][\w-]*/g)].map(([option]) => option);
  return [...quoted.filter((one) => !/^\$|COMP|\bcompgen\b/.test(one)), ...options].map(words).join("\n");
}

const words = (text: string): string => text.replace(/[-_:]+/g, " ");

function jsonIn(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(textIn(file) ?? "{}");
    return isObject(value) ? value : {};
  } catch {
    return {}; // a file with a mistake tells nothing
  }
}

function textIn(file: string): string | undefined {
  try {
    const { size } = statSync(file);
    return size > largest ? undefined : readFileSync(file, "utf8");
  } catch {
    return undefined; // no such file, or not ours to read
  }
}
