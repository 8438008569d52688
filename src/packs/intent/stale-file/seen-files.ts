// What each agent of a session last saw of a file: by reading it or by writing it itself.
// Invariant: taken from the disk when a call has ended; a read or own write refreshes, other agents' writes do not.
import { lstatSync } from "node:fs";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import { after, failed, memory } from "../../../model/gate.js";
import { hashFile, statKey } from "../../../project/file-hash.js";
import { mutationOf } from "../call-targets.js";

export interface SeenContent {
  /** Size, times and inode: equal means unchanged without hashing. */
  key: string;
  sha256: string;
}

export interface ReadsState {
  /** By absolute path, then by agent. */
  files: Record<string, Record<string, SeenContent>>;
}

const mostFiles = 300;
const mostBytes = 16 << 20;
const mostPerCall = 20;
const kinds = ["read", "write", "edit", "notebook", "shell", "mcp"] as const;

export const seenFilesMemory = memory<ReadsState>({
  id: "intent/reads",
  on: [...after(...kinds), ...failed("shell")],
  state: { scope: "session", initial: { files: {} } },
  learn({ event, facts, state }) {
    const paths = seenPaths(facts).slice(0, mostPerCall);
    if (!paths.length) return;
    const agent = agentName(event);
    const files = { ...state.value.files };
    for (const path of paths) {
      const { [path]: known = {}, ...rest } = files;
      const seen = seenFile(path);
      const { [agent]: _, ...others } = known;
      const next = seen ? { ...others, [agent]: seen } : others;
      for (const key of Object.keys(files)) delete files[key];
      Object.assign(files, rest, Object.keys(next).length ? { [path]: next } : {});
    }
    state.replace({ files: Object.fromEntries(Object.entries(files).slice(-mostFiles)) });
  },
});

/** Files the call read or wrote by name. */
function seenPaths(facts: Facts): string[] {
  const { kind } = facts.event.tool!;
  const { root } = facts.world.project;
  if (kind === "read") return facts.targets.map((t) => t.path);
  const written = mutationOf(facts)?.targets.filter((t) => !t.broad && t.below !== undefined) ?? [];
  const read =
    kind === "shell"
      ? facts.effects.flatMap((e) => (e.kind === "read" && e.path && !e.glob && !e.recursive ? [e.path] : []))
      : [];
  const below = read.filter((path) => path.startsWith(`${root}/`)).map((path) => facts.canonical(path).path);
  return [...new Set([...below, ...written.map((t) => t.path)])];
}

export const agentName = ({ agent }: Event): string => `a:${agent?.id.slice(0, 60) ?? "main"}`;

export function seenFile(path: string): SeenContent | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  const digest = hashFile(path, mostBytes);
  return { key: statKey(stat), sha256: digest ?? `stat:${statKey(stat)}` };
}

/** What the file holds now, where it is not what was seen. */
export function changedSince(path: string, seen: SeenContent): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat?.isFile()) return "DELETED";
  if (statKey(stat) === seen.key) return undefined;
  const now = seenFile(path)!.sha256;
  return now === seen.sha256 ? undefined : now;
}
