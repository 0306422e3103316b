import * as z from "zod";
import { requiredLine } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { fromNumber } from "../sms/sender-settings.ts";
import { smsTransport } from "../sms/sms-transport.ts";
import { plivoApi, POWERPACK } from "./provider.ts";
import { plivoWebhook } from "./webhook.ts";

const plivoSettings = z.object({
  authId: requiredLine("Auth ID", 20, "Auth ID is required")
    .regex(/^[A-Z0-9]{20}$/, "An Auth ID is 20 capital letters and digits")
    .register(settingMeaning, { label: "Auth ID", hint: "On the first page of the Plivo console." }),
  authToken: requiredLine("Auth Token", 100, "Auth Token is required").register(settingMeaning, {
    label: "Auth Token",
    secret: true,
  }),
  fromNumber: fromNumber({
    hint: "One of your Plivo numbers, or the UUID of a Powerpack.",
    also: POWERPACK,
  }),
});

export type PlivoSettings = z.output<typeof plivoSettings>;

export const plivo = transportAdapter({
  kind: "plivo",
  label: "Plivo",
  what: "A simple alternative to Twilio",
  cost: "Per text",
  site: "https://console.plivo.com",
  channels: ["sms"],
  recovery: "blind",
  settings: plivoSettings,
  api: { url: "https://api.plivo.com", variable: "PLIVO_API_URL" },
  webhook: plivoWebhook,
  open: (settings, context) => smsTransport(plivoApi(settings, context.apiUrl), context),
});
