// What Claude Code makes of a settings file: whether it reads it at all, which entries it drops, which hooks are in it.
// Invariant: each rule was observed in 2.1.325. The client reports none of them, so every problem names its path and
// its effect.
import { asString, isObject, type Json, type JsonObject } from "../../../model/json.js";
import { hostEvents } from "../protocol/events.js";
import { type Container, type Document, JsoncError, member, type Node, parseJsonc, toJson } from "./jsonc.js";

export interface SettingsProblem {
  /** "hooks.PreToolUse[0].hooks[1].timeout"; empty for the file as a whole. */
  path: string;
  why: string;
  /**
   * `file`: the client ignores the whole file, permission rules included. `entry`: only this part.
   * `harmless`: it reads it all the same.
   */
  effect: "file" | "entry" | "harmless";
  /** Only comments and trailing commas keep it from being strict JSON. */
  lenient?: true;
}

export type Settings =
  | { ok: true; document: Document; json: JsonObject; problems: SettingsProblem[] }
  | { ok: false; problems: SettingsProblem[] };

/** A missing or empty file is an empty object. */
export function readSettings(text: string | undefined): Settings {
  const source = text?.replace(/^\ufeff/, "").trim() ? text! : "{}";
  let document: Document;
  try {
    document = parseJsonc(source);
  } catch (fault) {
    if (!(fault instanceof JsoncError)) throw fault;
    return { ok: false, problems: [{ path: "", why: `it is not JSON: ${fault.message}`, effect: "file" }] };
  }
  const json = toJson(document.root);
  if (!isObject(json)) return { ok: false, problems: [{ path: "", why: "it is not a JSON object", effect: "file" }] };
  const problems = [...strictness(document), ...repeated(document.root), ...validateSettings(json)];
  return { ok: true, document, json, problems };
}

/** Why the client would not see what the file says, entry by entry. */
export function validateSettings(json: Json | undefined): SettingsProblem[] {
  if (!isObject(json)) return [{ path: "", why: "it is not a JSON object", effect: "file" }];
  return [...topLevel(json), ...permissions(json.permissions), ...hooks(json.hooks)];
}

export const describeProblem = (problem: SettingsProblem): string => {
  const effect = {
    file: "Claude Code ignores the whole file, silently",
    entry: "Claude Code ignores this entry, silently",
    harmless: "Claude Code reads the file all the same",
  }[problem.effect];
  return `${problem.path ? `${problem.path}: ` : ""}${problem.why}; ${effect}`;
};

function strictness({ leniency }: Document): SettingsProblem[] {
  if (!leniency) return [];
  const why = `it has a ${leniency.what} on line ${leniency.line}, which strict JSON does not allow`;
  return [{ path: "", why, effect: "file", lenient: true }];
}

function repeated(root: Node, path = ""): SettingsProblem[] {
  const found: SettingsProblem[] = [];
  const open: [Node, string][] = [[root, path]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, at] = next;
    if (node.kind === "scalar") continue;
    const seen = new Set<string>();
    node.items.forEach((item, index) => {
      const here = item.key === undefined ? `${at}[${index}]` : at ? `${at}.${item.key}` : item.key;
      if (item.key !== undefined && seen.has(item.key))
        found.push({ path: here, why: "the key is there twice and only the last one counts", effect: "harmless" });
      if (item.key !== undefined) seen.add(item.key);
      open.push([item.value, here]);
    });
  }
  return found;
}

type Check = [test: (value: Json) => boolean, expected: string];
const isString: Check = [(v) => typeof v === "string", "a string"];
const isBoolean: Check = [(v) => typeof v === "boolean", "true or false"];
const isNumber: Check = [(v) => typeof v === "number", "a number"];
const isStrings: Check = [(v) => Array.isArray(v) && v.every((e) => typeof e === "string"), "a list of strings"];
const isList: Check = [Array.isArray, "a list"];
const isRecord: Check = [isObject, "an object"];
const isPositive: Check = [(v) => typeof v === "number" && v > 0, "a number of seconds above 0"];
const oneOf = (...words: string[]): Check => [(v) => words.includes(v as string), `one of ${words.join(", ")}`];

const topKeys: Record<string, Check> = {
  ...each(isBoolean, "disableAllHooks", "allowManagedHooksOnly", "respectGitignore", "includeCoAuthoredBy"),
  ...each(isBoolean, "enableAllProjectMcpServers", "alwaysThinkingEnabled", "autoMemoryEnabled", "fastMode", "verbose"),
  ...each(isNumber, "cleanupPeriodDays", "feedbackSurveyRate", "bashOutputMaxChars"),
  ...each(isString, "model", "outputStyle", "language", "agent", "apiKeyHelper", "otelHeadersHelper", "plansDirectory"),
  ...each(
    isStrings,
    "allowedHttpHookUrls",
    "httpHookAllowedEnvVars",
    "enabledMcpjsonServers",
    "disabledMcpjsonServers",
  ),
  ...each(isStrings, "availableModels", "companyAnnouncements", "claudeMdExcludes"),
  ...each(isRecord, "env", "enabledPlugins", "statusLine", "sandbox", "worktree", "extraKnownMarketplaces"),
};

function each(check: Check, ...names: string[]): Record<string, Check> {
  return Object.fromEntries(names.map((name) => [name, check]));
}

function topLevel(json: JsonObject): SettingsProblem[] {
  return Object.entries(topKeys).flatMap(([name, check]) => expect(json[name], check, name, "file"));
}

function permissions(value: Json | undefined): SettingsProblem[] {
  const wrong = expect(value, isRecord, "permissions", "file");
  if (wrong.length || !isObject(value)) return wrong;
  const found = expect(value.additionalDirectories, isStrings, "permissions.additionalDirectories", "file");
  const modes = oneOf("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "manual", "plan");
  found.push(...expect(value.defaultMode, modes, "permissions.defaultMode", "file"));
  for (const name of ["allow", "deny", "ask"]) {
    const list = value[name];
    found.push(...expect(list, isList, `permissions.${name}`, "file"));
    if (!Array.isArray(list)) continue;
    list.forEach((rule, i) => {
      found.push(...expect(rule, isString, `permissions.${name}[${i}]`, "entry"));
    });
  }
  return found;
}

/** A bad entry under these events voids the file (its permission rules too); elsewhere only the entry is dropped. */
const enforcing = ["PreToolUse", "PermissionRequest"];

function hooks(value: Json | undefined): SettingsProblem[] {
  if (value === undefined) return [];
  if (!isObject(value)) return expect(value, isRecord, "hooks", "entry");
  return Object.entries(value).flatMap(([event, groups]) => {
    const path = `hooks.${event}`;
    if (!hostEvents.includes(event))
      return [{ path, why: "the client has no event of this name", effect: "harmless" as const }];
    const effect = enforcing.includes(event) ? "file" : "entry";
    if (!Array.isArray(groups)) return expect(groups ?? null, isList, path, effect);
    return groups.flatMap((group, i) => groupProblems(group, `${path}[${i}]`, effect));
  });
}

function groupProblems(group: Json, path: string, effect: SettingsProblem["effect"]): SettingsProblem[] {
  if (!isObject(group)) return expect(group, isRecord, path, effect);
  const found = expect(group.matcher, isString, `${path}.matcher`, effect);
  if (!Array.isArray(group.hooks)) return [...found, ...expect(group.hooks ?? null, isList, `${path}.hooks`, effect)];
  return [...found, ...group.hooks.flatMap((handler, i) => handlerProblems(handler, `${path}.hooks[${i}]`, effect))];
}

const commonFields: Record<string, Check> = {
  if: isString,
  timeout: isPositive,
  statusMessage: isString,
  once: isBoolean,
};
const onFailure = oneOf("continue", "block");
const handlerTypes: Record<string, { needs: Record<string, Check>; may: Record<string, Check> }> = {
  command: {
    needs: { command: isString },
    may: { args: isStrings, shell: oneOf("bash", "powershell"), onFailure, async: isBoolean, asyncRewake: isBoolean },
  },
  http: {
    needs: { url: [(v) => typeof v === "string" && URL.canParse(v), "a URL"] },
    may: {
      headers: [(v) => isObject(v) && Object.values(v).every((e) => typeof e === "string"), "an object of strings"],
      allowedEnvVars: isStrings,
      onFailure,
    },
  },
  prompt: { needs: { prompt: isString }, may: { model: isString, continueOnBlock: isBoolean } },
  agent: { needs: { prompt: isString }, may: { model: isString } },
  mcp_tool: { needs: { server: isString, tool: isString }, may: { input: isRecord } },
};

function handlerProblems(handler: Json, path: string, effect: SettingsProblem["effect"]): SettingsProblem[] {
  if (!isObject(handler)) return expect(handler, isRecord, path, effect);
  const type = asString(handler.type);
  if (type === undefined || !Object.hasOwn(handlerTypes, type))
    return expect(handler.type ?? null, oneOf(...Object.keys(handlerTypes)), `${path}.type`, effect);
  const { needs, may } = handlerTypes[type]!;
  return [
    ...Object.entries(needs).flatMap(([name, check]) =>
      expect(handler[name] ?? null, check, `${path}.${name}`, effect),
    ),
    ...Object.entries({ ...commonFields, ...may }).flatMap(([name, check]) =>
      expect(handler[name], check, `${path}.${name}`, effect),
    ),
  ];
}

/** Absent is fine; `null` is a value like any other, and the client minds it. */
function expect(
  value: Json | undefined,
  [test, expected]: Check,
  path: string,
  effect: SettingsProblem["effect"],
): SettingsProblem[] {
  if (value === undefined || test(value)) return [];
  return [{ path, why: `it must be ${expected}, and is ${JSON.stringify(value).slice(0, 60)}`, effect }];
}

/** One handler with its place in the file. */
export interface HookEntry {
  event: string;
  matcher?: string;
  /** Index of the group below the event, of the handler in the group. */
  group: number;
  index: number;
  handler: JsonObject;
}

/** Every handler the client would take from the file, in its order. */
export function hookEntries(json: JsonObject): HookEntry[] {
  const found: HookEntry[] = [];
  const events = isObject(json.hooks) ? Object.entries(json.hooks) : [];
  for (const [event, groups] of events) {
    if (!Array.isArray(groups)) continue;
    groups.forEach((group, at) => {
      if (!isObject(group) || !Array.isArray(group.hooks)) return;
      group.hooks.forEach((handler, index) => {
        if (!isObject(handler)) return;
        const matcher = asString(group.matcher);
        found.push({ event, ...(matcher === undefined ? {} : { matcher }), group: at, index, handler });
      });
    });
  }
  return found;
}

/** The containers that lead to an event's groups, as far as they exist. A repeated key there blocks editing. */
export function eventNodes(
  document: Document,
  event: string,
): { hooks?: Container; groups?: Container; blocked?: string } {
  const hooksMember = member(document.root, "hooks");
  if (hooksMember.twice) return { blocked: `the key "hooks" is in the file twice; leave one` };
  const hooksNode = hooksMember.item?.value;
  if (!hooksNode) return {};
  if (hooksNode.kind !== "object") return { blocked: `"hooks" is not an object` };
  const eventMember = member(hooksNode, event);
  if (eventMember.twice) return { blocked: `the key "hooks.${event}" is in the file twice; leave one` };
  const groups = eventMember.item?.value;
  if (!groups) return { hooks: hooksNode };
  if (groups.kind !== "array") return { blocked: `"hooks.${event}" is not a list` };
  return { hooks: hooksNode, groups };
}
