// Whether a filter shows names or counts only of lines such as KEY=value, so that no value can be seen.
// Invariant: only a proof counts; a filter with a word that is not static, or not known here, may show anything.

import { isSecretName } from "../hazards/credentials.js";

/** Programs that pass lines on as they are, some of them or in another order, and write nothing else. */
const passesOn = new Set("cat sort uniq head tail grep egrep fgrep tac nl column fold".split(" "));

/** Options of grep whose value is the next word or the rest of the cluster. */
const grepTakes = /[ABCDdefm]/;

export function showsNoValues(name: string, words: readonly (string | undefined)[]): boolean {
  const check = filters[name];
  return check !== undefined && words.every((word) => word !== undefined) && check(words as string[]);
}

/** For each stage of a pipeline: a later one shows no values, and those between only pass lines on. */
export function maskedStages(stages: readonly { name: string; words: readonly (string | undefined)[] }[]): boolean[] {
  const masked = stages.map(() => false);
  for (let i = stages.length - 2; i >= 0; i--) {
    const { name, words } = stages[i + 1]!;
    masked[i] = showsNoValues(name, words) || (passesOn.has(name) && masked[i + 1]!);
  }
  return masked;
}

const filters: Record<string, (words: readonly string[]) => boolean> = {
  grep: grepHides,
  egrep: grepHides,
  fgrep: grepHides,
  zgrep: grepHides,
  rg: grepHides,
  wc: () => true,
  md5sum: () => true,
  sha1sum: () => true,
  sha256sum: () => true,
  sha512sum: () => true,
  shasum: () => true,
  cksum: () => true,
  cut: (words) => {
    const text = words.filter((word) => word.startsWith("-")).join(" ");
    const split = /(?:^| )(?:-d ?=|--delimiter==)(?: |$)/.test(` ${words.slice(0, 4).join(" ")} `);
    const first = words.some((word, i) => /^(?:-f1|--fields=1)$/.test(word) || (word === "-f" && words[i + 1] === "1"));
    return split && first && !/--complement|-[bc]/.test(text);
  },
  awk: awkHides,
  gawk: awkHides,
  mawk: awkHides,
  sed: sedHides,
  gsed: sedHides,
  node: printsKeys,
  python: printsKeys,
  python3: printsKeys,
};

/** One print, of the keys of something, and nothing else that could let a value out. */
const onlyKeys = [
  /\bconsole\.log\(\s*(?:Boolean\(|!!)?Object\.keys\(.*\)(?:\.(?:length|sort\(\)|join\(["'][^"']*["']\)))*\s*\);?\s*$/s,
  /\bprint\(\s*(?:(?:list|sorted|set|len|tuple)\(\s*)?[^;\n]*\.keys\(\)\s*\)*\s*;?\s*$/,
];
const letsOut =
  /\b(?:fetch|https?|net|axios|requests|urllib|socket|write\w*|exec\w*|spawn\w*|system|popen|open\w*|eval)\b/;

function printsKeys(words: readonly string[]): boolean {
  const text = words.at(-1) ?? "";
  if (text.length > 1_000 || !onlyKeys.some((pattern) => pattern.test(text)) || letsOut.test(text)) return false;
  return (text.match(/\bconsole\.|\bprint\b|\bprocess\.std|\bsys\.std/g) ?? []).length === 1;
}

function grepHides(words: readonly string[]): boolean {
  let only = false;
  let around = false;
  const operands: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "--") break;
    if (/^--(?:count|quiet|silent|files-with(?:out)?-match(?:es)?)$/.test(word)) return true;
    if (word === "--only-matching") only = true;
    if (!/^-[A-Za-z]/.test(word)) {
      operands.push(word);
      continue;
    }
    if (/^-[A-Za-z]*[vABCefrR]|^--(?:invert|after|before|context|regexp|file|recursive)/.test(word)) around = true;
    for (const letter of word.slice(1)) {
      if (/[cqlL]/.test(letter)) return true;
      if (letter === "o") only = true;
      if (grepTakes.test(letter)) {
        if (word.endsWith(letter)) i++;
        break;
      }
    }
  }
  return (only && isNamePattern(operands[0] ?? "")) || (!around && namesPlainKeys(operands[0] ?? ""));
}

/** `^PORT=`, `^(PORT|HOST)=`: lines of keys whose names say that the value is no secret. */
function namesPlainKeys(pattern: string): boolean {
  const found = /^\^(?:([A-Z][A-Z0-9_]*)|\(([A-Z0-9_|]+)\))=$/.exec(pattern);
  const names = (found?.[1] ?? found?.[2] ?? "").split("|");
  return names.every((name) => name !== "" && !isSecretName(name) && !/URL|URI|DSN|CONN|PASS|PWD|KEY|USER/.test(name));
}

/** A pattern that starts with the line and can't cross the equals sign. */
const isNamePattern = (pattern: string): boolean => /^\^(?:[\w-]|\[[\w-]+\]|[*+]|\\[+?])+$/.test(pattern);

function awkHides(words: readonly string[]): boolean {
  const rest = [...words];
  const [first = ""] = rest;
  if (first === "-F=" || first === "-F" || first === "-F'='") rest.splice(0, first === "-F" ? 2 : 1);
  else return false;
  if (first === "-F" && words[1] !== "=") return false;
  return /^(?:\/[^/{}]*\/\s*)?\{\s*print\s*\(?\s*\$1\s*\)?\s*;?\s*\}$/.test(rest[0]?.trim() ?? "");
}

// Every line loses what stands behind its equals sign, as in s/=.*// and s/=.*$/=x/.
function sedHides(words: readonly string[]): boolean {
  const scripts: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (word === "-e" || word === "--expression") scripts.push(words[++i] ?? "");
    else if (word === "-i" || word.startsWith("-i") || word.startsWith("--in-place")) return true;
    else if (!word.startsWith("-") && !scripts.length) scripts.push(word);
  }
  const parts = scripts.flatMap((script) => script.split(";")).map((part) => part.trim());
  return (
    parts.length > 0 && parts.some(masks) && parts.every((part) => masks(part) || /^(?:\/[^/]*\/)?[dp]$/.test(part))
  );
}

function masks(part: string): boolean {
  const found = /^s(?<by>[/|,#@!])(?<old>.*?)\k<by>(?<fresh>.*?)\k<by>g?$/.exec(part)?.groups;
  return found !== undefined && /^=(?:\.\*|\.\+|\.\\\+)\$?$/.test(found["old"]!) && !/[&\\]/.test(found["fresh"]!);
}
