// A list of any length: only the rows in sight are in the page, fetched a page at a time.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { fetchView, type Params } from "../api.js";
import { onLive } from "../live.js";

const pageSize = 100;

interface ListPage<R> {
  total: number;
  rows: R[];
}

export interface VirtualListProps<R> {
  view: string;
  params: Params;
  rowHeight: number;
  height: number;
  label: string;
  /** Index to bring into sight. */
  show: number | undefined;
  row(row: R, index: number): ComponentChildren;
  empty: ComponentChildren;
  onTotal?(total: number): void;
}

export function VirtualList<R>(props: VirtualListProps<R>) {
  const { view, params, rowHeight, height, label, show, row, empty, onTotal } = props;
  const asked = `${view} ${JSON.stringify(params)}`;
  const [total, setTotal] = useState<number>();
  const [scroll, setScroll] = useState(0);
  const [round, setRound] = useState(0);
  const pages = useRef({ of: asked, round, rows: new Map<number, R[]>(), under: new Set<number>() });
  const [, paint] = useState(0);
  const box = useRef<HTMLElement>(null);
  if (pages.current.of !== asked) pages.current = { of: asked, round, rows: new Map(), under: new Set() };
  useEffect(() => onLive(() => setRound((n) => n + 1)), []);
  const first = Math.max(0, Math.floor(scroll / rowHeight) - 5);
  const last = Math.ceil((scroll + height) / rowHeight) + 5;
  useEffect(() => {
    const mine = pages.current;
    const fresh = mine.round !== round;
    if (fresh) Object.assign(mine, { round, under: new Set() });
    for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (mine.under.has(page) || (total !== undefined && page * pageSize >= Math.max(1, total))) continue;
      mine.under.add(page);
      fetchView<ListPage<R>>(view, { ...params, offset: page * pageSize, count: pageSize }).then(
        (got) => {
          if (pages.current !== mine) return;
          mine.rows.set(page, got.rows);
          setTotal(got.total);
          onTotal?.(got.total);
          paint((n) => n + 1);
        },
        () => mine.under.delete(page), // the frame says that the server is gone
      );
    }
  }, [asked, first, last, round, total]);
  useEffect(() => {
    if (show === undefined || !box.current) return;
    const [from, to] = [box.current.scrollTop, box.current.scrollTop + height - rowHeight];
    const at = show * rowHeight;
    if (at < from || at > to) box.current.scrollTop = Math.max(0, at - height / 2);
  }, [show]);
  if (total === 0) return <>{empty}</>;
  const rows: ComponentChildren[] = [];
  for (let i = first; i < Math.min(last, total ?? 0); i++) {
    const one = pages.current.rows.get(Math.floor(i / pageSize))?.[i % pageSize];
    if (one !== undefined) rows.push(row(one, i));
  }
  return (
    <section
      ref={box}
      class="virtual"
      aria-label={label}
      style={{ height: `${Math.min(height, Math.max(1, total ?? 8) * rowHeight + 2)}px` }}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
    >
      <div class="whole" style={{ height: `${(total ?? 0) * rowHeight}px` }}>
        <ol class="window" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows}
        </ol>
      </div>
    </section>
  );
}
