// Checks the user's and the project's interlock.yaml against the schema, layers them and compiles them for the engine.
// Invariant: pure. A file with a problem is ignored as a whole, and the message names the place and the fix.
import * as v from "valibot";
import { LineCounter, parseDocument } from "yaml";
import { type Config, type PackConfig, standardRetention } from "../model/config.js";
import { isObject, type JsonObject } from "../model/json.js";
import { nearest } from "../model/nearest.js";
import { entriesOf } from "../model/setting.js";
import { registry } from "../packs/registry.js";
import { type Loosening, layer } from "./layer.js";
import { packSettings } from "./pack-settings.js";
import { configSchema } from "./schema.js";

export interface Source {
  /** How messages name it. */
  name: string;
  text: string | undefined;
}

export interface Compiled {
  config: Config;
  problems: string[];
  loosened: Loosening[];
}

const maxBytes = 256 * 1024;

export async function compile(user: Source, project: Source, consented = false): Promise<Compiled> {
  const schema = await configSchema();
  const problems: string[] = [];
  const base = await standard();
  const userLayer = readYamlSource(user, schema, problems);
  const projectLayer = readYamlSource(project, schema, problems);
  const first = layer(base, userLayer, schema, "own");
  const second = layer(first.value, projectLayer, schema, consented ? "consent" : "tighten");
  let config: Config;
  try {
    config = await finish(second.value);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
    config = await finish(base);
  }
  return { config, problems, loosened: second.loosened };
}

async function standard(): Promise<JsonObject> {
  const packs: JsonObject = {};
  for (const entry of registry) {
    if (entry.id === "rules") continue;
    packs[entry.id] = { ...entry.standard, gates: {}, ...(await packSettings(entry.id)).defaults };
  }
  return {
    packs,
    rules: [],
    mcp: {},
    shell: { wrappers: [], programs: {} },
    adopt: [],
    trace: false,
    deadlineMs: 8000,
    maxStopBlocks: 3,
    retention: { ...standardRetention },
  };
}

async function finish(value: JsonObject): Promise<Config> {
  const packs: Record<string, PackConfig> = {};
  for (const entry of registry) {
    const module = await packSettings(entry.id);
    const given =
      entry.id === "rules"
        ? { ...entry.standard, enabled: (value["rules"] as unknown[]).length > 0, rules: value["rules"] }
        : ((value["packs"] as JsonObject)[entry.id] as JsonObject);
    const { enabled, mode, gates, ...options } = given as JsonObject;
    packs[entry.id] = {
      enabled: enabled as boolean,
      mode: mode as PackConfig["mode"],
      gates: (gates ?? {}) as PackConfig["gates"],
      options: module.compile ? module.compile(options) : options,
    };
  }
  const { mcp, shell, adopt, trace, deadlineMs, maxStopBlocks, retention } = value as unknown as Config;
  return { version: 1, packs, mcp, shell, adopt, trace, deadlineMs, maxStopBlocks, retention };
}

/** A YAML file checked against a schema; with a problem it counts as empty, and the sentence names line and fix. */
export function readYamlSource(source: Source, schema: v.GenericSchema, problems: string[]): JsonObject {
  if (source.text === undefined || source.text.trim() === "") return {};
  const problem = (sentence: string) => problems.push(`${source.name}: ${sentence}`);
  if (source.text.length > maxBytes) {
    problem(`the file is larger than ${maxBytes / 1024} KB; a configuration is a page or two`);
    return {};
  }
  const lines = new LineCounter();
  const document = parseDocument(source.text, {
    lineCounter: lines,
    uniqueKeys: true,
    merge: false,
    schema: "core",
    prettyErrors: true,
  });
  if (document.errors.length) {
    problem(`not valid YAML: ${document.errors[0]!.message.split("\n")[0]}`);
    return {};
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    problem(`YAML aliases are not accepted (${error instanceof Error ? error.message : error}); write the value out`);
    return {};
  }
  if (value === null || value === undefined) return {};
  if (!isObject(value)) {
    problem("the top level must be a mapping of keys, for example `packs:` or `rules:`");
    return {};
  }
  const result = v.safeParse(schema, value);
  if (result.success) return result.output as JsonObject;
  for (const issue of result.issues.slice(0, 10)) {
    const path = (issue.path ?? []).map((p) => p.key);
    const at = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    const place = at?.range ? ` (line ${lines.linePos(at.range[0]).line})` : "";
    problem(`${sentenceFor(issue, path, schema)}${place}`);
  }
  return {};
}

function sentenceFor(issue: v.BaseIssue<unknown>, path: unknown[], schema: unknown): string {
  const where = path
    .map((p) => (typeof p === "number" ? `[${p}]` : `.${String(p)}`))
    .join("")
    .replace(/^\./, "");
  if (issue.type === "strict_object" && issue.expected === "never") {
    const key = String(path.at(-1));
    const known = knownKeys(schema, path.slice(0, -1));
    const near = nearest(key, known);
    const hint = near ? `; did you mean "${near}"?` : "";
    const all = known.length ? ` Known here: ${known.join(", ")}.` : "";
    return `unknown key "${where}"${hint}${all}`;
  }
  if (issue.type === "strict_object")
    return `"${where}" is missing or not a mapping (expected ${issue.expected}, got ${issue.received})`;
  if (issue.type === "picklist") {
    const known = ((issue as { requirement?: unknown[] }).requirement ?? optionsOf(schema, path)).map(String);
    const near = typeof issue.input === "string" ? nearest(issue.input, known) : undefined;
    const given = JSON.stringify(issue.input)?.slice(0, 60) ?? "nothing";
    if (known.length)
      return `"${where}": ${given} is not one of ${known.join(", ")}${near ? `; did you mean "${near}"?` : ""}`;
  }
  return `"${where}": ${issue.message}`;
}

/** The words a key takes, if it takes only some. */
function optionsOf(schema: unknown, path: unknown[]): unknown[] {
  let at = schema as { wrapped?: unknown; options?: unknown[] } | undefined;
  for (const key of path)
    at = (typeof key === "number" ? itemOf(at) : (entriesOf(at)?.[String(key)] ?? recordValue(at))) as typeof at;
  while (at && !Array.isArray(at.options)) at = at.wrapped as typeof at;
  return at?.options ?? [];
}

function knownKeys(schema: unknown, path: unknown[]): string[] {
  let at = schema;
  for (const key of path) at = typeof key === "number" ? itemOf(at) : entriesOf(at)?.[String(key)];
  return Object.keys(entriesOf(at) ?? entriesOf(itemOf(at)) ?? {});
}

/** What each key of a free mapping holds. */
function recordValue(schema: unknown): unknown {
  let at = schema as { wrapped?: unknown; type?: string; value?: unknown } | undefined;
  while (at && at.type !== "record") at = at.wrapped as typeof at;
  return at?.value;
}

function itemOf(schema: unknown): unknown {
  let at = schema as { wrapped?: unknown; item?: unknown } | undefined;
  while (at && at.item === undefined) at = at.wrapped as typeof at;
  return at?.item;
}
