import { useEffect, useState } from "react";
import type { confirmation } from "#contract/calls/auth.ts";
import type { passwordLink } from "#contract/calls/profile.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { address, send } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";

// Named here instead of imported: the sign-in pages must not carry the contract's schemas.
const paths = {
  password: "/api/auth/password-link/{token}",
  confirmation: "/api/auth/confirmation/{token}",
} as const satisfies {
  password: (typeof passwordLink.read)["path"];
  confirmation: (typeof confirmation.read)["path"];
};

type Owners = {
  password: ReplyOf<typeof passwordLink.read>;
  confirmation: ReplyOf<typeof confirmation.read>;
};
export type Purpose = keyof Owners;
export type OwnerOf<P extends Purpose> = Owners[P];

type Link<Owner> =
  | { state: "loading" }
  | { state: "good"; owner: Owner }
  /** It never existed, was used, or is too old. */
  | { state: "dead"; reason: string }
  | { state: "failed"; reason: string };

/** The owner of this one-time link; asking does not use it up. */
export function useOneTimeLink<P extends Purpose>(
  purpose: P,
  token: string,
): [Link<OwnerOf<P>>, (error: unknown) => boolean] {
  const [link, setLink] = useState<Link<OwnerOf<P>>>({ state: "loading" });
  useEffect(() => {
    const abort = new AbortController();
    const path = paths[purpose];
    send({ method: "GET", path }, address(path, { params: { token } }), { signal: abort.signal })
      .then((response) => response.json())
      .then((owner: OwnerOf<P>) => setLink({ state: "good", owner }))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) setLink(troubleOf(error));
      });
    return () => abort.abort();
  }, [purpose, token]);
  /** True if the link expired while its page was open; the page then says so. */
  const isDeadLink = (error: unknown): boolean => {
    const trouble = troubleOf(error);
    if (trouble.state === "dead") setLink(trouble);
    return trouble.state === "dead";
  };
  return [link, isDeadLink];
}

function troubleOf(error: unknown): Extract<Link<never>, { reason: string }> {
  const state = error instanceof ApiError && error.code === "not-found" ? "dead" : "failed";
  return { state, reason: reasonWithoutStatus(error) };
}

/** Confirms the address that a link went to, and answers what the server says. */
export async function confirmAddress(token: string): Promise<string> {
  const { confirmation: path } = paths;
  const response = await send({ method: "POST", path }, address(path, { params: { token } }));
  return ((await response.json()) as ReplyOf<typeof confirmation.use>).message;
}
