import type { FastifyRequest } from "fastify";
import { AppError } from "#contract/errors.ts";

const readOnly = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses a change that another site's page makes the browser request. Browsers say where a request comes from
 * (Sec-Fetch-Site, or Origin in older ones); a caller that says neither is not a browser and carries no victim's
 * cookie. Together with SameSite cookies and JSON bodies, this needs no token.
 */
export function refuseCrossSite(request: FastifyRequest): void {
  if (readOnly.has(request.method)) return;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) {
    if (site === "same-origin" || site === "none") return;
    throw new AppError("cross-site", "This request came from another site and was refused");
  }
  const origin = request.headers.origin;
  if (origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === request.host) return;
  throw new AppError("cross-site", "This request came from another site and was refused");
}
