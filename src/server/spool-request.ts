// A request in the spool: a first line with protocol and event, one line per variable, an empty line, the payload.
// Invariant: never throws; what is not of this form is no request.

export interface SpooledRequest {
  protocol: number;
  event: string;
  /** The caller's own descriptor of the place where it waits: proves which process it is. */
  fd: number;
  env: Record<string, string>;
  body: Buffer;
}

const first = /^interlock (\d{1,9}) ([A-Za-z]{1,40}) (\d{1,4})$/;
const variable = /^([A-Za-z_][A-Za-z0-9_]{0,99})=(.*)$/s;

export function requestIn(bytes: Buffer, maxHead: number): SpooledRequest | undefined {
  const end = bytes.subarray(0, maxHead).indexOf("\n\n");
  if (end < 0) return undefined;
  const [line, ...variables] = bytes.toString("utf8", 0, end).split("\n");
  const said = first.exec(line!);
  if (!said) return undefined;
  const env: Record<string, string> = Object.create(null);
  for (const each of variables) {
    const [, name, value] = variable.exec(each) ?? [];
    if (name === undefined) return undefined;
    env[name] = value!;
  }
  return { protocol: Number(said[1]), event: said[2]!, fd: Number(said[3]), env, body: bytes.subarray(end + 2) };
}
