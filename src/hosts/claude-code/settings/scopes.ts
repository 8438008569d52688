// All settings files Claude Code would read here, and whether what they say together lets our hooks run.
// Invariant: reads only; a file the client ignores has no say, as with the client.
import { isObject, type Json, type JsonObject } from "../../../model/json.js";
import { type ForeignHook, foreignHooks } from "../adopt/adopt.js";
import { isOurs } from "../install/own-entries.js";
import { describeProblem, type HookEntry, hookEntries, readSettings, type SettingsProblem } from "./settings.js";
import { managedFile, readTextFile, type SettingsPlaces, type SettingsScope, settingsFile } from "./settings-files.js";

export interface ScopeReport {
  scope: SettingsScope | "managed";
  file: string;
  exists: boolean;
  problems: SettingsProblem[];
  /** Events our entries are registered for, and where in the file they are. */
  ours: string[];
  oursAt: string[];
  /** One of our entries calls the server over http. */
  http: boolean;
  foreign: ForeignHook[];
  disableAllHooks?: boolean;
  /** It sets CLAUDE_CODE_SIMPLE, which drops hooks. */
  simple?: true;
}

export interface Withheld {
  file: string;
  scope: ScopeReport["scope"];
  /** An address of ours that `allowedHttpHookUrls` leaves out. */
  url: string | undefined;
  /** Variables that `httpHookAllowedEnvVars` leaves out. */
  variables: string[];
}

export interface Inspection {
  /** In the client's order of precedence. */
  scopes: ScopeReport[];
  /** Why hooks of ours that are registered do not run; empty where they do. */
  off: string[];
  /** Entries that the client runs, but not with what they need. */
  withheld: Withheld[];
}

export function inspectScopes(
  places: SettingsPlaces,
  env: Readonly<Record<string, string | undefined>> = {},
  managed = managedFile(),
): Inspection {
  const files: [ScopeReport["scope"], string][] = [
    ["managed", managed],
    ...(["local", "project", "user"] as const).map((scope): [SettingsScope, string] => [
      scope,
      settingsFile(scope, places),
    ]),
  ];
  const read = files.map(([scope, file]) => look(scope, file));
  const off: string[] = [];
  for (const { report } of read) {
    const fatal = report.problems.find((problem) => problem.effect === "file");
    if (fatal && report.ours.length) off.push(`${report.file}: ${describeProblem(fatal)}`);
  }
  const switched = read.find(({ report }) => report.disableAllHooks !== undefined)?.report;
  if (switched?.disableAllHooks) off.push(`${switched.file} sets disableAllHooks`);
  const weak = read.flatMap(({ report, json }) =>
    hookEntries(json)
      .filter(({ event, handler }) => event === "PreToolUse" && isOurs(handler))
      .map((entry) => ({ file: report.file, why: weakness(entry) })),
  );
  if (weak.length && weak.every(({ why }) => why)) off.push(`${weak[0]!.file}: PreToolUse ${weak[0]!.why}`);
  const policy = read[0]!.json;
  if (policy.allowManagedHooksOnly === true) off.push(`${managed} allows managed hooks only`);
  const locked = policy.strictPluginOnlyCustomization;
  if (locked === true || (Array.isArray(locked) && locked.includes("hooks")))
    off.push(`${managed} allows hooks of plugins only`);
  if (isSet(env.CLAUDE_CODE_SIMPLE)) off.push("CLAUDE_CODE_SIMPLE is set in the environment, which drops all hooks");
  // A project's own does nothing where nobody has said that the project is trusted (2.1.325).
  for (const { report } of read)
    if (report.simple && (report.scope === "user" || report.scope === "managed"))
      off.push(`${report.file} sets CLAUDE_CODE_SIMPLE, which drops all hooks`);
  const managedHasUs = read[0]!.report.ours.length > 0 && read[0]!.json.disableAllHooks !== true;
  return { scopes: read.map(({ report }) => report), off: managedHasUs ? [] : off, withheld: withheld(read) };
}

/** Why an entry that is there does not keep what it promises. */
function weakness({ matcher, handler }: HookEntry): string | undefined {
  if (handler.async === true) return "is async, so its refusals come too late";
  if (!["", "*", undefined].includes(matcher)) return `is asked about for ${JSON.stringify(matcher)} only`;
  return handler.if === undefined ? undefined : `is asked about for ${JSON.stringify(handler.if)} only`;
}

const isSet = (value: Json | undefined): boolean => !["", "0", "false", "undefined"].includes(String(value));

/** The allow lists for http hooks add up over all files; if no file has one, everything is allowed. */
function allowedBy(read: readonly { json: JsonObject }[], key: string): string[] | undefined {
  const lists = read.flatMap(({ json }) => (Array.isArray(json[key]) ? [json[key].map(String)] : []));
  return lists.length ? lists.flat() : undefined;
}

/** What of our http entries the client would not send. */
function withheld(read: readonly { report: ScopeReport; json: JsonObject }[]): Withheld[] {
  const urls = allowedBy(read, "allowedHttpHookUrls");
  const variables = allowedBy(read, "httpHookAllowedEnvVars");
  return read.flatMap(({ report: { file, scope, http }, json }) => {
    if (!http) return [];
    const handlers = hookEntries(json).flatMap(({ handler }) => (isOurs(handler) ? [handler] : []));
    const addresses = handlers.flatMap(({ url }) => (typeof url === "string" ? [url] : []));
    const blocked = urls && addresses.find((url) => !urls.some((pattern) => wildcard(pattern).test(url)));
    const carried = handlers.flatMap(({ allowedEnvVars: names }) => (Array.isArray(names) ? names.map(String) : []));
    const empty = [...new Set(carried)].filter((name) => variables && !variables.includes(name));
    return blocked || empty.length ? [{ file, scope, url: blocked, variables: empty }] : [];
  });
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("\\*", ".*")}$`);

function look(scope: ScopeReport["scope"], file: string): { report: ScopeReport; json: JsonObject } {
  const base = { scope, file, exists: false, problems: [], ours: [], oursAt: [], http: false, foreign: [] };
  let text: string | undefined;
  try {
    text = readTextFile(file);
  } catch (fault) {
    const problems: SettingsProblem[] = [{ path: "", why: (fault as Error).message, effect: "file" }];
    return { report: { ...base, exists: true, problems }, json: {} };
  }
  if (text === undefined) return { report: base, json: {} };
  const settings = readSettings(text);
  if (!settings.ok) return { report: { ...base, exists: true, problems: settings.problems }, json: {} };
  const seen = settings.problems.every((problem) => problem.effect !== "file");
  const json = seen && isObject(settings.json) ? settings.json : {};
  const ours = hookEntries(settings.json).filter((entry) => isOurs(entry.handler));
  const report: ScopeReport = {
    ...base,
    exists: true,
    problems: settings.problems,
    ours: ours.map((entry) => entry.event),
    oursAt: ours.map(({ event, group, index }) => `hooks.${event}[${group}].hooks[${index}]`),
    http: ours.some(({ handler }) => handler["type"] === "http"),
    foreign: scope === "managed" ? [] : foreignHooks(settings.json, { file, scope }),
    ...(typeof json.disableAllHooks === "boolean" ? { disableAllHooks: json.disableAllHooks } : {}),
    ...(isObject(json.env) && isSet(json.env.CLAUDE_CODE_SIMPLE) ? { simple: true as const } : {}),
  };
  return { report, json };
}
