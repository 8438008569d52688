// The messages between supervisor and worker: frames of a small JSON head and raw bytes, over the pipe between them.
// Invariant: a frame is delivered whole or not at all; a peer that breaks the form is disconnected.
import type { Duplex } from "node:stream";
import type { Json, JsonObject } from "../model/json.js";

const maxHead = 256 * 1024;
const maxBody = 64 * 1024 * 1024;
const empty = Buffer.alloc(0);

export function sendFrame(pipe: Duplex, head: Record<string, Json | undefined>, body: Buffer = empty): void {
  if (pipe.destroyed) return;
  const text = Buffer.from(JSON.stringify(head));
  const frame = Buffer.allocUnsafe(8 + text.length + body.length);
  frame.writeUInt32BE(text.length, 0);
  frame.writeUInt32BE(body.length, 4);
  text.copy(frame, 8);
  body.copy(frame, 8 + text.length);
  pipe.write(frame);
}

export function onFrames(pipe: Duplex, receive: (head: JsonObject, body: Buffer) => void): void {
  let parts: Buffer[] = [];
  let have = 0;
  let need = 8;
  pipe.on("data", (part: Buffer) => {
    parts.push(part);
    have += part.length;
    if (have < need) return;
    let all = parts.length === 1 ? part : Buffer.concat(parts, have);
    for (need = lengthOf(all); all.length >= need; need = lengthOf(all)) {
      const headEnd = 8 + all.readUInt32BE(0);
      if (headEnd - 8 > maxHead || need - headEnd > maxBody) return void pipe.destroy();
      receive(JSON.parse(all.toString("utf8", 8, headEnd)) as JsonObject, all.subarray(headEnd, need));
      all = all.subarray(need);
    }
    parts = all.length ? [all] : [];
    have = all.length;
  });
}

const lengthOf = (bytes: Buffer): number => (bytes.length < 8 ? 8 : 8 + bytes.readUInt32BE(0) + bytes.readUInt32BE(4));
