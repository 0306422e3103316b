import { api } from "#contract/api.ts";
import type { Db } from "#server/db/database.ts";
import { policySentence } from "#server/features/auth/password.ts";
import { readPolicy } from "#server/features/auth/password-policy.ts";
import { signIn } from "#server/features/auth/sign-in.ts";
import { countDeadLink } from "#server/features/auth/throttle.ts";
import {
  consumeLink,
  deadLink,
  type LinkOwner,
  readLink,
} from "#server/features/credentials/password-link.ts";
import { sendCredentials } from "#server/features/credentials/send-credentials.ts";
import { on, type Route } from "#server/http/route.ts";
import type { Cookies } from "#server/http/session.ts";

export function credentialsRoutes({ db, cookies }: { db: Db; cookies: Cookies }): Route[] {
  /** Only invalid links are counted: a link is too long to guess, and a whole building may share one address. */
  async function ownerOf(token: string, ip: string): Promise<LinkOwner> {
    const owner = await readLink(db, token);
    if (owner) return owner;
    await countDeadLink(db, ip);
    throw deadLink();
  }

  return [
    on(api.users.sendCredentials, async ({ body, user, ip }) => sendCredentials(db, body, { user, ip })),

    on(api.passwordLink.read, async ({ params: { token }, ip, reply }) => {
      const owner = await ownerOf(token, ip);
      void reply.header("Cache-Control", "no-store");
      return {
        firstName: owner.firstName,
        username: owner.username,
        passwordHint: policySentence(await readPolicy(db)),
        expiresAt: owner.expiresAt.toISOString(),
      };
    }),

    on(api.passwordLink.use, async (call) => {
      const { params, body, ip } = call;
      await ownerOf(params.token, ip);
      const user = await consumeLink(db, params.token, body.password, ip);
      await signIn(db, cookies, user, call);
      return { user, message: "Your password is set. You are signed in." };
    }),
  ];
}
