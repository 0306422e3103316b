import { sql } from "kysely";
import { api } from "#contract/api.ts";
import { AppError, fieldError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { passwordFits, policySentence } from "#server/features/auth/password.ts";
import { policyOf, refuseBadPassword } from "#server/features/auth/password-policy.ts";
import { registerFirst, registerTenant } from "#server/features/auth/register.ts";
import {
  codeFits,
  type Front,
  fromThisComputer,
  hasAccounts,
  setupCode,
} from "#server/features/auth/setup-code.ts";
import { signIn } from "#server/features/auth/sign-in.ts";
import { countRegistration, countTry, forgiveTries } from "#server/features/auth/throttle.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import { on, type Route, type SessionUser } from "#server/http/route.ts";
import { endSession, type SessionCookie, sessionUser } from "#server/http/session.ts";

const closedMessage = "Registration is closed. Ask your property manager or an administrator for an account.";

export type AuthDeps = { db: Db; cookie: SessionCookie; front: Front };

export function authRoutes({ db, cookie, front }: AuthDeps): Route[] {
  const isFromHere = fromThisComputer(front);

  return [
    on(api.auth.state, async ({ request }) => {
      const settings = await readSettings(db);
      const firstRun = !(await hasAccounts(db));
      const { registration } = settings;
      return {
        firstRun,
        registration,
        setupCodeNeeded: firstRun && !isFromHere(request),
        closedMessage: firstRun || registration === "open" ? null : closedMessage,
        passwordHint: policySentence(policyOf(settings)),
        siteName: settings.siteName,
      };
    }),

    on(api.auth.me, async ({ user }) => user),

    on(api.auth.login, async (call) => {
      const { username, password } = call.body;
      await countTry(db, username, call.ip);
      const found = await sql<SessionUser & { passwordHash: string | null }>`
        SELECT ${sessionUser}, u.password_hash AS "passwordHash"
        FROM users u WHERE lower(u.username) = ${username.toLowerCase()} AND u.deleted_at IS NULL`.execute(
        db,
      );
      const row = found.rows[0];
      if (!(await passwordFits(row?.passwordHash ?? null, password)) || !row) {
        throw new AppError("wrong-credentials", "Invalid credentials");
      }
      await forgiveTries(db, username, call.ip);
      const { passwordHash: _, ...user } = row;
      return signIn(db, cookie, user, call);
    }),

    on(api.auth.register, async (call) => {
      const { body: form, ip, request } = call;
      const settings = await readSettings(db);
      const firstRun = !(await hasAccounts(db));
      if (!firstRun && settings.registration !== "open") {
        throw new AppError("registration-closed", closedMessage);
      }
      // What the form has to say costs no try.
      await refuseBadPassword(db, form.password, form);
      if (firstRun) {
        await countTry(db, "registration", ip);
        if (!isFromHere(request) && !codeFits(await setupCode(db), form.setupCode)) {
          const sentence = "Enter the set-up code that the server printed when it started";
          throw fieldError("setup-code", "setupCode", sentence);
        }
        const user = await registerFirst(db, form, ip);
        await forgiveTries(db, "registration", ip);
        return {
          user: await signIn(db, cookie, user, call),
          message: "You are the administrator of this Porchlight.",
        };
      }
      await countRegistration(db, ip);
      await registerTenant(db, form, ip);
      return {
        user: null,
        message:
          "Thank you. If you are new here, you can sign in now. If not, sign in with the account that you have.",
      };
    }),

    on(api.auth.logout, async ({ request, reply }) => {
      const token = cookie.read(request);
      if (token) await endSession(db, token);
      cookie.clear(reply);
      return { message: "You have been successfully logged out." };
    }),
  ];
}
