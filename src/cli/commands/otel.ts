// interlock otel export: sends the record's calls and verdicts to an OpenTelemetry receiver. Off unless it is run.
import { version } from "../../hook/folders.js";
import { OtelSettingError, otelDisabled, otelSettings } from "../../telemetry/otel-settings.js";
import { exportLedger, ReceiverError } from "../../telemetry/otlp-export.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { red } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock otel export [--since <record>] [--follow] [--details] [--json]

Sends what was recorded since the last export over OTLP/HTTP: spans run, phase, call and verdict, and metrics. Where to
and how is said by the standard variables: OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318), _TRACES_ENDPOINT,
_METRICS_ENDPOINT, _HEADERS, _TIMEOUT, _PROTOCOL (http/protobuf, http/json), _COMPRESSION, OTEL_SERVICE_NAME,
OTEL_RESOURCE_ATTRIBUTES, OTEL_SDK_DISABLED.

  --since <record>  start after this record instead of where the last export ended; 0: from the beginning
  --follow          go on, every five seconds, until it is stopped
  --details         also tool input and the text of verdicts; without it no prompt, command or path is sent

If the receiver does not take the data, the next export sends it. Exit code 0: sent, 1: not taken, 2: usage.
`;

const spec = { since: "text", follow: "flag", details: "flag", json: "flag", cwd: "text", home: "text" } as const;
const pause = 5_000;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  atMost(words, 1, usage);
  if (words[0] === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (words[0] !== "export") throw unknownWord("unknown command", words[0], ["export"], usage);
  const since = values.since === undefined ? undefined : Number(values.since);
  if (since !== undefined && (!Number.isSafeInteger(since) || since < 0))
    throw new UsageError(`--since wants the number of a record, not "${values.since}"\n${usage}`);
  if (otelDisabled(process.env)) {
    sayError("interlock: OTEL_SDK_DISABLED is true; nothing was sent");
    return 0;
  }
  const settings = settingsHere();
  const { store, folder } = await openHere(values);
  for (let first = true; ; first = false) {
    const code = await once(
      { store, folder, settings, details: Boolean(values.details) },
      first ? since : undefined,
      values,
    );
    if (!values.follow) return code;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function once(
  options: Omit<Parameters<typeof exportLedger>[0], "since">,
  since: number | undefined,
  { json, follow }: { json?: boolean; follow?: boolean },
): Promise<number> {
  try {
    const sent = await withProgress("sending the records", () =>
      exportLedger({ ...options, ...(since !== undefined && { since }) }),
    );
    if (json) printJson({ sent });
    else if (!follow || sent.records)
      say(`${sent.records} records sent as ${sent.spans} spans, up to record ${sent.seq}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ReceiverError)) throw error;
    sayError(red(`interlock: ${error.message}; the next export sends it again`));
    return 1;
  }
}

function settingsHere() {
  try {
    return otelSettings(process.env, version);
  } catch (error) {
    throw error instanceof OtelSettingError ? new UsageError(error.message) : error;
  }
}
