import * as z from "zod";
import { line, requiredLine } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { fromNumber } from "../sms/sender-settings.ts";
import { smsTransport } from "../sms/sms-transport.ts";
import { vonageApi } from "./provider.ts";
import { vonageWebhook } from "./webhook.ts";

const vonageSettings = z.object({
  apiKey: requiredLine("API Key", 100, "API Key is required").register(settingMeaning, {
    label: "API Key",
    hint: "In the Vonage dashboard, under API Settings.",
  }),
  apiSecret: requiredLine("API Secret", 100, "API Secret is required").register(settingMeaning, {
    label: "API Secret",
    secret: true,
  }),
  fromNumber: fromNumber({ hint: "One of your Vonage numbers." }),
  signatureSecret: line("Signature secret", 200).default("").register(settingMeaning, {
    label: "Signature secret",
    hint: "For receipts and replies. Under API Settings, with the method SHA-256 HMAC.",
    secret: true,
  }),
});

export type VonageSettings = z.output<typeof vonageSettings>;

export const vonage = transportAdapter({
  kind: "vonage",
  label: "Vonage",
  what: "Sender names outside the US",
  cost: "Per text",
  site: "https://dashboard.nexmo.com/settings",
  channels: ["sms"],
  leavesHelp: true,
  recovery: "blind",
  settings: vonageSettings,
  api: { url: "https://rest.nexmo.com", variable: "VONAGE_API_URL" },
  webhook: vonageWebhook,
  open: (settings, context) => smsTransport(vonageApi(settings, context.apiUrl), context),
});
