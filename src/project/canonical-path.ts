// What a path names on this disk: home, file URLs, device prefixes, "..", symbolic links and /proc are resolved.
// Invariant: never throws, changes nothing; if a path can be read in several ways, all readings are returned.
import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { homedir } from "./node-builtins.js";
import { comparisonKey } from "./path-key.js";

export interface Reading {
  /** Absolute; links followed as far as something exists, a dangling link to where it points. */
  path: string;
  key: string;
  exists: boolean;
  directory?: boolean;
  /** Number of hard links of an existing file. */
  links?: number;
  /** `device:inode` of what exists there. */
  identity?: string;
}

export interface CanonicalPath extends Reading {
  /** Absolute, ".." removed by text, links not followed: the name itself, which is what a delete or rename takes. */
  lexical: string;
  lexicalKey: string;
  /** Other readings of the same spelling ("link/../x" by text and by disk, "\" as separator or as character). */
  others?: Reading[];
  /** Names an open file of whichever process uses it (/dev/fd/3): which file can't be known here. */
  opaque?: true;
  /** Why this is no usable path at all; a gate that protects refuses it. */
  rejected?: string;
}

/** Where paths lead, as found while one event is looked at: the same few folders lie above most of them. */
export type Followed = Map<string, Lead>;

interface Lead {
  path: string;
  opaque?: true;
  /** Nothing lies at that path. */
  missing?: true;
}

const MAX_LENGTH = 32_768;
/** Linux gives up after 40 links. */
const MAX_LINKS = 40;

export function canonicalPath(input: string, cwd: string, home: string = homedir(), known?: Followed): CanonicalPath {
  const base = resolve("/", cwd);
  const rejected = unusable(input);
  if (rejected) {
    const text = resolve(base, (input.split("\0", 1)[0] ?? "").slice(0, MAX_LENGTH));
    const key = comparisonKey(text);
    return { path: text, key, lexical: text, lexicalKey: key, exists: false, rejected };
  }
  const spellings = readingsOf(input, home);
  const lexical = isNormal(spellings[0]!) ? spellings[0]! : resolve(base, spellings[0]!);
  const main = follow(lexical, base, known);
  const readings: Reading[] = [];
  const add = (absolute: string) => {
    const reading = follow(absolute, base, known);
    if (reading.path !== main.path && !readings.some((r) => r.path === reading.path)) readings.push(describe(reading));
  };
  for (const spelling of spellings) {
    // `resolve` removes ".." by text; the disk climbs from where a link leads. Tools do the one, shells the other.
    if (spelling.includes("..")) add(isAbsolute(spelling) ? spelling : `${base}/${spelling}`);
    if (spelling !== spellings[0]) add(resolve(base, spelling));
  }
  const reading = describe(main);
  const lexicalKey = lexical === reading.path ? reading.key : comparisonKey(lexical);
  const result: CanonicalPath = { ...reading, lexical, lexicalKey };
  if (main.opaque) result.opaque = true;
  if (readings.length) result.others = readings;
  return result;
}

/** Only where an absolute path leads, for those who need no more: one look at the disk less. */
export const realPath = (absolute: string, known?: Followed): string => follow(resolve("/", absolute), "/", known).path;

/** The same for a folder that is surely there, where asking first would only cost time. */
export function realFolder(absolute: string, known?: Followed): string {
  const folder = resolve("/", absolute);
  const before = known?.get(folder);
  if (before) return before.path;
  try {
    const path = realpathSync.native(folder);
    known?.set(folder, { path });
    return path;
  } catch {
    return realPath(folder, known); // not there after all
  }
}

function unusable(input: string): string | undefined {
  if (input === "") return "the path is empty";
  if (input.includes("\0")) return "the path contains a NUL character";
  if (input.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
  return undefined;
}

/** The ways a tool may take the text, likeliest first. */
function readingsOf(input: string, home: string): string[] {
  if (ordinary(input)) return [input];
  const readings: string[] = [];
  const device = /^[\\/]{2}[?.][\\/](?:UNC[\\/])?|^[\\/]\?\?[\\/]/i.exec(input);
  if (device) {
    const rest = input.slice(device[0].length).replaceAll("\\", "/");
    readings.push(rest.startsWith("/") || /^[a-z]:/i.test(rest) ? rest : `/${rest}`);
  }
  if (/^file:/i.test(input)) readings.push(fromUrl(input));
  if (/^~(?:[\\/]|$)/.test(input)) readings.push(join(home, input.slice(1).replaceAll("\\", "/")));
  readings.push(input);
  if (input.includes("\\")) readings.push(input.replaceAll("\\", "/"));
  if (input !== input.trim() && input.trim()) readings.push(input.trim());
  return readings;
}

/** Absolute, and written as `resolve` would write it; names with a leading dot are left to that. */
const isNormal = (path: string): boolean => sep === "/" && path[0] === "/" && !odd.test(path);
const odd = /\/(?:\.|\/|$)/;

/** Nearly every path: absolute or a plain name, nothing in it that has a second reading. */
function ordinary(input: string): boolean {
  const start = input[0] === "/" ? input[1] !== "/" && input[1] !== "?" : !"~fF".includes(input[0] ?? "");
  return start && !input.includes("\\") && input.trim() === input;
}

function fromUrl(url: string): string {
  const path = url.replace(/^file:(?:\/\/(?:localhost|127\.0\.0\.1)?(?=\/))?/i, "").replace(/[?#].*$/, "");
  try {
    const decoded = decodeURIComponent(path);
    return decoded.includes("\0") ? path : decoded;
  } catch {
    return path; // a broken escape: no URL after all, taken as it stands
  }
}

/** Two system calls for a file that exists, one per missing name; slower only for dangling links and /proc. */
function follow(absolute: string, cwd: string, known?: Followed): Lead {
  const before = known?.get(absolute);
  if (before) return before;
  const found = followAnew(absolute, cwd, known);
  // What lies in /proc and the like is another's for another folder.
  if (!found.opaque && !absolute.startsWith("/proc/") && !absolute.startsWith("/dev/")) known?.set(absolute, found);
  return found;
}

function followAnew(absolute: string, cwd: string, known?: Followed): Lead {
  if (
    absolute.startsWith("/proc/") ||
    absolute.startsWith("/dev/") ||
    absolute.includes("/../") ||
    absolute.endsWith("/..")
  )
    return walk(absolute, cwd);
  try {
    const there = lstatSync(absolute, { throwIfNoEntry: false });
    if (there && !there.isSymbolicLink()) return { path: realpathSync.native(absolute) };
    if (there && !statSync(absolute, { throwIfNoEntry: false })) return walk(absolute, cwd);
    if (there) return { path: realpathSync.native(absolute) };
  } catch {
    return walk(absolute, cwd); // no permission, a loop, a file used as directory: name by name as far as it goes
  }
  if (absolute === "/") return { path: absolute };
  const slash = isNormal(absolute) ? absolute.lastIndexOf("/") : -1;
  const parent = slash > 0 ? absolute.slice(0, slash) : dirname(absolute);
  if (parent === absolute) return { path: absolute };
  const above = follow(parent, cwd, known);
  const name = slash > 0 ? absolute.slice(slash + 1) : basename(absolute);
  const path =
    above.path === "/" ? `/${name}` : isNormal(above.path) ? `${above.path}/${name}` : join(above.path, name);
  return above.opaque ? { path, opaque: true } : { path, missing: true };
}

/** Walks the path name by name as the kernel does; below the first missing name the rest is appended by text. */
function walk(absolute: string, cwd: string): Lead {
  const { root } = parse(absolute);
  let at = root;
  let missing = false;
  let links = 0;
  let opaque = false;
  const pending = absolute.slice(root.length).split("/").reverse();
  while (pending.length) {
    const name = pending.pop()!;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (missing) {
      at = next;
      continue;
    }
    const magic = processLink(next, cwd);
    if (magic?.opaque) opaque = true;
    const target = magic ? magic.target : linkTarget(next);
    if (target === undefined) {
      at = next;
    } else if (target === false || ++links > MAX_LINKS) {
      at = next;
      missing = true;
    } else {
      if (isAbsolute(target)) at = parse(target).root;
      for (const part of target.split("/").reverse()) pending.push(part);
    }
  }
  return opaque ? { path: at, opaque } : { path: at };
}

/** The target of a link, undefined for anything else that exists, false for what is missing or can't be looked at. */
function linkTarget(path: string): string | undefined | false {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return false;
    return stat.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return false; // no permission, name too long, a file used as directory: the rest is text
  }
}

/** Links of /proc mean the process that uses them, which is not this one. No target: the name stands for itself. */
function processLink(path: string, cwd: string): { target?: string; opaque?: true } | undefined {
  if (!path.startsWith("/proc/") && !path.startsWith("/dev/")) return undefined;
  if (/^\/dev\/(?:fd|stdin|stdout|stderr)$/.test(path)) return { opaque: true };
  const hit = /^\/proc\/(self|thread-self|\d+)(?:\/task(?:\/\d+)?)?(?:\/(root|cwd|fd))?$/.exec(path);
  if (!hit) return undefined;
  const own = hit[1] === "self" || hit[1] === "thread-self";
  if (hit[2] === "root") return { target: "/" };
  if (hit[2] === "cwd") return { target: (!own && linkTarget(path)) || cwd };
  if (hit[2] === "fd") return own ? { opaque: true } : undefined;
  return {};
}

function describe({ path, missing }: Lead): Reading {
  const key = comparisonKey(path);
  if (missing) return { path, key, exists: false };
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (!stat) return { path, key, exists: false };
    const reading: Reading = { path, key, exists: true, identity: `${stat.dev}:${stat.ino}` };
    if (stat.isDirectory()) reading.directory = true;
    else reading.links = Number(stat.nlink);
    return reading;
  } catch {
    return { path, key, exists: false }; // not to be looked at: judged by its name alone
  }
}
