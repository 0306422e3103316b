import type { FastifyRequest } from "fastify";
import pLimit from "p-limit";
import { callerHasLeft } from "#server/http/error-reply.ts";

// Each count reads every person. However many people compose at once, most connections stay free for readers.
const COUNTS_AT_ONCE = 3;

/** Runs a count of people when it is its turn. */
export type InTurn = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>;

/** Nothing is counted for a caller who has left by the time it is their turn. */
export function countsInTurn(): InTurn {
  const limit = pLimit(COUNTS_AT_ONCE);
  return (request, work) =>
    limit(() => {
      if (callerHasLeft(request)) throw new Error("the client disconnected");
      return work();
    });
}
