// active_intents.yaml read and edited through the YAML document, loaded only when its text has changed or must change.
// Invariant: pure over text; an edit keeps comments, order and the form of everything it does not touch.
import * as v from "valibot";
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { isObject } from "../model/json.js";
import { nearest } from "../model/nearest.js";
import { GlobError } from "../project/globs.js";
import type { AcceptanceCriterion, Intent, IntentProblem, IntentSet, IntentStatus } from "./intent.js";
import { intentsFile } from "./intent.js";
import { activeIntents, intentEntry } from "./intent-schema.js";
import { compileScope } from "./scope-patterns.js";

const mostBytes = 1024 * 1024;

interface Read {
  document: Document.Parsed;
  set: IntentSet;
}

const none = (problem: IntentProblem): IntentSet => ({ intents: [], problem });

/** Checks the whole file: one mistake and none of it counts. */
export const parseIntents = (text: string): IntentSet => read(text).set;

function read(text: string): Read {
  const lines = new LineCounter();
  const document = parseDocument(text.length > mostBytes ? "" : text, {
    lineCounter: lines,
    uniqueKeys: true,
    merge: false,
    schema: "core",
    prettyErrors: true,
  });
  const fail = (what: string, fix: string, line?: number): Read => ({
    document,
    set: none({ what, fix, ...(line !== undefined && { line }) }),
  });
  if (text.length > mostBytes) return fail("the file is larger than 1 MB", "archive finished intents elsewhere");
  const [error] = document.errors;
  if (error)
    return fail(
      `not valid YAML: ${error.message.split("\n")[0]!.replace(/ at line \d+.*$/, "")}`,
      "repair that line; `interlock intent list` checks the file",
      error.linePos?.[0].line,
    );
  const [tag] = document.warnings;
  if (tag)
    return fail("a value that begins with `!` is a YAML tag", 'put it in quotes: "!src/x.ts"', tag.linePos?.[0].line);
  let alias: number | undefined;
  visit(document, { Alias: (_, node) => void (alias ??= node.range ? lines.linePos(node.range[0]).line : 1) });
  if (alias !== undefined)
    return fail("a value that begins with `*` is a YAML alias", 'put it in quotes: "**/*.md"', alias);
  const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
  const lineAt = (path: readonly (string | number)[]): number | undefined => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  if (!isObject(value)) return fail("the top level must be a mapping", "begin the file with `active_intents:`", 1);
  const result = v.safeParse(activeIntents, value);
  if (!result.success) {
    const issue = result.issues[0]!;
    const path = (issue.path ?? []).map((p) => p.key as string | number);
    return fail(`${fieldName(path)}: ${sentence(issue)}`, "repair that field", lineAt(path));
  }
  if (!("active_intents" in value) && Object.keys(value).length)
    return fail("the key `active_intents` is missing", "begin the file with `active_intents:`", 1);
  return compile(result.output.active_intents ?? [], lineAt, fail, document);
}

type Entry = v.InferOutput<typeof intentEntry>;

function compile(
  entries: Entry[],
  lineAt: (path: readonly (string | number)[]) => number | undefined,
  fail: (what: string, fix: string, line?: number) => Read,
  document: Document.Parsed,
): Read {
  const intents: Intent[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = ["active_intents", index];
    const odd = Object.keys(entry).find((key) => !Object.hasOwn(intentEntry.entries, key) && near(key));
    if (odd) return fail(`unknown field "${odd}"`, `did you mean "${near(odd)}"?`, lineAt([...at, odd]));
    if (intents.some((i) => i.id === entry.id))
      return fail(`the id ${entry.id} is there twice`, "give one of them another id", lineAt([...at, "id"]));
    const globs: string[] = [];
    for (const [i, pattern] of (entry.owned_scope ?? []).entries())
      try {
        globs.push(compileScope(pattern));
      } catch (error) {
        if (!(error instanceof GlobError)) throw error;
        return fail(
          `owned_scope of ${entry.id}: "${pattern}": ${error.message}`,
          "write the pattern from the repository's root, for example src/auth/**",
          lineAt([...at, "owned_scope", i]),
        );
      }
    intents.push(intentOf(entry, globs));
  }
  for (const [index, { parent, id }] of intents.entries())
    if (parent !== undefined && !intents.some((i) => i.id === parent))
      return fail(
        `${id} has the parent ${parent}, which is not in the file`,
        "add the parent or remove parent_intent",
        lineAt(["active_intents", index, "parent_intent"]),
      );
  return { document, set: { intents } };
}

function intentOf(entry: Entry, globs: string[]): Intent {
  const { id, name, owned_scope, constraints, acceptance_criteria, approval, parent_intent, version, tags } = entry;
  return {
    id,
    name: name ?? id,
    status: entry.status === "COMPLETE" ? "COMPLETED" : entry.status,
    scope: owned_scope ?? [],
    globs,
    ...(entry.scope === "any" && { anyScope: true as const }),
    constraints: constraints ?? [],
    criteria: (acceptance_criteria ?? []).map(criterionOf),
    ...(approval === "person" && { approval }),
    ...(parent_intent && { parent: parent_intent }),
    ...(entry.exclusive === false && { shared: true as const }),
    ...(version !== undefined && { version }),
    ...(tags?.length && { tags }),
    ...(entry.related_specs?.length && { specs: entry.related_specs.map(({ type, ref }) => ({ type, ref })) }),
  };
}

const criterionOf = (c: string | { criterion: string; met?: boolean; evidence?: string }): AcceptanceCriterion =>
  typeof c === "string"
    ? { text: c, met: false }
    : { text: c.criterion, met: c.met === true, ...(c.evidence && { evidence: c.evidence }) };

/** A name one or two letters away from a known one is a mistake; any other is the user's own. */
function near(key: string): string | undefined {
  const found = nearest(key, Object.keys(intentEntry.entries));
  return found && found !== key && Math.abs(found.length - key.length) <= 2 && key.length > 3 ? found : undefined;
}

const fieldName = (path: readonly (string | number)[]): string =>
  path
    .map((p) => (typeof p === "number" ? `[${p}]` : `.${p}`))
    .join("")
    .replace(/^\./, "") || "the file";

const sentence = (issue: v.BaseIssue<unknown>): string =>
  issue.received === "undefined" ? "is missing" : `${issue.message.replace(/^Invalid type: /, "")}`.slice(0, 200);

/** What an edit made of the text, or why it could not be made. */
export type EditedIntents = { text: string } | { refused: string };

/** One change of one intent. The text must be valid before and is after. */
function edit(
  text: string,
  id: string,
  change: (entry: YAMLMap, intent: Intent, document: Document) => void,
): EditedIntents {
  const { document, set } = read(text);
  if (set.problem) return { refused: problemLine(set.problem) };
  const list = document.get("active_intents");
  const index = set.intents.findIndex((i) => i.id === id);
  const entry = isSeq(list) ? list.items[index] : undefined;
  if (!isMap(entry)) return { refused: `there is no intent ${id}` };
  change(entry, set.intents[index]!, document);
  return { text: document.toString(styleOf(text)) };
}

export const problemLine = ({ line, what, fix }: IntentProblem): string =>
  `${intentsFile}${line === undefined ? "" : `:${line}`}: ${what}; ${fix}`;

/** Sets the status, and `updated_at` where it is kept; no check of the transition, which is the caller's. */
export function setIntentStatus(text: string, id: string, status: IntentStatus, now: number): EditedIntents {
  const { document, set } = read(text);
  if (set.problem) return { refused: problemLine(set.problem) };
  const index = set.intents.findIndex((i) => i.id === id);
  if (index < 0) return { refused: `there is no intent ${id}` };
  const cuts = [
    [document.getIn(["active_intents", index, "status"], true), status],
    [document.getIn(["active_intents", index, "updated_at"], true), new Date(now).toISOString()],
  ] as const;
  let changed = text;
  const places = cuts.flatMap(([node, value]) => (isScalar(node) && node.range ? [{ at: node.range, value }] : []));
  for (const { at, value } of places.sort((a, b) => b.at[0] - a.at[0]))
    changed = changed.slice(0, at[0]) + value + changed.slice(at[1]);
  return { text: changed };
}

/** As the file is written already: blanks in brackets, lists below their key or indented. */
const styleOf = (text: string) => ({
  lineWidth: 0,
  flowCollectionPadding: !/[[{][^\s\]}]/.test(text.replace(/^\s*#.*$/gm, "")),
  indentSeq: !/^[\w-]+:[ \t]*\r?\n- /m.test(text),
});

export const addIntentScope = (text: string, id: string, patterns: readonly string[], now: number): EditedIntents => {
  for (const pattern of patterns)
    try {
      compileScope(pattern);
    } catch (error) {
      return { refused: `"${pattern}": ${(error as Error).message}` };
    }
  return edit(text, id, (entry, { scope }, document) => {
    const fresh = patterns.filter((pattern) => !scope.includes(pattern));
    const list = entry.get("owned_scope");
    if (isSeq(list)) for (const pattern of fresh) list.add(document.createNode(pattern));
    else entry.set("owned_scope", document.createNode(fresh));
    entry.set("updated_at", new Date(now).toISOString());
  });
};

export interface Tick {
  /** From 1. */
  number: number;
  evidence?: string;
}

/** Marks criteria as met: a text becomes a mapping with who said so and when. */
export const tickCriteria = (
  text: string,
  id: string,
  ticks: readonly Tick[],
  by: string,
  now: number,
): EditedIntents =>
  edit(text, id, (entry, { criteria }, document) => {
    const list = entry.get("acceptance_criteria") as YAMLSeq | undefined;
    for (const { number, evidence } of ticks) {
      const known = criteria[number - 1];
      if (!list || !known || known.met) continue;
      const old = list.items[number - 1];
      const fields = { met: true, ...(evidence && { evidence }), by, at: new Date(now).toISOString() };
      if (isMap(old)) for (const [key, value] of Object.entries(fields)) old.set(key, value);
      else list.items[number - 1] = document.createNode({ criterion: known.text, ...fields });
    }
  });

export interface NewIntent {
  id: string;
  name: string;
  status?: IntentStatus;
  scope?: readonly string[];
  anyScope?: boolean;
  constraints?: readonly string[];
  criteria?: readonly string[];
  approval?: "person";
  parent?: string;
  tags?: readonly string[];
  specs?: readonly { type: string; ref: string }[];
}

const header = `# What agents may work on. Checked by Interlock (docs/intents.md); comments and order are kept.
`;

/** Adds intents at the end; a missing file begins with a comment. */
export function addIntents(text: string | undefined, fresh: readonly NewIntent[], now: number): EditedIntents {
  const { document, set } = read(text?.trim() ? text : `${header}active_intents: []\n`);
  if (set.problem) return { refused: problemLine(set.problem) };
  if (!isSeq(document.get("active_intents"))) document.set("active_intents", document.createNode([]));
  const list = document.get("active_intents") as YAMLSeq;
  if (!list.items.length) list.flow = false;
  for (const one of fresh) {
    if (set.intents.some((i) => i.id === one.id)) return { refused: `there is an intent ${one.id} already` };
    list.add(document.createNode(entryOf(one, now)));
  }
  const made = document.toString(styleOf(text ?? ""));
  const { problem } = parseIntents(made);
  return problem ? { refused: `${problem.what}; ${problem.fix}` } : { text: made };
}

const entryOf = (one: NewIntent, now: number) => ({
  id: one.id,
  name: one.name,
  status: one.status ?? "PENDING",
  ...(one.anyScope ? { scope: "any" } : { owned_scope: [...(one.scope ?? [])] }),
  ...(one.constraints?.length && { constraints: [...one.constraints] }),
  acceptance_criteria: [...(one.criteria ?? [])],
  ...(one.approval && { approval: one.approval }),
  ...(one.parent && { parent_intent: one.parent }),
  ...(one.tags?.length && { tags: [...one.tags] }),
  ...(one.specs?.length && { related_specs: [...one.specs] }),
  created_at: new Date(now).toISOString(),
});

/** The next free id: INT-001, INT-002, ... */
export function nextIntentId({ intents }: IntentSet, prefix = "INT"): string {
  const numbers = intents.flatMap(({ id }) => {
    const number = id.startsWith(`${prefix}-`) ? /^\d+$/.exec(id.slice(prefix.length + 1)) : null;
    return number ? [Number(number[0])] : [];
  });
  return `${prefix}-${String(Math.max(0, ...numbers) + 1).padStart(3, "0")}`;
}
