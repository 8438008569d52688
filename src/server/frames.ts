// What supervisor and worker say to each other: frames of a small JSON head and raw bytes, over the pipe between them.
// Invariant: a frame is delivered whole or not at all; a peer that breaks the form is cut off.
import type { Duplex } from "node:stream";
import type { Json, JsonObject } from "../model/json.js";
import { writeNow } from "./direct-write.js";

const maxHead = 256 * 1024;
const maxBody = 64 * 1024 * 1024;
const empty = Buffer.alloc(0);

/** `fd`: the pipe's own, where it is known. */
export function sendFrame(
  pipe: Duplex,
  head: Record<string, Json | undefined>,
  body: Buffer = empty,
  fd?: number,
): void {
  if (!pipe.destroyed) writeNow(pipe, fd, frameOf(head, body));
}

function frameOf(head: Record<string, Json | undefined>, body: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const frame = Buffer.allocUnsafe(8 + text.length + body.length);
  frame.writeUInt32BE(text.length, 0);
  frame.writeUInt32BE(body.length, 4);
  text.copy(frame, 8);
  body.copy(frame, 8 + text.length);
  return frame;
}

export function onFrames(pipe: Duplex, hear: (head: JsonObject, body: Buffer) => void): void {
  pipe.on(
    "data",
    frameReader(hear, () => pipe.destroy()),
  );
}

/** Takes the bytes in the pieces they come in; keeps none of them that may be written over. */
export function frameReader(
  hear: (head: JsonObject, body: Buffer) => void,
  breakOff: () => void,
): (part: Buffer) => void {
  let parts: Buffer[] = [];
  let have = 0;
  let need = 8;
  return (part) => {
    have += part.length;
    if (have < need) return void parts.push(Buffer.from(part));
    parts.push(part);
    let all = parts.length === 1 ? part : Buffer.concat(parts, have);
    for (need = lengthOf(all); all.length >= need; need = lengthOf(all)) {
      const headEnd = 8 + all.readUInt32BE(0);
      if (headEnd - 8 > maxHead || need - headEnd > maxBody) return breakOff();
      hear(JSON.parse(all.toString("utf8", 8, headEnd)) as JsonObject, Buffer.from(all.subarray(headEnd, need)));
      all = all.subarray(need);
    }
    parts = all.length ? [Buffer.from(all)] : [];
    have = all.length;
  };
}

const lengthOf = (bytes: Buffer): number => (bytes.length < 8 ? 8 : 8 + bytes.readUInt32BE(0) + bytes.readUInt32BE(4));
