// Lessons in AGENT.md: what failed, when, where, each once.
// Invariant: pure text; only our own section changes, the newest entries are kept, and the same failure is one entry.
import { sha256 } from "../model/sha256.js";
import { inert, oneLine } from "../model/text.js";

export interface Lesson {
  /** Equal for the same mistake. */
  signature: string;
  /** What happened, or what was learned. */
  text: string;
  /** Below the project. */
  files: string[];
  intent?: string;
  /** What failed: "vitest", "tsc"; absent where the agent or a person wrote it down. */
  from?: string;
}

export interface RecordedLesson {
  key: string;
  date: string;
  text: string;
  files: string[];
  times: number;
}

const heading = "## Lessons Learned";
const opening = "<!-- interlock:lessons: kept by Interlock, one line per lesson; edit below or above -->";
const closing = "<!-- /interlock:lessons -->";
const entryLine = /^- (\d{4}-\d\d-\d\d) (.*?)(?: \((\d+) times\))?(?: \[([^\]]*)\])? <!-- lesson:([0-9a-f]{12}) -->$/;

export const lessonKey = (signature: string): string => sha256(signature).slice(0, 12);

/** The text with the lesson in it; undefined where it is there already and nothing changes. */
export function addLesson(text: string | undefined, lesson: Lesson, now: number, most: number): string | undefined {
  const key = lessonKey(lesson.signature);
  const date = new Date(now).toISOString().slice(0, 10);
  const { before, entries, after } = parts(text);
  const known = entries.find((e) => e.key === key);
  if (known?.date === date && lesson.files.every((f) => known.files.includes(f))) return undefined;
  const entry: RecordedLesson = {
    key,
    date,
    text: known?.text ?? shownLesson(lesson),
    files: [...new Set([...(known?.files ?? []), ...lesson.files])].slice(0, 5),
    times: (known?.times ?? 0) + 1,
  };
  const kept = [...entries.filter((e) => e.key !== key), entry].slice(-most);
  return `${before}${opening}\n\n${kept.map(lineOf).join("\n")}\n\n${closing}${after}`;
}

const shownLesson = ({ text, from, intent }: Lesson): string =>
  `${from ? `${from}: ` : ""}${oneLine(text, 300).replaceAll("<!--", "‹!--")}${intent ? ` {${intent}}` : ""}`;

const lineOf = ({ date, text, files, times, key }: RecordedLesson): string => {
  const named = files.map((f) => inert(f, 120).replaceAll("]", ")")).join(", ");
  return `- ${date} ${text}${times > 1 ? ` (${times} times)` : ""}${named && ` [${named}]`} <!-- lesson:${key} -->`;
};

/** The lessons of a file, oldest first. */
export const readLessons = (text: string | undefined): RecordedLesson[] => parts(text).entries;

function parts(text: string | undefined): { before: string; entries: RecordedLesson[]; after: string } {
  const whole = text ?? "# Agent knowledge\n";
  const from = whole.indexOf(opening);
  const to = from < 0 ? -1 : whole.indexOf(closing, from);
  if (to < 0) {
    const gap = whole === "" || whole.endsWith("\n\n") ? "" : whole.endsWith("\n") ? "\n" : "\n\n";
    return { before: `${whole}${gap}${heading}\n\n`, entries: [], after: "\n" };
  }
  const entries = whole
    .slice(from + opening.length, to)
    .split("\n")
    .flatMap((line): RecordedLesson[] => {
      const [, date, said, times, files, key] = entryLine.exec(line.trim()) ?? [];
      if (!date || !key) return [];
      return [{ key, date, text: said!, files: files ? files.split(", ") : [], times: Number(times ?? 1) }];
    });
  return { before: whole.slice(0, from), entries, after: whole.slice(to + closing.length) };
}
