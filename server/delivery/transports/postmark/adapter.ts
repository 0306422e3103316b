import * as z from "zod";
import { line } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { senderOf, senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { postmarkProvider } from "./provider.ts";
import { postmarkWebhook } from "./webhook.ts";

const postmarkSettings = z.object({
  apiKey: apiKey("In Postmark: your server, API Tokens, the Server API token."),
  ...senderSettings,
  webhookPassword: line("Webhook password", 200).default("").register(settingMeaning, {
    label: "Webhook password",
    hint: "The password under Basic auth of the webhook in Postmark. Without it, Postmark can't report deliveries and bounces.",
    secret: true,
  }),
  stream: line("Message stream", 30).default("outbound").register(settingMeaning, {
    label: "Message stream",
    hint: "Its ID in Postmark. Usually outbound, the transactional stream.",
    advanced: true,
  }),
});

export type PostmarkSettings = z.output<typeof postmarkSettings>;

export const postmark = transportAdapter({
  kind: "postmark",
  label: "Postmark",
  what: "Fast, with a detailed reason for every bounce",
  cost: "Monthly plan",
  site: "https://account.postmarkapp.com/servers",
  channels: ["email"],
  // No idempotency key, but messages can be looked up by their metadata.
  recovery: "queryable",
  settings: postmarkSettings,
  api: { url: "https://api.postmarkapp.com", variable: "POSTMARK_API_URL" },
  webhook: postmarkWebhook,
  sender: senderOf,
  open: (settings, { apiUrl }) => new HttpTransport(postmarkProvider(settings, apiUrl)),
});
