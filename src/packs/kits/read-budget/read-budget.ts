// Keeps large files out of the agent's context: one read shows so much, one run reads so many files and bytes.
// Invariant: a content is charged once, a part of a file as that part; a refusal names the query that answers instead.

import type { Facts } from "../../../facts/index.js";
import { after, before, gate, type Slice } from "../../../model/gate.js";
import { sha256 } from "../../../model/sha256.js";
import { shellQuote } from "../../../model/shell-quote.js";
import { inert } from "../../../model/text.js";
import { type Deny, deny, type Note, note } from "../../../model/verdict.js";
import type { KitOptions } from "../kit-options.js";
import { ownRecord } from "../phase-memory.js";
import { isFreelyRead, type ReadLimits, readLimits, readVariables } from "./read-limits.js";
import { type ShownFile, shownFiles } from "./shown-files.js";

interface ChargedFile {
  version: string;
  /** Lines charged so far; absent: all of it. */
  lines?: [number, number][];
}

export interface ReadUsage {
  files: Record<string, ChargedFile>;
  bytes: number;
}

interface ReadBudgetState {
  /** By whose budget it is. */
  usage: Record<string, ReadUsage>;
}

const keptBudgets = 50;
const hashedBytes = 1 << 20;

export const readBudget = gate<ReadBudgetState, KitOptions>({
  id: "kits/read-budget",
  title: "Large files are queried, not read",
  about:
    "Refuses to show more than `readBudget.maxReadBytes` (200 kB) of one file, by Read, Grep, a shell command or an " +
    "MCP server's reading tool, unless the file is on the run's must-read list or allowed by a glob. A run that was " +
    "asked for by a request may read 8 other files and 300 kB; a content is charged once, a part of a file as that " +
    "part, what grep prints when it is printed, what an MCP server answers when it has answered. It holds in runs of " +
    "kits, with `readBudget.when: always` in every session, and where `MAX_READ_BYTES`, `READ_BUDGET_MAX_FILES` or " +
    "`READ_BUDGET_MAX_TOTAL_BYTES` ask for it.",
  remedy:
    "Use the `interlock query-log` call that the refusal names, read a part with offset and limit, or put the file " +
    "on the must-read list of the request.",
  window: "The run; without a run the session.",
  reset: "A new run or session.",
  on: [...before("read", "search", "shell", "mcp"), ...after("search", "shell", "mcp", "unknown")],
  onError: "pass",
  env: ["RUN_ID", ...readVariables],
  state: { scope: "project", initial: { usage: {} } },
  judge({ event, facts, config, recall, state }) {
    const limits = readLimits(facts, ownRecord(event, recall), config);
    if (!limits.length) return;
    const shown = shownFiles(facts).map((file) => withContent(file, facts));
    if (event.kind === "tool.after" && (event.tool?.kind === "mcp" || event.tool?.kind === "unknown"))
      return otherOutput(shown, limits, facts, state);
    if (!shown.length) return;
    const charges = limits.map((limit) => ({
      limit,
      files: shown.filter((file) => !isFreelyRead(file, limit, facts)),
    }));
    if (event.kind === "tool.before")
      for (const { limit, files } of charges) {
        const refusal = tooLarge(files, limit, facts) ?? overBudget(files, limit, state.value, facts);
        if (refusal) return refusal;
      }
    const output = event.outcome ? Buffer.byteLength(event.outcome.text) : 0;
    for (const { limit, files } of charges)
      if (files.length && (limit.maxFiles || limit.maxBytes)) {
        const usage = charged(usageOf(state.value, limit), files, event.kind === "tool.before" ? undefined : output);
        state.replace({ usage: recent({ ...state.value.usage, [limit.key]: usage }, limit.key) });
      }
  },
});

/** An answer below this is no file: it is not counted unless the call named one. */
const smallAnswer = 16_384;

/** What an MCP server or an unknown tool put into the context is known only now: it is charged, and a flood is told. */
function otherOutput(
  shown: readonly ShownFile[],
  limits: readonly ReadLimits[],
  facts: Facts,
  state: Slice<ReadBudgetState>,
): Note | undefined {
  const output = Buffer.byteLength(facts.event.outcome?.text ?? "");
  if (!shown.length && output <= smallAnswer) return undefined;
  let flood = 0;
  for (const limit of limits) {
    if (shown.length && shown.every((file) => isFreelyRead(file, limit, facts))) continue;
    if (limit.maxReadBytes && output > limit.maxReadBytes) flood = limit.maxReadBytes;
    const before = shown.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
    const extra = Math.max(0, output - before);
    if (!extra || !limit.maxBytes) continue;
    const usage = usageOf(state.value, limit);
    const next = { ...usage, bytes: usage.bytes + extra };
    state.replace({ usage: recent({ ...state.value.usage, [limit.key]: next }, limit.key) });
  }
  if (!flood) return undefined;
  const tool = inert(facts.event.tool!.name, 80);
  return note(
    `${tool} showed ${output} bytes at once; at most ${flood} are meant to be. Ask it for a part next time, or ` +
      "query the file: interlock query-log tail <file>, interlock query-log grep <pattern> <file>.",
    "both",
    { bytes: output },
  );
}

/** The same content under the same name is the same version, whenever it was written. */
function withContent(file: ShownFile, { world }: Facts): ShownFile {
  if (file.size > hashedBytes) return file;
  const text = world.project.read(file.path);
  return text === undefined ? file : { ...file, version: sha256(text).slice(0, 24) };
}

function tooLarge(files: readonly ShownFile[], { maxReadBytes }: ReadLimits, facts: Facts): Deny | undefined {
  const file = maxReadBytes ? files.find((f) => f.most > maxReadBytes) : undefined;
  if (!file) return undefined;
  return deny({
    what: `${facts.event.tool!.name}: Read of large file ${inert(file.name, 120)} (${file.size} bytes)`,
    why: `it would show up to ${file.most} bytes, at most ${maxReadBytes} are allowed at once`,
    next: `${queryInstead(file, facts)}; or read a part with offset and limit`,
    data: { file: file.name, bytes: file.most },
  });
}

/** The query that answers what the call asked. */
function queryInstead(file: ShownFile, facts: Facts): string {
  const name = shellQuote(file.name, process.platform);
  const grep = facts.shell?.commands.find((c) => /^(?:[efz]?grep|rg|ag)$/.test(c.program));
  const pattern = facts.event.tool!.query ?? grep?.argv.find((a) => a !== undefined && !a.startsWith("-"));
  if (pattern) return `interlock query-log grep ${shellQuote(pattern.slice(0, 80), process.platform)} ${name}`;
  const verb = /\.(?:log|out|txt)$/.test(file.name) ? "errors" : "tail";
  return `interlock query-log ${verb} ${name}`;
}

const usageOf = (state: Readonly<ReadBudgetState>, { key }: ReadLimits): ReadUsage =>
  Object.hasOwn(state.usage, key) ? state.usage[key]! : { files: {}, bytes: 0 };

function overBudget(
  files: readonly ShownFile[],
  limit: ReadLimits,
  state: Readonly<ReadBudgetState>,
  facts: Facts,
): Deny | undefined {
  const { maxFiles, maxBytes } = limit;
  if (!files.length || (!maxFiles && !maxBytes)) return undefined;
  const usage = usageOf(state, limit);
  const then = charged(usage, files);
  const count = Object.keys(usage.files).length;
  const tooMany = maxFiles > 0 && Object.keys(then.files).length > maxFiles;
  const spent =
    maxBytes > 0 && (then.bytes > maxBytes || (files.some((f) => f.bytes === undefined) && usage.bytes >= maxBytes));
  if (!tooMany && !spent) return undefined;
  const left = [
    maxFiles ? `${Math.max(0, maxFiles - count)} of ${maxFiles} files` : "",
    maxBytes ? `${Math.max(0, maxBytes - usage.bytes)} of ${maxBytes} bytes` : "",
  ].filter(Boolean);
  return deny({
    what: `${facts.event.tool!.name}: ${inert(files[0]!.name, 120)}: Read budget exceeded`,
    why: `it needs ${then.bytes - usage.bytes} bytes; left of this run's budget: ${left.join(", ")}`,
    next: `${queryInstead(files[0]!, facts)}; or work with what was read`,
    data: { filesLeft: Math.max(0, maxFiles - count), bytesLeft: Math.max(0, maxBytes - usage.bytes) },
  });
}

/** The usage after these files; `output`: what was printed of those whose amount was not known before. */
function charged(usage: ReadUsage, files: readonly ShownFile[], output?: number): ReadUsage {
  const next: ReadUsage = { files: { ...usage.files }, bytes: usage.bytes };
  if (output !== undefined) {
    const unknown = files.filter((file) => file.bytes === undefined);
    next.bytes += Math.min(
      output,
      unknown.reduce((sum, file) => sum + file.size, 0),
    );
    return next;
  }
  for (const file of files) {
    const known = next.files[file.name];
    const same = known?.version === file.version ? known : undefined;
    if (file.bytes === undefined) {
      next.files[file.name] = same ?? { version: file.version, lines: [] };
      continue;
    }
    const fresh = same ? freshShare(same, file) : 1;
    next.bytes += Math.ceil(file.bytes * fresh);
    next.files[file.name] = { version: file.version, ...spans(same, file) };
  }
  return next;
}

/** Which part of the lines was not charged before, from 0 to 1. */
function freshShare({ lines }: ChargedFile, file: ShownFile): number {
  if (!lines) return 0;
  if (!file.lines) return 1;
  const [from, to] = file.lines;
  const covered = lines.reduce((sum, [a, b]) => sum + Math.max(0, Math.min(b, to) - Math.max(a, from) + 1), 0);
  return Math.max(0, 1 - covered / (to - from + 1));
}

function spans(same: ChargedFile | undefined, file: ShownFile): { lines?: [number, number][] } {
  if (!file.lines || (same && !same.lines)) return {};
  const out: [number, number][] = [];
  for (const [from, to] of [...(same?.lines ?? []), [...file.lines] as [number, number]].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return { lines: out.slice(-60) };
}

/** The budgets used last. */
function recent(usage: Record<string, ReadUsage>, key: string): Record<string, ReadUsage> {
  const others = Object.entries(usage).filter(([name]) => name !== key);
  return Object.fromEntries([...others.slice(-keptBudgets), [key, usage[key]!]]);
}
