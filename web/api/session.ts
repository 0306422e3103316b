import { useSyncExternalStore } from "react";
import type { CurrentUser, SignedIn, auth } from "#contract/calls/auth.ts";
import { may, type Permission, type Principal, principalOf } from "#contract/permissions.ts";
import { callAs, guardCalls, send, whenInDoubt } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { ApiError, SignInInFrontError } from "#web/api/call-errors.ts";
import { forgetDraftsOf, lastPerson } from "#web/api/this-browser.ts";
import { isUnreachable } from "#web/api/unreachable.ts";

/** `serial` counts the people of this page: what one person loaded belongs to one serial only. */
export type Session =
  | { state: "loading" }
  | { state: "unreachable" }
  /** `why`: the server's sentence, if the person didn't sign out themselves. */
  | { state: "signed-out"; why?: string }
  /**
   * `ended`: the session is over, in a sentence. The page waits for its person to sign in again. `elsewhere`: they signed
   * in in another tab while this page was someone else's.
   */
  | { state: "signed-in"; user: SignedIn; serial: number; ended?: string; elsewhere?: boolean };

// Named here instead of imported: the sign-in page must not carry the contract's schemas.
const me = { method: "GET", path: "/api/auth/me" } as const satisfies Pick<typeof auth.me, "method" | "path">;

let session: Session = { state: "loading" };
let serial = 0;
const watchers = new Set<() => void>();

/** Calls that wait for the page's person. */
let waiting: { serial: number; go: (known: boolean) => void }[] = [];

function set(next: Session) {
  session = next;
  callAs(next.state === "signed-in" ? next.user.id : null);
  for (const watch of watchers) watch();
  // Those of someone who has left stay unanswered: their page is gone, too.
  if (next.state !== "signed-in") waiting = [];
  else if (!next.ended && !isHeld(next.user)) {
    const due = waiting.filter((one) => one.serial === next.serial);
    waiting = [];
    for (const { go } of due) go(true);
  }
}

/** Something has to be done before anything else works. */
export const isHeld = ({ passwordExpired, mustSetUpTwoFactor }: SignedIn): boolean =>
  passwordExpired === true || mustSetUpTwoFactor === true;

export const sessionStore = {
  get: () => session,
  subscribe: (watch: () => void) => {
    watchers.add(watch);
    return () => void watchers.delete(watch);
  },
};

/** The page goes on for the person whose session had ended. For anyone else, it starts afresh. */
export function signedIn(user: SignedIn, { elsewhere = false } = {}) {
  const same = session.state === "signed-in" && session.ended !== undefined && session.user.id === user.id;
  if (!same) serial += 1;
  set({ state: "signed-in", user, serial, ...(elsewhere && { elsewhere }) });
}

/** The signed-in person's name or address changed. Their loaded data stays. */
export function userChanged({ id, username, firstName, lastName, email, role }: CurrentUser) {
  if (session.state !== "signed-in" || session.user.id !== id) return;
  set({ ...session, user: { ...session.user, id, username, firstName, lastName, email, role } });
}

export function signedOut(why?: string) {
  if (session.state !== "signed-out") set({ state: "signed-out", ...(why && { why }) });
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
      reachability.set(false, error instanceof SignInInFrontError);
      set({ state: "unreachable" });
    }
    if (refused && error.status !== 401) return `Error fetching user: ${error.statusText || error.reason}`;
  }
  return undefined;
}

/**
 * Checks again whether the person is still signed in, with which role, and whether they have to set up a second factor.
 * If someone else has signed in meanwhile in another tab, the page becomes theirs. If the session is over, the page waits
 * for the person to sign in again, unless they have signed out: in this browser (`left`), or from another one. If the
 * server is unreachable, nothing changes.
 */
export async function recheckSession({ left = false } = {}): Promise<void> {
  const asked = serial;
  try {
    const response = await send(me, me.path);
    const user = (await response.json()) as SignedIn;
    if (session.state !== "signed-in" || serial !== asked) return;
    const { ended: _, ...open } = session;
    if (session.user.id === user.id) set({ ...open, user });
    else signedIn(user, { elsewhere: true });
  } catch (error) {
    if (isUnreachable(error)) reachability.set(false, error instanceof SignInInFrontError);
    else if (error instanceof ApiError && error.status === 401) {
      // Otherwise it is about whoever was signed in before.
      if (serial !== asked) return;
      forgetIfEnded(error);
      if (left || session.state !== "signed-in") signedOut();
      else if (error.code === "session-ended") signedOut(error.reason);
      else if (!session.ended) set({ ...session, ended: endedText(error) });
    }
  }
}

/** Only an expired session has a reason. One that is simply gone has none. */
const endedText = ({ code, reason }: ApiError) =>
  code === "session-expired" ? reason : "Your session has ended. Please sign in.";

/** Someone who signs out everywhere wants nothing of theirs left anywhere. */
function forgetIfEnded({ code }: ApiError): void {
  const userId = session.state === "signed-in" ? session.user.id : lastPerson();
  if (code === "session-ended" && userId !== null) forgetDraftsOf(userId);
}

let rechecking: Promise<void> | undefined;

// Many calls may fail at the same time; one request serves them all.
const recheckOnce = () => (rechecking ??= recheckSession().finally(() => (rechecking = undefined)));
whenInDoubt(() => void recheckOnce());

/** Tells the server that its person is at the page, so that typing something long does not outlast the session. */
export function keepSession(): void {
  if (session.state === "signed-in" && !isOver()) void recheckOnce();
}

const isOver = () => session.state === "signed-in" && session.ended !== undefined;
guardCalls({
  closed: isOver,
  async opened() {
    const asked = serial;
    if (session.state !== "signed-in") return false;
    if (!isOver()) await recheckOnce();
    return new Promise<boolean>((go) => {
      if (session.state !== "signed-in" || serial !== asked) return;
      if (isOver() || isHeld(session.user)) waiting.push({ serial, go });
      // If the server can't be reached, nothing is known.
      else go(reachability.get());
    });
  },
});

export function useSession(): Session {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
}

/** The signed-in person; undefined while loading and if there is no one. */
export function useUser(): CurrentUser | undefined {
  const current = useSession();
  return current.state === "signed-in" ? current.user : undefined;
}

/** What the signed-in person may do; null without one. */
export function usePrincipal(): Principal | null {
  const user = useUser();
  return user ? principalOf(user.role) : null;
}

/** Whether the signed-in person has a permission. The server decides again. */
export const useMay = (permission: Permission): boolean => may(usePrincipal(), permission);
