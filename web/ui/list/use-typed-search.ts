import { useEffect, useEffectEvent, useRef, useState } from "react";

const PAUSE = 250;

/**
 * A search field that calls `onSearch` when typing pauses. `q` is the search in the URL. If that changes in another way
 * (Back, a cleared filter), the field follows.
 */
export function useTypedSearch(q: string, onSearch: (q: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(q);
  const reported = useRef(q);
  const tell = useEffectEvent(onSearch);
  useEffect(() => {
    if (q === reported.current) return;
    reported.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    const next = text.trim();
    if (next === reported.current) return undefined;
    const timer = setTimeout(() => {
      reported.current = next;
      tell(next);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
