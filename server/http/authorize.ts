import type { Access, Endpoint } from "#contract/endpoint.ts";
import { may, type Principal } from "#contract/permissions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { FastifyRequest } from "fastify";
import type { Session } from "#server/http/session.ts";

/** Whether the principal may call; null: no one is signed in. */
export function mayCall(access: Access, principal: Principal | null): boolean {
  if (access === "public") return true;
  return access === "signed-in" ? principal !== null : may(principal, access);
}

/** Throws signed-out or forbidden. */
export function authorize(access: Access, principal: Principal | null): void {
  if (mayCall(access, principal)) return;
  if (principal === null) throw refusal("not-signed-in");
  throw refusal("role-not-allowed");
}

/**
 * Refuses a page's request in the name of someone other than the session's person: someone else has since signed in in
 * another tab. Throws signed-out. A caller that names no one is not checked.
 */
export function refuseAnothersPage(named: string | string[] | undefined, userId: number): void {
  if (named === undefined || named === String(userId)) return;
  throw refusal("someone-else-signed-in");
}

/** Refuses everything but a new password in a session that began with an expired one. Throws password-expired. */
export function refuseWithExpiredPassword({ access, withExpiredPassword }: Endpoint): void {
  if (withExpiredPassword || access === "public") return;
  throw refusal("password-has-expired");
}

/** Refuses an administrator who still has to set up a second factor. Throws two-factor-required. */
export function refuseBeforeSetUp({ access, duringSetUp }: Endpoint, { mustSetUpTwoFactor }: Session): void {
  if (!mustSetUpTwoFactor || duringSetUp || access === "public") return;
  throw refusal("second-factor-not-set-up");
}

/**
 * Refuses what could take over an account or a channel when the person has not entered their password for a while: an
 * unlocked screen must not be enough. Throws password-required.
 */
export function refuseUnconfirmed({ confirmed }: Pick<Session, "confirmed">): void {
  if (!confirmed) throw refusal("password-not-entered-lately");
}

const readOnly = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a change that another site's page asks the browser for. Browsers say where a request comes from
 * (Sec-Fetch-Site, or Origin in older ones); a caller that says neither is no browser and carries no
 * victim's cookie. Together with SameSite cookies and JSON bodies this needs no token.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (readOnly.has(request.method)) return;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site === "same-origin" || site === "none") return;
    throw refusal("from-another-site");
  }
  const origin = request.headers.origin;
  if (origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === request.host) return;
  throw refusal("from-another-site");
}
