// Which model wrote last in a transcript of the client.
// Invariant: reads a bounded tail; undefined where the transcript does not say.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const tailBytes = 256 << 10;

export function modelIn(transcript: string | undefined): string | undefined {
  if (!transcript) return undefined;
  let fd: number | undefined;
  try {
    fd = openSync(transcript, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, tailBytes));
    readSync(fd, buffer, 0, buffer.length, Math.max(0, size - buffer.length));
    const named = [
      ...buffer
        .toString("utf8")
        .matchAll(
          /"role":"assistant"[^\n]*?"model":"([\w./:@-]{1,200})"|"model":"([\w./:@-]{1,200})"[^\n]*?"role":"assistant"/g,
        ),
    ];
    const model = named.at(-1)?.slice(1).find(Boolean);
    if (!model || model === "<synthetic>") return undefined;
    return model.includes("/") || !model.startsWith("claude") ? model : `anthropic/${model}`;
  } catch {
    return undefined; // no transcript: the model is not known
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
