// interlock allow: a person lets one refused call through, once.
// Invariant: only from a person's own terminal; the grant is a record.
import { allow, duration, type OverrideRequest } from "../../engine/overrides/grant.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { clock, green, shown } from "../lib/paint.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock allow <verdict-id> --reason "<why>" [--for 10m] [--json]

  Lets the exact call that <verdict-id> refused through once, in its session, within the time
  (90s, 10m, 2h; at most 8h).
  It has to be typed by a person: in a terminal that is not the agent's, or in the session as a whole prompt:
    interlock allow v-12 because <why>
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { reason: "text", for: "text", json: "flag", cwd: "text", home: "text" },
    usage,
    "words",
  );
  const [given, ...more] = words;
  if (!given || more.length) throw new UsageError(`which verdict?\n${usage}`);
  const verdict = /^\d+$/.test(given) ? `v-${given}` : given;
  const wish = personsWish(values, usage);
  if (!wish) return 1;
  const { store } = await openHere(values);
  const granted = allow(store, verdict, wish);
  if (values.json) printJson(granted.ok ? { allowed: true, ...granted } : { allowed: false, why: granted.why });
  else if (!granted.ok) sayError(`interlock: ${granted.why}.`);
  else
    say(
      `${green("Allowed once")}: ${shown(granted.what, 160)}\n` +
        `  until ${clock(granted.override.expires)}; ` +
        `the agent has to repeat exactly this call. Record ${granted.seq}.`,
    );
  return granted.ok ? 0 : 1;
}

/** The requested override, if a person asks for it. */
export function personsWish(
  values: { reason?: string; for?: string; json?: boolean },
  usage: string,
): OverrideRequest | undefined {
  const by = person(values.json);
  if (by === undefined) return undefined;
  if (!values.reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  const ms = duration(values.for);
  if (ms === undefined) throw new UsageError(`--for takes 90s, 10m or 2h, at most 8h\n${usage}`);
  return { reason: values.reason.trim(), by, channel: "terminal", ms, now: Date.now() };
}
