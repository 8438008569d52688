// Removes secrets from text and JSON before they are written: known formats, values named like a secret, random
// strings.
// Invariant: pure, linear in the length of the text, and applying it twice changes nothing more.

import { secretWords } from "../../model/credential-names.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { sortedKeys } from "../ledger/canonical-json.js";
import { formatsFor, isPrepared } from "./format-hints.js";
import { formats, hinted, type SecretFormat } from "./secret-formats.js";

export interface Redacted<T> {
  value: T;
  count: number;
  /** Every object's keys are in their order, and nothing is in it that JSON cannot hold. */
  ordered: boolean;
}

export interface RedactOptions {
  /** Only the known formats: for values that must otherwise stay exact. */
  formatsOnly?: boolean;
}

/** Longer texts are cut; deeper JSON is cut. */
const longest = 256 * 1024;
const deepest = 64;

export function redact(text: string, options: RedactOptions = {}): { text: string; count: number } {
  return hideIn(text, options, formatsFor(text));
}

/** In a process that has just begun, of the whole value at once. */
function formatsIn(value: Json): (text: string) => SecretFormat[] {
  if (isPrepared()) return formatsFor;
  let all: SecretFormat[] | undefined;
  return () => (all ??= formatsOf(value));
}

function formatsOf(value: Json): SecretFormat[] {
  try {
    return formatsFor(JSON.stringify(value));
  } catch {
    return formats; // nested too deeply to be looked over at once
  }
}

function hideIn(text: string, options: RedactOptions, possible: SecretFormat[]): { text: string; count: number } {
  if (text.length < shortestSecret) return { text, count: 0 };
  let count = 0;
  const hide = (kind: string) => {
    count++;
    return `[redacted:${kind}]`;
  };
  let result = text;
  for (const format of possible) {
    if (hinted(result, format))
      result = result.replace(format.pattern(), (found) => (found.startsWith("[redacted") ? found : hide(format.kind)));
  }
  if (options.formatsOnly) return { text: result, count };
  if (mayAssign(result)) {
    const { assigned, flagged } = patterns();
    result = result.replace(assigned, (whole, name: string, sign: string, double, single, bare) => {
      const value: string = double ?? single ?? bare;
      if (!isSecretValue(value, name, sign, bare !== undefined)) return whole;
      return (
        whole.slice(0, whole.length - value.length - (bare === undefined ? 1 : 0)) +
        hide("value") +
        (bare === undefined ? whole.at(-1) : "")
      );
    });
    result = result.replace(flagged, (whole, value: string) =>
      isPlaceholder(value) ? whole : whole.slice(0, -value.length) + hide("value"),
    );
  }
  if (mayTell(result))
    result = result.replace(patterns().spoken, (whole, own: string | undefined, quote: string, value: string) =>
      isSpokenSecret(value, own !== undefined, quote !== "") ? whole.slice(0, -value.length) + hide("value") : whole,
    );
  if (result.includes("%")) result = result.replace(encodedRun, (run) => (holdsEncoded(run) ? hide("encoded") : run));
  if (result.length < shortestRun) return { text: result, count };
  result = result.replace(baseRun, (run) => (holdsBase64(run) ? hide("encoded") : run));
  result = result.replace(longRun, (run: string, at: number, all: string) =>
    looksRandom(run, all.slice(Math.max(0, at - 24), at)) ? hide("random") : run,
  );
  return { text: result, count };
}

/** The copy has its keys in order, as they are written. */
export function redactJson<T extends Json>(value: T, options: RedactOptions = {}): Redacted<T> {
  let count = 0;
  let ordered = true;
  const possible = formatsIn(value);
  const walk = (one: Json | undefined, name: string, depth: number): Json | undefined => {
    if (typeof one === "string") return text(one, name);
    if (typeof one !== "object" || one === null) {
      if (typeof one === "number" && !Number.isFinite(one)) ordered = false;
      return one;
    }
    if (depth >= deepest) return "[cut: nested too deeply]";
    if (Array.isArray(one)) return one.map((item) => walk(item, name, depth + 1) ?? null);
    return object(one, depth);
  };
  const text = (one: string, name: string): string => {
    if (!options.formatsOnly && one.length > 0 && isSecretName(name) && !isPlaceholder(one)) {
      count++;
      return "[redacted:value]";
    }
    if (one.length < shortestSecret || isClean(one, options)) return one;
    const found = hideIn(one, options, possible(one));
    if (found.count === 0) noteClean(one, options);
    count += found.count;
    return cut(found.text);
  };
  const object = (one: JsonObject, depth: number): JsonObject => {
    const result: JsonObject = {};
    for (const key of sortedKeys(one)) {
      const named = key.length < 16 ? key : text(key, "");
      // A name that begins with a digit may be a number, and those come first.
      if (named !== key || (key >= "0" && key < ":")) ordered = false;
      const value = walk(one[key], key, depth + 1);
      if (named !== "__proto__") result[named] = value;
      else Object.defineProperty(result, named, { value, enumerable: true, configurable: true, writable: true });
    }
    return result;
  };
  const result = isObject(value) ? object(value, 0) : walk(value, "", 0);
  return { value: result as T, count, ordered };
}

/**
 * Recent texts without a secret, and whether everything was searched: most texts of an event come again with its end.
 */
const clean = new Map<string, "all" | "formats">();
const cleanKept = 500;
const cleanLongest = 2_000;

function isClean(text: string, { formatsOnly }: RedactOptions): boolean {
  const known = clean.get(text);
  return known === "all" || (known === "formats" && formatsOnly === true);
}

function noteClean(text: string, { formatsOnly }: RedactOptions): void {
  if (text.length > cleanLongest) return;
  if (clean.size >= cleanKept) clean.clear();
  clean.set(text, formatsOnly ? "formats" : "all");
}

const cut = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}[cut: ${text.length - longest} more characters]`;

/** Names of members may be shorter and more particular than those of variables: `pwd`, `pass`, `signing-key`. */
const memberWords = [
  "passcode",
  "pass",
  "pwd",
  "(?:signing|encryption|auth|secret|account)[_-]?key",
  "client[_-]?secret",
];
const word = [...secretWords, ...memberWords].join("|");
/** Made when a text first needs them: they are costly, and most records hold nothing like it. */
const patterns = once(() => ({
  /** A member called like this holds a secret. */
  secretName: new RegExp(`(?:^|[_.-]|(?<=[a-z]))(?:${word})$`, "i"),
  /** name = value, name: "value", "name": "value", NAME=value */
  assigned: new RegExp(
    `((?:${word}|_KEY|_AUTH|_DSN)(?:[_-]?(?:key|value|\\d{1,3}))?)["']?(\\s{0,3}(?::=|=>|[=:])\\s{0,3})(?:"([^"\\n]{1,4096})"|'([^'\\n]{1,4096})'|([^\\s"'\`,;&|<>(){}\\[\\]]{4,4096}))`,
    "gi",
  ),
  /** "my password is ...", "the passphrase was ..." */
  spoken: new RegExp(
    [
      /\b(my |our |his |her |their )?(?:[\w-]{1,20} ){0,2}?/, // whose
      /(?:pass(?:word|wd|code| ?phrase)|(?:api|access|secret) key|secret|token|pin(?: code)?|login)/,
      /(?: for [\w.@-]{1,60})? (?:is|was|will be|should be|ist|=)(?: now| set to)?:? /,
      /(["'`]?)([^\s"'`,;]{4,200})/, // the value
    ]
      .map(({ source }) => source)
      .join(""),
    "gi",
  ),
  /** --password value */
  flagged: new RegExp(`--[a-z-]{0,30}(?:${word})[\\s=]["']?([^\\s"'\`,;&|<>()-][^\\s"'\`;&|<>()]{3,4096})`, "gi"),
}));

const spokenRoots = ["password", "passwd", "passcode", "pass", "key ", "secret", "token", "pin ", "login"];

/** A sentence that can tell a secret. */
function mayTell(text: string): boolean {
  if (!/ (?:is|was|be|ist|=)\b/i.test(text) && !text.includes(" = ")) return false;
  const folded = text.toLowerCase();
  return spokenRoots.some((root) => folded.includes(root));
}

/** What is said of passwords without telling one. */
const said = new RegExp(
  `^(?:not|no|too|the|a|an|in|on|at|of|to|from|by|with|for|only|also|still|already|never|always|now|then|here|there|this
  |that|what|when|where|which|used|using|stored|saved|kept|set|sent|read|needed|required|missing|wrong|correct|invalid
  |valid|expired|empty|null|undefined|hashed|encrypted|redacted|masked|hidden|shown|printed|logged|leaked|exposed|taken
  |generated|created|changed|rotated|reset|updated|checked|verified|validated|passed|given|known|unknown|optional|being
  |hard-?coded|plain|visible|public|private|secret|safe|unsafe|weak|strong|long|short|different|same|equal|part|left
  |removed|deleted|replaced|rejected|accepted|ignored|refreshed|revoked|issued|fetched|loaded|parsed|cached|shared|true
  |false|broken|incorrect|available|unavailable|rate|just|based|called|named|found|injected|provided|passed|supplied|up
  |out|off|older|newer|longer|shorter|less|more|derived|computed|returned|compared|handled|written|supposed|something
  |nothing|anything|why|how|because|if|it|its|my|your|our)\\b`.replace(/\s+/g, ""),
  "i",
);

function isSpokenSecret(value: string, own: boolean, quoted: boolean): boolean {
  if (isPlaceholder(value)) return false;
  if (/\d/.test(value) || /[!@#$%^&*+?]/.test(value.slice(0, -1)) || /[a-z][A-Z]/.test(value))
    return !/^(?:https?:|\/|\.|[a-z_$][\w$]*[.(])/i.test(value);
  return (own || quoted) && !said.test(value);
}

const encodedRun = /[^\s"'<>`]{0,400}%[0-9A-Fa-f]{2}[^\s"'<>`]{0,4096}/g;

/** Whether what url encoding hides is a secret. */
function holdsEncoded(run: string): boolean {
  let plain = run;
  for (let n = 0; n < 2 && plain.includes("%"); n++) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      return false; // not url-encoded
    }
  }
  return plain !== run && !run.includes("[redacted") && redact(plain).count > 0;
}

const baseRun = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{20,4096}={0,2}(?![A-Za-z0-9+/_=-])/g;

/** Whether base64 hides a secret of a known format, or an assignment of one. */
function holdsBase64(run: string): boolean {
  if (!/[a-z]/.test(run) || !/[A-Z0-9]/.test(run)) return false;
  const plain = Buffer.from(run, "base64").toString("latin1");
  return /^[\x09\x0a\x0d\x20-\x7e]{12,}$/.test(plain) && redact(plain).count > 0;
}

/**
 * Every alternative of `word`, `_KEY`, `_AUTH` and `_DSN` contains one of these, and the name of a secret ends in one.
 */
const roots = ["pass", "pwd", "secret", "token", "key", "credential", "_auth", "_dsn"];
const endings = [
  "pass",
  "word",
  "passwd",
  "phrase",
  "code",
  "pwd",
  "secret",
  "token",
  "key",
  "credential",
  "credentials",
];

/** No pattern can match without one of the roots, and a sign of assignment or a flag beside it. */
function mayAssign(text: string): boolean {
  if (!text.includes("=") && !text.includes(":") && !text.includes("--")) return false;
  const folded = text.toLowerCase();
  for (const root of roots) if (folded.includes(root)) return true;
  return false;
}

const secretNames = new Map<string, boolean>();

/** The same few names come in record after record. */
function isSecretName(name: string): boolean {
  if (name.length < 3) return false;
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const folded = name.toLowerCase();
  const is = endings.some((ending) => folded.endsWith(ending)) && patterns().secretName.test(name);
  if (secretNames.size >= cleanKept) secretNames.clear();
  if (name.length <= 40) secretNames.set(name, is);
  return is;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const placeholders =
  /^(?:string|number|boolean|true|false|null|none|nil|undefined|required|optional|any|unknown|object|str|int|x+|\*+|\.+|-+)$/i;
const reference = /^(?:\$|%|<|\{\{|\[redacted|process\.|os\.|env\.|import\.|self\.|this\.|config\.|settings\.|ENV\[)/;
const isPlaceholder = (value: string): boolean => placeholders.test(value) || reference.test(value);

function isSecretValue(value: string, name: string, sign: string, bare: boolean): boolean {
  if (isPlaceholder(value)) return false;
  if (!bare) return true;
  const tight = sign.trim() === sign;
  const telling = /\d/.test(value) && value.length >= 8;
  if (/^_/.test(name)) return telling && value.length >= 12 && !/^(?:\/|\.|https?:)/.test(value);
  if (tight && sign === "=") return !/[.:]/.test(value) || telling;
  return telling && !/^[a-z_$][\w$]*[.(]/i.test(value);
}

/** Of all the patterns the shortest that can match: ` -u a:b`, `pwd="x"`. */
const shortestSecret = 7;
const shortestRun = 24;
const longRun = /[A-Za-z0-9+/_=-]{24,}/g;
/** Names of things, not secrets: ids of tool calls, messages and requests, integrity digests. */
const idPrefix = /(?:toolu|msg|req|call|chatcmpl|resp|run|thread|asst|evt|prompt|srvtoolu|sess|session)[_-]$/i;
const idRun =
  /^(?:toolu|msg|req|call|chatcmpl|resp|run|thread|asst|evt|prompt|srvtoolu|sess|session)[_-]|^sha(?:1|256|384|512)[-=]/i;
const digestPrefix = /sha(?:1|256|384|512)[-:=]$/i;

/** Random text changes between upper case, lower case and digits all the time; words, paths and names do not. */
function looksRandom(run: string, before: string): boolean {
  if (run === run.toLowerCase()) return false; // digests, and most paths and names
  // Base64 holds slashes, too: there the letters are as mixed as anywhere, which no path is.
  const mixed = isRandom(run) && (run.match(/[A-Z]/g)?.length ?? 0) >= 6 && (run.match(/\d/g)?.length ?? 0) >= 4;
  if (!(run.split("/").length > 4 ? mixed || run.split("/").some(isRandom) : isRandom(run))) return false;
  return !idRun.test(run) && !idPrefix.test(before) && !digestPrefix.test(before);
}

function isRandom(run: string): boolean {
  if (run.length < 24 || run.length > 4096) return run.length > 4096 && isRandom(run.slice(0, 4096));
  const seen = { upper: 0, lower: 0, digit: 0 };
  const chars = new Map<string, number>();
  let changes = 0;
  let last = "";
  for (const char of run) {
    const kind =
      char >= "0" && char <= "9"
        ? "digit"
        : char >= "a" && char <= "z"
          ? "lower"
          : char >= "A" && char <= "Z"
            ? "upper"
            : "";
    if (kind) {
      seen[kind]++;
      if (last && kind !== last) changes++;
      last = kind;
    }
    chars.set(char, (chars.get(char) ?? 0) + 1);
  }
  const letters = seen.upper + seen.lower + seen.digit;
  if (seen.upper < 3 || seen.lower < 3 || seen.digit < 2) return false;
  let entropy = 0;
  for (const n of chars.values()) entropy -= (n / run.length) * Math.log2(n / run.length);
  return changes / letters >= 0.38 && entropy >= 3.6;
}
