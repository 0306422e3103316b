import type { Session } from "#web/api/session.ts";

const SIGN_IN = "/auth";

/**
 * Where to go after sign-in: the `next` parameter if it is a path of this console, otherwise the dashboard. Anything that
 * a browser could read as another origin ("//host", "/\host") is refused.
 */
export function destination(search: string): string {
  const next = new URLSearchParams(search).get("next");
  // oxlint-disable-next-line no-control-regex -- a browser drops some of these and reads the rest
  if (!next || !next.startsWith("/") || /[\\\u0000-\u001f\u007f]/.test(next)) return "/";
  const here = "http://console.invalid";
  const url = URL.parse(next, here);
  if (!url || url.origin !== here || url.pathname.startsWith("//") || url.pathname === SIGN_IN) return "/";
  return url.pathname + url.search + url.hash;
}

/** The sign-in URL that leads back to `place` afterwards. */
export function signInAddress(place: string): string {
  return place === "/" ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ next: place })}`;
}

/** The one-time link in this path, if it is one: /set-password/{token} or /confirm-email/{token} */
export function oneTimeLink(
  pathname: string,
): { purpose: "set-password" | "confirm-email"; token: string } | undefined {
  const [, purpose, token] = /^\/(set-password|confirm-email)\/([^/]+)$/.exec(pathname) ?? [];
  return token && (purpose === "set-password" || purpose === "confirm-email")
    ? { purpose, token }
    : undefined;
}

let leaving = false;
/** After a logout, the next person does not start where the last one left off. */
export function leaveForGood() {
  leaving = true;
}

/** Makes the URL match the session: /auth when signed out, any other page when signed in. One-time links stay. */
export function alignAddress(session: Session) {
  const { pathname, search, hash } = window.location;
  if (oneTimeLink(pathname)) return;
  if (session.state === "signed-out" && pathname !== SIGN_IN) {
    window.history.replaceState(null, "", leaving ? SIGN_IN : signInAddress(pathname + search + hash));
  }
  if (session.state === "signed-in" && pathname === SIGN_IN) {
    window.history.replaceState(null, "", destination(search));
  }
  leaving = false;
}
