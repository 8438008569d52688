// A log file line by line, from the front or the end, without holding it in memory.
// Invariant: at most one piece and one line are held; a line longer than the limit is cut, and says so.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export interface LogLine {
  number: number;
  text: string;
}

const piece = 1 << 20;
const maxLine = 64 << 10;

export class OpenLog {
  readonly bytes: number;
  #fd: number;

  constructor(path: string) {
    this.#fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(this.#fd);
    if (!stat.isFile()) {
      this.close();
      throw Object.assign(new Error(`${path} is no regular file`), { code: "EINVAL" });
    }
    this.bytes = stat.size;
  }

  close(): void {
    closeSync(this.#fd);
  }

  *lines(): Generator<LogLine> {
    const decoder = new TextDecoder();
    const buffer = Buffer.allocUnsafe(Math.min(piece, Math.max(this.bytes, 1)));
    let number = 0;
    let rest = "";
    for (let at = 0; at < this.bytes; ) {
      const n = readSync(this.#fd, buffer, 0, Math.min(buffer.length, this.bytes - at), at);
      if (n === 0) break;
      at += n;
      const parts = (rest + decoder.decode(buffer.subarray(0, n), { stream: true })).split("\n");
      rest = parts.pop()!;
      if (rest.length > maxLine) rest = rest.slice(0, maxLine);
      for (const text of parts) yield { number: ++number, text: plain(text) };
    }
    if (rest) yield { number: ++number, text: plain(rest) };
  }

  /** The last lines, at most so many and so many bytes, without reading what is before them. */
  tail(count: number, maxBytes: number): string[] {
    const start = Math.max(0, this.bytes - maxBytes);
    const buffer = Buffer.allocUnsafe(this.bytes - start);
    const n = readSync(this.#fd, buffer, 0, buffer.length, start);
    const lines = buffer.subarray(0, n).toString("utf8").split("\n");
    if (start > 0 && lines.length > 1) lines.shift();
    if (lines.at(-1) === "") lines.pop();
    return lines.slice(-count).map(plain);
  }

  /** The end of the file as text, for summaries that stand there. */
  end(maxBytes: number): string {
    const start = Math.max(0, this.bytes - maxBytes);
    const buffer = Buffer.allocUnsafe(this.bytes - start);
    return buffer.subarray(0, readSync(this.#fd, buffer, 0, buffer.length, start)).toString("utf8");
  }
}

const colours = /\u001b\[[0-9;?]*[A-Za-z]/g;
const plain = (text: string): string => {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  const cut = line.length > maxLine ? line.slice(0, maxLine) : line;
  return cut.includes("\u001b") ? cut.replace(colours, "") : cut;
};
