// Live events for all tabs of this browser.
// Invariant: one connection, held by one tab: browsers allow six per server, and more tabs than that may be open.
import { useEffect, useState } from "preact/hooks";
import { liveAddress } from "./api.js";

export type LiveState = "live" | "lost";
type Listener = (what: string) => void;

const listeners = new Set<Listener>();
const states = new Set<(state: LiveState) => void>();
let state: LiveState = "lost";
const channel = new BroadcastChannel(`interlock${liveAddress}`);

function hear(what: string): void {
  const next: LiveState = what === "lost" ? "lost" : "live";
  if (next !== state) {
    state = next;
    for (const tell of states) tell(state);
  }
  if (what === "records" || what === "wishes" || what === "again") for (const tell of listeners) tell(what);
}

/** The tab that has the lock holds the connection; the browser passes the lock on when that tab closes. */
export function startLive(): void {
  channel.onmessage = ({ data }) => hear(String(data));
  void navigator.locks.request(`interlock${liveAddress}`, () => new Promise<never>(() => connect()));
}

function connect(): void {
  const tell = (what: string) => {
    hear(what);
    channel.postMessage(what);
  };
  const source = new EventSource(liveAddress);
  let before = false;
  source.addEventListener("hello", () => {
    tell(before ? "again" : "hello");
    before = true;
  });
  for (const what of ["records", "wishes", "quiet"]) source.addEventListener(what, () => tell(what));
  source.onerror = () => tell("lost"); // the browser connects again by itself
}

/** Calls `tell` at most every 300 ms while something is new. */
export function onLive(tell: Listener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon: Listener = (what) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(what);
    }, 300);
  };
  listeners.add(soon);
  return () => {
    clearTimeout(timer);
    listeners.delete(soon);
  };
}

export function useLiveState(): LiveState {
  const [now, setNow] = useState(state);
  useEffect(() => {
    setNow(state);
    states.add(setNow);
    return () => void states.delete(setNow);
  }, []);
  return now;
}
