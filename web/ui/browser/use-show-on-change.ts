import { useEffect, useRef } from "react";

/**
 * The ref for an element that grows. Whenever `state` changes after the first render, scrolls the element into view, as
 * little as needed.
 */
export function useShowOnChange<Shown extends HTMLElement>(state: string) {
  const element = useRef<Shown>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    element.current?.scrollIntoView({ block: "nearest" });
  }, [state]);
  return element;
}
