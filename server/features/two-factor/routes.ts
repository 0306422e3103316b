import type { FastifyRequest } from "fastify";
import { secondStep, twoFactor } from "#contract/calls/two-factor.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { checkOwnPassword } from "#server/features/auth/own-password.ts";
import { type PasskeySite, passkeySite } from "#server/features/auth/passkey-site.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import {
  addApp,
  addPasskey,
  type Own,
  readFactors,
  removeApp,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  resetFactors,
} from "#server/features/two-factor/factors.ts";
import { checkRegistration, registrationOptions } from "#server/features/two-factor/passkeys.ts";
import { finishWithCode, finishWithPasskey, startPasskey } from "#server/features/two-factor/second-step.ts";
import { beginTotp } from "#server/features/two-factor/totp.ts";
import { type By, on, type Route } from "#server/http/route.ts";
import { recordSecurityEvent } from "#server/http/security-events.ts";
import { confirmSession, type Cookies, tokensOf } from "#server/http/session.ts";

type TwoFactorDeps = {
  db: Db;
  cookies: Cookies;
  secrets: SecretBox;
  publicUrl: URL;
  now: () => Date;
};

export function twoFactorRoutes({ db, cookies, secrets, publicUrl, now }: TwoFactorDeps): Route[] {
  const site = passkeySite(publicUrl);
  const needSite = (): PasskeySite => {
    if (site) return site;
    throw refusal("passkeys-need-https");
  };
  const tokenOf = (request: FastifyRequest) => cookies.session.read(request) ?? "";
  const own = ({ by, request }: { by: By; request: FastifyRequest }): Own => ({
    ...by,
    tokens: tokensOf(cookies, request),
  });

  return [
    on(secondStep.code, async (call) => finishWithCode({ db, cookies, box: secrets, now: now() }, call)),
    on(secondStep.passkeyOptions, async (call) => startPasskey({ db, cookies, site: needSite() }, call)),
    on(secondStep.passkey, async (call) => finishWithPasskey({ db, cookies, site: needSite() }, call)),

    on(twoFactor.read, async ({ user }) => ({
      ...(await readFactors(db, { user, site })),
      passkeyOrigin: site?.origin ?? null,
    })),

    on(twoFactor.confirmPassword, async ({ body, user, by, request }) => {
      await checkOwnPassword(db, body.currentPassword, by);
      await confirmSession(db, tokenOf(request));
      const subject = { type: "user", id: user.id };
      await recordSecurityEvent(db, request, { user, action: "session.confirm", subject });
      return { message: "Thank you." };
    }),

    on(twoFactor.beginApp, async ({ user }) =>
      beginTotp(db, secrets, {
        userId: user.id,
        issuer: await readSetting(db, "siteName"),
        label: user.username,
      }),
    ),
    on(twoFactor.confirmApp, async (call) => {
      const { code } = call.body;
      const { token, recoveryCodes } = await addApp(db, { box: secrets, code, now: now() }, own(call));
      cookies.session.write(call.reply, token);
      return { recoveryCodes };
    }),
    on(twoFactor.removeApp, async (call) => {
      cookies.session.write(call.reply, await removeApp(db, own(call)));
      return { message: "Your authenticator app was removed." };
    }),

    on(twoFactor.passkeyOptions, async ({ user, request }) =>
      registrationOptions(db, needSite(), {
        user,
        siteName: await readSetting(db, "siteName"),
        token: tokenOf(request),
      }),
    ),
    on(twoFactor.addPasskey, async (call) => {
      const { name, response } = call.body;
      const passkey = await checkRegistration(db, needSite(), { token: tokenOf(call.request), response });
      const { token, recoveryCodes } = await addPasskey(db, { name, passkey }, own(call));
      cookies.session.write(call.reply, token);
      return { recoveryCodes };
    }),
    on(twoFactor.renamePasskey, async ({ params: { id }, body: { name }, by }) => {
      await renamePasskey(db, id, name, by);
      return { message: `The passkey is now called ${name}.` };
    }),
    on(twoFactor.removePasskey, async (call) => {
      cookies.session.write(call.reply, await removePasskey(db, call.params.id, own(call)));
      return { message: "The passkey was removed." };
    }),

    on(twoFactor.newRecoveryCodes, async (call) => {
      const { token, recoveryCodes } = await renewRecoveryCodes(db, own(call));
      cookies.session.write(call.reply, token);
      return { recoveryCodes };
    }),

    on(twoFactor.reset, async ({ params: { id }, by }) => {
      const name = await resetFactors(db, id, by);
      return {
        message: `Two-factor authentication is off for ${name}. They sign in with their password alone.`,
      };
    }),
  ];
}
