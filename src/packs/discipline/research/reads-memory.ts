// Which lines of which files an agent has seen, and in which version.
// Invariant: the agent's own edits update what it has seen; a file changed by anything else is unseen again.
import { isAbsolute, resolve } from "node:path";
import type { Facts } from "../../../facts/index.js";
import { after, memory, type Project } from "../../../model/gate.js";
import { sha256 } from "../../../model/sha256.js";
import type { DisciplineOptions } from "../discipline-options.js";

export interface SeenFile {
  /** Hash of the content in which the lines were seen. */
  hash: string;
  /** Inclusive, sorted, not overlapping. */
  lines: [number, number][];
}

export interface ReadLinesState {
  files: Record<string, SeenFile>;
}

const maxFiles = 150;
const maxSpans = 60;
const all: [number, number] = [1, 10_000_000];

export const readsMemory = memory<ReadLinesState>({
  id: "discipline/reads",
  on: after("read", "search", "shell", "edit", "write", "notebook"),
  state: { scope: "agent", initial: { files: {} } },
  learn({ event, facts, config, state, project }) {
    if (!event.outcome?.ok || !(config as unknown as DisciplineOptions).research.strict) return;
    const { kind } = event.tool!;
    const seen = kind === "edit" || kind === "write" || kind === "notebook" ? [] : seenIn(facts, project);
    if (kind === "edit" || kind === "write" || kind === "notebook") {
      state.update((s) => follow(s, facts, project));
      return;
    }
    if (!seen.length) return;
    state.update((s) => {
      for (const { path, span } of seen) note(s, path, span, project);
    });
  },
});

interface Seen {
  path: string;
  span: [number, number];
}

/** The most lines a host reads when no limit is given. */
const readLimit = 2000;

function seenIn(facts: Facts, project: Project): Seen[] {
  const { tool, outcome, cwd } = facts.event;
  if (tool!.kind === "read") {
    const path = facts.targets[0]?.path;
    if (!path) return [];
    const from = Math.max(1, tool!.range?.offset ?? 1);
    return [{ path, span: [from, from + (tool!.range?.limit ?? readLimit) - 1] }];
  }
  if (tool!.kind === "search") return matches(outcome!.text, cwd, facts.targets[0]?.path);
  const searches = (facts.shell?.commands ?? []).filter(
    (c) => /^(?:rg|grep|egrep|ag)$/.test(c.program) || (c.program === "git" && c.argv[0] === "grep"),
  );
  const last = searches.length === 1 ? searches[0]!.argv.at(-1) : undefined;
  const single = last ? resolve(searches[0]!.cwd ?? cwd, last) : undefined;
  const found = searches.length ? matches(outcome!.text, cwd, single) : [];
  return [...found, ...shown(facts, project)];
}

/** `path:12:text` and `path-11-context`, or `12:text` where one file was searched. */
function matches(text: string, cwd: string, single: string | undefined): Seen[] {
  const out: Seen[] = [];
  for (const line of text.slice(0, 400_000).split("\n")) {
    const own = single && /^(\d+)[:-]/.exec(line);
    const named = own ? undefined : /^((?:[A-Za-z]:)?[^:\0]+?)[:-](\d+)[:-]/.exec(line);
    const number = Number(own ? own[1] : named?.[2]);
    if (!number) continue;
    const path = own ? single : isAbsolute(named![1]!) ? named![1]! : resolve(cwd, named![1]!);
    out.push({ path, span: [number, number] });
    if (out.length >= 500) break;
  }
  return out;
}

/** Commands that print whole files or the lines they name. */
function shown(facts: Facts, project: Project): Seen[] {
  const out: Seen[] = [];
  for (const { program, argv, cwd } of facts.shell?.commands ?? []) {
    const words = argv.map((a) => a ?? "");
    const files = words.filter((w) => w && !w.startsWith("-")).map((w) => resolve(cwd ?? facts.event.cwd, w));
    if (/^(?:cat|bat|nl|less|more)$/.test(program))
      for (const path of files) {
        const lines = printed(project.read(path) ?? "", facts.event.outcome!.text, program === "cat");
        if (lines) out.push({ path, span: lines === "all" ? all : [1, lines] });
      }
    const lines =
      program === "sed" ? /^(\d+)(?:,(\d+))?p$/.exec(words.find((w) => /^\d+(?:,\d+)?p$/.test(w)) ?? "") : undefined;
    if (lines)
      for (const path of files.slice(1)) out.push({ path, span: [Number(lines[1]), Number(lines[2] ?? lines[1])] });
    if (program === "head") {
      const count = Number(/^-n?(\d+)$/.exec(words.find((w) => /^-n?\d+$/.test(w)) ?? "-10")![1]);
      for (const path of files) out.push({ path, span: [1, count] });
    }
  }
  return out;
}

/** How much of a file was printed: `cat f | head` names the whole file and shows its beginning. */
function printed(content: string, output: string, verbatim: boolean): "all" | number | undefined {
  const text = content.trimEnd();
  if (output.includes(text)) return "all";
  const lines = output.trimEnd().split("\n");
  if (!verbatim) return lines.length >= text.split("\n").length ? "all" : undefined;
  return text.startsWith(`${output.trimEnd()}\n`) ? lines.length : undefined;
}

const hashOf = (project: Project, path: string): string => sha256(project.read(path) ?? "").slice(0, 16);

function note(s: ReadLinesState, path: string, span: [number, number], project: Project): void {
  const hash = hashOf(project, path);
  const before = s.files[path];
  const lines = before?.hash === hash ? before.lines : [];
  delete s.files[path];
  s.files[path] = { hash, lines: joinSpans([...lines, span]) };
  const paths = Object.keys(s.files);
  for (const old of paths.slice(0, Math.max(0, paths.length - maxFiles))) delete s.files[old];
}

export function joinSpans(spans: readonly [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out.slice(-maxSpans);
}

/**
 * After its own edit the agent knows the file: all of it if written, else the lines it knew and the ones it edited.
 */
function follow(s: ReadLinesState, facts: Facts, project: Project): void {
  const path = facts.targets[0]?.path;
  const text = path && project.read(path);
  if (!path || text === undefined) return;
  const { tool } = facts.event;
  let lines: [number, number][] = tool!.kind === "write" ? [all] : (s.files[path]?.lines ?? []);
  for (const edit of tool!.edits ?? []) {
    const at = edit.new === "" ? -1 : text.indexOf(edit.new);
    const line = at < 0 ? 1 : count(text.slice(0, at)) + 1;
    const grown = count(edit.new) - count(edit.old);
    lines = lines.map(([from, to]) => [
      from > line ? from + grown : from,
      to >= line ? Math.max(from, to + grown) : to,
    ]);
    if (at >= 0) lines.push([line, line + count(edit.new)]);
  }
  s.files[path] = { hash: hashOf(project, path), lines: joinSpans(lines.filter(([from, to]) => to >= from)) };
}

const count = (text: string): number => text.split("\n").length - 1;
