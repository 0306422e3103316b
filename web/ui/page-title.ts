import { useEffect } from "react";

/** Names the browser's tab after the screen. */
export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Porchlight`;
  }, [title]);
}
