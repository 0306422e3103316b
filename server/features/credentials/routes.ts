import { api } from "#contract/api.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { channelWorks } from "#server/delivery/accounts/accounts.ts";
import { policySentence } from "#server/features/auth/password.ts";
import { readPolicy } from "#server/features/auth/password-policy.ts";
import { hasSecondFactor } from "#server/features/auth/pending-sign-in.ts";
import { signIn } from "#server/features/auth/sign-in.ts";
import { countDeadLink } from "#server/features/auth/throttle.ts";
import {
  confirmAddress,
  readConfirmation,
  sendConfirmation,
} from "#server/features/credentials/confirmation.ts";
import { consumeLink, type LinkOwner, readLink } from "#server/features/credentials/password-link.ts";
import { sendCredentials } from "#server/features/credentials/send-credentials.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";
import type { Cookies } from "#server/http/session.ts";

const spoken = { email: "email address", phone: "phone number" };

export function credentialsRoutes({ db, cookies }: { db: Db; cookies: Cookies }): Route[] {
  /** Only invalid links are counted: a link is too long to guess, and a whole building may share one address. */
  async function ownerOf(token: string, ip: string): Promise<LinkOwner> {
    const owner = await readLink(db, token);
    if (owner) return owner;
    await countDeadLink(db, ip);
    throw refusal("password-link-dead");
  }

  return [
    on(api.users.sendCredentials, async ({ body, by }) => sendCredentials(db, body, by)),

    on(api.passwordLink.read, async ({ params: { token }, ip, reply }) => {
      const owner = await ownerOf(token, ip);
      void reply.header("Cache-Control", "no-store");
      return {
        siteName: await readSetting(db, "siteName"),
        firstName: owner.firstName,
        username: owner.username,
        passwordHint: policySentence(await readPolicy(db)),
        expiresAt: owner.expiresAt.toISOString(),
      };
    }),

    on(api.confirmation.read, async ({ params: { token }, ip, reply }) => {
      const owner = await readConfirmation(db, token);
      if (!owner) await countDeadLink(db, ip);
      if (!owner) throw refusal("confirmation-link-dead");
      void reply.header("Cache-Control", "no-store");
      return { siteName: await readSetting(db, "siteName"), ...owner };
    }),

    on(api.confirmation.use, async ({ params: { token }, ip }) => {
      if (!(await readConfirmation(db, token))) await countDeadLink(db, ip);
      return { message: `Your ${spoken[await confirmAddress(db, token, ip)]} is confirmed.` };
    }),

    on(api.confirmation.send, async ({ user, query: { field } }) => {
      const came = await transaction(db, (tx) => sendConfirmation(tx, user, field));
      if (came === "too-often") {
        throw refusal("too-many-links", {}, { retryAfter: 60 * 60 });
      }
      if (came === "not-needed") {
        return { message: `There is nothing to confirm. Your ${spoken[field]} is confirmed already.` };
      }
      if (field === "phone") {
        return {
          message:
            came === "sent"
              ? "A link is on its way to your phone."
              : "We can't text you a link. Ask your property manager to confirm your number.",
        };
      }
      return {
        message: (await channelWorks(db, "email"))
          ? `A link is on its way to ${user.email}.`
          : "We can't email you a link. Ask your property manager to confirm your address.",
      };
    }),

    on(api.passwordLink.use, async (call) => {
      const { params, body, ip } = call;
      await ownerOf(params.token, ip);
      const user = await consumeLink(db, params.token, body.password, ip);
      // Who reads someone's mail does not have their second factor.
      if (await hasSecondFactor(db, user.id)) {
        return { user: null, message: "Your password is set. Sign in with it and your second factor." };
      }
      return {
        user: await signIn(db, cookies, user, call),
        message: "Your password is set. You are signed in.",
      };
    }),
  ];
}
