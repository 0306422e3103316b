import { domainToASCII } from "node:url";
import * as z from "zod";
import { line, requiredLine } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { senderOf, senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { mailgunProvider } from "./provider.ts";
import { mailgunWebhook } from "./webhook.ts";

const mailgunSettings = z.object({
  apiKey: apiKey("In Mailgun: the domain's settings, Sending keys."),
  // It becomes part of the API's path, so it is validated strictly.
  domain: requiredLine("Domain", 253, "Domain is required")
    .overwrite((typed) => (/[\s/?#\\:@%]/.test(typed) ? "" : domainToASCII(typed)))
    .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, "This is not a domain like mg.example.com")
    .register(settingMeaning, { label: "Domain", hint: "As Mailgun shows it, like mg.example.com" }),
  ...senderSettings,
  signingKey: line("Webhook signing key", 200).default("").register(settingMeaning, {
    label: "Webhook signing key",
    hint: "In Mailgun: Webhooks. Without it, Mailgun can't report deliveries and bounces.",
    secret: true,
  }),
});

export type MailgunSettings = z.output<typeof mailgunSettings>;

export const mailgun = transportAdapter({
  kind: "mailgun",
  label: "Mailgun",
  what: "Sending from the US or the EU",
  cost: "Monthly plan",
  site: "https://app.mailgun.com",
  channels: ["email"],
  // No idempotency key, and sending keys can't look up events.
  recovery: "blind",
  settings: mailgunSettings,
  api: { url: "https://api.mailgun.net", variable: "MAILGUN_API_URL" },
  webhook: mailgunWebhook,
  sender: senderOf,
  open: (settings, { apiUrl }) => new HttpTransport(mailgunProvider(settings, apiUrl)),
});
