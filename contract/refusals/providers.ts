import { isolated } from "#contract/text/isolate.ts";
import type { AddressKind, Channel } from "#contract/delivery.ts";
import { says } from "#contract/refusals/says.ts";
import { alternativesText } from "#contract/text/locale.ts";

const missingAddress: Record<AddressKind, string> = {
  email: "Your profile has no email address. Add one",
  phone: "Your profile has no phone number. Add one",
  device: "Turn on notifications in this browser on your profile",
};

/** Accounts with providers, and what providers call. */
export const providers = {
  "no-such-account": says("not-found", "This account doesn't exist."),
  "no-such-provider": says("not-found", "This provider doesn't exist."),
  "account-reports-nothing": says("not-found", "This account's provider reports nothing."),
  "account-not-here": says<{ name: string }>(
    "unavailable",
    ({ name }) => `This server has no account for ${isolated(name)}. Restart it with the same settings.`,
  ),
  "provider-of-other-channel": says<{ kinds: readonly string[]; channel: Channel }>(
    "invalid-input",
    ({ kinds, channel }) => `Provider must be ${alternativesText(kinds)} for the channel ${channel}`,
    { field: "kind" },
  ),
  /** What the provider's own schema says, by setting. */
  "provider-settings-not-valid": says<{ fields: Record<string, string> }>(
    "invalid-input",
    ({ fields }) => [...new Set(Object.values(fields))].join(". "),
    { fields: ({ fields }) => fields },
  ),
  "another-account-on": says<{ name: string }>(
    "conflict",
    ({ name }) =>
      `Turn off ${isolated(name)} first. Only one account can be on here, because a device only accepts messages ` +
      "from the account it signed up with.",
  ),
  "sample-loaded": says(
    "conflict",
    "Remove the sample property first. With a provider connected, its schedules would send real messages.",
  ),
  "account-of-environment": says<{ name: string }>(
    "conflict",
    ({ name }) =>
      `${isolated(name)} is set up in the server's environment. Change it there and restart Porchlight.`,
  ),
  "sandbox-is-built-in": says("conflict", "The Sandbox is part of Porchlight and can't be changed."),
  "no-address-for-test": says<{ kind: AddressKind }>(
    "empty-audience",
    ({ kind }) => `${missingAddress[kind]}, then send the test.`,
  ),
  "too-many-tests": says("too-many-requests", "You've sent too many tests. Try again in a few minutes."),

  "no-such-webhook": says("not-found", "There is no webhook at this address."),
  "webhook-not-signed": says(
    "forbidden",
    "This call isn't signed with the key that is saved for this account.",
  ),
  "subscription-not-confirmable": says(
    "unavailable",
    "The subscription can't be confirmed now. Send this call again.",
  ),
  "certificate-not-readable": says(
    "unavailable",
    "Amazon's certificate can't be read now. Send this call again.",
  ),
  "too-many-links-followed": says(
    "too-many-requests",
    "Too many people are following links. Try again in a moment.",
  ),
};

/** What is said beside single settings of an account. */
export const unknownSetting = (provider: string, name: string) => `${provider} has no setting "${name}"`;
export const enterSecretAgain = (label: string) =>
  `Enter the ${label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())} again, because the server changed`;
