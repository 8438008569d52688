// Which limits on reading hold for an event: those of its run, of the settings, and of variables that add to them.
// Invariant: every set of limits must be kept; what variables exempt is exempt only from limits variables set.
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { compileGlob, matchCompiled } from "../../../project/globs.js";
import type { KitOptions } from "../kit-options.js";
import type { PhaseRecord } from "../phase-memory.js";
import type { ShownFile } from "./shown-files.js";

export interface ReadLimits {
  /** Whose budget it is. */
  key: string;
  /** 0: no limit, for each of the three. */
  maxReadBytes: number;
  maxFiles: number;
  maxBytes: number;
  /** Compiled globs of files that cost nothing and may have any size. */
  free: readonly string[];
}

export const readVariables = [
  "MAX_READ_BYTES",
  "READ_BUDGET_MAX_FILES",
  "READ_BUDGET_MAX_TOTAL_BYTES",
  "READ_ALLOW_GLOBS",
  "MUST_READ_ALLOWLIST",
] as const;

export function readLimits(facts: Facts, record: PhaseRecord | undefined, { readBudget }: KitOptions): ReadLimits[] {
  const { env, session } = facts.event;
  const out: ReadLimits[] = [];
  if (record || readBudget.when === "always")
    out.push({
      key: record ? record.run : `session ${session}`,
      maxReadBytes: readBudget.maxReadBytes,
      maxFiles: record?.budget?.maxFiles ?? readBudget.maxFiles,
      maxBytes: record?.budget?.maxBytes ?? readBudget.maxTotalBytes,
      free: [...readBudget.allow, ...globsOf([...(record?.budget?.allow ?? []), ...(record?.budget?.mustRead ?? [])])],
    });
  const asked: ReadLimits = {
    key: `variables ${env["RUN_ID"] || session}`,
    maxReadBytes: env["MAX_READ_BYTES"] ? wholeOf(env["MAX_READ_BYTES"]) || readBudget.maxReadBytes : 0,
    maxFiles: wholeOf(env["READ_BUDGET_MAX_FILES"]),
    maxBytes: wholeOf(env["READ_BUDGET_MAX_TOTAL_BYTES"]),
    free: [...readBudget.allow, ...globsOf(listOf(env["READ_ALLOW_GLOBS"] || env["MUST_READ_ALLOWLIST"]))],
  };
  if (asked.maxReadBytes || asked.maxFiles || asked.maxBytes) out.push(asked);
  return out;
}

const wholeOf = (text: string | undefined): number => (text && /^\d{1,15}$/.test(text) ? Number(text) : 0);
/** Not at colons: Windows paths hold them. */
const listOf = (text: string | undefined): string[] =>
  (text ?? "")
    .split(/[,;\n]/)
    .map((s) => s.trim())
    .filter(Boolean);

const compiledGlobs = new Map<string, readonly string[]>();

function globsOf(given: readonly string[]): readonly string[] {
  const key = given.join("\n");
  const known = compiledGlobs.get(key);
  if (known) return known;
  const out = given.slice(0, 200).flatMap((glob) => {
    try {
      return [compileGlob(glob.replace(/^\//, "@/"))];
    } catch {
      return []; // exempts nothing
    }
  });
  if (compiledGlobs.size > 50) compiledGlobs.clear();
  compiledGlobs.set(key, out);
  return out;
}

/** By its path below the project, or by its absolute one. */
export function isFreelyRead(file: ShownFile, { free }: ReadLimits, facts: Facts): boolean {
  const below = belowRoot(facts.world.project.root, file.path);
  return (below !== undefined && matchCompiled(free, below)) || matchCompiled(free, `@${file.path}`);
}
