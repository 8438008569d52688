// The width of an element, kept up to date.
import { useEffect, useRef, useState } from "preact/hooks";

export function useWidth<E extends HTMLElement>(): [{ current: E | null }, number] {
  const ref = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    look.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => look.disconnect();
  }, []);
  return [ref, width];
}
