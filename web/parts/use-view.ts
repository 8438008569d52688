// A view of the server in a component: asked for again when something is new.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { fetchView, type Params, Refused } from "../api.js";
import { onLive } from "../live.js";

export interface Viewed<T> {
  value?: T;
  /** One sentence for people. */
  error?: string;
  /** Share of the ledger that was read, while it is being read. */
  loading?: number;
  again(): void;
}

/** `live: false`: what does not change, such as one record. */
export function useView<T>(view: string, params: Params = {}, { live = true, skip = false } = {}): Viewed<T> {
  const [shown, setShown] = useState<Omit<Viewed<T>, "again">>({ loading: 0 });
  const under = useRef<AbortController>(undefined);
  const asked = skip ? "" : `${view} ${JSON.stringify(params)}`;
  const ask = useCallback(() => {
    under.current?.abort();
    if (!asked) return;
    const mine = (under.current = new AbortController());
    fetchView<T>(view, params, mine.signal, (loading) => !mine.signal.aborted && setShown({ loading })).then(
      (value) => !mine.signal.aborted && setShown({ value }),
      (error: Error) => {
        if (mine.signal.aborted) return;
        const lost = !(error instanceof Refused);
        const what = lost
          ? "the dashboard's server does not answer; start it again with: interlock dashboard"
          : error.message;
        setShown((before) => ({ ...(lost && before.value !== undefined && { value: before.value }), error: what }));
      },
    );
  }, [asked]);
  useEffect(() => {
    ask();
    return () => under.current?.abort();
  }, [ask]);
  useEffect(() => (live ? onLive(ask) : undefined), [ask, live]);
  return { ...shown, again: ask };
}
