import { useEffect, useRef } from "react";

/**
 * For the ref of an element that grows: whenever `state` changes after the first drawing, it is scrolled into view,
 * as little as needed, so that what appeared is seen.
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
