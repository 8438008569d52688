// What a page asks the dashboard's server for.
// Invariant: only our own origin is asked; an answer is data and becomes text nodes, never markup.

/** `/p/<key>/`, the folder of this page. */
const base = location.pathname.replace(/[^/]*$/, "");

export type Params = Record<string, string | number | boolean | undefined>;

export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const viewAddress = (view: string, params: Params = {}): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return `${base}api/${view}${query.size ? `?${query}` : ""}`;
};

/** Asks again while the server still reads the ledger; `progress` hears how far it is. */
export async function fetchView<T>(
  view: string,
  params: Params = {},
  signal?: AbortSignal,
  progress: (share: number) => void = () => {},
): Promise<T> {
  for (;;) {
    const response = await fetch(viewAddress(view, params), { signal, credentials: "same-origin" });
    const value = await answerOf(response);
    if (response.status !== 202) return value as T;
    progress(Number((value as { loading?: number }).loading ?? 0));
  }
}

export async function doAction<T>(action: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json", "x-interlock-dashboard": "1" };
  const options = { method: "POST", headers, body: JSON.stringify(body), credentials: "same-origin" } as const;
  return (await answerOf(await fetch(`${base}api/do/${action}`, options))) as T;
}

/** Exchanges the link's one-time code for a cookie and takes it out of the address. */
export async function signIn(): Promise<void> {
  const code = /^#code=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", `${base}#/`);
  const headers = { "content-type": "application/json" };
  await answerOf(await fetch(`${base}session`, { method: "POST", headers, body: JSON.stringify({ code }) }));
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const value: unknown = text ? JSON.parse(text) : {};
  if (response.ok) return value;
  throw new Refused(response.status, String((value as { error?: string }).error ?? `status ${response.status}`));
}

export const liveAddress = `${base}api/live`;
