// `.isdlc/providers.yaml` as a typed choice of provider and model.
// Invariant: pure; only names, switches and models are taken from the file, so that no key can leave it.
import * as v from "valibot";

const target = v.looseObject({
  provider: v.optional(v.string()),
  model: v.optional(v.string()),
  local_override: v.optional(v.boolean()),
  fallback: v.optional(v.array(v.string())),
});

const schema = v.looseObject({
  active_mode: v.optional(v.string()),
  mode: v.optional(v.string()),
  defaults: v.optional(target),
  providers: v.optional(
    v.record(
      v.string(),
      v.looseObject({
        enabled: v.optional(v.boolean()),
        local: v.optional(v.boolean()),
        default_model: v.optional(v.string()),
        best_model: v.optional(v.string()),
      }),
    ),
  ),
  agent_overrides: v.optional(v.record(v.string(), target)),
  phase_routing: v.optional(v.record(v.string(), target)),
  cloud_phases: v.optional(v.array(v.string())),
  fallback_chain: v.optional(v.array(v.string())),
});

export type Providers = v.InferOutput<typeof schema>;

export function parseProviders(value: unknown): Providers {
  const result = v.safeParse(schema, value ?? {});
  if (result.success) return result.output;
  throw new Error(
    `.isdlc/providers.yaml: ${v.getDotPath(result.issues[0]) ?? "top level"}: ${result.issues[0].message}`,
  );
}

export interface Asked {
  agent: string;
  phase?: string;
  env: Readonly<Record<string, string>>;
}

export type Choice = { provider: string; model?: string; by: string } | { off: string[] };

export function chosen(file: Providers, asked: Asked): Choice | undefined {
  const wanted = wish(file, asked);
  if (!wanted) return undefined;
  const chain = [...new Set([wanted.provider, ...(wanted.fallback ?? []), ...(file.fallback_chain ?? [])])];
  const on = chain.find((name) => file.providers?.[name]?.enabled !== false);
  if (on === undefined) return { off: chain };
  const model = on === wanted.provider && wanted.model ? wanted.model : file.providers?.[on]?.default_model;
  return { provider: on, ...(model ? { model } : {}), by: on === wanted.provider ? wanted.by : "fallback" };
}

interface Wish {
  provider: string;
  model?: string;
  by: string;
  fallback?: string[];
}

function wish(file: Providers, { agent, phase, env }: Asked): Wish | undefined {
  const standard = file.defaults?.provider ?? Object.keys(file.providers ?? {})[0];
  if (!standard) return undefined;
  const named = (t: v.InferOutput<typeof target> | undefined, by: string): Wish | undefined =>
    t && (t.provider || t.model)
      ? { provider: t.provider ?? standard, model: t.model, by, fallback: t.fallback }
      : undefined;
  const env_ = env["ISDLC_PROVIDER_OVERRIDE"] || env["ISDLC_MODEL_OVERRIDE"];
  if (env_)
    return {
      provider: env["ISDLC_PROVIDER_OVERRIDE"] || standard,
      model: env["ISDLC_MODEL_OVERRIDE"] || undefined,
      by: "environment",
    };
  const mode = env["ISDLC_PROVIDER_MODE"] || file.active_mode || file.mode || "";
  const routed = phase === undefined ? undefined : file.phase_routing?.[phase];
  return (
    named(file.agent_overrides?.[agent], "agent") ??
    (mode === "hybrid" || mode === "" ? hybrid(file, routed, standard, named) : undefined) ??
    byMode(file, mode, phase, routed) ??
    named({ ...file.defaults, provider: standard }, "default")
  );
}

/** A phase that forbids a local model is not routed to one. */
function hybrid(
  file: Providers,
  routed: v.InferOutput<typeof target> | undefined,
  standard: string,
  named: (t: v.InferOutput<typeof target> | undefined, by: string) => Wish | undefined,
): Wish | undefined {
  if (routed?.local_override === false && isLocal(file, routed.provider ?? standard)) return undefined;
  return named(routed, "phase");
}

const isLocal = (file: Providers, name: string): boolean => file.providers?.[name]?.local ?? name === "ollama";

function byMode(
  file: Providers,
  mode: string,
  phase: string | undefined,
  routed: v.InferOutput<typeof target> | undefined,
): Wish | undefined {
  const local = Object.keys(file.providers ?? {}).find((name) => isLocal(file, name));
  if (mode === "local" && local)
    return { provider: local, model: file.providers?.[local]?.default_model, by: "mode local" };
  const cloud = routed?.local_override === false || (phase !== undefined && file.cloud_phases?.includes(phase));
  if (mode === "budget" && local && !cloud)
    return { provider: local, model: file.providers?.[local]?.default_model, by: "mode budget" };
  if (mode !== "quality") return undefined;
  const best = Object.entries(file.providers ?? {}).find(([, p]) => p.best_model);
  return best && { provider: best[0], model: best[1].best_model, by: "mode quality" };
}
