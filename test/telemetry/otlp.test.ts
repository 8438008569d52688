// interlock otel export against a receiver on loopback that decodes with OpenTelemetry's own protobuf definitions.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { temporary } from "../../src/testing/temporary.js";

const program = join(process.cwd(), "dist/interlock.cjs");
const folder = join(
  process.cwd(),
  ".cache/packages/@opentelemetry+otlp-transformer-0.57.2/node_modules/@opentelemetry/otlp-transformer",
);
const definitions = join(folder, "build/src/generated/root.js");
const skip = existsSync(definitions) ? false : "OpenTelemetry's definitions are not installed";

interface Message {
  decode(bytes: Buffer): unknown;
  fromObject(value: object): unknown;
  verify(value: unknown): string | null;
  toObject(message: unknown, options: object): Record<string, unknown>;
}

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Decodes as a collector does; answers with the next status, 200 when there is none. */
async function receiver(): Promise<{ server: Server; url: string; got: Received[]; statuses: number[] }> {
  const root = createRequire(import.meta.url)(definitions) as {
    opentelemetry: { proto: { collector: Record<"trace" | "metrics", { v1: Record<string, Message> }> } };
  };
  const { trace, metrics } = root.opentelemetry.proto.collector;
  const messages: Record<string, Message> = {
    "/v1/traces": trace.v1["ExportTraceServiceRequest"]!,
    "/v1/metrics": metrics.v1["ExportMetricsServiceRequest"]!,
  };
  const got: Received[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const status = statuses.shift() ?? 200;
      if (status === 200) {
        const raw = Buffer.concat(parts);
        const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw;
        const message = messages[request.url!]!;
        const isJson = request.headers["content-type"] === "application/json";
        const body = isJson
          ? (JSON.parse(bytes.toString()) as Record<string, unknown>)
          : message.toObject(message.decode(bytes), { longs: String, bytes: String, enums: Number });
        got.push({ path: request.url!, headers: request.headers, body });
      }
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, statuses };
}

function project() {
  const base = temporary("otel");
  const root = join(base, "project");
  mkdirSync(root);
  execFileSync("git", ["init", "-q", root]);
  const env = { PATH: process.env["PATH"], HOME: base, INTERLOCK_HOME: join(base, "interlock"), NO_COLOR: "1" };
  let calls = 0;
  const hook = (event: string, more: object = {}) =>
    spawnSync(process.execPath, [program, "hook", "claude-code"], {
      cwd: root,
      env,
      input: JSON.stringify({ session_id: "s1", cwd: root, hook_event_name: event, ...more }),
    });
  const bash = (command: string, response?: object) => {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${++calls}` };
    hook("PreToolUse", call);
    if (response) hook("PostToolUse", { ...call, tool_response: response });
  };
  const run = (args: string[], more: Record<string, string> = {}) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const options = { cwd: root, env: { ...env, ...more }, encoding: "utf8" } as const;
      const child = execFile(process.execPath, [program, "otel", "export", ...args], options, (_, out, err) =>
        resolve({ code: child.exitCode, out, err }),
      );
    });
  const interlock = (...args: string[]) =>
    execFileSync(process.execPath, [program, ...args], { cwd: root, env, encoding: "utf8" });
  return { root, hook, bash, run, interlock };
}

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: { key: string; value: Record<string, string> }[];
}

const spansIn = (got: readonly Received[]): Span[] =>
  got.flatMap(({ path, body }) =>
    path === "/v1/traces"
      ? (body["resourceSpans"] as { scopeSpans: { spans: Span[] }[] }[]).flatMap((r) =>
          r.scopeSpans.flatMap((s) => s.spans),
        )
      : [],
  );

const metricsIn = (got: readonly Received[]): { name: string; sum?: { dataPoints: unknown[] }; histogram?: object }[] =>
  got.flatMap(({ path, body }) =>
    path === "/v1/metrics"
      ? (body["resourceMetrics"] as { scopeMetrics: { metrics: { name: string }[] }[] }[]).flatMap((r) =>
          r.scopeMetrics.flatMap((s) => s.metrics),
        )
      : [],
  );

test("spans nest run, phase, call, verdict in both encodings; nothing secret is in them", { skip }, async () => {
  const { hook, bash, run } = project();
  hook("UserPromptSubmit", { prompt: "SECRET-PROMPT" });
  bash("echo SECRET-COMMAND", { stdout: "", stderr: "", interrupted: false });
  bash("rm -rf ~");
  hook("Stop");
  hook("SessionEnd", { reason: "exit" });
  const found: Span[][] = [];
  for (const protocol of ["http/json", "http/protobuf"]) {
    const { url, got } = await receiver();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
      OTEL_SERVICE_NAME: "my-agent",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=test",
      ...(protocol === "http/protobuf" && { OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" }),
    };
    const done = await run(["--since", "0"], env);
    assert.equal(done.code, 0, done.err);
    assert.equal(got[0]!.headers["x-key"], "a b");
    const text = JSON.stringify(got);
    assert.doesNotMatch(text, /SECRET|rm -rf/);
    assert.match(text, /"my-agent"/);
    assert.match(text, /"deployment.environment"/);
    const spans = spansIn(got);
    const byName = (name: string) => spans.filter((span) => span.name === name);
    const [whole] = byName("run");
    const [phase] = byName("phase");
    assert.equal(byName("call Bash").length, 2);
    assert.equal(byName("verdict deny").length, 1);
    assert.equal(phase?.parentSpanId, whole?.spanId);
    for (const call of byName("call Bash")) assert.equal(call.parentSpanId, phase?.spanId);
    const denied = byName("verdict deny")[0]!;
    assert.ok(byName("call Bash").some(({ spanId }) => spanId === denied.parentSpanId));
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
    for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans) assert.ok(BigInt(from) <= BigInt(to));
    const metrics = metricsIn(got);
    assert.deepEqual(metrics.map(({ name }) => name).sort(), [
      "interlock.calls",
      "interlock.decision.duration",
      "interlock.refusals",
    ]);
    assert.match(JSON.stringify(metrics), /"asInt":"2"/);
    assert.match(JSON.stringify(metrics), /"guard\/[a-z-]+"/);
    found.push(spans);
  }
  // Bytes are base64 where protobuf was decoded and hex in JSON: compare what both spell alike.
  const shape = (spans: Span[]) =>
    spans.map(({ name, startTimeUnixNano, endTimeUnixNano }) => [name, startTimeUnixNano, endTimeUnixNano]);
  assert.deepEqual(shape(found[0]!), shape(found[1]!));
});

test("a workflow's phase is the phase of a session; without one it is the turn", { skip }, async () => {
  const { root, hook, bash, run, interlock } = project();
  const names = async () => {
    const { url, got } = await receiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
    const done = await run(["--since", "0"], env);
    assert.equal(done.code, 0, done.err);
    const phases = spansIn(got).filter(({ name }) => name === "phase");
    return phases.map(
      ({ attributes }) => attributes?.find(({ key }) => key === "interlock.phase")?.value["stringValue"],
    );
  };
  hook("UserPromptSubmit", { prompt: "go on" });
  bash("ls", { stdout: "", stderr: "", interrupted: false });
  hook("Stop");
  assert.deepEqual(await names(), ["turn"]);
  writeFileSync(join(root, "interlock.yaml"), "version: 1\npacks:\n  lifecycle: { enabled: true }\n");
  interlock("lifecycle", "init");
  interlock("lifecycle", "start", "feature", "add a login page");
  hook("UserPromptSubmit", { prompt: "go on" });
  bash("ls", { stdout: "", stderr: "", interrupted: false });
  hook("UserPromptSubmit", { prompt: "and on" });
  hook("SessionEnd", { reason: "exit" });
  assert.deepEqual(await names(), ["turn", "00-quick-scan"]);
});

test("a receiver that is down loses nothing; the same record is sent once", { skip }, async () => {
  const { bash, run } = project();
  bash("echo one", { stdout: "", stderr: "", interrupted: false });
  const dead = await run([], { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_EXPORTER_OTLP_TIMEOUT: "2000" });
  assert.equal(dead.code, 1);
  assert.match(dead.err, /the next export sends it again/);
  const { url, got, statuses } = await receiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  statuses.push(503, 429); // taken at the third attempt
  assert.equal((await run([], env)).code, 0);
  assert.equal(spansIn(got).filter(({ name }) => name === "call Bash").length, 1);
  statuses.push(400);
  bash("echo two", { stdout: "", stderr: "", interrupted: false });
  assert.equal((await run([], env)).code, 1, "a refusal of the data is not repeated at once");
  assert.equal((await run([], env)).code, 0);
  assert.equal(spansIn(got).filter(({ name }) => name === "call Bash").length, 2);
  const before = got.length;
  assert.match((await run([], env)).out, /^0 records sent/);
  assert.equal(got.length, before, "nothing new: nothing is sent");
});

test("off where OTEL_SDK_DISABLED says so; wrong settings are errors; --details sends the command", {
  skip,
}, async () => {
  const { bash, run } = project();
  bash("echo VISIBLE", { stdout: "", stderr: "", interrupted: false });
  const { url, got } = await receiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  assert.equal((await run([], { ...env, OTEL_SDK_DISABLED: "true" })).code, 0);
  assert.equal(got.length, 0);
  assert.equal((await run([], { ...env, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).code, 2);
  assert.equal((await run([], { OTEL_EXPORTER_OTLP_ENDPOINT: "file:///x" })).code, 2);
  assert.equal((await run(["--since", "x"], env)).code, 2);
  const own = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${url}/v1/metrics`,
  };
  assert.equal((await run(["--details"], own)).code, 0);
  assert.match(JSON.stringify(got), /VISIBLE/);
});
