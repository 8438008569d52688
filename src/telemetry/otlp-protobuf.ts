// Encodes OTLP requests as protobuf from the same objects that are sent as JSON.
// Invariant: field numbers are those of opentelemetry-proto 1.x; a key that is not in a table is an error.

type Kind = "string" | "hex" | "fixed64" | "sfixed64" | "varint" | "double" | "bool" | "fixed64s" | "doubles" | Table;
interface Table {
  [key: string]: [field: number, kind: Kind | (() => Table)];
}

const value: Table = {
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "varint"],
  doubleValue: [4, "double"],
};
const attribute: Table = { key: [1, "string"], value: [2, value] };
const resource: Table = { attributes: [1, attribute] };
const scope: Table = { name: [1, "string"], version: [2, "string"] };
const span: Table = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  parentSpanId: [4, "hex"],
  name: [5, "string"],
  kind: [6, "varint"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: [9, attribute],
  status: [15, { message: [2, "string"], code: [3, "varint"] }],
};
const numberPoint: Table = {
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  asInt: [6, "sfixed64"],
  attributes: [7, attribute],
};
const histogramPoint: Table = {
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  count: [4, "fixed64"],
  sum: [5, "double"],
  bucketCounts: [6, "fixed64s"],
  explicitBounds: [7, "doubles"],
  attributes: [9, attribute],
};
const metric: Table = {
  name: [1, "string"],
  description: [2, "string"],
  unit: [3, "string"],
  sum: [7, { dataPoints: [1, numberPoint], aggregationTemporality: [2, "varint"], isMonotonic: [3, "bool"] }],
  histogram: [9, { dataPoints: [1, histogramPoint], aggregationTemporality: [2, "varint"] }],
};

export const tracesTable: Table = {
  resourceSpans: [1, { resource: [1, resource], scopeSpans: [2, { scope: [1, scope], spans: [2, span] }] }],
};
export const metricsTable: Table = {
  resourceMetrics: [1, { resource: [1, resource], scopeMetrics: [2, { scope: [1, scope], metrics: [2, metric] }] }],
};

export function encodeProtobuf(message: object, table: Table): Buffer {
  const parts: Buffer[] = [];
  for (const [key, given] of Object.entries(message)) {
    const row = table[key];
    if (!row) throw new Error(`no field ${key} in this message`);
    if (given === undefined) continue;
    const [field, kind] = row as [number, Kind];
    const isPacked = kind === "fixed64s" || kind === "doubles";
    for (const one of Array.isArray(given) && !isPacked ? given : [given]) parts.push(fieldBytes(field, kind, one));
  }
  return Buffer.concat(parts);
}

function fieldBytes(field: number, kind: Kind, given: unknown): Buffer {
  if (typeof kind === "object") return delimited(field, encodeProtobuf(given as object, kind));
  switch (kind) {
    case "string":
      return delimited(field, Buffer.from(String(given), "utf8"));
    case "hex":
      return delimited(field, Buffer.from(String(given), "hex"));
    case "varint":
    case "bool":
      return Buffer.concat([
        varint(BigInt(field << 3)),
        varint(BigInt(Number(given) === given ? given : BigInt(given as string | boolean))),
      ]);
    case "fixed64":
    case "sfixed64":
      return Buffer.concat([varint(BigInt((field << 3) | 1)), fixed64(given)]);
    case "double":
      return Buffer.concat([varint(BigInt((field << 3) | 1)), double(Number(given))]);
    case "fixed64s":
      return delimited(field, Buffer.concat((given as unknown[]).map(fixed64)));
    case "doubles":
      return delimited(field, Buffer.concat((given as number[]).map(double)));
  }
}

const delimited = (field: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(bytes.length)), bytes]);

function varint(given: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, given);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest ? low | 0x80 : low);
  } while (rest);
  return Buffer.from(bytes);
}

function fixed64(given: unknown): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(given as string | number)));
  return bytes;
}

function double(given: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(given);
  return bytes;
}
