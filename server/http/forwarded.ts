import type { FastifyInstance, FastifyRequest } from "fastify";

/** A proxy says that it forwarded this request, or someone pretends to be one. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return (headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via) !== undefined;
}

/** Logs once that requests come through a proxy that the settings do not mention. */
export function warnOfUntrustedProxy(app: FastifyInstance): void {
  let said = false;
  app.addHook("onRequest", async (request) => {
    if (said || !isForwarded(request)) return;
    said = true;
    request.log.warn(
      "Requests come through a proxy, but TRUST_PROXY is not set. All visitors count as one address, even when " +
        "sign-in attempts are limited. Set TRUST_PROXY to the number of proxies.",
    );
  });
}
