// Commands that would talk to Interlock's server over its port, its socket or its spool.
// Invariant: other ports of this machine and other machines' services of the same number are none of our business.
import type { Facts } from "../../../facts/index.js";

/** Every spelling of this machine: 127.0.0.1, its short and numeric forms, localhost, ::1, 0.0.0.0. */
const here =
  /(?:^|[^\w.])(?:localhost|127(?:\.\d+){0,3}|0\.0\.0\.0|0x7f\w*|2130706433|\[?::1?\]?|\[?::ffff:127[\d.]+\]?)(?![\w.])/i;

export function talksToInterlock(facts: Facts): string | undefined {
  const { effects = [], commands = [] } = facts.shell ?? {};
  const network = effects.filter((e) => e.kind === "network");
  // Nothing is looked up for a command that opens no connection and names no folder of ours.
  const home = facts.world.places.interlockHome;
  const named = commands.find(({ argv }) => argv.some((word) => word?.includes(`${home}/server`)));
  const opens = network.length > 0 || commands.some(({ program }) => connects.test(program));
  if (!named && !opens && !facts.event.tool?.command?.includes("/dev/tcp/")) return undefined;
  if (named && (opens || connects.test(named.program))) return spoken(named);
  const { ports } = facts.residence;
  if (!ports.length) return undefined;
  const anyPort = `(?:${ports.join("|")})`;
  const exact = new RegExp(`(?:^|[^\\d])${anyPort}(?:$|[^\\d])`);
  for (const { host, program, reason } of network)
    if (host !== undefined && exact.test(host) && here.test(host)) return `${program ?? reason} ${host}`;
  for (const ran of commands) {
    const words = ran.argv.filter((word) => word !== undefined);
    const text = words.join(" ");
    if (connects.test(ran.program) && exact.test(text) && (here.test(text) || !/[a-z]\w*\.[a-z]/i.test(text)))
      return spoken(ran);
  }
  const command = facts.event.tool?.command ?? "";
  const device = new RegExp(`/dev/tcp/([^/\\s]+)/${anyPort}(?!\\d)`).exec(command);
  return device && here.test(device[1]!) ? `a connection to ${device[0]}` : undefined;
}

/** Programs that open connections, and interpreters whose text is in their arguments. */
const connects =
  /^(?:curl|wget|https?|xh|nc|ncat|netcat|socat|telnet|websocat|openssl|python[\d.]*|node|nodejs|deno|bun|perl|ruby|php)$/;

const spoken = ({ program, argv }: { program: string; argv: readonly (string | undefined)[] }): string =>
  `${program} ${argv.map((word) => word ?? "...").join(" ")}`;
