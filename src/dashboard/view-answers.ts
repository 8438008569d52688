// What views use to answer: a file to download, a sentence for what is not there, numbers from a query.
import type { ServerResponse } from "node:http";

/** A view that answers with a file instead of JSON, written piece by piece. */
export class Download {
  constructor(
    private readonly name: string,
    private readonly type: string,
    private readonly parts: Iterable<string>,
  ) {}

  send(response: ServerResponse, headers: Record<string, string>): void {
    const disposition = `attachment; filename="${this.name.replace(/[^\w.-]/g, "-")}"`;
    response.writeHead(200, { ...headers, "content-type": this.type, "content-disposition": disposition });
    const parts = this.parts[Symbol.iterator]();
    const more = (): void => {
      for (let next = parts.next(); !next.done; next = parts.next())
        if (!response.write(next.value)) return void response.once("drain", more);
      response.end();
    };
    more();
  }
}

/** Becomes a 404 with its sentence. */
export class NothingThere extends Error {}

/** A whole number from a query, within bounds. */
export function numberFrom(query: URLSearchParams, name: string, standard: number, most = 2 ** 52): number {
  const value = Number(query.get(name) ?? standard);
  return Number.isFinite(value) ? Math.max(0, Math.min(most, Math.floor(value))) : standard;
}
