import * as z from "zod";
import { line, requiredLine } from "#contract/fields.ts";
import { apiKey, settingMeaning, transportAdapter } from "../adapter.ts";
import { HttpTransport } from "../http/transport.ts";
import { onesignalProvider } from "./provider.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const onesignalSettings = z.object({
  appId: requiredLine("App ID", 100, "App ID is required")
    .regex(UUID, "An App ID looks like b2f7c1de-4a07-4c52-9d5e-0c1f55d7a301")
    .register(settingMeaning, {
      label: "App ID",
      hint: "In OneSignal: Settings, Keys & IDs.",
      placeholder: "b2f7c1de-4a07-4c52-9d5e-0c1f55d7a301",
    }),
  apiKey: apiKey("An App API key, from the same page. OneSignal shows it once.", 400),
  safariWebId: line("Safari Web ID", 200)
    .regex(/^(?:web\.[\w.-]+)?$/, "A Safari Web ID looks like web.onesignal.auto.0a1b2c3d")
    .default("")
    .register(settingMeaning, {
      label: "Safari Web ID",
      hint: "Only for Safari on older Macs. Test Connection compares it with your app's.",
    }),
  userIdAttribute: z.enum(["id", "username", "email"]).default("id").register(settingMeaning, {
    label: "User ID attribute",
    hint: "What your site or app passes to OneSignal as the External ID.",
  }),
});

export type OneSignalSettings = z.output<typeof onesignalSettings>;

export const onesignal = transportAdapter({
  kind: "onesignal",
  label: "OneSignal",
  what: "Phones and browsers, with delivery figures",
  cost: "Free, then monthly",
  site: "https://dashboard.onesignal.com",
  channels: ["push"],
  // OneSignal keeps each idempotency_key for 30 days.
  recovery: "keyed",
  settings: onesignalSettings,
  api: { url: "https://api.onesignal.com", variable: "ONESIGNAL_API_URL" },
  open: (settings, { apiUrl, recipients }) =>
    new HttpTransport(onesignalProvider(settings, apiUrl, recipients)),
});
