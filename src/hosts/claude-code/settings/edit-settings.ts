// Adds hook entries to a settings text and removes them again.
// Invariant: every edit is compared with the same edit made on the parsed value; if they differ, it is refused.
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { appendItem, removeItem, replaceValue } from "./edit-jsonc.js";
import { type Container, type Document, parseJsonc, toJson } from "./jsonc.js";
import { eventNodes, type HookEntry, hookEntries } from "./settings.js";

export class EditError extends Error {}

export interface Edited {
  text: string;
  /** Containers that were not there before: "hooks", "hooks.Stop". */
  made: string[];
}

type Chosen = (entry: HookEntry) => boolean;

/** Makes `handlers` (one per event) the only chosen entries of the file; other entries stay as they are. */
export function setHandlers(text: string, handlers: Readonly<Record<string, JsonObject>>, ours: Chosen): Edited {
  const made: string[] = [];
  let now = text;
  for (const [event, handler] of Object.entries(handlers)) now = setOne(now, event, handler, ours, made);
  now = removeHandlers(now, (entry) => ours(entry) && !Object.hasOwn(handlers, entry.event), []).text;
  check(now, expected(text, handlers, ours));
  return { text: now, made };
}

function setOne(text: string, event: string, handler: JsonObject, ours: Chosen, made: string[]): string {
  const present = entriesOf(text).filter((entry) => entry.event === event && ours(entry));
  const [only] = present;
  if (present.length === 1 && isDeepStrictEqual(only!.handler, handler) && aloneWithoutMatcher(text, only!))
    return text;
  if (present.length === 1 && aloneWithoutMatcher(text, only!)) {
    const document = parseJsonc(text);
    return replaceValue(document, handlersOf(nodes(document, event).groups!, only!).items[only!.index]!.value, handler);
  }
  const cleared = present.length ? takeOut(text, (entry) => entry.event === event && ours(entry)) : text;
  return addGroup(cleared, event, { hooks: [handler] }, made);
}

/** Appends a group to an event, making what is missing on the way. */
export function addGroup(text: string, event: string, group: Json, made: string[]): string {
  const document = parseJsonc(text);
  const { hooks, groups } = nodes(document, event);
  if (groups) return appendItem(document, groups, group);
  made.push(`hooks.${event}`);
  if (hooks) return appendItem(document, hooks, [group], event);
  made.push("hooks");
  return appendItem(document, document.root as Container, { [event]: [group] }, "hooks");
}

/**
 * Removes the chosen entries, and those of the `made` containers that are empty then. Without `made`, every container
 * this empties.
 */
export function removeHandlers(text: string, chosen: Chosen, made?: readonly string[]): Edited {
  const events = new Set(
    entriesOf(text)
      .filter(chosen)
      .map((entry) => entry.event),
  );
  let now = takeOut(text, chosen);
  const removable = (name: string, fallback: boolean) => (made ? made.includes(name) : fallback);
  for (const event of events) {
    const document = parseJsonc(now);
    const { hooks, groups } = nodes(document, event);
    if (groups?.items.length || !hooks || !groups || !removable(`hooks.${event}`, true)) continue;
    now = removeItem(document, hooks, indexOf(hooks, event));
  }
  const document = parseJsonc(now);
  const root = document.root as Container;
  const at = indexOf(root, "hooks");
  const node = root.items[at]?.value;
  if (events.size && node?.kind === "object" && !node.items.length && removable("hooks", true))
    now = removeItem(document, root, at);
  check(now, stripped(text, chosen));
  return { text: now, made: [] };
}

/** Removes what is at this path, as often as it is there, and changes nothing else. */
export function removePath(text: string, ...path: [string, ...string[]]): string {
  const document = parseJsonc(text);
  let node = document.root;
  for (const [depth, key] of path.entries()) {
    const at = node.kind === "object" ? indexOf(node, key) : -1;
    if (at < 0) return text;
    if (depth === path.length - 1) return removePath(removeItem(document, node as Container, at), ...path);
    node = (node as Container).items[at]!.value;
  }
  return text;
}

/** The same without comments and trailing commas, which strict JSON does not have. */
export const strictText = (text: string): string => `${JSON.stringify(jsonOf(text), null, 2)}\n`;

function takeOut(text: string, chosen: Chosen): string {
  let now = text;
  for (;;) {
    const entry = entriesOf(now).find(chosen);
    if (!entry) return now;
    const document = parseJsonc(now);
    const groups = nodes(document, entry.event).groups!;
    const handlers = handlersOf(groups, entry);
    now =
      handlers.items.length > 1
        ? removeItem(document, handlers, entry.index)
        : removeItem(document, groups, entry.group);
  }
}

function nodes(document: Document, event: string): { hooks?: Container; groups?: Container } {
  const { blocked, ...found } = eventNodes(document, event);
  if (blocked) throw new EditError(blocked);
  return found;
}

function handlersOf(groups: Container, entry: HookEntry): Container {
  const group = groups.items[entry.group]!.value as Container;
  return group.items.findLast((item) => item.key === "hooks")!.value as Container;
}

const indexOf = (node: Container, key: string): number => node.items.findLastIndex((item) => item.key === key);

const jsonOf = (text: string): JsonObject => toJson(parseJsonc(text).root) as JsonObject;
const entriesOf = (text: string): HookEntry[] => hookEntries(jsonOf(text));

function aloneWithoutMatcher(text: string, entry: HookEntry): boolean {
  const groups = (jsonOf(text).hooks as JsonObject)[entry.event] as JsonObject[];
  return (
    isDeepStrictEqual(Object.keys(groups[entry.group]!), ["hooks"]) &&
    (groups[entry.group]!.hooks as Json[]).length === 1
  );
}

/** The value without the chosen entries, and without groups, events and hooks that are empty. */
function stripped(text: string, chosen: Chosen): JsonObject {
  return dropped(jsonOf(text), (event, group, index, groupAt) =>
    chosen({
      event,
      ...(typeof group.matcher === "string" ? { matcher: group.matcher } : {}),
      group: groupAt,
      index,
      handler: (group.hooks as JsonObject[])[index]!,
    }),
  );
}

function dropped(
  json: JsonObject,
  gone: (event: string, group: JsonObject, index: number, groupAt: number) => boolean,
): JsonObject {
  if (!isObject(json.hooks)) return json;
  const hooks: JsonObject = {};
  for (const [event, groups] of Object.entries(json.hooks)) {
    if (!Array.isArray(groups)) {
      hooks[event] = groups;
      continue;
    }
    const kept = groups.flatMap((group, groupAt) => {
      if (!isObject(group) || !Array.isArray(group.hooks)) return [group];
      const left = group.hooks.filter((handler, i) => !isObject(handler) || !gone(event, group, i, groupAt));
      return group.hooks.length && !left.length ? [] : [{ ...group, hooks: left }];
    });
    if (kept.length) hooks[event] = kept;
  }
  const { hooks: _, ...rest } = json;
  return Object.keys(hooks).length ? { ...rest, hooks } : rest;
}

function expected(text: string, handlers: Readonly<Record<string, JsonObject>>, ours: Chosen): JsonObject {
  const json = stripped(text, ours);
  const hooks: JsonObject = isObject(json.hooks) ? { ...json.hooks } : {};
  for (const [event, handler] of Object.entries(handlers))
    hooks[event] = [...((hooks[event] as Json[] | undefined) ?? []), { hooks: [handler] }];
  return { ...json, hooks };
}

/** Order of groups within an event may differ where an entry was replaced in its place. */
function check(text: string, wanted: JsonObject): void {
  const sorted = (json: JsonObject): unknown =>
    !isObject(json.hooks)
      ? json
      : {
          ...json,
          hooks: Object.fromEntries(
            Object.entries(json.hooks).map(([event, groups]) => [
              event,
              Array.isArray(groups) ? groups.map((group) => JSON.stringify(group)).sort() : groups,
            ]),
          ),
        };
  const whole = (json: JsonObject) => sorted(dropped(json, () => false));
  if (isDeepStrictEqual(whole(jsonOf(text)), whole(wanted))) return;
  throw new EditError("the file is laid out in a way that could not be edited without changing something else in it");
}
