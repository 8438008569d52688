// Archives for tests, made byte by byte: what no packer would write can be written here.
// Invariant: not part of the package; well-formed unless a test says otherwise.
import { crc32, deflateRawSync } from "node:zlib";

export interface Member {
  name: string;
  /** As in a tar header; "0" is a file. */
  type?: string;
  link?: string;
  content?: string;
  modified?: number;
}

/** A tar archive of the old kind, with names of up to 100 bytes. */
export function makeTar(members: readonly Member[], end = true): Buffer {
  const blocks = members.flatMap((member) => tarMember(member));
  return Buffer.concat([...blocks, Buffer.alloc(end ? 1024 : 0)]);
}

export function tarMember({ name, type = "0", link = "", content = "", modified = 1_700_000_000 }: Member): Buffer[] {
  const body = Buffer.from(type === "0" || /[xgLK]/.test(type) ? content : "");
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write(body.length.toString(8).padStart(11, "0"), 124);
  header.write(Math.floor(modified).toString(8).padStart(11, "0"), 136);
  header.write(type, 156);
  header.write(link, 157, 100);
  header.write("ustar\x0000", 257, "latin1");
  return [sealed(header), Buffer.concat([body, Buffer.alloc((512 - (body.length % 512)) % 512)])];
}

/** With the header's sum put right. */
export function sealed(header: Buffer): Buffer {
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** One attribute of a pax header. */
export function paxRecord(name: string, value: string): string {
  const rest = Buffer.byteLength(` ${name}=${value}\n`);
  let length = rest + 1;
  while (String(length).length + rest !== length) length++;
  return `${length} ${name}=${value}\n`;
}

/** A zip archive; members of type "2" are symbolic links. */
export function makeZip(members: readonly Member[], { packed = false, count = members.length } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, type, link, content = "" } of members) {
    const plain = Buffer.from(type === "2" ? (link ?? "") : content);
    const body = packed ? deflateRawSync(plain) : plain;
    const title = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(packed ? 8 : 0, 4);
    about.writeUInt32LE(0x56_6e_00_00, 6);
    about.writeUInt32LE(crc32 ? crc32(plain) : 0, 10);
    about.writeUInt32LE(body.length, 14);
    about.writeUInt32LE(plain.length, 18);
    about.writeUInt16LE(title.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), about, title, body);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((type === "2" ? 0o120777 : type === "5" ? 0o040755 : 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), about, rest, title);
    at += 30 + title.length + body.length;
  }
  const table = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0);
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, table, end]);
}
