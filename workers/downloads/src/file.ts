// Serves one file from the bucket: whole, a range of it, its headers, or "not modified".
import type { Bucket, StoredFile } from "./cloudflare.js";

export interface Served {
  response: Response;
  /** Whether a download began: the whole file, or a range from its first byte. */
  began: boolean;
}

export async function serveFile(bucket: Bucket, key: string, request: Request): Promise<Served> {
  // A range means something for GET only.
  const range = request.method === "GET" && request.headers.get("range");
  const conditional = request.headers.has("if-none-match") || request.headers.has("if-modified-since");
  if (request.method === "HEAD" || range || conditional) {
    const file = await bucket.head(key);
    if (!file) return { response: notFound(), began: false };
    if (isUnchanged(file, request.headers))
      return { response: new Response(null, { status: 304, headers: headersOf(file, key) }), began: false };
    const wanted = range && ifRangeHolds(file, request.headers) ? parseRange(range, file.size) : "whole";
    if (wanted === "outside") {
      const headers = { "content-range": `bytes */${file.size}`, "accept-ranges": "bytes" };
      return { response: new Response(null, { status: 416, headers }), began: false };
    }
    if (request.method === "HEAD") {
      const headers = headersOf(file, key);
      headers.set("content-length", String(file.size));
      return { response: new Response(null, { headers }), began: false };
    }
    if (wanted !== "whole") return servePart(bucket, key, wanted);
  }
  const file = await bucket.get(key);
  if (!file) return { response: notFound(), began: false };
  const headers = headersOf(file, key);
  headers.set("content-length", String(file.size));
  return { response: new Response(file.body, { headers }), began: true };
}

async function servePart(bucket: Bucket, key: string, range: { offset: number; length: number }): Promise<Served> {
  const file = await bucket.get(key, { range });
  if (!file) return { response: notFound(), began: false };
  const headers = headersOf(file, key);
  headers.set("content-range", `bytes ${range.offset}-${range.offset + range.length - 1}/${file.size}`);
  headers.set("content-length", String(range.length));
  return { response: new Response(file.body, { status: 206, headers }), began: range.offset === 0 };
}

/** One range of bytes; several ranges or other units are answered with the whole file, as RFC 9110 allows. */
export function parseRange(text: string, size: number): { offset: number; length: number } | "whole" | "outside" {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(text.trim());
  if (!found || (found[1] === "" && found[2] === "")) return "whole";
  if (found[1] === "") {
    const length = Math.min(Number(found[2]), size);
    return length === 0 ? "outside" : { offset: size - length, length };
  }
  const first = Number(found[1]);
  const last = found[2] === "" ? size - 1 : Math.min(Number(found[2]), size - 1);
  if (found[2] !== "" && Number(found[2]) < first) return "whole";
  return first >= size ? "outside" : { offset: first, length: last - first + 1 };
}

function isUnchanged(file: StoredFile, headers: Headers): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null)
    return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === file.httpEtag || tag.trim() === "*");
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return Number.isFinite(since) && Math.floor(file.uploaded.getTime() / 1000) <= Math.floor(since / 1000);
}

/** A range is served only from the very file the client began with: same tag, or same time. */
function ifRangeHolds(file: StoredFile, headers: Headers): boolean {
  const tag = headers.get("if-range");
  return tag === null || tag === file.httpEtag || Date.parse(tag) === Math.floor(file.uploaded.getTime() / 1000) * 1000;
}

function headersOf(file: StoredFile, key: string): Headers {
  const name = encodeURIComponent(key.split("/").at(-1) ?? "file");
  return new Headers({
    "content-type": file.httpMetadata?.contentType ?? "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${name}`,
    etag: file.httpEtag,
    "last-modified": file.uploaded.toUTCString(),
    "accept-ranges": "bytes",
    "cache-control": "public, max-age=300",
    "x-content-type-options": "nosniff",
  });
}

const notFound = (): Response => new Response("not found\n", { status: 404 });
