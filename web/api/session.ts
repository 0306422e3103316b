import { useSyncExternalStore } from "react";
import type { CurrentUser, SignedIn, auth } from "#contract/auth.ts";
import { ApiError, callAs, reachability, send, whenInDoubt } from "#web/api/client.ts";
import { forgetDraftsOf, lastPerson } from "#web/api/this-browser.ts";
import { isUnreachable } from "#web/api/unreachable.ts";

/** `serial` counts the sign-ins of this page: what one person loaded belongs to one serial only. */
export type Session =
  | { state: "loading" }
  | { state: "unreachable" }
  | { state: "signed-out" }
  | { state: "signed-in"; user: SignedIn; serial: number };

// Named here instead of imported: the sign-in page must not carry the contract's schemas.
const me = { method: "GET", path: "/api/auth/me" } as const satisfies Pick<typeof auth.me, "method" | "path">;

let session: Session = { state: "loading" };
let serial = 0;
const watchers = new Set<() => void>();

function set(next: Session) {
  session = next;
  callAs(next.state === "signed-in" ? next.user.id : null);
  for (const watch of watchers) watch();
}

export const sessionStore = {
  get: () => session,
  subscribe: (watch: () => void) => {
    watchers.add(watch);
    return () => void watchers.delete(watch);
  },
};

export function signedIn(user: SignedIn) {
  serial += 1;
  set({ state: "signed-in", user, serial });
}

/** The signed-in person's name or address changed. Their loaded data stays. */
export function userChanged({ id, username, firstName, lastName, email, role }: CurrentUser) {
  if (session.state !== "signed-in" || session.user.id !== id) return;
  set({ ...session, user: { ...session.user, id, username, firstName, lastName, email, role } });
}

export function signedOut() {
  if (session.state !== "signed-out") set({ state: "signed-out" });
}

/**
 * Asks once who is signed in. A 401 or any other refusal means no one. No answer is different, because an unreachable
 * server says nothing about the session. Returns the sentence to show if an error came for a reason other than that no
 * one is signed in.
 */
export async function loadSession(): Promise<string | undefined> {
  set({ state: "loading" });
  try {
    const response = await send(me, me.path);
    signedIn((await response.json()) as SignedIn);
  } catch (error) {
    const refused = error instanceof ApiError;
    if (refused && !isUnreachable(error)) {
      forgetIfEnded(error);
      signedOut();
    } else {
      // No answer, or one that is not ours, such as a hotel network's page.
      set({ state: "unreachable" });
    }
    if (refused && error.status !== 401) return `Error fetching user: ${error.statusText || error.reason}`;
  }
  return undefined;
}

/**
 * Checks again whether the person is still signed in, with which role, and whether they have to set up a second factor.
 * If someone else has signed in meanwhile in another tab, the page becomes theirs. If the session is gone, the person
 * is signed out. If the server is unreachable, nothing changes.
 */
export async function recheckSession(): Promise<void> {
  const asked = serial;
  try {
    const response = await send(me, me.path);
    const user = (await response.json()) as SignedIn;
    if (session.state !== "signed-in" || serial !== asked) return;
    if (session.user.id === user.id) set({ ...session, user });
    else signedIn(user);
  } catch (error) {
    if (isUnreachable(error)) reachability.set(false);
    else if (error instanceof ApiError && error.status === 401) {
      // Otherwise it is about whoever was signed in before.
      if (serial !== asked) return;
      forgetIfEnded(error);
      signedOut();
    }
  }
}

/** Someone who signs out everywhere wants nothing of theirs left anywhere. */
function forgetIfEnded({ code }: ApiError): void {
  const userId = session.state === "signed-in" ? session.user.id : lastPerson();
  if (code === "session-ended" && userId !== null) forgetDraftsOf(userId);
}

let rechecking: Promise<void> | undefined;

// Many calls may fail at the same time; one request serves them all.
whenInDoubt(() => {
  rechecking ??= recheckSession().finally(() => (rechecking = undefined));
});

export function useSession(): Session {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

/** The signed-in person; undefined while loading and if there is no one. */
export function useUser(): CurrentUser | undefined {
  const current = useSession();
  return current.state === "signed-in" ? current.user : undefined;
}
