// The table of what pages can ask for: a name, and the function that reads it from a source.
// Invariant: a view changes nothing; what a person can do from a page is in the table of actions, and only asks.
import type { ServerResponse } from "node:http";
import type { Json, JsonObject } from "../model/json.js";
import type { DashboardSource } from "./dashboard-source.js";
import { frameView } from "./frame-view.js";
import type { OverrideWishes } from "./override-wishes.js";

export type PageView = (source: DashboardSource, query: URLSearchParams) => unknown;
export type PageAction = (
  source: DashboardSource,
  body: JsonObject,
  world: { wishes: OverrideWishes },
) => Json | Promise<Json>;

/** By path below `/api/`. A page of its own adds its views here. */
export const pageViews: Readonly<Record<string, PageView>> = {
  frame: frameView,
};

/** By path below `/api/do/`. */
export const pageActions: Readonly<Record<string, PageAction>> = {};

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
