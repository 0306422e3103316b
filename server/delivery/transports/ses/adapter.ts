import * as z from "zod";
import { line } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { awsSettings, regional, topicArn } from "../aws/settings.ts";
import { senderOf, senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { sesProvider } from "./provider.ts";
import { sesWebhook } from "./webhook.ts";

const sesSettings = z.object({
  ...awsSettings,
  ...senderSettings,
  topicArn: topicArn("Its ARN. Without it, SES can't report deliveries and bounces."),
  configurationSet: line("Configuration set", 64).default("").register(settingMeaning, {
    label: "Configuration set",
    hint: "Its name in Amazon SES, if mail goes through one.",
    advanced: true,
  }),
});

export type SesSettings = z.output<typeof sesSettings>;

export const ses = transportAdapter({
  kind: "ses",
  label: "Amazon SES",
  what: "For those who already use AWS",
  cost: "Per email",
  site: "https://console.aws.amazon.com/sns",
  channels: ["email"],
  // No idempotency key and no lookup.
  recovery: "blind",
  settings: sesSettings,
  api: { url: "https://email.{region}.amazonaws.com", variable: "SES_API_URL" },
  webhook: sesWebhook(),
  sender: senderOf,
  open: (settings, { apiUrl }) => new HttpTransport(sesProvider(settings, regional(apiUrl, settings.region))),
});
