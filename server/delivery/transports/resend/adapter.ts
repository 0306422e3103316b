import * as z from "zod";
import { line } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { senderOf, senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { resendProvider } from "./provider.ts";
import { resendWebhook } from "./webhook.ts";

const resendSettings = z.object({
  apiKey: apiKey("In Resend: API Keys. Sending access is enough."),
  ...senderSettings,
  signingSecret: line("Signing secret", 200)
    .regex(/^(?:whsec_[\w+/]+=*)?$/, "A signing secret begins with whsec_")
    .default("")
    .register(settingMeaning, {
      label: "Signing secret",
      hint: "From the webhook in Resend. Without it, Resend can't report deliveries and bounces.",
      secret: true,
    }),
});

export type ResendSettings = z.output<typeof resendSettings>;

export const resend = transportAdapter({
  kind: "resend",
  label: "Resend",
  what: "The quickest mail service to set up",
  cost: "Monthly plan",
  site: "https://resend.com/webhooks",
  channels: ["email"],
  // Idempotency keys are per request. The transport repeats a request with its key, but after a crash a message is sent
  // in a different request, which Resend wouldn't recognize.
  recovery: "blind",
  settings: resendSettings,
  api: { url: "https://api.resend.com", variable: "RESEND_API_URL" },
  webhook: resendWebhook,
  sender: senderOf,
  open: (settings, { apiUrl }) => new HttpTransport(resendProvider(settings, apiUrl)),
});
