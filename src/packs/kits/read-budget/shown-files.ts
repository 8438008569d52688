// Which files a call would show to the agent, and how much of each.
// Invariant: an amount that can't be known beforehand is `undefined` and counted when the call is over; it is never 0.
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { isPathEffect } from "../../../model/effect.js";
import { type OutputBound, outputBound, type Pipeline, pipelinesOf } from "./pipelines.js";

export interface ShownFile {
  path: string;
  /** Below the project where it lies there, else absolute. */
  name: string;
  size: number;
  /** Changes with the content. */
  version: string;
  /** What of it would be shown; undefined: known only afterwards. */
  bytes?: number;
  /** The most that could be shown. */
  most: number;
  /** Lines, 1-based and inclusive; absent: all of it. */
  lines?: readonly [number, number];
}

const image = /\.(?:png|jpe?g|gif|webp|bmp|ico)$/i;
/** The longest line a host shows of a file it reads. */
const longestLine = 2_000;
const sampleBytes = 65_536;

export function shownFiles(facts: Facts): ShownFile[] {
  const { tool } = facts.event;
  if (tool?.kind === "read") return readTool(facts);
  if (tool?.kind === "search") return searchTool(facts);
  if (tool?.kind === "mcp") return mcpReads(facts);
  return facts.shell ? shellReads(facts) : [];
}

const readingTool = /(?:^|_)(?:read|get|cat|view|open|load|show|fetch|dump|search|grep)(?:_|$)/i;
const pathKey = /^(?:.*_)?(?:paths?|files?|filename|uri|url|target_file)$/i;
const partKey = /^(?:head|tail|limit|offset|length|lines?|max_?\w*|(?:start|end|from|to|first|last)_?\w*|range)$/i;

/** The files an MCP server's reading tool is asked for. With a part asked for, the amount is counted afterwards. */
function mcpReads(facts: Facts): ShownFile[] {
  const { name, input } = facts.event.tool!;
  if (!readingTool.test(name.replace(/^.*__/, "").replace(/([a-z])([A-Z])/g, "$1_$2"))) return [];
  const asked = Object.entries(input).filter(([key]) => pathKey.test(key.replace(/([a-z])([A-Z])/g, "$1_$2")));
  const paths = asked.flatMap(([, value]) => [value].flat()).filter((p): p is string => typeof p === "string");
  const isPart = Object.entries(input).some(([key, value]) => partKey.test(key) && value !== null && value !== false);
  return paths.slice(0, 50).flatMap((given) => {
    const path = given.replace(/^file:\/\//, "");
    if (/^\w+:\/\//.test(path) || path.includes("\0")) return [];
    const file = fileAt(facts, resolve(facts.event.cwd, path));
    if (!file) return [];
    return [isPart ? { ...file, most: 0 } : { ...file, bytes: file.size, most: file.size }];
  });
}

function fileAt(facts: Facts, path: string): Omit<ShownFile, "most"> | undefined {
  const real = facts.canonical(path).path;
  const stat = statSync(real, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return {
    path: real,
    name: belowRoot(facts.world.project.root, real) ?? real,
    size: stat.size,
    version: `${stat.size}:${stat.mtimeMs}`,
  };
}

function readTool(facts: Facts): ShownFile[] {
  const target = facts.targets[0];
  const file = target && !image.test(target.path) ? fileAt(facts, target.path) : undefined;
  if (!file) return [];
  const { offset, limit } = facts.event.tool!.range ?? {};
  if (limit === undefined && offset === undefined) return [{ ...file, bytes: file.size, most: file.size }];
  const from = Math.max(1, offset ?? 1);
  const count = limit ?? longestLine;
  const bytes = Math.min(file.size, Math.ceil(count * Math.min(longestLine, lineBytes(file.path))));
  return [{ ...file, bytes, most: bytes, lines: [from, from + count - 1] }];
}

/** Only a search that prints lines shows content. */
function searchTool(facts: Facts): ShownFile[] {
  const { input, name } = facts.event.tool!;
  if (name !== "Grep" || input["output_mode"] !== "content") return [];
  const head = Number(input["head_limit"] ?? 0);
  const bound: OutputBound = head > 0 ? { lines: head } : "unbounded";
  const path = facts.targets[0]?.path ?? facts.event.cwd;
  return namedFiles(facts, path, true).map((file) => bounded(file, bound));
}

function shellReads(facts: Facts): ShownFile[] {
  const pipelines = pipelinesOf(facts.event.tool!.command ?? "");
  const found = new Map<string, ShownFile>();
  for (const effect of facts.effects) {
    if (!isPathEffect(effect) || effect.kind !== "read" || effect.how !== undefined || effect.path === undefined)
      continue;
    const bound = boundFor(pipelines, effect.word);
    for (const file of namedFiles(facts, effect.path, effect.recursive === true, effect.glob === true)) {
      const shown = bounded(file, bound);
      const before = found.get(file.path);
      if (shown.most > 0 && (!before || shown.most > before.most)) found.set(file.path, shown);
    }
  }
  return [...found.values()];
}

/** The loosest bound of the pipelines that name the file; of all where none does. */
function boundFor(pipelines: readonly Pipeline[], word: string | undefined): OutputBound {
  const naming = word ? pipelines.filter((p) => p.text.includes(word)) : [];
  const bounds = (naming.length ? naming : pipelines).map(outputBound);
  if (!bounds.length || bounds.includes("unbounded")) return "unbounded";
  return bounds.reduce((a, b) => (amount(b) > amount(a) ? b : a));
}

const amount = (bound: OutputBound): number =>
  bound === "unbounded" ? Number.POSITIVE_INFINITY : "lines" in bound ? bound.lines * 200 : bound.bytes;

function bounded(file: Omit<ShownFile, "most">, bound: OutputBound): ShownFile {
  if (bound === "unbounded") return { ...file, most: file.size };
  const bytes = "bytes" in bound ? bound.bytes : Math.ceil(bound.lines * lineBytes(file.path));
  const shown = Math.min(file.size, bytes);
  return { ...file, bytes: shown, most: shown, ...("lines" in bound && { lines: [1, bound.lines] as const }) };
}

const mostFiles = 200;
const mostEntries = 5_000;

/** One file; or the large ones below a folder, which are those that matter. */
function namedFiles(facts: Facts, path: string, recursive: boolean, isGlob = false): Omit<ShownFile, "most">[] {
  const one = isGlob ? undefined : fileAt(facts, path);
  if (one) return [one];
  if (!recursive && !isGlob) return [];
  const folder = isGlob ? path.slice(0, path.search(/[*?[{]/)).replace(/\/[^/]*$/, "") : path;
  const out: Omit<ShownFile, "most">[] = [];
  const open = [folder];
  for (let entries = 0; open.length && entries < mostEntries && out.length < mostFiles; ) {
    const at = open.pop()!;
    for (const entry of entriesIn(at)) {
      if (++entries > mostEntries) break;
      if (entry.isDirectory()) {
        if (recursive && entry.name !== ".git" && entry.name !== "node_modules") open.push(join(at, entry.name));
      } else if (entry.isFile()) {
        const file = fileAt(facts, join(at, entry.name));
        if (file && file.size > sampleBytes) out.push(file);
      }
    }
  }
  return out;
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no folder, or not ours to read
  }
}

/** The average length of a line in the file's first part; a part without a line end is one line. */
function lineBytes(path: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    const sample = Buffer.alloc(sampleBytes);
    const read = readSync(fd, sample);
    let lines = 0;
    for (let i = 0; i < read; i++) if (sample[i] === 10) lines++;
    return lines ? read / lines : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY; // it can't be read now; what it shows will be counted
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
