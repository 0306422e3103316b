import type { FastifyReply, FastifyRequest } from "fastify";
import type { SecondFactor, SignedIn } from "#contract/calls/auth.ts";
import type { Db } from "#server/db/database.ts";
import { rememberBrowser } from "#server/features/auth/known-browser.ts";
import type { PasskeySite } from "#server/features/auth/passkey-site.ts";
import {
  beginSignIn,
  hasSecondFactor,
  type SecondSteps,
  secondStepsOf,
} from "#server/features/auth/pending-sign-in.ts";
import type { SessionUser } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import { type Cookies, endSession, findSession, type Session, startSession } from "#server/http/session.ts";

export type SignInCall = {
  request: FastifyRequest;
  reply: FastifyReply;
  ip: string;
  /** Others use this browser too, so nothing about this person is kept in it. */
  sharedComputer?: boolean | undefined;
  /** They signed in with a passkey alone. */
  withoutPassword?: boolean;
};

/**
 * After the right password: signs in someone who has no second factor, and asks anyone else for it. Until then they
 * have no session.
 */
export async function passPassword(
  db: Db,
  cookies: Cookies,
  user: SessionUser,
  { site, ...call }: SignInCall & { site: PasskeySite | null },
): Promise<SignedIn | SecondSteps> {
  if (!(await hasSecondFactor(db, user.id))) return signIn(db, cookies, user, call);
  const { reply, sharedComputer = false } = call;
  await beginSignIn(db, { cookie: cookies.pending, reply }, { userId: user.id, sharedComputer });
  const subject = { type: "user", id: user.id };
  await recordSecurityEvent(db, call.request, { user: null, action: "session.password", subject });
  return secondStepsOf(db, user.id, site);
}

/** Starts a session for this person and sets its cookie. `by`: what the last step was, for the audit. */
export async function signIn(
  db: Db,
  { session, browser }: Cookies,
  user: SessionUser,
  { request, reply, ip, sharedComputer = false, withoutPassword = false }: SignInCall,
  by?: SecondFactor,
): Promise<SignedIn> {
  // A token from before sign-in is never carried over.
  const before = session.read(request);
  if (before) await endSession(db, before);
  const userAgent = request.headers["user-agent"];
  const token = await startSession(db, { userId: user.id, ip, userAgent, withoutPassword });
  const started = await findSession(db, token, false);
  session.write(reply, token);
  if (!sharedComputer) browser.write(reply, await rememberBrowser(db, user.id, browser.read(request)));
  await recordSecurityEvent(db, request, {
    user,
    action: "session.start",
    subject: { type: "user", id: user.id },
    detail: { ...(by && { by }), ...(started?.passwordExpired && { passwordExpired: true }) },
  });
  return signedInAs(user, started);
}

/** What a browser learns about its session's person. */
export function signedInAs(
  user: SessionUser,
  session: Pick<Session, "mustSetUpTwoFactor" | "passwordExpired"> | null,
): SignedIn {
  return {
    ...user,
    ...(session?.mustSetUpTwoFactor && { mustSetUpTwoFactor: true as const }),
    ...(session?.passwordExpired && { passwordExpired: true as const }),
  };
}
