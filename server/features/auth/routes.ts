import { sql } from "kysely";
import { api } from "#contract/api.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { registrationClosed } from "#contract/refusals/sign-in.ts";
import type { Db } from "#server/db/database.ts";
import { knownBrowser } from "#server/features/auth/known-browser.ts";
import { passkeySite } from "#server/features/auth/passkey-site.ts";
import {
  hashPassword,
  passwordFit,
  policySentence,
  refuseWhileBusy,
} from "#server/features/auth/password.ts";
import { policyOf, refuseBadPassword } from "#server/features/auth/password-policy.ts";
import { registerFirst, registerTenant, type SendConfirmation } from "#server/features/auth/register.ts";
import {
  codeFits,
  type Front,
  fromThisComputer,
  hasAccounts,
  setupCode,
} from "#server/features/auth/setup-code.ts";
import { passPassword, signedInAs, signIn } from "#server/features/auth/sign-in.ts";
import { countRegistration, countTry, forgiveTries } from "#server/features/auth/throttle.ts";
import { channelWorks } from "#server/delivery/accounts/accounts.ts";
import { logoPath } from "#server/delivery/content/email-shell.ts";
import { applyHomeCountry } from "#server/features/people/home-country.ts";
import { currentLogo } from "#server/features/settings/logo.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import { on, type Route, type SessionUser } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import { type Cookies, endSession, sessionUser } from "#server/http/session.ts";

type AuthDeps = {
  db: Db;
  cookies: Cookies;
  front: Front;
  sendConfirmation: SendConfirmation;
  /** Tells a person that someone is guessing their password. */
  tellOfGuesses: (db: Db, user: SessionUser, ip: string) => Promise<void>;
};

export function authRoutes({ db, cookies, front, sendConfirmation, tellOfGuesses }: AuthDeps): Route[] {
  const isFromHere = fromThisComputer(front);
  const site = passkeySite(front.publicUrl);

  return [
    on(api.auth.state, async ({ request }) => {
      const settings = await readSettings(db);
      const firstRun = !(await hasAccounts(db));
      const { registration } = settings;
      const logo = await currentLogo(db);
      return {
        firstRun,
        registration,
        setupCodeNeeded: firstRun && !isFromHere(request),
        closedMessage: firstRun || registration === "open" ? null : registrationClosed,
        passwordHint: policySentence(policyOf(settings)),
        siteName: settings.siteName,
        logo: logo && logoPath(logo),
        passkeyOrigin: site?.origin ?? null,
      };
    }),

    on(api.auth.me, async ({ by }) => signedInAs(by.user, by.session)),

    on(api.auth.login, async (call) => {
      const { username, password, sharedComputer } = call.body;
      // Before the attempt is counted, because it is not the caller's fault.
      refuseWhileBusy();
      const found = await sql<SessionUser & { passwordHash: string | null }>`
        SELECT ${sessionUser}, u.password_hash AS "passwordHash"
        FROM users u WHERE lower(u.username) = lower(${username}) AND u.deleted_at IS NULL`.execute(db);
      const row = found.rows[0];
      const browser = await knownBrowser(db, cookies.browser.read(call.request), row?.id);
      const from = { ip: call.ip, browser };
      const { lastFreeEverywhere } = await countTry(db, username, from);
      const fit = await passwordFit(row?.passwordHash ?? null, password);
      if (fit === "none" || !row) {
        // Without what was typed: it may be a password in the wrong field.
        const subject = { type: "user", id: row?.id };
        await recordSecurityEvent(db, call.request, { user: null, action: "session.fail", subject });
        if (row && lastFreeEverywhere) await tellOfGuesses(db, row, call.ip);
        throw refusal("wrong-credentials");
      }
      await forgiveTries(db, username, from);
      const { passwordHash, ...user } = row;
      if (fit === "older") {
        // Unless it was changed meanwhile.
        await sql`UPDATE users SET password_hash = ${await hashPassword(password)}
          WHERE id = ${user.id} AND password_hash = ${passwordHash}`.execute(db);
      }
      return passPassword(db, cookies, user, { ...call, sharedComputer, site });
    }),

    on(api.auth.register, async (call) => {
      const { body: form, ip, request } = call;
      const settings = await readSettings(db);
      const firstRun = !(await hasAccounts(db));
      if (!firstRun && settings.registration !== "open") {
        throw refusal("registration-is-closed");
      }
      // Validation errors of the form do not count as attempts.
      await refuseBadPassword(db, form.password, form);
      if (firstRun) {
        await countTry(db, "registration", { ip });
        if (!isFromHere(request) && !codeFits(await setupCode(db), form.setupCode)) {
          throw refusal("wrong-setup-code");
        }
        const user = await registerFirst(db, form, ip);
        // Their time zone may be another country's.
        await applyHomeCountry(db);
        await forgiveTries(db, "registration", { ip });
        return {
          user: await signIn(db, cookies, user, call),
          message: "You're the administrator now.",
        };
      }
      await countRegistration(db, ip);
      await registerTenant(db, form, { ip, sendConfirmation });
      // Doesn't depend on whether anyone has that address.
      const confirmation = (await channelWorks(db, "email"))
        ? "We've emailed you a link to confirm your address."
        : "Ask your property manager to confirm your address.";
      return {
        user: null,
        message: `Thank you, you can sign in now. ${confirmation}`,
      };
    }),

    on(api.auth.logout, async ({ request, reply, user }) => {
      const token = cookies.session.read(request);
      if (token) await endSession(db, token);
      cookies.session.clear(reply);
      if (user) {
        const subject = { type: "user", id: user.id };
        await recordSecurityEvent(db, request, { user, action: "session.end", subject });
      }
      return { message: "You have been successfully logged out." };
    }),
  ];
}
