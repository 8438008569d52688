// A closed segment as a compressed file that gives back its lines byte for byte.
// Invariant: only whole, unbroken lines are compressed. Every byte of the file counts: a file that was changed is
// refused as a whole, and the plain file is removed only after the compressed one was read back.
import { sha256 } from "../../model/sha256.js";
import { zlib } from "../../project/node-builtins.js";
import { decodeLine } from "./frame.js";

/** Stand for the hash of the line before, and for the next 32 bytes; canonical JSON holds no such characters. */
const previousHash = "\x02";
const nextBytes = "\x01";
const magic = "interlock-segment br";

/** Undefined where a line is not what a writer writes: such a segment stays as it is. */
export function packSegment(plain: Buffer): Buffer | undefined {
  if (plain.at(-1) !== 10) return undefined;
  const binary: string[] = [];
  const texts: string[] = [];
  let before = "";
  for (let start = 0; start < plain.length; ) {
    const end = plain.indexOf(10, start);
    const line = decodeLine(plain.subarray(start, end));
    if ("problem" in line || sha256(line.payload) !== line.hash) return undefined;
    const text = line.payload.toString("latin1");
    if (text.includes(previousHash) || text.includes(nextBytes)) return undefined;
    binary.push(line.mac);
    texts.push(
      text.replace(/"([0-9a-f]{64})"/g, (_, hex: string) => {
        if (hex === before) return previousHash;
        binary.push(hex);
        return nextBytes;
      }),
    );
    before = line.hash;
    start = end + 1;
  }
  const { brotliCompressSync, constants } = zlib();
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  const hashes = Buffer.from(binary.join(""), "hex");
  const content = Buffer.concat([hashes, brotliCompressSync(Buffer.from(texts.join("\n"), "latin1"), { params })]);
  const head = `${magic} ${plain.length} ${hashes.length} ${sha256(content)}\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/** The segment's lines as they were; undefined where the file is not what was written. */
export function unpackSegment(packed: Buffer): Buffer | undefined {
  const cut = packed.indexOf(10) + 1;
  const head = packed.toString("latin1", 0, cut);
  const [, length, binary, digest] = /^interlock-segment br ([1-9]\d*) ([1-9]\d*) ([0-9a-f]{64})\n$/.exec(head) ?? [];
  const content = packed.subarray(cut);
  if (!digest || sha256(content) !== digest) return undefined;
  try {
    const hashes = content.subarray(0, Number(binary));
    const text = zlib()
      .brotliDecompressSync(content.subarray(Number(binary)))
      .toString("latin1");
    const lines = rebuild(text, hashes);
    return lines?.length === Number(length) ? lines : undefined;
  } catch {
    return undefined; // not what brotli wrote
  }
}

function rebuild(text: string, hashes: Buffer): Buffer | undefined {
  let used = 0;
  const next = () => hashes.toString("hex", used, (used += 32));
  let before = "";
  const lines: string[] = [];
  for (const one of text.split("\n")) {
    const mac = next();
    const payload = one.replace(/[\x01\x02]/g, (mark) => `"${mark === previousHash ? before : next()}"`);
    before = sha256(Buffer.from(payload, "latin1"));
    const envelope = `{"hash":"${before}","mac":"${mac}","record":${payload}}`;
    lines.push(`${envelope.length.toString(16).padStart(8, "0")} ${envelope}\n`);
  }
  return used === hashes.length ? Buffer.from(lines.join(""), "latin1") : undefined;
}
