import { useEffect, useEffectEvent } from "react";

type Refetch = (options: { cancelRefetch: boolean }) => unknown;

/**
 * Asks again whenever the list or its tab is come back to: the server tells tenants' pages of nothing by itself.
 * A question that is under way is not asked twice.
 */
export function useRefetchOnReturn(refetch: Refetch) {
  const ask = useEffectEvent(() => {
    if (document.visibilityState === "visible") void refetch({ cancelRefetch: false });
  });
  useEffect(() => {
    ask();
    const onReturn = () => ask();
    document.addEventListener("visibilitychange", onReturn);
    return () => document.removeEventListener("visibilitychange", onReturn);
  }, []);
}
