// `.isdlc/providers.yaml` as a typed choice of provider and model, in the order the framework has.
// Invariant: pure; only names, switches and models are read from the file, and no message quotes it, so that no key
// leaks.
import * as v from "valibot";
import { canonicalPhase } from "../../../facts/phase-names.js";

const text = v.nullish(v.string());
const texts = v.nullish(v.array(v.string()));
/** `yes` and `off` are texts in YAML 1.2. */
const flag = v.union([
  v.boolean(),
  v.pipe(
    v.string(),
    v.regex(/^(?:yes|no|on|off|true|false)$/i),
    v.transform((word) => /^(?:yes|on|true)$/i.test(word)),
  ),
]);
const route = v.looseObject({ provider: text, model: text, local_override: v.nullish(flag), fallback: texts });
/** An object, or "provider:model". */
const target = v.union([v.string(), route]);

const schema = v.looseObject({
  active_mode: text,
  mode: text,
  defaults: v.nullish(v.looseObject({ provider: text, model: text, fallback_chain: texts })),
  providers: v.nullish(
    v.record(
      v.string(),
      // A provider may be named without anything said about it.
      v.nullish(
        v.looseObject({
          enabled: v.nullish(flag),
          local: v.nullish(flag),
          default_model: text,
          best_model: text,
          models: v.nullish(v.array(v.looseObject({ id: text, alias: text }))),
        }),
        {},
      ),
    ),
  ),
  modes: v.nullish(
    v.record(v.string(), v.looseObject({ default_provider: text, default_model: text, cloud_phases_only: texts })),
  ),
  agent_overrides: v.nullish(v.record(v.string(), target)),
  phase_routing: v.nullish(v.record(v.string(), target)),
  cloud_phases: texts,
  fallback_chain: texts,
});

export type ProviderFile = v.InferOutput<typeof schema>;

export function parseProviders(parse: (text: string) => unknown, source: string): ProviderFile {
  let value: unknown;
  try {
    value = parse(source);
  } catch (error) {
    // The parser's own message quotes lines of the file, which may hold a key.
    const line = (error as { linePos?: { line?: number }[] }).linePos?.[0]?.line;
    throw new Error(`.isdlc/providers.yaml is not YAML${line ? ` (line ${line})` : ""}`);
  }
  if (Array.isArray(value)) throw new Error(".isdlc/providers.yaml: the top level is a list; it must hold keys");
  const result = v.safeParse(schema, value ?? {});
  if (result.success) return result.output;
  throw new Error(`.isdlc/providers.yaml: ${v.getDotPath(result.issues[0]) ?? "the top level"} is not valid`);
}

export interface ProviderRequest {
  agent: string;
  phase?: string;
  env: Readonly<Record<string, string>>;
}

export interface ProviderChoice {
  provider: string;
  model?: string;
  by: string;
}

export type ProviderResult = ProviderChoice | { off: string[] };

interface RouteWanted extends ProviderChoice {
  fallback?: readonly string[] | null;
}

export function chooseProvider(file: ProviderFile, asked: ProviderRequest): ProviderResult | undefined {
  const wanted = routeWanted(file, asked);
  if (!wanted) return undefined;
  const further = wanted.fallback ?? file.defaults?.fallback_chain ?? file.fallback_chain ?? [];
  const chain: RouteWanted[] = [wanted, ...further.map((f) => ({ ...named(f), by: "fallback" }))];
  const isOn = ({ provider }: RouteWanted) =>
    file.providers ? file.providers[provider] !== undefined && file.providers[provider].enabled !== false : true;
  const on = chain.find(isOn);
  if (!on) return { off: [...new Set(chain.map((c) => c.provider))] };
  const model = on.model ?? firstModel(file, on.provider);
  return { provider: on.provider, ...(model && { model }), by: on.by };
}

/** "provider:model"; the model's name may contain a colon. */
function named(short: string): { provider: string; model?: string } {
  const at = short.indexOf(":");
  return at < 0 ? { provider: short } : { provider: short.slice(0, at), model: short.slice(at + 1) };
}

function firstModel(file: ProviderFile, provider: string): string | undefined {
  const { default_model, models } = file.providers?.[provider] ?? {};
  return default_model ?? models?.[0]?.alias ?? models?.[0]?.id ?? undefined;
}

const isLocal = (file: ProviderFile, name: string): boolean =>
  file.providers?.[name]?.local ?? (name === "ollama" || name === "local");

function routeWanted(file: ProviderFile, { agent, phase, env }: ProviderRequest): RouteWanted | undefined {
  const standard = file.defaults?.provider ?? Object.keys(file.providers ?? {})[0];
  if (!standard) return undefined;
  const as = (given: v.InferOutput<typeof target> | undefined, by: string): RouteWanted | undefined => {
    const t = typeof given === "string" ? named(given) : given;
    if (!t || !(t.provider || t.model)) return undefined;
    const fallback = "fallback" in t ? t.fallback : undefined;
    return { provider: t.provider ?? standard, model: t.model ?? undefined, by, ...(fallback && { fallback }) };
  };
  const { ISDLC_PROVIDER_OVERRIDE: provider, ISDLC_MODEL_OVERRIDE: model } = env;
  if (provider || model) return { provider: provider || standard, model: model || undefined, by: "environment" };
  const mode = env["ISDLC_PROVIDER_MODE"] || file.active_mode || file.mode || "hybrid";
  const routed = phase === undefined ? undefined : routeOf(file, phase);
  return (
    as(file.agent_overrides?.[agent], "agent") ??
    (mode === "hybrid" ? avoidLocal(file, routed, as(routed, "phase")) : undefined) ??
    byMode(file, mode, phase, routed) ??
    as({ provider: standard, model: file.defaults?.model }, "default")
  );
}

/** The route of a phase, under any of its names. */
function routeOf(file: ProviderFile, phase: string): v.InferOutput<typeof target> | undefined {
  const routes = file.phase_routing ?? {};
  return routes[phase] ?? Object.entries(routes).find(([name]) => canonicalPhase(name) === phase)?.[1];
}

const forbidsLocal = (routed: v.InferOutput<typeof target> | undefined): boolean =>
  typeof routed === "object" && routed.local_override === false;

/** If the phase forbids local models, the first other provider of its chain. */
function avoidLocal(
  file: ProviderFile,
  routed: v.InferOutput<typeof target> | undefined,
  meant: RouteWanted | undefined,
): RouteWanted | undefined {
  if (!meant || !forbidsLocal(routed) || !isLocal(file, meant.provider)) return meant;
  const other = meant.fallback?.map(named).find((f) => !isLocal(file, f.provider));
  return other && { ...other, by: "phase", fallback: meant.fallback!.filter((f) => !isLocal(file, named(f).provider)) };
}

function byMode(
  file: ProviderFile,
  mode: string,
  phase: string | undefined,
  routed: v.InferOutput<typeof target> | undefined,
): RouteWanted | undefined {
  const own = file.modes?.[mode];
  // Mode budget prefers a local provider that is on; mode local insists on one, even if it is off.
  const isOpen = (name: string) => mode === "local" || file.providers?.[name]?.enabled !== false;
  const local = Object.keys(file.providers ?? {}).find((name) => isLocal(file, name) && isOpen(name));
  const cloud = [...(own?.cloud_phases_only ?? []), ...(file.cloud_phases ?? [])].map((p) => canonicalPhase(p) ?? p);
  const stays = mode === "local" || (mode === "budget" && !forbidsLocal(routed) && !cloud.includes(phase ?? ""));
  if (stays && local) return { provider: local, model: own?.default_model ?? undefined, by: `mode ${mode}` };
  if (mode !== "quality") return undefined;
  const best = Object.entries(file.providers ?? {}).find(([, p]) => p.best_model);
  const provider = own?.default_provider ?? best?.[0];
  const model = own?.default_model ?? (provider === best?.[0] ? best?.[1].best_model : undefined);
  return provider ? { provider, model: model ?? undefined, by: "mode quality" } : undefined;
}

/** The model name the client accepts for an agent; a call with any other name fails. */
export function clientModel(file: ProviderFile, { provider, model }: ProviderChoice): string | undefined {
  if (model === undefined || isLocal(file, provider)) return undefined;
  const entry = file.providers?.[provider]?.models?.find((m) => m.alias === model || m.id === model);
  return [model, entry?.alias, entry?.id].flatMap((n) => families.exec(n ?? "")?.[0] ?? [])[0];
}

const families = /\b(?:sonnet|opus|haiku)\b/;
