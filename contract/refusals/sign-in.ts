import { isolated } from "#contract/text/isolate.ts";
import { says } from "#contract/refusals/says.ts";
import { unitText } from "#contract/text/locale.ts";

export const registrationClosed =
  "Registration is closed. Ask your property manager or an administrator for an account.";

/** Signing in and registering, passwords and their links, second factors. */
export const signIn = {
  "wrong-credentials": says("wrong-credentials", "Invalid credentials"),
  "too-many-attempts": says<{ seconds: number }>(
    "too-many-requests",
    ({ seconds }) =>
      `Too many attempts. Try again in ${seconds < 60 ? unitText(seconds, "second") : unitText(Math.ceil(seconds / 60), "minute")}.`,
  ),
  "too-many-signing-in": says("unavailable", "Too many people are signing in right now. Try again shortly."),
  "sign-in-too-slow": says("sign-in-expired", "Your sign-in took too long. Enter your password again."),
  "registration-is-closed": says("registration-closed", registrationClosed),
  "wrong-setup-code": says("setup-code", "Enter the setup code that the server printed when it started", {
    field: "setupCode",
  }),
  "administrator-exists": says("conflict", "Someone else just became the administrator. Please sign in."),

  // The current password, and what a new one has to be.
  "current-password-missing": says("invalid-input", "Enter your current password", {
    field: "currentPassword",
  }),
  "current-password-wrong": says("invalid-input", "This is not your current password", {
    field: "currentPassword",
  }),
  "password-unchanged": says("invalid-input", "Choose a password other than your current one", {
    field: "password",
  }),
  "password-too-short": says<{ least: number }>(
    "invalid-input",
    ({ least }) => `Password must be at least ${least} characters`,
    { field: "password" },
  ),
  "password-without-special": says(
    "invalid-input",
    "Password must contain at least one special character, for example ! or -",
    { field: "password" },
  ),
  "password-one-character": says("invalid-input", "A password can't be one character repeated", {
    field: "password",
  }),
  "password-common": says(
    "invalid-input",
    "This password is on the list of commonly used ones. Choose another.",
    { field: "password" },
  ),
  "password-pattern": says("invalid-input", "This password follows a simple pattern. Choose another.", {
    field: "password",
  }),
  "password-own-name": says("invalid-input", "A password can't be your own name", { field: "password" }),
  "own-password-elsewhere": says(
    "invalid-input",
    "Change your own password on your profile, with your current one",
    { field: "password" },
  ),
  "password-of-another": says(
    "forbidden",
    "Only an administrator can set someone's password. Send credentials instead.",
    { field: "password" },
  ),

  // One-time links. What never existed, was used or is too old reads the same, so that no one learns which it was.
  "password-link-dead": says(
    "not-found",
    "This link is no longer valid. Ask your property manager for a new one.",
  ),
  "confirmation-link-dead": says("not-found", "This link is no longer valid. Sign in to get a new one."),
  "too-many-links": says("too-many-requests", "We've sent several links already. Try again in an hour."),
  "link-to-oneself": says("forbidden", "Change your own password on your profile, with your current one."),
  "no-way-for-link": says<{ name: string; sentences: readonly string[] }>(
    "empty-audience",
    ({ name, sentences }) => `We can't send ${isolated(name)} a link. ${sentences.join(" ")}`,
    { field: "channels" },
  ),

  // Second factors.
  "setup-code-wrong": says(
    "invalid-input",
    "This code doesn't match. Check that your phone's time is right, and enter the newest code.",
    { field: "code" },
  ),
  "app-code-wrong": says(
    "wrong-credentials",
    "This code doesn't match. Enter the newest code from your authenticator app.",
    { field: "code" },
  ),
  "recovery-code-wrong": says(
    "wrong-credentials",
    "This is not one of your recovery codes, or it was used before.",
    { field: "code" },
  ),
  "code-used-before": says(
    "wrong-credentials",
    "This code was used already. Wait for the next one in your authenticator app.",
    { field: "code" },
  ),
  "too-many-wrong-codes": says(
    "too-many-requests",
    "Too many wrong codes this week. Use a passkey or a browser you've signed in with before, or ask an administrator " +
      "for a link to set a new password.",
  ),
  "app-secret-unreadable": says(
    "conflict",
    "We can't read your authenticator app's secret, because the server's secret key is gone. Use a recovery code, or ask an administrator to reset your two-factor authentication.",
  ),
  "factor-removed-already": says("not-found", "It has been removed already."),
  "last-factor": says(
    "conflict",
    "Administrators need two-factor authentication here. Add another method first.",
  ),
  "no-factor-yet": says("conflict", "Add an authenticator app or a passkey first."),
  "own-factors-elsewhere": says("conflict", "Change your own two-factor authentication on your profile."),
  "person-without-factor": says<{ name: string }>(
    "conflict",
    ({ name }) => `${isolated(name)} has no two-factor authentication.`,
  ),
  "passkey-too-slow": says("conflict", "That took too long. Try the passkey again."),
  "too-many-passkeys": says<{ most: number }>(
    "conflict",
    ({ most }) => `You have ${most} passkeys, and can't have more. Remove one first.`,
  ),
  "passkey-not-checkable": says("invalid-input", "This passkey could not be checked. Try again."),
  "passkey-added-already": says("conflict", "This passkey has already been added."),
  "passkey-removed": says("not-found", "This passkey has been removed."),
  "passkey-unknown": says("wrong-credentials", "This passkey doesn't belong to an account here."),
  "passkeys-need-https": says("conflict", "Passkeys require https. This address doesn't use it."),
};
