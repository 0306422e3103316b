import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#server/db/database.ts";
import type { SessionUser } from "#server/http/route.ts";
import { endSession, type SessionCookie, startSession } from "#server/http/session.ts";

/** Starts a session for this person and gives its cookie. */
export async function signIn(
  db: Db,
  cookie: SessionCookie,
  user: SessionUser,
  { request, reply, ip }: { request: FastifyRequest; reply: FastifyReply; ip: string },
): Promise<SessionUser> {
  // A token that was there before sign-in is never carried over.
  const before = cookie.read(request);
  if (before) await endSession(db, before);
  cookie.write(
    reply,
    await startSession(db, { userId: user.id, ip, userAgent: request.headers["user-agent"] }),
  );
  return user;
}
