import type { FastifyReply } from "fastify";

/**
 * Aborts when nobody waits for the reply any more. Fastify's own `request.signal` listens to the request instead, which
 * is over as soon as its body has been read.
 */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
}
