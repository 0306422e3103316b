import * as z from "zod";
import { signedIn } from "#contract/calls/auth.ts";
import { endpoint } from "#contract/endpoint.ts";
import { idParams, instant, requiredLine } from "#contract/fields.ts";
import { currentPassword } from "#contract/calls/profile.ts";

/** Two-factor authentication: an app that shows codes, passkeys, and recovery codes for when both are lost. */

const appCodeSentence = "Enter the 6-digit code from your authenticator app";
const appCode = z
  .string({ error: appCodeSentence })
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, appCodeSentence));

/** Upper and lower case, spaces and hyphens do not matter. */
const recoveryCodeSentence = "Enter one of your recovery codes, like ABCDE-FGHJK";
const recoveryCode = z
  .string({ error: recoveryCodeSentence })
  .transform((text) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ""))
  .pipe(z.string().length(10, recoveryCodeSentence));

export const secondStepForm = z.discriminatedUnion("by", [
  z.object({ by: z.literal("app"), code: appCode }),
  z.object({ by: z.literal("recovery"), code: recoveryCode }),
]);

export const appCodeForm = z.object({ code: appCode });

/** What a browser's WebAuthn takes and gives, as JSON; `@simplewebauthn` knows its parts. */
const options = z.looseObject({ challenge: z.string() });
const response = z.looseObject({ id: z.string().max(1400) }, { error: "This is not a passkey's response" });

const passkeyName = requiredLine("Name", 60, "Give the passkey a name");
export const passkeyForm = z.object({ name: passkeyName });

const passkey = z.object({
  id: z.number(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  /** The host that it works at, if that is not this one: the installation has moved. */
  madeFor: z.string().nullable(),
});
export type Passkey = z.output<typeof passkey>;

/** Shown only once; null if the person already has some. */
const recoveryCodes = z.array(z.string());
const madeWith = z.object({ recoveryCodes: recoveryCodes.nullable() });

/** The second step of a sign-in. All of these belong to the sign-in that this browser has begun. */
export const secondStep = {
  code: endpoint({
    method: "POST",
    path: "/api/auth/second-step",
    access: "public",
    summary: "Finish a sign-in with a code from an app or a recovery code; sets the session cookie",
    body: secondStepForm,
    reply: signedIn,
  }),
  passkeyOptions: endpoint({
    method: "POST",
    path: "/api/auth/passkey/options",
    access: "public",
    summary: "What a passkey has to sign: as the second step, or to sign in with a passkey alone",
    body: z.object({
      /** Without a password before: the passkey says who it is. */
      alone: z.boolean().default(false),
      sharedComputer: z.boolean().default(false),
    }),
    reply: options,
  }),
  passkey: endpoint({
    method: "POST",
    path: "/api/auth/passkey",
    access: "public",
    summary: "Finish a sign-in with a passkey; sets the session cookie",
    body: z.object({ response }),
    reply: signedIn,
  }),
};

/** Everyone's own. */
export const twoFactor = {
  read: endpoint({
    method: "GET",
    path: "/api/profile/two-factor",
    access: "signed-in",
    summary: "Your authenticator app, passkeys and how many recovery codes are left",
    duringSetUp: true,
    reply: z.object({
      app: z.object({ since: instant }).nullable(),
      passkeys: z.array(passkey),
      recoveryCodesLeft: z.number(),
      /** An administrator's last factor can't be removed while the settings require one. */
      required: z.boolean(),
      /** Where passkeys work; null: nowhere, because they need https. */
      passkeyOrigin: z.string().nullable(),
    }),
  }),
  confirmPassword: endpoint({
    method: "POST",
    path: "/api/profile/confirm-password",
    access: "signed-in",
    summary: "Enter your password again. For ten minutes, no call answers password-required",
    duringSetUp: true,
    body: z.object({ currentPassword }),
    reply: z.object({ message: z.string() }),
  }),
  beginApp: endpoint({
    method: "POST",
    path: "/api/profile/two-factor/app",
    access: "signed-in",
    summary: "A new secret for an authenticator app, as text and as the address that a QR code shows",
    confirmed: true,
    duringSetUp: true,
    reply: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmApp: endpoint({
    method: "POST",
    path: "/api/profile/two-factor/app/confirm",
    access: "signed-in",
    summary: "Turn the app on with a first code from it",
    confirmed: true,
    duringSetUp: true,
    body: appCodeForm,
    reply: madeWith,
  }),
  removeApp: endpoint({
    method: "DELETE",
    path: "/api/profile/two-factor/app",
    access: "signed-in",
    summary: "Remove the authenticator app. Other sessions end",
    confirmed: true,
    reply: z.object({ message: z.string() }),
  }),
  passkeyOptions: endpoint({
    method: "POST",
    path: "/api/profile/two-factor/passkeys/options",
    access: "signed-in",
    summary: "What a browser needs to make a passkey",
    confirmed: true,
    duringSetUp: true,
    reply: options,
  }),
  addPasskey: endpoint({
    method: "POST",
    path: "/api/profile/two-factor/passkeys",
    access: "signed-in",
    summary: "Add the passkey that the browser made",
    confirmed: true,
    duringSetUp: true,
    body: z.object({ name: passkeyName, response }),
    reply: madeWith,
  }),
  renamePasskey: endpoint({
    method: "PUT",
    path: "/api/profile/two-factor/passkeys/{id}",
    access: "signed-in",
    summary: "Rename a passkey",
    params: idParams,
    body: passkeyForm,
    reply: z.object({ message: z.string() }),
  }),
  removePasskey: endpoint({
    method: "DELETE",
    path: "/api/profile/two-factor/passkeys/{id}",
    access: "signed-in",
    summary: "Remove a passkey. Other sessions end",
    confirmed: true,
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
  newRecoveryCodes: endpoint({
    method: "POST",
    path: "/api/profile/two-factor/recovery-codes",
    access: "signed-in",
    summary: "Ten new recovery codes, shown this once. The earlier ones stop working",
    confirmed: true,
    reply: z.object({ recoveryCodes }),
  }),
  reset: endpoint({
    method: "DELETE",
    path: "/api/users/{id}/two-factor",
    access: "accounts:write",
    summary: "Turn off someone's two-factor authentication, for a lost phone. Their sessions end",
    confirmed: true,
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
};
