import { useEffect, useState } from "react";
import type { passwordLink } from "#contract/profile.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { ApiError, address, send } from "#web/api/client.ts";

export type LinkOwner = ReplyOf<typeof passwordLink.read>;
export type PasswordLink =
  | { state: "loading" }
  | { state: "good"; owner: LinkOwner }
  /** It never existed, was used, or is too old. */
  | { state: "dead"; reason: string }
  | { state: "failed"; reason: string };

// Named here instead of imported: the sign-in pages must not carry the contract's schemas.
const read = { method: "GET", path: "/api/auth/password-link/{token}" } as const satisfies Pick<
  typeof passwordLink.read,
  "method" | "path"
>;

/** The owner of this one-time link; asking does not use it up. */
export function usePasswordLink(token: string): [PasswordLink, (error: unknown) => boolean] {
  const [link, setLink] = useState<PasswordLink>({ state: "loading" });
  useEffect(() => {
    const abort = new AbortController();
    send(read, address(read.path, { params: { token } }), { signal: abort.signal })
      .then((response) => response.json())
      .then((owner: LinkOwner) => setLink({ state: "good", owner }))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setLink(troubleOf(error));
      });
    return () => abort.abort();
  }, [token]);
  /** True if the link expired while the form was filled in; the page then says so. */
  const diedOf = (error: unknown): boolean => {
    const trouble = troubleOf(error);
    if (trouble.state === "dead") setLink(trouble);
    return trouble.state === "dead";
  };
  return [link, diedOf];
}

function troubleOf(error: unknown): Extract<PasswordLink, { reason: string }> {
  const state = error instanceof ApiError && error.status === 404 ? "dead" : "failed";
  if (error instanceof ApiError) return { state, reason: error.reason };
  return { state, reason: error instanceof Error ? error.message : "Something went wrong" };
}
