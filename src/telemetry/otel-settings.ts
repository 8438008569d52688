// The standard OTEL_* variables, as far as they concern an OTLP/HTTP export. Invariant: pure; a bad value is an error.
export interface OtelSettings {
  traces: string;
  metrics: string;
  protocol: "http/json" | "http/protobuf";
  headers: Record<string, string>;
  timeoutMs: number;
  gzip: boolean;
  resource: Record<string, string>;
}

export class OtelSettingError extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

export const otelDisabled = (env: Env): boolean => env["OTEL_SDK_DISABLED"]?.trim().toLowerCase() === "true";

/** Headers, timeout, protocol and compression of one signal fall back to the common ones; traces decide here. */
export function otelSettings(env: Env, version: string): OtelSettings {
  const one = (name: string): string | undefined =>
    env[`OTEL_EXPORTER_OTLP_TRACES_${name}`]?.trim() || env[`OTEL_EXPORTER_OTLP_${name}`]?.trim() || undefined;
  const base = (env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() || "http://localhost:4318").replace(/\/+$/, "");
  const address = (signal: string): string =>
    webAddress(env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]?.trim() || `${base}/v1/${signal}`);
  const protocol = one("PROTOCOL") ?? "http/protobuf";
  if (protocol !== "http/json" && protocol !== "http/protobuf")
    throw new OtelSettingError(`OTEL_EXPORTER_OTLP_PROTOCOL is http/json or http/protobuf here, not "${protocol}"`);
  const compression = one("COMPRESSION") ?? "none";
  if (compression !== "gzip" && compression !== "none")
    throw new OtelSettingError(`OTEL_EXPORTER_OTLP_COMPRESSION is gzip or none, not "${compression}"`);
  const timeout = Number(one("TIMEOUT") ?? 10_000);
  if (!Number.isFinite(timeout) || timeout <= 0)
    throw new OtelSettingError("OTEL_EXPORTER_OTLP_TIMEOUT is a number of milliseconds");
  const resource = pairs(env["OTEL_RESOURCE_ATTRIBUTES"]);
  const name = env["OTEL_SERVICE_NAME"]?.trim() || resource["service.name"] || "interlock";
  return {
    traces: address("traces"),
    metrics: address("metrics"),
    protocol,
    headers: pairs(one("HEADERS")),
    timeoutMs: timeout,
    gzip: compression === "gzip",
    resource: { ...resource, "service.name": name, "service.version": version },
  };
}

/** `key=value,key=value`, percent-encoded. */
function pairs(text: string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const pair of text?.split(",") ?? []) {
    const cut = pair.indexOf("=");
    if (cut < 1) continue;
    found[decoded(pair.slice(0, cut).trim())] = decoded(pair.slice(cut + 1).trim());
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function webAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new OtelSettingError(`"${text.slice(0, 200)}" is no http address of an OTLP receiver`);
  return url.href;
}
