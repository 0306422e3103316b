import * as z from "zod";
import { line } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { fromNumber } from "../sms/sender-settings.ts";
import { smsTransport } from "../sms/sms-transport.ts";
import { telnyxApi } from "./provider.ts";
import { telnyxWebhook } from "./webhook.ts";

const telnyxSettings = z.object({
  apiKey: apiKey("In the Telnyx portal, under API Keys."),
  fromNumber: fromNumber({ hint: "One of your Telnyx numbers, in a messaging profile." }),
  publicKey: line("Public key", 44)
    .regex(/^(?:[\w+/]{43}=)?$/, "A public key is 44 characters and ends in =")
    .default("")
    .register(settingMeaning, {
      label: "Public key",
      hint: "For receipts and replies. Under Keys & Credentials, Public Key.",
    }),
  messagingProfileId: line("Messaging profile ID", 36).default("").register(settingMeaning, {
    label: "Messaging profile ID",
    hint: "Only if you send from a name instead of a number",
    advanced: true,
  }),
});

export type TelnyxSettings = z.output<typeof telnyxSettings>;

export const telnyx = transportAdapter({
  kind: "telnyx",
  label: "Telnyx",
  what: "Runs its own network",
  cost: "Per text",
  site: "https://portal.telnyx.com",
  channels: ["sms"],
  leavesHelp: true,
  recovery: "blind",
  settings: telnyxSettings,
  api: { url: "https://api.telnyx.com", variable: "TELNYX_API_URL" },
  webhook: telnyxWebhook,
  open: (settings, context) => smsTransport(telnyxApi(settings, context.apiUrl), context),
});
