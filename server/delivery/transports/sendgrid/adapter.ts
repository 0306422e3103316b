import * as z from "zod";
import { line } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { senderOf, senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { sendgridProvider } from "./provider.ts";
import { publicKey, sendgridWebhook } from "./webhook.ts";

const sendgridSettings = z.object({
  apiKey: apiKey("In SendGrid: Settings, API Keys. It needs the Mail Send permission."),
  ...senderSettings,
  verificationKey: line("Verification Key", 500)
    .refine((typed) => typed === "" || publicKey(typed) !== null, "This is not the key that SendGrid shows")
    .default("")
    .register(settingMeaning, {
      label: "Verification Key",
      hint: "In SendGrid: Settings, Mail Settings, Event Webhook, Signature Verification. Without it, SendGrid can't report deliveries and bounces.",
    }),
});

export type SendGridSettings = z.output<typeof sendgridSettings>;

export const sendgrid = transportAdapter({
  kind: "sendgrid",
  label: "SendGrid",
  what: "Large mailings to many properties",
  cost: "Monthly plan",
  site: "https://app.sendgrid.com/settings/mail_settings",
  channels: ["email"],
  // No idempotency key and no lookup.
  recovery: "blind",
  settings: sendgridSettings,
  api: { url: "https://api.sendgrid.com", variable: "SENDGRID_API_URL" },
  webhook: sendgridWebhook,
  sender: senderOf,
  open: (settings, { apiUrl }) => new HttpTransport(sendgridProvider(settings, apiUrl)),
});
