import { useEffect, useState } from "react";
import type { auth } from "#contract/calls/auth.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { send } from "#web/api/client.ts";
import { useSiteTitle } from "#web/ui/page/page-title.ts";

export type AuthState = ReplyOf<typeof auth.state>;

// Named here instead of imported: the sign-in page must not carry the contract's schemas.
const state = { method: "GET", path: "/api/auth/state" } as const satisfies Pick<
  typeof auth.state,
  "method" | "path"
>;

/** What the sign-in screen needs to know; undefined while loading, null if it cannot be loaded. */
export function useAuthState(): AuthState | null | undefined {
  const [known, setKnown] = useState<AuthState | null>();
  useEffect(() => {
    const abort = new AbortController();
    send(state, state.path, { signal: abort.signal })
      .then((response) => response.json())
      .then((reply: AuthState) => setKnown(reply))
      .catch(() => {
        // The login form works without it; the Register tab says what is missing.
        if (!abort.signal.aborted) setKnown(null);
      });
    return () => abort.abort();
  }, []);
  useSiteTitle(known?.siteName);
  return known;
}
