import * as z from "zod";
import { requiredLine } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { fromNumber } from "../sms/sender-settings.ts";
import { smsTransport } from "../sms/sms-transport.ts";
import { MESSAGING_SERVICE, twilioApi } from "./provider.ts";
import { twilioWebhook } from "./webhook.ts";

const twilioSettings = z.object({
  accountSid: requiredLine("Account SID", 34, "Account SID is required")
    .regex(/^AC[0-9a-f]{32}$/i, "An Account SID is AC and 32 letters and digits")
    .register(settingMeaning, { label: "Account SID", hint: "On the first page of the Twilio Console." }),
  authToken: requiredLine("Auth Token", 100, "Auth Token is required").register(settingMeaning, {
    label: "Auth Token",
    hint: "Below the Account SID.",
    secret: true,
  }),
  fromNumber: fromNumber({
    hint: "One of your Twilio numbers, or the SID of a messaging service (MG…).",
    also: MESSAGING_SERVICE,
  }),
});

export type TwilioSettings = z.output<typeof twilioSettings>;

export const twilio = transportAdapter({
  kind: "twilio",
  label: "Twilio",
  what: "Most countries and number types",
  cost: "Per text",
  site: "https://console.twilio.com",
  channels: ["sms"],
  // No idempotency key, and the message list has no field for our reference.
  recovery: "blind",
  settings: twilioSettings,
  api: { url: "https://api.twilio.com", variable: "TWILIO_API_URL" },
  webhook: twilioWebhook,
  open: (settings, context) => smsTransport(twilioApi(settings, context.apiUrl), context),
});
