// Addresses of pages: `#/sessions/<id>/<seq>`. Every view of a page has one, so that it can be passed on.
import { useEffect, useState } from "preact/hooks";

export const addressOf = (...parts: (string | number)[]): string =>
  `#/${parts.map((part) => encodeURIComponent(String(part))).join("/")}`;

export const partsOf = (hash: string): string[] =>
  hash
    .replace(/^#\/?/, "")
    .split("/")
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part; // a lone % in a typed address
      }
    });

/** `replace`: a step within a page, which needs no place in the history. */
export function go(parts: (string | number)[], replace = false): void {
  if (replace) {
    history.replaceState(null, "", addressOf(...parts));
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = addressOf(...parts);
}

export function useRoute(): string[] {
  const [route, setRoute] = useState(() => partsOf(location.hash));
  useEffect(() => {
    const changed = () => setRoute(partsOf(location.hash));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
