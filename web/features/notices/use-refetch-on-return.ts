import { useEffect, useEffectEvent } from "react";

/** Asks again when the page is come back to: tenants are told of nothing while they look elsewhere. */
export function useRefetchOnReturn(refetch: () => unknown) {
  const ask = useEffectEvent(refetch);
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === "visible") void ask();
    };
    document.addEventListener("visibilitychange", onReturn);
    return () => document.removeEventListener("visibilitychange", onReturn);
  }, []);
}
