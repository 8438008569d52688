// Live pages: server-sent events that say what is new, never what it is; the page then asks for its view again.
// Invariant: one look at the ledger per source and interval, however many pages are open; none while no page is.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DashboardSource } from "./dashboard-source.js";

const everyMs = 400;
const keepAlive = 15_000;

export class LiveEvents {
  readonly #open = new Map<string, { source: DashboardSource; pages: Set<ServerResponse>; quiet: number }>();
  #timer: NodeJS.Timeout | undefined;

  get pages(): number {
    return [...this.#open.values()].reduce((sum, group) => sum + group.pages.size, 0);
  }

  open(
    source: DashboardSource,
    request: IncomingMessage,
    response: ServerResponse,
    headers: Record<string, string>,
  ): void {
    response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8" });
    response.write(`event: hello\ndata: ${source.index.rows.length}\n\n`);
    const group = this.#open.get(source.key) ?? { source, pages: new Set(), quiet: 0 };
    group.pages.add(response);
    this.#open.set(source.key, group);
    this.#timer ??= setInterval(() => this.#look(), everyMs);
    request.on("close", () => {
      group.pages.delete(response);
      if (!group.pages.size) this.#open.delete(source.key);
      if (!this.#open.size) this.#stop();
    });
  }

  /** Something other than the ledger changed. */
  tell(key: string, what: string): void {
    for (const page of this.#open.get(key)?.pages ?? []) page.write(`event: ${what}\ndata: 1\n\n`);
  }

  close(): void {
    this.#stop();
    for (const { pages } of this.#open.values()) for (const page of pages) page.end();
    this.#open.clear();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const [key, group] of this.#open) {
      group.quiet += everyMs;
      if (group.source.index.refresh()) {
        group.quiet = 0;
        const newest = group.source.index.rows.at(-1)?.seq ?? 0;
        for (const page of group.pages) page.write(`event: records\ndata: ${newest}\n\n`);
      } else if (group.quiet >= keepAlive) {
        group.quiet = 0;
        this.tell(key, "quiet");
      }
    }
  }
}
