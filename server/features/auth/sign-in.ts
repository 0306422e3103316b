import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#server/db/database.ts";
import { rememberBrowser } from "#server/features/auth/known-browser.ts";
import type { SessionUser } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import { type Cookies, endSession, startSession } from "#server/http/session.ts";

export type SignInCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  ip: string;
  /** Others use this browser too, so nothing about this person is kept in it. */
  sharedComputer?: boolean | undefined;
};

/** Starts a session for this person and sets its cookie. */
export async function signIn(
  db: Db,
  { session, browser }: Cookies,
  user: SessionUser,
  { request, reply, ip, sharedComputer = false }: SignInCall,
): Promise<SessionUser> {
  // A token from before sign-in is never carried over.
  const before = session.read(request);
  if (before) await endSession(db, before);
  session.write(
    reply,
    await startSession(db, { userId: user.id, ip, userAgent: request.headers["user-agent"] }),
  );
  if (!sharedComputer) browser.write(reply, await rememberBrowser(db, user.id, browser.read(request)));
  await recordSecurityEvent(db, request, {
    actor: user,
    action: "session.start",
    subject: { type: "user", id: user.id },
  });
  return user;
}
