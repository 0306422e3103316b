import * as z from "zod";
import { requiredLine } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { resendProvider } from "./provider.ts";

export const resendSettings = z.object({
  apiKey: requiredLine("API Key", 200, "API Key is required").register(settingMeaning, {
    label: "API Key",
    hint: "In Resend: API Keys. Sending access is enough.",
    secret: true,
  }),
  ...senderSettings,
});

export type ResendSettings = z.output<typeof resendSettings>;

export const resend = transportAdapter({
  kind: "resend",
  label: "Resend",
  channels: ["email"],
  simulated: false,
  // A key names a whole request. Its transport asks again by it, but what a dead process had begun goes out later in
  // another request, which Resend would not know.
  recovery: "blind",
  settings: resendSettings,
  api: { url: "https://api.resend.com", variable: "RESEND_API_URL" },
  sender: ({ fromName, fromEmail }) => ({ name: fromName, address: fromEmail }),
  open: (settings, { apiUrl }) => new HttpTransport(resendProvider(settings, apiUrl)),
});
