import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from "#contract/endpoint.ts";
import type * as z from "zod";
import type { CurrentUser } from "#contract/calls/auth.ts";
import type { Session } from "#server/http/session.ts";

/** The person behind a request, according to the session. */
export type SessionUser = CurrentUser;

/** Who does it, and from where, for the audit. */
export type By = { user: SessionUser; ip: string };

/** The same with what more the session says. */
export type SessionBy = By & { session: Session };

export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** This and `by` are null only if the endpoint is public. */
  user: E["access"] extends "public" ? SessionUser | null : SessionUser;
  by: E["access"] extends "public" ? SessionBy | null : SessionBy;
  /** The caller's address, behind trusted proxies. */
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
};

/**
 * Rows of one page and the total, which is sent as X-Total-Count. `about`: it is an estimate, as X-Total-Estimated
 * says.
 */
export type Page<T> = { rows: T[]; total: number; about?: boolean };

/** A list too long to hold in memory: sent page by page, with the count at the beginning. */
export type LongList<T> = { pages: AsyncIterable<readonly T[]>; total: number };

/** Bytes with their name. */
export type File = { name: string; type: string; bytes: Buffer | NodeJS.ReadableStream };

type RowOf<E extends Endpoint> = z.input<E["reply"]> extends (infer Row)[] ? Row : never;

type Result<E extends Endpoint> = E["answer"] extends "list"
  ? Page<RowOf<E>> | LongList<RowOf<E>>
  : E["answer"] extends "file"
    ? File
    : E["answer"] extends "events"
      ? void
      : z.input<E["reply"]>;

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Result<E>>;

export type Route = { endpoint: Endpoint; handler: (call: never) => Promise<unknown> };

/** Pairs an endpoint with its handler; the types of both meet here. */
export function on<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}
