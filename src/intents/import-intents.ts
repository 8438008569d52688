// Intents from what teams have already: spec-kit task lists and exports of GitHub issues.
// Invariant: pure text to new intents; only what looks like a path becomes scope, so a scope may be empty.
import { isObject } from "../model/json.js";
import type { NewIntent } from "./document.js";

export type Imported = { intents: NewIntent[]; skipped: number; form: "spec-kit" | "github" } | { problem: string };

export interface ImportOptions {
  /** As the new intents name it in `related_specs`. */
  source: string;
  /** Known ids: those are skipped. */
  known: readonly string[];
}

export function importIntents(text: string, options: ImportOptions): Imported {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("[") || trimmed.startsWith("{")) return fromIssues(trimmed, options);
  return fromTasks(text, options);
}

const taskLine = /^\s*[-*] \[( |x|X)\]\s+(?:\*\*)?(T\d{1,5})(?:\*\*)?:?\s+(.+)$/;
const heading = /^#{1,6}\s+(.+?)\s*#*$/;
/** Words that name a file or a folder of the repository. */
const extensions = "[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|css|html|sql|md|json|ya?ml|toml";
const pathWord = new RegExp(
  [
    String.raw`(?:^|[\s\`("'])`, // what may stand before it
    String.raw`((?:[\w.@-]+/)+[\w.@*-]*`, // something with a slash
    String.raw`|\.?[\w@-]+(?:\.[\w-]+)*\.(?:${extensions}))`, // or a file by its ending
    String.raw`(?=[\s\`)"',;:.]|$)`,
  ].join(""),
  "g",
);

/** `- [ ] T001 [P] [US1] Create the model in src/models/user.py`, as spec-kit's tasks.md has them. */
function fromTasks(text: string, { source, known }: ImportOptions): Imported {
  const intents: NewIntent[] = [];
  let skipped = 0;
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    section = heading.exec(line)?.[1] ?? section;
    const [, done, id, rest] = taskLine.exec(line) ?? [];
    if (!id || !rest) continue;
    if (done !== " " || known.includes(id) || intents.some((i) => i.id === id)) {
      skipped++;
      continue;
    }
    const story = /\[(US\d+)\]/.exec(rest)?.[1];
    const name = rest.replace(/\[(?:P|US\d+)\]\s*/g, "").trim();
    intents.push({
      id,
      name: name.slice(0, 300),
      scope: pathsIn(name),
      criteria: [name.slice(0, 500)],
      ...(story && { tags: [story] }),
      specs: [{ type: "spec-kit", ref: section ? `${source}: ${section.slice(0, 100)}` : source }],
    });
  }
  if (!intents.length && !skipped)
    return { problem: "no task was found; spec-kit writes them as `- [ ] T001 Description with a path`" };
  return { intents, skipped, form: "spec-kit" };
}

/** What `gh issue list --json number,title,body,state,labels,url` prints. */
function fromIssues(text: string, { known }: ImportOptions): Imported {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `not valid JSON: ${(error as Error).message}` };
  }
  const list = (Array.isArray(value) ? value : [value]).filter(isObject);
  const intents: NewIntent[] = [];
  let skipped = 0;
  for (const issue of list) {
    const number = issue["number"];
    const title = issue["title"];
    if (typeof number !== "number" || typeof title !== "string")
      return {
        problem:
          "an issue without number or title; export with: gh issue list --json number,title,body,state,labels,url",
      };
    const id = `GH-${number}`;
    const closed = typeof issue["state"] === "string" && issue["state"].toUpperCase() === "CLOSED";
    if (closed || known.includes(id) || issue["pull_request"]) {
      skipped++;
      continue;
    }
    const body = typeof issue["body"] === "string" ? issue["body"] : "";
    intents.push({
      id,
      name: title.trim().slice(0, 300) || id,
      scope: scopeIn(body),
      criteria: checkboxes(body),
      tags: labelsOf(issue["labels"]),
      specs: [{ type: "github-issue", ref: refOf(issue, number) }],
    });
  }
  return intents.length || skipped ? { intents, skipped, form: "github" } : { problem: "there is no issue in it" };
}

const refOf = (issue: Record<string, unknown>, number: number): string => {
  const url = issue["url"] ?? issue["html_url"];
  return typeof url === "string" && url ? url.slice(0, 500) : `#${number}`;
};

const labelsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).flatMap((label: unknown) => {
    const name = isObject(label) ? label["name"] : label;
    return typeof name === "string" && name ? [name.slice(0, 100)] : [];
  });

/** Open boxes of a body are what must hold. */
const checkboxes = (body: string): string[] =>
  [...body.matchAll(/^\s*[-*] \[ \]\s+(.+)$/gm)].slice(0, 50).map((m) => m[1]!.trim().slice(0, 500));

/** A line `Scope: src/auth/**, docs/` or a section of that name. */
function scopeIn(body: string): string[] {
  const line = /^\**(?:owned[_ ])?scope\**\s*:\**\s*(.+)$/im.exec(body)?.[1];
  if (line) return pathsIn(line.replaceAll(",", " "));
  const section = /^#{1,6}\s*(?:owned[_ ])?(?:scope|files)\s*$([^]*?)(?=^#|(?![^]))/im.exec(body)?.[1];
  return section ? pathsIn(section) : [];
}

function pathsIn(text: string): string[] {
  const found = [...text.matchAll(pathWord)].map((m) => m[1]!.replace(/\.$/, ""));
  return [...new Set(found)].filter((path) => !/^\.\.?\//.test(path) && !/^(?:https?|www)\b/.test(path)).slice(0, 20);
}
