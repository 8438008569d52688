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

const pauseMs = 1_000;

/** Calls `tell` soon after something is new, then at most once a second; a hidden tab waits until it is seen. */
export function onLive(tell: Listener): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let missed = "";
  const soon: Listener = (what) => {
    if (document.hidden) {
      missed = what;
      return;
    }
    timer ??= setTimeout(
      () => {
        timer = undefined;
        last = performance.now();
        tell(what);
      },
      Math.max(100, last + pauseMs - performance.now()),
    );
  };
  const seen = () => {
    if (document.hidden || !missed) return;
    soon(missed);
    missed = "";
  };
  listeners.add(soon);
  document.addEventListener("visibilitychange", seen);
  return () => {
    clearTimeout(timer);
    listeners.delete(soon);
    document.removeEventListener("visibilitychange", seen);
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
